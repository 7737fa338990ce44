/** Pieces that move: each glides from where it lay in the frame before, turns over, or something flies between two. */

import { byId, html } from "./link.js";

const SVG = "http://www.w3.org/2000/svg";

export const still = () =>
  html.dataset.speed === "off" || document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A time from the style sheet, in ms; the speed setting is in it. */
function time(token) {
  const probe = byId("say");
  probe.style.transitionDuration = `var(${token})`;
  return parseFloat(getComputedStyle(probe).transitionDuration) * 1000;
}

const pieces = (main) => [...main.querySelectorAll("[data-move]")];

/** Where every piece lies now, and which face is up. */
export function places(main) {
  const seen = (piece) => ({ box: piece.getBoundingClientRect(), face: piece.dataset.face });
  return still() ? new Map() : new Map(pieces(main).map((piece) => [piece.dataset.move, seen(piece)]));
}

/** Lets every piece come from where it lay; units that are lost fall. */
export function glide(main, before, kind = "") {
  if (!before.size) return;
  const [move, turn] = [time("--m-move"), time("--m-turn")];
  for (const piece of pieces(main)) {
    const was = before.get(piece.dataset.move);
    const box = piece.getBoundingClientRect();
    if (!box.width) continue;
    if (!was?.box.width) piece.animate({ opacity: [0, 1] }, move);
    else {
      if (was.face && was.face !== piece.dataset.face) flip(piece, turn);
      const [x, y] = [was.box.left - box.left, was.box.top - box.top];
      if (Math.abs(x) + Math.abs(y) > 2) fly(piece, x, y, was.box.width / box.width, kind, move);
    }
  }
}

function flip(piece, duration) {
  const from = { transform: "perspective(60rem) rotateY(-90deg)" };
  piece.animate([from, { transform: "perspective(60rem) rotateY(0)" }], { duration, easing: "ease-out" });
}

function fly(piece, x, y, scale, kind, duration) {
  const from = { transform: `translate(${x}px, ${y}px) scale(${scale})`, zIndex: 5 };
  const fallen = { transform: `translate(${x}px, ${y + 18}px) rotate(96deg) scale(${scale})`, offset: 0.45, zIndex: 5 };
  const way = kind === "loss" ? [from, fallen, { transform: "none" }] : [from, { transform: "none" }];
  const easing = "cubic-bezier(.2, .8, .25, 1)";
  piece.animate(way, { duration: kind === "loss" ? 2.5 * duration : 1.5 * duration, easing });
}

/** A thread between two pieces, or something that flies from one to the other. */
export function draw(main, { cue, what, from, to }) {
  const cloth = main.querySelector(".cloth");
  const [start, end] = [from, to].map((name) => middle(cloth, name));
  if (!start || !end) return;
  if (cue === "thread") cloth.append(thread(what, start, end, time("--m-beat")));
  else if (!still()) cloth.append(flying(what, start, end, time("--m-beat")));
}

/** The middle of a piece, from the upper left corner of the cloth. */
function middle(cloth, name) {
  const piece = document.querySelector(`[data-piece="${CSS.escape(name)}"], [data-move="${CSS.escape(name)}"]`);
  if (!piece?.getClientRects().length) return null;
  const [box, around] = [piece.getBoundingClientRect(), cloth.getBoundingClientRect()];
  return [box.left + box.width / 2 - around.left, box.top + box.height / 2 - around.top];
}

function picture(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

function thread(look, [x, y], [to, bottom], duration) {
  const svg = picture("svg", { class: `thread-drawn ${look}`, "aria-hidden": true });
  const [mx, my, bow] = [(x + to) / 2, (y + bottom) / 2, 26];
  const whole = [`M${x} ${y}C${x + bow} ${my - bow} ${to - bow} ${my + bow} ${to} ${bottom}`];
  const torn = [
    `M${x} ${y}Q${x + bow} ${(y + my) / 2} ${mx - bow} ${my - 14}l9 -3m-9 3l3 10m-3 -10l-7 6`,
    `M${to} ${bottom}Q${to - bow} ${(bottom + my) / 2} ${mx + bow} ${my + 14}l-9 3m9 -3l-3 -10m3 10l7 -6`,
  ];
  for (const d of look === "whole" ? whole : torn) {
    const path = svg.appendChild(picture("path", { d, pathLength: 1 }));
    if (!still()) path.animate({ strokeDashoffset: [1, 0] }, { duration: duration / 2, easing: "ease-out" });
  }
  return svg;
}

function flying(what, [x, y], [to, bottom], duration) {
  const svg = picture("svg", { class: "flying", viewBox: "0 0 64 64", "aria-hidden": true });
  svg.append(picture("use", { href: `#${what}` }));
  const at = (left, top, turn) => ({
    transform: `translate(${left}px, ${top}px) translate(-50%, -50%) rotate(${turn}deg)`,
  });
  const side = to < x ? -1 : 1;
  const high = Math.min(y, bottom) - 70;
  const way = [
    { ...at(x, y, 0), easing: "ease-out" },
    { ...at((x + to) / 2, high, 90 * side), easing: "ease-in" },
    at(to, bottom, 180 * side),
  ];
  const flight = svg.animate(way, { duration: duration * 0.9, fill: "backwards" });
  flight.onfinish = () => svg.remove();
  return svg;
}

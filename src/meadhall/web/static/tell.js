/** Telling what happened: new lines of the story appear one a beat and are read out. */

import { byId, on } from "./link.js";
import { still } from "./swap.js";

// The phone's one line and folded turns repeat what is told.
const RETOLD = ".last, .past details > :not(summary)";
const heard = new Set(); // since it began: a swap in the middle goes on
let untold = [];
let timer;

const moment = (line) => Number(line.dataset.at);
const sign = (line) => `${line.dataset.at} ${words(line)}`;

/** A line as it is read out: pictures by their names, without the clause chip. */
function words(line) {
  if (line.ariaLabel) return line.ariaLabel;
  const copy = line.cloneNode(true);
  for (const part of copy.querySelectorAll(".clause, [aria-hidden=true]")) part.remove();
  for (const part of copy.querySelectorAll("[aria-label]")) part.replaceWith(` ${part.ariaLabel} `);
  return copy.textContent.replace(/\s+/g, " ").trim();
}

/** Reads a sentence out, after those before it. */
export function say(sentence) {
  const line = document.createElement("span");
  line.textContent = `${sentence} `;
  byId("say").append(line);
}

/** A time from the style sheet, in ms; the speed setting is in it. */
function time(token) {
  if (still()) return 0;
  byId("say").style.transitionDuration = `var(${token})`;
  return parseFloat(getComputedStyle(byId("say")).transitionDuration) * 1000;
}

function step() {
  const line = untold.shift();
  for (let part = line; part; part = part.parentElement.closest(".untold")) part.classList.remove("untold");
  heard.add(sign(line));
  say(words(line));
  line.animate({ opacity: [0, 1] }, time("--m-move"));
}

function walk() {
  step();
  if (untold.length) timer = setTimeout(walk, time("--m-beat"));
}

function finish() {
  clearTimeout(timer);
  while (untold.length) step();
}

/** Tells what is new. Another seat's page begins with nothing said. */
export function tell({ fresh, old }) {
  clearTimeout(timer);
  const from = untold.length ? moment(untold[0]) : Number(old.dataset.position ?? NaN);
  const strange = old.dataset.seat !== fresh.dataset.seat;
  if (!untold.length || strange) heard.clear();
  untold = [];
  const news = [...fresh.querySelectorAll(".story [data-at]")].filter(
    (line) => moment(line) >= from && !line.closest(RETOLD) && !heard.has(sign(line)),
  );
  if (strange || (news.length && !heard.size)) byId("say").replaceChildren();
  if (strange || !news.length) return;
  untold = news.filter((line) => !line.querySelector("[data-at]")).sort((a, b) => moment(a) - moment(b));
  if (!time("--m-beat")) return finish();
  for (const line of news) line.classList.add("untold"); // keeps its height: nothing jumps
  walk();
}

export function attend() {
  on("click", ({ target }) => {
    if (target.closest(".story") && !target.closest("a, button, summary, label")) finish();
  });
  on("keydown", (event) => {
    const space = event.key === " " && !event.target.closest("a, button, summary, input, select");
    if (event.defaultPrevented || !untold.length || !(space || event.key === "Escape")) return;
    event.preventDefault();
    finish();
  });
}

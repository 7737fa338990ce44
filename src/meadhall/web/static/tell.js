/** Telling what happened: the page plays a frame for each beat, then shows the table as it is. */

import { byId, found, html, on, settle, table } from "./link.js";
import { draw, glide, places } from "./motion.js";
import { recap } from "./recap.js";
import { count, mark } from "./scene.js";
import { swap } from "./swap.js";

const FACTOR = { slow: 1.7, normal: 1, fast: 0.45, step: 1, off: 0 };
const REMEMBERED = 60; // sentences: some readers stop speaking one that is taken away too soon
const OWN = "a, button, summary, label, input, select, textarea, dialog, [data-card], [data-slot]";

let queue = []; // frames that are yet to be shown
let end = null; // the table as it is after them, and the choice that led there
let timers = [];

/** Functions of the part of the page that a frame has put in. */
export const dressers = [];

export const telling = () => end !== null;
const byStep = () => html.dataset.speed === "step";
const factor = () => FACTOR[html.dataset.speed] ?? 1;

/** Reads a sentence out, after those before it. */
export function say(sentence) {
  const line = document.createElement("span");
  line.textContent = `${sentence} `;
  byId("say").append(line);
  while (byId("say").childElementCount > REMEMBERED) byId("say").firstElementChild.remove();
}

const hush = () => byId("say").replaceChildren();

/** Takes in an answer of the server: tells what is new, then shows the table. `posted` is a choice just accepted. */
export function receive({ fresh, frames }, posted = null) {
  const away = document.hidden || found("told");
  settle(fresh);
  end = { fresh, posted: posted ?? end?.posted ?? null };
  queue.push(...frames);
  if (away) queue = recap(queue, document.hidden);
  if (!factor()) return finish();
  if (!timers.length) next();
}

/** Another seat's page, or a curtain, must not lie beneath what all may see. */
function stage(fresh) {
  const old = table();
  if (old.dataset.seat === fresh.dataset.seat && old.querySelector(".cloth")) return;
  const bare = fresh.cloneNode(true);
  for (const part of bare.querySelectorAll(".book > :not(.scene), .over, .hint")) part.remove();
  hush();
  old.replaceWith(bare);
}

function next() {
  for (const timer of timers) clearTimeout(timer);
  timers = [];
  const frame = queue.shift();
  if (!frame) return finish();
  stage(end.fresh);
  show(frame);
}

/** A beat: its parts of the table, what moves, what is said, and the time to take it in. */
function show(frame) {
  const main = table();
  const { beat, kind, hold, chapter } = frame.dataset;
  const time = hold * factor();
  html.classList.add("telling");
  const before = places(main);
  bar(null);
  for (const drawn of main.querySelectorAll(".thread-drawn, .flying")) drawn.remove();
  for (const part of [...frame.content.children]) put(main, part);
  bar(main.querySelector(".rail .ask"));
  Object.assign(main.dataset, { beat, kind, chapter });
  for (const part of main.querySelectorAll(".cloth, .scene")) part.dataset.beat = beat;
  for (const dress of dressers) dress(main);
  mark(main, Number(beat));
  glide(main, before, kind);
  for (const cue of frame.content.querySelectorAll(".cue")) draw(main, cue.dataset);
  say(frame.dataset.say);
  timers.push(...count(main, time));
  if (!byStep()) timers.push(setTimeout(next, time));
  else timers.push(0);
}

/** The bar that says how to go on lies where the one button will be; it keeps focus while the rail is exchanged. */
function bar(place) {
  const own = byId("telling");
  if (!own) return;
  const active = own.contains(document.activeElement) && document.activeElement;
  own.hidden = !place;
  (place ?? byId("link").parentElement).append(own);
  if (active && place) active.focus({ preventScroll: true });
}

function put(main, part) {
  if (part.matches(".cue")) return;
  main.querySelector(`.${part.classList[0]}`)?.replaceWith(part);
}

/** Shows the table as it is now; what was not shown of the way there has still been said. */
export function finish() {
  for (const timer of timers) clearTimeout(timer);
  timers = [];
  for (const frame of queue) say(frame.dataset.say);
  queue = [];
  if (html.classList.contains("telling")) html.classList.remove("telling");
  bar(null);
  const { fresh, posted } = end;
  end = null;
  if (table().dataset.seat !== fresh.dataset.seat) hush(); // what one seat was told is not read to another
  swap(fresh, posted);
}

/** Finishes the turn that is being told; by steps, the beat. */
function skip() {
  const here = table().dataset.chapter;
  const at = byStep() ? 0 : queue.findIndex((frame) => frame.dataset.chapter !== here);
  if (at < 0) return finish();
  for (const frame of queue.splice(0, at)) say(frame.dataset.say);
  next();
}

function key(event) {
  if (!telling() || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const own = event.target.closest(OWN);
  if (event.key === "Escape") finish();
  else if (event.key === " " && !own) skip();
  else if (/^(Enter|\d)$/.test(event.key) && !own)
    return finish(); // and then it acts
  else return;
  event.preventDefault();
}

export function attend() {
  on("click", ({ target }) => {
    if (!telling()) return;
    const button = target.closest("[data-skip]");
    if (button?.dataset.skip === "all") finish();
    else if (button || !target.closest(OWN)) skip();
  });
  on("keydown", key, true);
  on("visibilitychange", () => {
    if (!document.hidden || !telling()) return;
    queue = recap(queue, true);
    finish();
  });
}

/** The controls of a replay: keys, buttons, the scrubber, playing at three speeds, and what goes on meanwhile. */

import { aim, arrivals, go, last, move, refresh, shown } from "./beats.js";
import { copy } from "./invite.js";
import { byId, html, on, table } from "./link.js";
import { count, mark } from "./scene.js";
import * as tips from "./tips.js";

const FACTOR = { slow: 1.7, normal: 1, fast: 0.45 };
const OWN = "select, textarea, input:not([type=range], [type=radio])"; // what has keys of its own
const PRESSED = "a, button, summary, label, input:not([type=range])"; // what the space bar presses

let playing = false;
let timers = [];

const speed = () => table().querySelector("[name=speed]:checked").value;
const starts = () => [...table().querySelectorAll(".tiles [data-beat]")].map((link) => Number(link.dataset.beat));

const WAYS = {
  first: () => 0,
  "turn-back": () => starts().findLast((start) => start < aim()) ?? 0,
  back: () => aim() - 1,
  next: () => aim() + 1,
  "turn-next": () => starts().find((start) => start > aim()) ?? last(),
  last: () => last(),
};
const KEYS = {
  Home: "first",
  PageUp: "turn-back",
  "[": "turn-back",
  ArrowLeft: "back",
  ArrowRight: "next",
  PageDown: "turn-next",
  "]": "turn-next",
  End: "last",
};

function rest() {
  for (const timer of timers) clearTimeout(timer);
  timers = [];
}

/** Plays on from here, or holds; from the end it begins anew. */
function play(on) {
  playing = on;
  rest();
  const button = byId("play");
  button.ariaLabel = on ? button.dataset.pause : button.dataset.play;
  html.classList.toggle("playing", on);
  if (!on) return;
  if (shown() === last()) go(0);
  else run(table());
}

/** The time to take a beat in; sums are counted meanwhile. */
function run(main) {
  rest();
  if (!playing) return;
  if (shown() === last()) return play(false);
  const time = main.dataset.hold * FACTOR[speed()];
  timers = [...count(main, time), setTimeout(() => go(shown() + 1), time)];
}

function step(name) {
  play(false);
  go(WAYS[name]());
}

function key(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.target.closest(OWN)) return;
  if (event.target.closest("[type=radio]") && event.key.startsWith("Arrow")) return;
  const name = KEYS[event.key];
  if (name) step(name);
  else if (event.key === " " && !event.target.closest(PRESSED)) play(!playing);
  else return;
  event.preventDefault();
}

function click(event) {
  const way = event.target.closest("[data-go], .tiles [data-beat]");
  if (!way || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const name = way.dataset.go;
  if (name === "play") play(!playing);
  else if (name === "copy") give(way);
  else if (name) step(name);
  else {
    play(false);
    go(Number(way.dataset.beat));
  }
}

/** Puts the address of this beat where it can be pasted from. */
async function give(link) {
  const field = document.createElement("input");
  field.value = link.href;
  link.after(field);
  await copy(link, field);
  field.remove();
}

/** The speed of playing is that of the motion as well, unless nothing is to move at all. */
function pace() {
  if (html.dataset.speed !== "off") html.dataset.speed = speed();
  if (playing) run(table());
}

/** Somebody else's eyes, at the same moment. */
function change({ target }) {
  if (target.name === "speed") pace();
  if (target.id !== "eyes") return;
  play(false);
  move(`${target.form.action}?${new URLSearchParams(new FormData(target.form))}`);
}

/** The game goes on: whether one is asked, and how far one may go, is told at once. */
function follow() {
  const { live, tag } = table().dataset;
  if (!live) return;
  const stream = new EventSource(`${live}?tag=${encodeURIComponent(tag)}`);
  stream.addEventListener("table", refresh);
  addEventListener("pagehide", () => stream.close());
}

/** The tile of this turn is in sight. */
function reveal(main) {
  const [list, tile] = [main.querySelector(".tiles"), main.querySelector(".tiles [aria-current]")];
  list.scrollTop = tile.offsetTop - list.offsetTop - (list.clientHeight - tile.offsetHeight) / 2;
}

html.classList.add("js");
pace();
tips.dress(table());
mark(table(), Number(table().dataset.moment));
reveal(table());
arrivals.push(run, reveal);
tips.attend();
on("keydown", key);
on("click", click);
on("change", change);
on("input", ({ target }) => {
  if (target.id !== "scrubber") return;
  play(false);
  go(Number(target.value));
});
follow();

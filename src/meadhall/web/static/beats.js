/** The beats of a replay: the page of another one is fetched, and the pieces glide to where they lie in it. */

import { byId, table } from "./link.js";
import { draw, glide, places } from "./motion.js";
import { mark } from "./scene.js";
import * as tips from "./tips.js";

const PARTS = [".strip", ".cloth", ".rail", ".story > h2", ".scene", ".tiles", ".beads", ".seen-as", ".film", ".at"];
const KEPT = 60; // pages, so that a held key does not wait for the server
const PAUSE = 500; // before a page is asked for again
const PACE = 30; // between two pages, however fast the scrubber is drawn

const pages = new Map(); // the promise of a page, by its address
let wanted = null; // the beat to show
let busy = false;
let way = 1; // in which direction one goes

/** Functions that are called after a beat is shown. */
export const arrivals = [];

export const shown = () => Number(table().dataset.number);
export const last = () => Number(table().dataset.last);
export const aim = () => (busy ? wanted : shown());

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const within = (beat) => Math.max(0, Math.min(last(), beat));
const address = (beat) => new URL(table().dataset.at + beat, location.href).href;

function load(at) {
  if (!pages.has(at)) {
    if (pages.size >= KEPT) pages.delete(pages.keys().next().value);
    pages.set(at, ask(at));
  }
  return pages.get(at);
}

async function ask(at) {
  for (;;) {
    try {
      const answer = await fetch(at, { cache: "no-store", headers: { "X-Fragment": "replay" } });
      if (answer.ok) return { at: answer.url, text: await answer.text() };
      if (answer.status < 500 && answer.status !== 429) return { at, text: "" };
    } catch {} // no network
    await pause(PAUSE);
  }
}

/** Goes to a beat; while its page is on the way only the last wish counts. */
export async function go(beat) {
  wanted = within(beat);
  byId("scrubber").value = wanted;
  if (busy) return;
  busy = true;
  while (wanted !== shown() && (await move(address(wanted)))) if (wanted !== shown()) await pause(PACE);
  busy = false;
}

/** Shows what stands at an address; a refusal is left to the browser, which shows why. */
export async function move(at) {
  const page = await load(at);
  const fresh = new DOMParser().parseFromString(page.text, "text/html").getElementById("table");
  if (!fresh) {
    // At a shared device somebody else may be asked by now.
    location.assign(table().querySelector(".strip a")?.href ?? at);
    return false;
  }
  show(fresh);
  history.replaceState(null, "", page.at);
  const { pathname, search } = location;
  for (const back of document.querySelectorAll("#menu [name=back]")) back.value = pathname + search;
  return true;
}

/** What lies ahead may have changed: the page of this beat is asked for anew. When the game is over all may be seen. */
export async function refresh() {
  pages.clear();
  if ((await move(address(shown()))) && !table().dataset.live) location.reload();
}

function show(fresh) {
  const main = table();
  const onwards = Number(fresh.dataset.number) - shown() === 1;
  way = Math.sign(Number(fresh.dataset.number) - shown()) || way;
  const same = main.dataset.viewpoint === fresh.dataset.viewpoint; // what others saw does not glide
  const before = same ? places(main) : new Map();
  for (const drawn of main.querySelectorAll(".thread-drawn, .flying")) drawn.remove();
  for (const name of PARTS) exchange(main, fresh, name);
  for (const name of Object.keys(main.dataset)) if (!(name in fresh.dataset)) delete main.dataset[name];
  Object.assign(main.dataset, fresh.dataset);
  steer(main, fresh);
  tips.dress(main);
  mark(main, Number(main.dataset.moment));
  glide(main, before, onwards ? main.dataset.kind : "");
  if (onwards) for (const cue of fresh.querySelectorAll(".cue")) draw(main, cue.dataset);
  byId("say").textContent = main.dataset.say;
  for (const arrive of arrivals) arrive(main);
  if (aim() === shown()) load(address(within(shown() + way)));
}

/** What has the focus keeps it, if it is there again. */
function exchange(main, fresh, name) {
  const [old, now] = [main.querySelector(name), fresh.querySelector(name)];
  if (!old || !now || old.isEqualNode(now)) return;
  const active = document.activeElement;
  const sign = old.contains(active) && (active.id ? `#${active.id}` : `[data-beat="${active.dataset.beat}"]`);
  old.replaceWith(now);
  if (sign) now.querySelector(sign)?.focus({ preventScroll: true });
}

/** The controls stay where they are and lead elsewhere. */
function steer(main, fresh) {
  for (const way of fresh.querySelectorAll("a[data-go]")) {
    const own = main.querySelector(`[data-go="${way.dataset.go}"]`);
    own.href = way.getAttribute("href");
    own.ariaDisabled = way.ariaDisabled;
  }
  const [range, its] = [byId("scrubber"), fresh.querySelector("#scrubber")];
  range.max = its.max;
  range.ariaValueText = its.ariaValueText;
  if (aim() === shown()) range.value = shown();
  for (const own of range.form.querySelectorAll("[type=hidden]")) {
    const other = its.form.elements[own.name];
    own.value = other.value;
    own.disabled = other.disabled;
  }
}

/** The way to the server: one request at a time, repeated until answered, and a sign while the table is lost. */

const PATIENCE = 2000; // a shorter gap is not worth a word
const TOO_LONG = 15000; // a slower answer counts as none
const missing = new Set(); // "live": the stream, "ask": an answer
const sleepers = new Set();
let timer;
let tail = Promise.resolve();

export const html = document.documentElement;
export const byId = (id) => document.getElementById(id);
export const on = (type, act, capture) => document.addEventListener(type, act, capture);
export const table = () => byId("table");

let latest = null; // the newest table that has come, which may be shown only when what led to it has been told

export const newest = () => latest ?? table();

export function settle(main) {
  latest = main;
}

function show(lost) {
  if (lost) missing.add("told"); // what happens meanwhile is told in short
  html.classList.toggle("lost", lost);
  byId("link")?.toggleAttribute("hidden", !lost);
  document.dispatchEvent(new Event("change"));
}

export function missed(what) {
  missing.add(what);
  timer ||= setTimeout(show, PATIENCE, true);
}

/** Returns whether it had been missing. */
export function found(what) {
  const was = missing.delete(what);
  if (was && !missing.has("live") && !missing.has("ask")) {
    clearTimeout(timer);
    timer = 0;
    show(false);
  }
  return was;
}

const pause = (ms) =>
  new Promise((resolve) => {
    sleepers.add(resolve);
    setTimeout(resolve, ms);
  });

/** Ends every pause: the next try may well succeed. */
export function wake() {
  for (const rise of sleepers) rise();
  sleepers.clear();
}

/** One job after another: an old answer never replaces a newer one. */
export function inTurn(job) {
  tail = tail.then(job).catch(console.error);
}

/** Asks for the table until answered, or `once`; a server that is starting or overrun has not answered. */
export async function reach(address, options, once) {
  for (let wait = 500; ; wait = Math.min(wait * 2, 8000)) {
    try {
      const signal = AbortSignal.timeout(TOO_LONG);
      const headers = { "X-Fragment": "table", "X-Since": newest().dataset.position ?? "" };
      const answer = await fetch(address, { cache: "no-store", headers, signal, ...options });
      if (answer.status < 500 && answer.status !== 429) {
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        found("ask");
        const frames = [...page.querySelectorAll("template.frame")];
        return { ok: answer.ok, fresh: page.getElementById("table"), frames };
      }
    } catch {} // no network, or an answer cut short
    if (once) return null;
    missed("ask");
    await pause(wait);
  }
}

/** Loads the page anew, with GET even where it answered a form. */
export const reload = () => location.replace(location.pathname + location.search);

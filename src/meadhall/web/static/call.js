/** Calling back: it is one's own turn, said by the tab's title and badge, a short sound and a notification. */

import { on, table } from "./link.js";
import { say } from "./tell.js";

const NOTES = [
  [0, 587.33], // seconds, Hz
  [0.15, 880],
];
const RING = 0.6; // how long a note rings

const icon = document.querySelector("link[rel=icon]");
const plainIcon = icon.getAttribute("href");
const ways = new Set(icon.dataset.ways?.split(" ")); // in which one wants to be called

let plain = document.title; // the title while nobody is called
let last; // the question for which was called last
let calling = false;
let audio;
let notice;

const wants = (way) => ways.has(way);
const away = () => document.hidden || !document.hasFocus();

/** What a table asks of its own seat, or a curtain of whoever is next; a new question has a new name. */
function question({ dataset: { asks, code, seat, position, tag } }) {
  return asks && [code, seat, position ?? tag].join(" ");
}

/** Two soft notes. */
export function chime(output) {
  for (const [wait, pitch] of NOTES) {
    const start = output.currentTime + wait;
    const tone = new OscillatorNode(output, { type: "triangle", frequency: pitch });
    const loud = new GainNode(output, { gain: 0 });
    loud.gain.setValueAtTime(0, start);
    loud.gain.linearRampToValueAtTime(0.1, start + 0.02);
    loud.gain.exponentialRampToValueAtTime(0.0001, start + RING);
    tone.connect(loud).connect(output.destination);
    tone.start(start);
    tone.stop(start + RING);
  }
}

/** A browser lets a page sound only after somebody touched it; then the sound is ready, and silent. */
function unlock() {
  if (audio || !wants("sound") || !globalThis.AudioContext) return;
  audio = new AudioContext();
}

async function ring() {
  if (!audio || !wants("sound")) return;
  await audio.resume();
  chime(audio);
}

function mark(called) {
  calling = called;
  document.title = called ? `● ${table().dataset.asks}` : plain;
  icon.setAttribute("href", called ? icon.dataset.called : plainIcon);
}

/** What can be said to somebody who looks elsewhere: that it is her turn, and where. */
function notify({ dataset: { asks, code } }) {
  if (!wants("notice") || globalThis.Notification?.permission !== "granted") return;
  try {
    notice = new Notification(asks, { body: `Meadhall · ${code}`, tag: code });
    notice.onclick = () => {
      focus();
      calm();
    };
  } catch {} // some phones leave it to workers
}

function calm() {
  if (calling) mark(false);
  notice?.close();
  notice = null;
}

/** Calls for a question that was not asked before. The story of a turn comes first: this is its end. */
export function arrive({ fresh }) {
  plain = fresh.dataset.title || plain;
  const now = question(fresh);
  if (!now) return calm();
  const known = now === last;
  last = now;
  if (known) return calling && mark(true); // a fresh table brought its own title
  if (!away()) return fresh.dataset.seat && ring(); // a curtain is passed on without a sound
  if (wants("sign")) mark(true);
  ring();
  notify(fresh);
}

/** Notifications are asked for only when they are switched on. */
async function allowed() {
  if (!globalThis.Notification) return false;
  return (await Notification.requestPermission()) === "granted";
}

async function turn(event) {
  if (event.target.id !== "call") return;
  event.preventDefault();
  const { name, value } = event.submitter;
  const wanted = value === "on";
  const denied = event.target.querySelector("[data-denied]");
  denied.hidden = true;
  if (name === "notice" && wanted && !(await allowed())) {
    denied.hidden = false;
    return say(denied.textContent);
  }
  ways[wanted ? "add" : "delete"](name);
  event.submitter.value = wanted ? "off" : "on";
  event.submitter.ariaPressed = wanted;
  if (name === "sound" && wanted) {
    unlock();
    ring(); // as a sample
  }
  if (!wants("sign")) calm();
  const body = new URLSearchParams({ [name]: value });
  fetch(event.target.action, { method: "POST", body, redirect: "manual", keepalive: true }).catch(console.error);
}

export function attend() {
  last = question(table());
  if (last && document.hidden && wants("sign")) mark(true); // opened beside others
  for (const touch of ["pointerup", "keydown"]) on(touch, unlock, true);
  on("submit", turn);
  on("visibilitychange", () => away() || calm());
  addEventListener("focus", calm);
}

/** Puts a fresh table in the place of the old one; pieces that moved glide there. */

import { remember } from "./keep.js";
import { table } from "./link.js";
import { glide, places } from "./motion.js";

/** Functions of `{fresh, old, memory}`, called for every table that arrives. */
export const arrivals = [];

/** `posted` is a choice just accepted: from then on the server shows it. */
export function swap(fresh, posted = null) {
  const old = table();
  // Nothing moves unless something happened, and nothing of one seat's page lingers on another's.
  const moves = old.dataset.position !== fresh.dataset.position && old.dataset.seat === fresh.dataset.seat;
  const before = moves ? places(old) : new Map();
  const memory = remember(old, posted);
  old.replaceWith(fresh);
  document.title = fresh.dataset.title || document.title;
  for (const arrive of arrivals) arrive({ fresh, old, memory });
  glide(fresh, before);
}

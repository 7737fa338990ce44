/** Puts a fresh table in the place of the old one; pieces that moved glide there. */

import { remember } from "./keep.js";
import { html, table } from "./link.js";

/** Functions of `{fresh, old, memory}`, called for every table that arrives. */
export const arrivals = [];

const NAME = "view-transition-name";

export const still = () =>
  html.dataset.speed === "off" || document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;

const pieces = (main) => [...main.querySelectorAll("[data-move]")];

/** Each name once: two of one name would stop it all. */
function name(main) {
  const named = new Map(pieces(main).map((piece) => [piece.dataset.move, piece]));
  for (const [id, piece] of named) piece.style.setProperty(NAME, `m-${CSS.escape(id)}`);
}

/** Nothing moves unless something happened, and nothing of one seat's page lingers on another's. */
const moves = (old, fresh) =>
  document.startViewTransition &&
  !still() &&
  old.dataset.position !== fresh.dataset.position &&
  old.dataset.seat === fresh.dataset.seat &&
  pieces(fresh).length;

/** `posted` is a choice just accepted: from then on the server shows it. */
export async function swap(fresh, posted = null) {
  const old = table();
  const exchange = () => {
    const memory = remember(old, posted);
    old.replaceWith(fresh);
    document.title = fresh.dataset.title || document.title;
    for (const arrive of arrivals) arrive({ fresh, old, memory });
  };
  if (!moves(old, fresh)) return exchange();
  name(old);
  name(fresh);
  html.style.setProperty(NAME, "none"); // the page beneath stays live
  const glide = document.startViewTransition(exchange);
  glide.ready.catch(() => {}); // skipped, but exchanged
  glide.finished.finally(() => {
    for (const piece of [html, ...pieces(fresh)]) piece.style.removeProperty(NAME);
  });
  return glide.updateCallbackDone;
}

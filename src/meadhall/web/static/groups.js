/** Groups of things that explain themselves: one tab stop each, arrows within. */

import { on } from "./link.js";

const ITEMS = "[data-group] [data-tip]:not(label, a, button, input, summary)";
const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, Home: -Infinity, End: Infinity };

/** Those seen now: a phone shows fewer, and what lies beneath a card cannot have focus. */
const items = (group) =>
  [...group.querySelectorAll(ITEMS)].filter(
    (item) => item.closest("[data-group]") === group && item.checkVisibility({ visibilityProperty: true }),
  );

function stopAt(group, stop) {
  for (const item of items(group)) item.setAttribute("tabindex", item === stop ? 0 : -1);
}

export function group(main) {
  for (const one of main.querySelectorAll("[data-group]")) stopAt(one, items(one)[0]);
}

export function attend() {
  on("keydown", (event) => {
    const step = STEPS[event.key];
    if (!step || event.defaultPrevented || event.ctrlKey || event.altKey || !event.target.matches(ITEMS)) return;
    const all = items(event.target.closest("[data-group]"));
    const to = all.indexOf(event.target) + step;
    event.preventDefault();
    all[Math.max(0, Math.min(to, all.length - 1))].focus();
  });
  on("focusin", ({ target }) => {
    if (target.matches(ITEMS)) stopAt(target.closest("[data-group]"), target);
  });
}

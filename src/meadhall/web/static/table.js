/** The script of every page with a table. */

import * as choose from "./choose.js";
import * as groups from "./groups.js";
import * as hint from "./hint.js";
import { note, recall } from "./keep.js";
import { html, on, table } from "./link.js";
import * as live from "./live.js";
import { arrivals } from "./swap.js";
import * as tell from "./tell.js";
import * as tips from "./tips.js";

/** A part of a game's page may have a script of its own: it is fetched where there is such a part, and wires it. */
async function wire(main) {
  for (const part of main.querySelectorAll("[data-script]")) {
    const script = await import(part.dataset.script);
    if (main === table()) script.wire(part, main);
  }
}

/** Copies the table's link and says so. */
async function copy({ target }) {
  const button = target.closest("[data-copy-button]");
  const link = document.querySelector("input[data-copy]");
  if (!button || !link) return;
  try {
    await navigator.clipboard.writeText(link.value);
  } catch {
    link.select(); // no clipboard without https
    if (!document.execCommand("copy")) return;
  }
  (button.firstElementChild ?? button).textContent = button.dataset.done;
  tell.say(button.dataset.done);
}

function dress(main) {
  tips.dress(main);
  groups.group(main);
  wire(main);
}

html.classList.add("js");
if (table()) {
  arrivals.push(({ fresh }) => dress(fresh), recall, tell.tell, hint.arrive);
  note(table());
  dress(table());
  choose.sync();
  for (const part of [live, choose, tips, groups, tell, hint]) part.attend();
  on("click", copy);
  live.connect();
}

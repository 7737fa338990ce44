/** Makes a table that has come ready for use: its tips, its groups, and the scripts of its parts. */

import * as groups from "./groups.js";
import { table } from "./link.js";
import * as tips from "./tips.js";

/** A part of a game's page may have a script of its own: it is fetched where there is such a part, and wires it. */
async function wire(main) {
  for (const part of main.querySelectorAll("[data-script]")) {
    const script = await import(part.dataset.script);
    if (main === table()) script.wire(part, main);
  }
}

export function dress(main) {
  tips.dress(main);
  groups.group(main);
  wire(main);
}

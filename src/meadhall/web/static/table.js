/** The script of every page with a table. */

import * as call from "./call.js";
import * as choose from "./choose.js";
import * as ending from "./ending.js";
import * as groups from "./groups.js";
import * as hint from "./hint.js";
import * as invite from "./invite.js";
import { note, recall } from "./keep.js";
import { html, table } from "./link.js";
import * as live from "./live.js";
import * as recap from "./recap.js";
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

function dress(main) {
  tips.dress(main);
  groups.group(main);
  wire(main);
}

html.classList.add("js");
if (table()) {
  arrivals.push(({ fresh }) => dress(fresh), recall, hint.arrive, call.arrive, ending.arrive);
  tell.dressers.push(tips.dress, groups.group);
  note(table());
  dress(table());
  choose.sync();
  for (const part of [live, choose, tips, groups, tell, recap, hint, invite, call, ending]) part.attend();
  live.connect();
}

/** The script of every page with a table. */

import * as call from "./call.js";
import * as choose from "./choose.js";
import { dress } from "./dress.js";
import * as ending from "./ending.js";
import * as eyes from "./eyes.js";
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

html.classList.add("js");
if (table()) {
  arrivals.push(({ fresh }) => dress(fresh), recall, hint.arrive, call.arrive, ending.arrive, eyes.arrive);
  tell.dressers.push(tips.dress, groups.group);
  note(table());
  dress(table());
  choose.sync();
  for (const part of [live, choose, tips, groups, tell, recap, hint, invite, call, ending, eyes]) part.attend();
  live.connect();
}

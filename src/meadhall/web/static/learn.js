/** The script of a lesson: choosing and telling as at any table, and what the teacher says is read out. */

import * as choose from "./choose.js";
import { dress } from "./dress.js";
import * as groups from "./groups.js";
import { note, recall } from "./keep.js";
import { byId, html, table } from "./link.js";
import * as recap from "./recap.js";
import { arrivals } from "./swap.js";
import * as tell from "./tell.js";
import * as tips from "./tips.js";

/** What a choice has led to: said, and the way on has focus. A choice that was refused keeps it where it was. */
function arrive({ fresh }) {
  if (fresh.dataset.tone === "ask") return;
  tell.say(fresh.querySelector(".coach").dataset.say);
  byId("act")?.focus({ preventScroll: true });
}

html.classList.add("js");
arrivals.push(({ fresh }) => dress(fresh), recall, arrive);
tell.dressers.push(tips.dress, groups.group);
note(table());
dress(table());
choose.sync();
for (const part of [choose, tips, groups, tell, recap]) part.attend();
// Readers start with what is asked, and Enter and digits work at once.
table().focus({ preventScroll: true });

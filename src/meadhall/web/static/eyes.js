/** Through whose eyes the board is seen: the switch fetches the table so, and it stays so until one chooses. */

import { inTurn, on, reach, table } from "./link.js";
import { receive } from "./tell.js";

function look(event) {
  const link = event.target.closest("a[data-eyes]");
  if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const { href } = link;
  const { eyes } = link.dataset;
  link.closest("details")?.removeAttribute("open");
  inTurn(async () => {
    const answer = await reach(href);
    if (!answer.ok || !answer.fresh) return location.assign(href);
    history.replaceState(null, "", href);
    receive(answer);
    table()
      .querySelector(`.eyes [data-eyes="${CSS.escape(eyes)}"]`)
      ?.focus({ preventScroll: true });
  });
}

/** The address says what is shown: after a choice one sees one's own side again. */
export function arrive({ fresh }) {
  if (!("peek" in fresh.dataset) && location.search) history.replaceState(null, "", location.pathname);
}

export function attend() {
  on("click", look);
}

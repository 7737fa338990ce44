/** What was missed is told in short: a line for each turn, never nothing. */

import { byId, on } from "./link.js";

/** Takes the turns out of a queue that will not be shown, all or all but the last, and lists them. */
export function recap(queue, all) {
  const last = queue.at(-1)?.dataset.chapter;
  const missed = queue.filter((frame) => all || frame.dataset.chapter !== last);
  for (const frame of missed) if ("brief" in frame.dataset) add(frame.dataset);
  return queue.filter((frame) => !missed.includes(frame));
}

function add({ chapter, heading, say }) {
  const list = byId("missed");
  const same = list.lastElementChild?.dataset.chapter === chapter && list.lastElementChild;
  const line = same || document.createElement("li");
  if (!same) {
    line.dataset.chapter = chapter;
    const title = document.createElement("b");
    title.textContent = heading;
    line.append(title);
    list.append(line);
  }
  line.append(` ${say}`);
  byId("recap").hidden = false;
}

export function attend() {
  on("click", ({ target }) => {
    if (!target.closest("#recap button")) return;
    byId("recap").hidden = true;
    byId("missed").replaceChildren();
  });
}

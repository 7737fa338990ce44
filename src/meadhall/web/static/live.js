/** Keeps the table live: the server sends the tag of a changed page, and the page fetches itself. */

import { found, inTurn, missed, newest, on, reach, reload, wake } from "./link.js";
import { receive } from "./tell.js";

let stream, again, latest, asked, wait;

/** Fetches the table, unless it has this tag by then. Calls made while one waits are one. `once`: or else not now. */
function refresh(tag, once) {
  latest = tag;
  if (asked) return;
  asked = true;
  inTurn(async () => {
    asked = false;
    if (latest === newest().dataset.tag) return;
    const answer = await reach(location.href, {}, once);
    if (!answer) return latest && refresh(latest);
    found("live"); // whoever is answered is not lost, with a stream or without
    if (!answer.ok || !answer.fresh) reload();
    else if (answer.fresh.dataset.tag !== newest().dataset.tag) receive(answer);
  });
}

/** Opens the stream and, when it breaks, opens it again, a little later each time. */
export function connect() {
  clearTimeout(again);
  stream?.close();
  const { live, tag } = newest().dataset;
  if (!live) return;
  const mine = new EventSource(`${live}?tag=${encodeURIComponent(tag)}`);
  stream = mine;
  mine.onopen = () => {
    wait = 0;
    wake();
    if (found("live")) refresh();
  };
  mine.addEventListener("table", ({ data }) => refresh(data));
  mine.onerror = () => {
    // A browser alone gives up after an error answer, and else waits longer than our patience.
    mine.close();
    missed("live");
    refresh(undefined, true); // a server that has no stream to spare has an answer all the same
    wait = Math.min(wait * 2 || 250, 8000);
    again = setTimeout(connect, wait * (0.75 + Math.random() / 2));
  };
}

/** Tries now what was waiting. */
function retry() {
  wait = 0;
  connect();
  wake();
  refresh();
}

export function attend() {
  addEventListener("online", retry);
  addEventListener("offline", () => missed("live"));
  addEventListener("pagehide", () => stream?.close());
  addEventListener("pageshow", ({ persisted }) => persisted && retry());
  // A sleeping phone loses its stream unnoticed.
  on("visibilitychange", () => document.hidden || retry());
}

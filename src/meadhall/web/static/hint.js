/** Hints: asked for without leaving the table, kept while the moment lasts, and read out. */

import { byId, inTurn, on, reach, reload, table } from "./link.js";
import { receive, say } from "./tell.js";

let asking = false;

function ask() {
  const form = byId("ask-hint");
  if (!form || asking) return;
  asking = true;
  byId("hint-button")?.setAttribute("aria-busy", true);
  const body = new URLSearchParams(new FormData(form));
  inTurn(async () => {
    const answer = await reach(form.getAttribute("action"), { method: "POST", body });
    asking = false;
    if (answer.fresh) receive(answer);
    else reload();
  });
}

/** Reads a new hint out; one that a refresh has lost is asked for again, as long as it still holds. */
export function arrive({ fresh, old }) {
  const [now, before] = [fresh, old].map((main) => main.querySelector("#hint")?.dataset.say);
  const same = fresh.dataset.position === old.dataset.position && fresh.dataset.seat === old.dataset.seat;
  if (now && !(same && now === before)) say(now);
  if (!now && before && same && fresh === table()) ask();
}

/** Puts the hint away, and the marks on what it was about. */
function shut(event) {
  event.preventDefault();
  const main = table();
  for (const sign of main.querySelectorAll("#hint, .better")) sign.remove();
  for (const radio of main.querySelectorAll("[data-hint]")) {
    radio.removeAttribute("data-hint");
    radio.removeAttribute("aria-description");
  }
  byId("hint-button")?.focus();
}

export function attend() {
  on("click", (event) => event.target.closest("#hint .shut") && shut(event));
  on("keydown", (event) => event.key === "Escape" && byId("hint") && shut(event));
  on("submit", (event) => {
    if (event.target.id !== "ask-hint") return;
    event.preventDefault();
    ask();
  });
}

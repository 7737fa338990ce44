/** Choosing: the button names the pick, digits pick, and a choice is sent until answered. */

import { picked } from "./keep.js";
import { byId, html, inTurn, on, reach, reload, table } from "./link.js";
import { receive } from "./tell.js";

let sending = false;

/** The label follows the pick; with none, or the sealed one, there is nothing to send. */
export function sync() {
  const act = byId("act");
  const label = act?.querySelector(".label");
  if (!label) return;
  const pick = picked(table());
  label.textContent = pick?.dataset.act ?? label.dataset.idle;
  const off = html.classList.contains("lost") || !pick || "sealed" in pick.dataset;
  if (off && document.activeElement === act && pick?.closest(".pick")) pick.focus({ preventScroll: true });
  act.disabled = off;
}

function submit(event) {
  const form = event.target;
  if (!form.matches("#choose, #play-hint")) return;
  event.preventDefault();
  if (sending || html.classList.contains("lost") || (form.id === "choose" && byId("act")?.disabled)) return;
  // Taken now: what is sent again is this choice for this position, whatever is picked later.
  const body = new URLSearchParams(new FormData(form, event.submitter));
  sending = true;
  inTurn(async () => {
    const answer = await reach(form.getAttribute("action"), { method: "POST", body });
    sending = false;
    if (answer.fresh) receive(answer, answer.ok ? body.get("choice") : null);
    else reload();
  });
}

function key(event) {
  const { target } = event;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  // A radio sends by itself; links, buttons and folds have their own Enter.
  if (event.key === "Enter" && [document.body, table()].includes(target)) byId("act")?.click();
  if (target.matches("select, input:not([type=radio])")) return;
  // By its place too: French digits are on the shifted keys.
  const digit = /^\d$/.test(event.key) ? event.key : /^Digit(\d)$/.exec(event.code)?.[1];
  const radio = digit && table().querySelector(`input[type=radio][data-key="${digit}"]:enabled`);
  if (!radio) return;
  event.preventDefault();
  radio.focus();
  radio.click();
}

export function attend() {
  on("change", sync);
  on("submit", submit);
  on("keydown", key);
}

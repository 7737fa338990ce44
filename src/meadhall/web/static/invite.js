/** Giving the table's link away: by the device's share sheet where there is one, else by copying it. */

import { html, on } from "./link.js";
import { say } from "./tell.js";

/** Copies what stands in a field; the button says so. */
export async function copy(button, link) {
  try {
    await navigator.clipboard.writeText(link.value);
  } catch {
    link.select(); // no clipboard without https
    if (!document.execCommand("copy")) return;
  }
  (button.firstElementChild ?? button).textContent = button.dataset.done;
  say(button.dataset.done);
}

async function share({ title, text }, link) {
  try {
    await navigator.share({ title, text, url: link.value });
  } catch {} // the sheet was closed again
}

function click({ target }) {
  const button = target.closest("[data-copy-button], [data-share-button]");
  const link = document.querySelector("input[data-copy]");
  if (!button || !link) return;
  if ("shareButton" in button.dataset) share(button.dataset, link);
  else copy(button, link);
}

export function attend() {
  html.classList.toggle("shares", "share" in navigator);
  on("click", click);
}

/** The end of a game: it comes into sight and is read out once, and its result can be sent on. */

import { copy } from "./invite.js";
import { on } from "./link.js";
import { say } from "./tell.js";

/** On a phone the end stands above the board, which may have been scrolled away. */
export function arrive({ fresh, old }) {
  const over = fresh.querySelector("#over");
  if (!over || old.querySelector("#over")) return;
  over.scrollIntoView({ block: "nearest" });
  say([...over.querySelectorAll("h1, p")].map((part) => part.firstChild.textContent.trim()).join(". "));
}

async function share(details) {
  const { title, text, link } = details.dataset;
  if (navigator.share) {
    try {
      await navigator.share({ title, text, url: link });
      return;
    } catch (refusal) {
      if (refusal.name === "AbortError") return; // whoever asked has thought better of it
    }
  }
  details.open ||= !navigator.clipboard; // without https one may have to copy it by hand
  copy(details.querySelector("summary"), details.querySelector("textarea"));
}

export function attend() {
  on("click", (event) => {
    const summary = event.target.closest(".share > summary");
    if (!summary) return;
    event.preventDefault();
    share(summary.parentElement);
  });
}

/** Things that explain themselves: a bubble on hover, on keyboard focus and on a long press. */

import { restoring } from "./keep.js";
import { byId, html, on } from "./link.js";

const HOVER = 250;
const LINGER = 200; // time to reach the bubble itself
const PRESS = 450;
const EDGE = 8;

let owner; // what the bubble explains
let pointed; // what a moving pointer came to last
let spot; // where the pointer was last seen
let finger; // where one rests
let pressed = false; // long enough: the next click is no pick
let timer;

const tip = () => byId("tip");
const zone = (target) => target?.closest("#tip, #table [data-tip]") ?? null;

/** Above its owner, or below; never beyond an edge of the window, never over the one button. */
function place() {
  if (!owner) return;
  const { style } = tip();
  const [right, bottom] = [html.clientWidth - EDGE, html.clientHeight - EDGE];
  Object.assign(style, { left: 0, top: 0 });
  const around = owner.getBoundingClientRect();
  const { width, height } = tip().getBoundingClientRect();
  const above = around.top - height - EDGE;
  let left = Math.max(EDGE, Math.min(around.left + (around.width - width) / 2, right - width));
  let top = above < EDGE ? Math.min(around.bottom + EDGE, bottom - height) : above;
  const act = byId("act")?.getBoundingClientRect();
  if (act && left < act.right && act.left < left + width && top < act.bottom && act.top < top + height) {
    if (act.left - width > 2 * EDGE) left = act.left - width - EDGE;
    else top = act.top - height - EDGE;
  }
  style.left = `${left}px`;
  style.top = `${Math.max(EDGE, top)}px`;
}

function hide() {
  clearTimeout(timer);
  (owner?.control ?? owner)?.removeAttribute("aria-describedby");
  owner = null;
  tip().hidden = true;
  tip().textContent = "";
}

function show(element) {
  hide();
  owner = element;
  tip().textContent = element.dataset.tip;
  tip().hidden = false;
  (owner.control ?? owner).setAttribute("aria-describedby", "tip"); // a label has a control
  place();
}

/** Takes over the titles: the browser's own bubble stays away. */
export function dress(main) {
  hide();
  for (const element of main.querySelectorAll("[title]")) {
    element.dataset.tip = element.getAttribute("title");
    element.removeAttribute("title");
    if (element.role === "img") element.ariaLabel ??= element.dataset.tip; // it was its name as well
  }
}

/** The pointer has moved: a page that moves under a still one explains nothing. */
function move({ target, pointerType, screenX, screenY }) {
  const now = `${screenX} ${screenY}`;
  if (pointerType === "touch" || now === spot) return;
  spot = now;
  const here = zone(target);
  if (here === pointed) return;
  pointed = here;
  clearTimeout(timer);
  if (here === tip() || (here && here === owner)) return;
  if (here) timer = setTimeout(show, HOVER, here);
  else away();
}

function away() {
  clearTimeout(timer);
  if (owner && !owner.matches(":focus-visible, :has(:focus-visible)")) timer = setTimeout(hide, LINGER);
}

/** The pointer, or what lay under it, has gone. */
function out({ target, relatedTarget, pointerType }) {
  if (pointerType === "touch" || !zone(target) || zone(target) === zone(relatedTarget)) return;
  pointed = null;
  away();
}

function down(event) {
  const here = zone(event.target);
  pressed = false;
  if (here === tip()) return;
  hide();
  if (event.pointerType !== "touch" || !here) return;
  finger = event;
  timer = setTimeout(() => {
    pressed = true;
    show(here);
  }, PRESS);
}

function lift() {
  if (finger && !pressed) clearTimeout(timer);
  finger = null;
}

function swallow(event) {
  if (!pressed) return;
  pressed = false;
  event.preventDefault();
  event.stopPropagation();
}

function dismiss(event) {
  if (event.key !== "Escape" || !owner) return;
  event.preventDefault();
  hide();
}

export function attend() {
  on("pointermove", move);
  on("pointerout", out);
  on("focusin", ({ target }) => {
    if (zone(target) && !restoring && target.matches(":focus-visible")) show(zone(target));
  });
  on("focusout", ({ target }) => owner && owner === zone(target) && hide());
  on("pointerdown", down);
  on("pointermove", ({ clientX, clientY }) => {
    if (finger && Math.hypot(clientX - finger.clientX, clientY - finger.clientY) > 10) lift();
  });
  on("pointerup", lift);
  on("pointercancel", lift);
  on("contextmenu", (event) => finger && event.preventDefault());
  on("click", swallow, true);
  on("keydown", dismiss, true);
  on("scroll", place, true);
}

/** Planning a line: drag a warrior, click it and then a place, or go there with the arrows and press Enter. */

import { group } from "../groups.js";

/** The line as somebody left it, for one decision of one seat: the page may be refreshed in between. */
let kept = { key: "", places: {} };
const NEAR = 6; // a pointer that moves less than this clicks

export const wire = (plan, main) => new Line(main, plan);

class Line {
  constructor(main, plan) {
    this.main = main;
    this.plan = plan;
    this.key = [main.dataset.code, main.dataset.position, main.dataset.seat, plan.dataset.plan].join(" ");
    this.slots = [...plan.querySelectorAll("[data-slot]")];
    this.cards = [...plan.querySelectorAll("[data-card]")];
    this.choice = plan.querySelector(".composed");
    this.picked = null;
    this.dragged = false;
    document.documentElement.classList.add("js");
    for (const list of plan.querySelectorAll("select")) list.disabled = true;
    for (const card of this.cards) card.dataset.name = card.getAttribute("aria-label");
    for (const thing of plan.querySelectorAll("[data-card], .hole")) thing.setAttribute("role", "button");
    main.querySelector("#act .label").dataset.idle = plan.dataset.more;
    this.recall();
    plan.addEventListener("click", ({ target }) => this.dragged || this.touch(target));
    plan.addEventListener("keydown", (event) => this.press(event));
    plan.addEventListener("pointerdown", (event) => this.grab(event));
    plan.addEventListener("mousedown", (event) => event.preventDefault()); // a mouse leaves focus, and bubbles, alone
    this.pick(null);
    this.compose();
  }

  /** Lays the line as it was left before the page was refreshed. */
  recall() {
    if (kept.key !== this.key) kept = { key: this.key, places: {} };
    const places = Object.entries(kept.places);
    if (places.length) for (const card of this.cards) this.home(card)?.append(card);
    for (const [slot, number] of places) {
      const card = this.cards.find((one) => one.dataset.card === number);
      this.slots.find((one) => one.dataset.slot === slot)?.append(card);
    }
  }

  /** Where a card lies when it is in no place. */
  home(card) {
    return this.plan.querySelector(`[data-spot="${card.dataset.card}"]`);
  }

  inside(slot) {
    return slot.querySelector("[data-card]");
  }

  /** Puts a card into a place, or back among the others; a card that lay there takes its place. */
  put(card, to) {
    const from = card.parentElement;
    const target = to ?? this.home(card);
    if (!target) return;
    const other = to && to !== from ? this.inside(to) : null;
    const moved = other ? [card, other] : [card];
    const before = moved.map((one) => one.getBoundingClientRect());
    if (other) (from.matches("[data-slot]") ? from : this.home(other)).append(other);
    target.append(card);
    for (const [k, one] of moved.entries()) glide(one, before[k]);
    this.pick(null);
    kept = { key: this.key, places: {} };
    for (const slot of this.slots) {
      const inside = this.inside(slot);
      if (inside) kept.places[slot.dataset.slot] = inside.dataset.card;
    }
    this.compose();
  }

  pick(card) {
    this.picked = card;
    this.plan.classList.toggle("picking", card !== null);
    this.hold(card !== null);
    for (const one of this.cards) one.setAttribute("aria-pressed", one === card);
  }

  /** While a warrior is in hand nothing may lie between it and its place. */
  hold(held) {
    this.plan.classList.toggle("holding", held);
  }

  /** What the line says now becomes the choice; the button follows it. */
  compose() {
    const { plan, sealedLine, aside } = this.plan.dataset;
    const laid = this.slots.map(this.inside);
    const full = laid.every((card) => card);
    const line = full ? `${plan}:${laid.map((card) => card.dataset.warrior)}` : "";
    Object.assign(this.choice, { disabled: false, value: line, checked: full });
    this.choice.toggleAttribute("data-sealed", full && line === sealedLine);
    this.plan.classList.toggle("full", full);
    this.plan.classList.toggle("is-sealed", full && line === sealedLine);
    for (const card of this.cards) {
      const where = card.closest("[data-slot]")?.dataset.label ?? (full ? aside : "");
      card.setAttribute("aria-label", where ? `${card.dataset.name}. ${where}` : card.dataset.name);
    }
    this.tabStop();
    this.choice.dispatchEvent(new Event("change", { bubbles: true }));
  }

  /** One tab stop: what has focus, or the first warrior to lay. */
  tabStop() {
    group(this.main);
    const active = document.activeElement;
    const stop = this.plan.contains(active) ? active : (this.toLay() ?? this.firstFree());
    for (const item of this.plan.querySelectorAll("[tabindex='0']")) item.setAttribute("tabindex", -1);
    stop.setAttribute("tabindex", 0);
  }

  /** The first warrior that has no place. */
  toLay() {
    return this.cards.find((card) => card.closest(".tray"));
  }

  /** The first place without a warrior; where all have one, the first place's. */
  firstFree() {
    const free = this.slots.find((slot) => !this.inside(slot));
    return free ? free.querySelector(".hole") : this.inside(this.slots[0]);
  }

  /** A card or a place was clicked, or chosen with a key. */
  touch(target) {
    const card = target.closest("[data-card]");
    const slot = target.closest("[data-slot]");
    const held = this.picked;
    if (held && slot && card !== held) this.put(held, slot);
    else if (held && !card && target.closest(".tray")) this.put(held, null);
    else if (card) this.pick(card === held ? null : card);
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { target, key } = event;
    const held = this.picked;
    const card = held ?? target.closest("[data-card]");
    const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code)?.[1];
    const numbered = digit && this.slots.find((slot) => slot.dataset.slot === digit);
    if (numbered && card) {
      this.put(card, numbered);
      this.follow(card);
    } else if ((key === "Enter" || key === " ") && target.closest("[data-card], .hole")) {
      this.touch(target);
      if (this.picked?.closest(".tray")) this.firstFree().focus();
      else if (held && !this.picked) this.follow(held);
    } else if (key === "Escape" && held) this.pick(null);
    else if ((key === "Delete" || key === "Backspace") && card?.closest("[data-slot]") && this.home(card)) {
      this.put(card, null);
      card.focus();
    } else return;
    event.preventDefault();
  }

  /** After a card was put down with a key, focus goes to the next one to lay, or to the button. */
  follow(card) {
    const act = this.main.querySelector("#act");
    if (!this.plan.matches(".full")) (this.toLay() ?? card).focus();
    else (this.toLay() && !act.disabled ? act : card).focus();
  }

  grab(event) {
    const card = event.target.closest("[data-card]");
    this.dragged = false;
    if (!card || !event.isPrimary || event.button !== 0) return;
    const end = new AbortController();
    const listen = { signal: end.signal };
    const under = (at) => document.elementFromPoint(at.clientX, at.clientY)?.closest("[data-slot], .tray");
    const leave = () => {
      end.abort();
      if (this.dragged) this.hold(false);
      card.classList.remove("drag");
      card.style.transform = "";
      for (const slot of this.slots) slot.classList.remove("aim");
      setTimeout(() => (this.dragged = false)); // the click that ends a drag has passed by then
    };
    const move = (at) => {
      const [x, y] = [at.clientX - event.clientX, at.clientY - event.clientY];
      if (!this.dragged && Math.hypot(x, y) < NEAR) return;
      if (!this.dragged) this.pick(null);
      this.dragged = true;
      this.hold(true);
      card.classList.add("drag");
      card.style.transform = `translate(${x}px, ${y}px) rotate(2deg)`;
      for (const slot of this.slots) slot.classList.toggle("aim", slot === under(at));
    };
    const drop = (at) => {
      const target = this.dragged && under(at);
      if (target) this.put(card, target.matches("[data-slot]") ? target : null);
      leave();
    };
    document.addEventListener("pointermove", move, listen); // a quick pointer has left the card at once
    document.addEventListener("pointerup", drop, listen);
    document.addEventListener("pointercancel", leave, listen);
  }
}

/** A card glides from where it lay, at the speed of the settings. */
function glide(card, from) {
  const duration = 1000 * parseFloat(getComputedStyle(card).transitionDuration);
  if (!duration || card.matches(".drag")) return;
  const to = card.getBoundingClientRect();
  const start = { transform: `translate(${from.left - to.left}px, ${from.top - to.top}px)` };
  card.animate([start, { transform: "none" }], { duration, easing: "ease-out" });
}

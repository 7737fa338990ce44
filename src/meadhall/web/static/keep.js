/** What a person did to the page and finds again after a swap: pick, fields, focus, folds, scrolling. */

const KEPT = "details, select, input:not([type=hidden], [type=radio])";
const SIGNS = [["id"], ["name", "value"], ["name"], ["data-move"], ["href"], ["aria-label"], ["class"], []];
const sent = new WeakMap(); // fields and folds as the server sent them

/** True while focus is put back: nobody asked. */
export let restoring = false;

export const picked = (main) => main.querySelector("input[name=choice]:checked:enabled");

const aspect = ({ localName, type }) => (localName === "details" ? "open" : type === "checkbox" ? "checked" : "value");
const caption = (one) => one.matches("details") && one.firstElementChild?.textContent;

export function note(main) {
  for (const one of main.querySelectorAll(KEPT)) sent.set(one, one[aspect(one)]);
}

/** How to find an element's counterpart in another table. */
function mark(main, element) {
  const value = (part) => element.getAttribute(part);
  const sign = SIGNS.find((some) => some.every(value));
  const selector = element.localName + sign.map((part) => `[${part}="${CSS.escape(value(part))}"]`).join("");
  return { selector, words: caption(element), nth: [...main.querySelectorAll(selector)].indexOf(element) };
}

function seek(main, { selector, words, nth }) {
  const all = [...main.querySelectorAll(selector)];
  return (words && all.find((one) => caption(one) === words)) || all[nth];
}

export function remember(main, posted) {
  const pick = picked(main);
  const active = document.activeElement;
  const all = [...main.querySelectorAll("*")];
  return {
    pick: pick && !("sealed" in pick.dataset) && pick.value !== posted ? pick.value : null,
    answered: posted !== null,
    changed: all
      .filter((one) => sent.has(one) && sent.get(one) !== one[aspect(one)])
      .map((one) => ({ where: mark(main, one), state: one[aspect(one)] })),
    focus: main.contains(active) && mark(main, active),
    scrolled: all
      .filter((one) => one.scrollTop || one.scrollLeft)
      .map((one) => ({ where: mark(main, one), to: [one.scrollLeft, one.scrollTop] })),
  };
}

export function recall({ fresh, old, memory }) {
  const { pick, answered, changed, focus, scrolled } = memory;
  note(fresh);
  if (old.dataset.seat === fresh.dataset.seat) {
    const radio = pick && fresh.querySelector(`input[name=choice][value="${CSS.escape(pick)}"]:enabled`);
    if (radio && (!answered || old.dataset.position === fresh.dataset.position)) radio.checked = true;
    for (const { where, state } of changed) {
      const one = seek(fresh, where);
      if (one && !(answered && one.form?.id === "choose")) one[aspect(one)] = state;
    }
  }
  document.dispatchEvent(new Event("change"));
  if (focus) refocus(fresh, seek(fresh, focus));
  for (const { where, to } of scrolled) seek(fresh, where)?.scrollTo(...to);
}

/** To the same thing; if that is gone, to what is to be chosen now; else to the table. */
function refocus(fresh, same) {
  restoring = true;
  fresh.tabIndex = -1;
  const card = fresh.querySelector(".pick :checked") ?? fresh.querySelector(".pick :enabled");
  for (const target of [fresh, card, same]) target?.focus({ preventScroll: true });
  restoring = false;
}

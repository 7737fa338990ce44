/** The scene of the story while a beat is told: what is new is marked, sums are counted. */

const LAST = 0.3; // of a beat's time: its sum stands when all of it is counted

/** What is new in the story is marked, and scrolled to within the story alone. */
export function mark(main, beat) {
  const news = [...main.querySelectorAll(".scene [data-at]")].filter((line) => Number(line.dataset.at) >= beat);
  for (const line of news) line.classList.add("fresh");
  if (news.length) reach(main, news.at(-1));
}

/** Scrolls to a line within the story alone: which part of it scrolls hangs on the window. */
function reach(main, line) {
  for (const part of main.querySelectorAll(".story, .book")) {
    const [around, inside] = [part.getBoundingClientRect(), line.getBoundingClientRect()];
    if (inside.bottom > around.bottom) part.scrollTop += inside.bottom - around.bottom + 16;
    if (inside.top < around.top) part.scrollTop -= around.top - inside.top + 16;
  }
}

/** Sums build term by term, and the piece that is being counted is lit. */
export function count(main, time) {
  const steps = [...main.querySelectorAll(".scene [data-step]")];
  const each = (time * (1 - LAST)) / steps.length;
  const timers = [];
  for (const [k, step] of steps.entries()) {
    step.classList.add("unsaid");
    timers.push(setTimeout(light, k * each, main, step));
  }
  return timers;
}

function light(main, step) {
  step.classList.remove("unsaid");
  reach(main, step);
  for (const piece of main.querySelectorAll(".lit")) piece.classList.replace("lit", "counted");
  const name = step.dataset.lights;
  if (name) main.querySelector(`.play [data-move="${CSS.escape(name)}"]`)?.classList.add("lit");
}

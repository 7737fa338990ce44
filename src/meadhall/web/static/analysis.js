// Meadhall: how far an analysis is, until it is there. Without a script the page comes again by itself.

const EVERY = 1000; // milliseconds
const LATER = 4000; // where the server is away or has been asked too often
const THERE = 200;
const UNDER_WAY = 202;

const bar = document.querySelector("[data-analysis]");

function show(percent) {
  const output = bar.querySelector("output");
  bar.querySelector("progress").value = percent;
  output.textContent = output.dataset.done.replace("#", percent);
}

async function look() {
  let next = LATER;
  try {
    const answer = await fetch(bar.dataset.analysis);
    if (answer.status === THERE) return location.reload();
    if (answer.status === UNDER_WAY) {
      const { state, progress } = await answer.json();
      if (state !== bar.dataset.state) return location.reload(); // it is this game's turn now
      show(Math.round(100 * progress));
      next = EVERY;
    }
  } catch (error) {
    console.debug(error);
  }
  setTimeout(look, next);
}

setTimeout(look, EVERY);

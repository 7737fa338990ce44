/** The button that prints a page; without a script the browser's own menu does. */

const button = document.querySelector("[data-print]");
button.hidden = false;
button.addEventListener("click", () => window.print());

/** Search in a rulebook: as one types, only the clauses that hold all words are left, and a list leads to each. */

const LONGEST = 90; // letters of a line of results
const form = document.querySelector("[data-find]");
const article = document.querySelector(".text");
const [count, results] = [form.querySelector(".count"), form.querySelector(".results")];

/** A text as it is looked for: without accents, in small letters, as long as it was. */
const fold = (text) =>
  text
    .split("")
    .map((letter) => letter.normalize("NFD")[0].toLowerCase()[0])
    .join("");

const rules = [...article.querySelectorAll(".rule")].map((rule) => {
  const says = rule.querySelector(".says");
  const text = says.textContent.replace(/\s+/g, " ").trim();
  return { rule, says, text, number: rule.querySelector(".number").textContent, folded: fold(text) };
});

/** Where the words stand in a clause. */
function* places(says, words) {
  const walker = document.createTreeWalker(says, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const whole = fold(walker.currentNode.data);
    for (const word of words)
      for (let at = whole.indexOf(word); at >= 0; at = whole.indexOf(word, at + word.length)) {
        const range = new Range();
        range.setStart(walker.currentNode, at);
        range.setEnd(walker.currentNode, at + word.length);
        yield range;
      }
  }
}

function line({ rule, text, number, folded }, words) {
  const first = Math.min(...words.map((word) => folded.indexOf(word)).filter((at) => at >= 0), text.length);
  const start = first > 40 && first < text.length ? text.lastIndexOf(" ", first - 24) + 1 : 0;
  const [item, link, name] = ["li", "a", "b"].map((tag) => document.createElement(tag));
  link.href = `#${rule.id}`;
  name.textContent = number;
  const cut = text.slice(start, start + LONGEST);
  link.append(name, ` ${start ? "… " : ""}${cut}${start + LONGEST < text.length ? " …" : ""}`);
  item.append(link);
  return item;
}

function unmark() {
  for (const mark of article.querySelectorAll("mark")) mark.replaceWith(...mark.childNodes);
  article.normalize();
}

function seek() {
  const words = fold(form.q.value).split(/\s+/).filter(Boolean);
  const hits = words.length
    ? rules.filter((each) => words.every((word) => `${fold(each.number)} ${each.folded}`.includes(word)))
    : [];
  unmark();
  for (const each of rules) each.rule.hidden = hits.length > 0 && !hits.includes(each);
  article.classList.toggle("seeking", hits.length > 0);
  for (const part of article.querySelectorAll("section"))
    part.hidden = hits.length > 0 && !part.querySelector(".rule:not([hidden])");
  results.replaceChildren(...hits.map((each) => line(each, words)));
  const said = hits.length ? count.dataset.found.replace("{n}", hits.length) : count.dataset.none;
  count.textContent = words.length ? said.replace("{words}", form.q.value.trim()) : "";
  if (globalThis.CSS?.highlights) {
    const ranges = hits.flatMap((each) => [...places(each.says, words)]);
    CSS.highlights.set("found", new Highlight(...ranges));
  }
}

/** All clauses again; the words stay marked. */
function show() {
  for (const hidden of article.querySelectorAll("[hidden]")) hidden.hidden = false;
  article.classList.remove("seeking");
}

form.q.addEventListener("input", seek);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  seek();
  results.querySelector("a")?.focus();
});
// Whoever follows a link wants to read on from there.
document.addEventListener("click", (event) => {
  if (event.target.closest('a[href^="#"]')) show();
});

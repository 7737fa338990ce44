"""Where everything lies on a page: nothing runs out of it, is cut off, lies on something else, or is too small."""

import re
from dataclasses import dataclass

from playwright.sync_api import Page

from tests.shots.sizes import Size

SMALLEST_TYPE = 12.0  # pixels
FINGER = 44.0


@dataclass(frozen=True)
class Finding:
    """Something that lies wrong. A soft one is told, and allowed."""

    kind: str
    what: str
    soft: bool = False

    def __str__(self) -> str:
        return f"{self.kind}: {self.what}"

    @property
    def about(self) -> str:
        """The same whatever the language."""
        return re.sub(r'"[^"]*"|[\d.]+( x [\d.]+)? px', "", str(self))


# One function in the page for all checks: it looks at what can be seen, from the top of the page.
LOOK = r"""
({ asks, upright, touch, smallest, finger }) => {
  const found = [];
  const tell = (kind, what, soft = false) => found.push({ kind, what, soft });
  const near = (a, b) => a - b > 1.5;

  /* names for people: tag, id, classes, the beginning of its words */
  const name = (it) => {
    const classes = [...it.classList].slice(0, 3).map((each) => `.${each}`).join("");
    const words = (it.innerText ?? it.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 40);
    const own = `${it.localName}${it.id ? `#${it.id}` : ""}${classes}`;
    const within = it.parentElement?.closest("[class]")?.classList[0];
    return `${within ? `.${within} > ` : ""}${own}${words ? ` "${words}"` : ""}`;
  };

  scrollTo(0, 0);
  const hidden = (it) =>
    !it.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true }) ||
    it.closest(".sr, .sprite, .skip, [aria-hidden=true].hold, #say");
  const styles = new Map();
  const style = (it) => styles.get(it) ?? styles.set(it, getComputedStyle(it)).get(it);

  /* the page itself */
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth + 1) {
    const wide = [...document.querySelectorAll("body *")].filter(
      (it) => !hidden(it) && it.getBoundingClientRect().right > innerWidth + 1,
    );
    tell("sideways", `${root.scrollWidth} px wide of ${innerWidth}: ${wide.slice(-2).map(name).join("; ")}`);
  }

  const cuts = (value) => value === "hidden" || value === "clip";

  /* all text that can be seen: each element with words of its own, and where they stand */
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const byElement = new Map();
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const it = node.parentElement;
    if (!node.data.trim() || ["SCRIPT", "STYLE", "OPTION", "TITLE", "title"].includes(it.tagName)) continue;
    if (!byElement.has(it)) byElement.set(it, []);
    byElement.get(it).push(node);
  }
  // Words pushed out of a small mark on purpose are for those who listen.
  const pushed = (it) => cuts(style(it).overflowX) && parseFloat(style(it).textIndent) > it.clientWidth;
  for (const [it, nodes] of byElement) {
    if (hidden(it) || pushed(it)) continue;
    const rects = nodes.flatMap((node) => {
      const range = document.createRange();
      range.selectNodeContents(node);
      return [...range.getClientRects()].filter((rect) => rect.width > 1 && rect.height > 1);
    });
    if (rects.length) texts.push({ it, rects });
  }

  const layer = (it) => {
    for (let at = it; at && at !== document.body; at = at.parentElement) {
      if (["fixed", "sticky"].includes(style(at).position)) return at;
      if (at.matches("dialog, .drop, #tip, [popover]")) return at;
    }
    return document.body;
  };
  /* what a thing lies in: what is put somewhere is cut off by that place alone */
  const around = (it) => {
    const { position } = style(it);
    if (position === "fixed") return null;
    return position === "absolute" && it instanceof HTMLElement ? it.offsetParent : it.parentElement;
  };
  const scrolls = (value) => value === "auto" || value === "scroll";
  const painted = (it) => {
    const { backgroundColor, backgroundImage, borderTopWidth, display } = style(it);
    if (display === "contents") return false;
    if (display === "inline") return false;
    const bare = backgroundColor === "rgba(0, 0, 0, 0)" && backgroundImage === "none";
    return !bare || parseFloat(borderTopWidth) > 0;
  };

  for (const text of texts) {
    const { it, rects } = text;
    const svg = it.closest("svg");
    const scale = svg && it.getScreenCTM ? it.getScreenCTM().a : 1;
    const size = parseFloat(style(it).fontSize) * scale;
    if (size < smallest - 0.05) tell("small type", `${size.toFixed(1)} px ${name(it)}`);
    const box = {
      left: Math.min(...rects.map((r) => r.left)),
      right: Math.max(...rects.map((r) => r.right)),
      top: Math.min(...rects.map((r) => r.top)),
      bottom: Math.max(...rects.map((r) => r.bottom)),
    };
    Object.assign(text, { box, layer: layer(it), scrolled: false });
    let card = null;
    let cut = false;
    for (let at = it; at && at !== document.body; at = around(at)) {
      const { overflowX, overflowY, position } = style(at);
      const room = at.getBoundingClientRect();
      const [x, y] = [cuts(overflowX), cuts(overflowY)];
      // Line boxes are higher than letters: a third of the type's size may stick out above and below.
      const slack = size * 0.3;
      if (x && (near(box.right, room.right) || near(room.left, box.left))) cut = at;
      if (y && (near(box.bottom, room.bottom + slack) || near(room.top - slack, box.top))) cut = at;
      if (scrolls(overflowX) || scrolls(overflowY)) {
        text.scrolled = true;
        break;
      }
      if (!card && painted(at) && !at.closest("svg")) {
        card = at;
        if (near(box.right, room.right) || near(room.left, box.left)) tell("out of its card", name(it));
        else if (near(box.bottom, room.bottom + slack) || near(room.top - slack, box.top))
          tell("out of its card", name(it));
      }
      card ??= ["absolute", "fixed"].includes(position) ? at : null; // it lies where it was put
    }
    if (cut) tell("cut off", `${name(it)} by ${name(cut).split(' "')[0]}`);
    else if (!svg && style(it).textOverflow === "ellipsis" && it.scrollWidth > it.clientWidth + 1)
      tell("cut off", name(it));
  }

  /* what can be pressed */
  const CONTROLS =
    "a[href], button, summary, select, textarea, label.pick, [data-card], input:not([type=hidden], .composed)";
  const inViewOrNot = [...document.querySelectorAll(CONTROLS)].filter((it) => {
    if (hidden(it) || it.closest("[inert]")) return false;
    const { width, height } = it.getBoundingClientRect();
    return width > 2 && height > 2;
  });
  const controls = inViewOrNot.map((it) => ({ it, box: it.getBoundingClientRect(), layer: layer(it), control: true }));

  const crossing = (a, b) => {
    const x = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    return x > 2 && y > 2 ? Math.min(x, y) : 0;
  };
  const hit = ({ it, box }) => {
    const on = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
    return !on || it.contains(on);
  };
  const related = (a, b) => a.it.contains(b.it) || b.it.contains(a.it);
  const scroller = (it) => {
    for (let at = it.parentElement; at && at !== document.body; at = at.parentElement)
      if (scrolls(style(at).overflowY) || scrolls(style(at).overflowX)) return at;
    return null;
  };
  const things = [...texts, ...controls].map((each) => ({ ...each, scroller: scroller(each.it) }));
  things.sort((a, b) => a.box.top - b.box.top);
  for (let i = 0; i < things.length; i++) {
    for (let j = i + 1; j < things.length && things[j].box.top < things[i].box.bottom - 2; j++) {
      const [a, b] = [things[i], things[j]];
      if (a.layer !== b.layer || a.scroller !== b.scroller || related(a, b) || !crossing(a.box, b.box)) continue;
      // Words wrapped over lines leave room where others may stand; what matters is where letters are.
      const [left, right] = [a, b].map((each) => each.rects ?? [each.box]);
      const slack = (each) => (each.rects ? parseFloat(style(each.it).fontSize) * 0.2 : 0);
      const met = left.some((one) =>
        right.some((other) => {
          const shrink = ({ left, right, top, bottom }, by) => ({ left, right, top: top + by, bottom: bottom - by });
          return crossing(shrink(one, slack(a)), shrink(other, slack(b)));
        }),
      );
      // On a board one piece lies on another: each is there to be hit at its middle.
      if (met && a.control && b.control && a.it.closest(".cloth") && hit(a) && hit(b)) continue;
      if (met) tell("overlap", `${name(a.it)} and ${name(b.it)}`);
    }
  }

  /* the hand, while something is asked */
  if (asks) {
    const act = document.getElementById("act");
    const cards = [...document.querySelectorAll(".rail label.pick, .rail [data-card], .rail [data-slot] .hole")];
    const inside = (it) => {
      const { left, right, top, bottom, width, height } = it.getBoundingClientRect();
      if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1) return "off the screen";
      const on = document.elementFromPoint(left + width / 2, top + height / 2);
      const same = (one) => one.closest("[data-slot], label") ?? one;
      return !on || it.contains(on) || on.contains(it) || same(on) === same(it) ? "" : `under ${name(on)}`;
    };
    if (!act || hidden(act)) tell("hand", "there is no button to press");
    else if (inside(act)) tell("hand", `the button is ${inside(act)}`);
    const out = cards.filter((it) => !hidden(it)).map((it) => [it, inside(it)]).filter(([, why]) => why);
    // Down and up one can scroll, and sideways within a box that does.
    const reached = ([it]) => {
      const { left, right } = it.getBoundingClientRect();
      return (left >= -1 && right <= innerWidth + 1) || Boolean(scroller(it));
    };
    const soft = upright && out.every(reached);
    if (out.length) tell("hand", `${out.length} of ${cards.length}: ${name(out[0][0])} is ${out[0][1]}`, soft);
    const [rail, board] = [".rail", ".cloth > *"].map((each) => document.querySelector(each)?.getBoundingClientRect());
    const over = rail && board ? crossing(rail, board) : 0;
    if (over > 8) tell("covered", `${over.toFixed(0)} px of the board by the rail`);
    const places = [...document.querySelectorAll(".cloth label.pick")].filter(
      (it) => !hidden(it) && inside(it) === "off the screen",
    );
    if (places.length) tell("hand", `to be picked on the board: ${name(places[0])} is off the screen`, upright);
  }

  /* fingers: what is drawn smaller must still answer to a touch 20 px beside its middle */
  if (touch) {
    const reach = finger / 2 - 2;
    const IN_WORDS = ".clause, p a, li a, dd a, td a, .sheet p *, input[type=radio], input[type=checkbox]";
    for (const { it } of controls) {
      if (it.matches(IN_WORDS)) continue;
      let { width, height } = it.getBoundingClientRect();
      if (width >= finger - 0.5 && height >= finger - 0.5) continue;
      it.scrollIntoView({ block: "center", inline: "center" });
      const { left, top } = it.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      const beside = [[reach, 0], [-reach, 0], [0, reach], [0, -reach]].filter(
        ([dx, dy]) => x + dx > 0 && x + dx < innerWidth && y + dy > 0 && y + dy < innerHeight,
      );
      const label = it.labels?.[0];
      const hits = (on) => on && (it.contains(on) || label?.contains(on));
      if (!beside.every(([dx, dy]) => hits(document.elementFromPoint(x + dx, y + dy))))
        tell("small target", `${width.toFixed(0)} x ${height.toFixed(0)} px ${name(it)}`);
    }
    scrollTo(0, 0);
  }
  return found;
}
"""


def findings(page: Page, size: Size, asks: bool) -> list[Finding]:
    """All that lies wrong on a page as it is now."""
    given = {
        "asks": asks,
        "upright": size.upright_phone,
        "touch": size.touch,
        "smallest": SMALLEST_TYPE,
        "finger": FINGER,
    }
    found = [Finding(**each) for each in page.evaluate(LOOK, given)]
    return list(dict.fromkeys(found))

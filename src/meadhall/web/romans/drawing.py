"""Romans Go Home! as a picture: the Wall with its forts, a line for each clan, the forts it has won, and a plan."""

from collections.abc import Mapping, Sequence

from meadhall.engine.bits import at
from meadhall.games.game import Event
from meadhall.games.romans.names import POINTS
from meadhall.games.romans.state import WARRIORS, Phase
from meadhall.match import Beat, View
from meadhall.web.drawing import letters
from meadhall.web.drawing.canvas import Canvas, Drawing
from meadhall.web.drawing.cloth import BLEED, EDGE, RAIL, Heading, frame
from meadhall.web.romans.board import Card, Mark, Picture, Row, Tower, picture
from meadhall.web.romans.hand import Plan
from meadhall.web.romans.pieces import Names
from meadhall.words import Words

WIDTH, HEIGHT = 1200.0, 630.0
CROWDED = 1.12  # four lines on the cloth want more of it
LEFT = 224.0
GAP = 8.0
WALL = 150.0
FORT = 82.0
MINI = 30.0  # a fort that was won
OWN = 126.0  # what one's own line adds to the rail
WIDE = 0.82  # a card's width, of its height
SMALL = (15.0, 14.0, 13.0, 12.0)


def draw(
    view: View, events: Sequence[Event], words: Words, theme: str, people: Mapping[str, str], beat: Beat | None
) -> Drawing:
    """The table as a seat, or a spectator, may see it."""
    named = {seat: name for seat, name in people.items() if letters.can_write(name)}
    shown = picture(view, events, words, named, beat)
    size = CROWDED if len(shown.board.rows) > 3 else 1
    canvas = Canvas(theme, WIDTH * size, HEIGHT * size + (OWN if shown.own else 0))
    return Board(canvas, view, shown, Names(words, named)).drawn(beat)


class Board:
    """One picture of the table being drawn."""

    def __init__(self, canvas: Canvas, view: View, shown: Picture, names: Names) -> None:
        self.canvas, self.view, self.shown, self.names = canvas, view, shown, names
        self.token = canvas.token
        self.on_rail = False
        outcome = view.game.outcome(view.rules, view.plain)
        self.winners: tuple[str, ...] = tuple(outcome.winners) if outcome else ()
        self.wide = (canvas.width - 2 * EDGE - LEFT - 6 * GAP) / 6  # a column

    def drawn(self, beat: Beat | None) -> Drawing:
        """Everything, from the cloth up."""
        canvas, board, own, words = self.canvas, self.shown.board, self.shown.own, self.names.words
        sentence = self.sentence(beat)
        emblems = [("romans", clan) for clan in self.winners]
        title = words.title("romans")
        top, end = frame(canvas, Heading(title, board.where, sentence, emblems), RAIL + (OWN if own else 0))
        high = (end - top - WALL - 8) / len(board.rows)
        self.columns(board.column, top, end)
        self.wall(board.towers, top)
        for number, row in enumerate(board.rows):
            self.row(row, top + WALL + number * high, high)
        if own:
            self.on_rail = True
            self.columns(board.column, canvas.height - OWN - 2, canvas.height - 6)
            plan = self.shown.hand.plan
            self.row(own, canvas.height - OWN, OWN - 12, plan if plan and plan.verb == "plan" else None)
        labels = [row.forts_label for row in (*board.rows, *((own,) if own else ()))]
        described = "\n".join([sentence, *labels]).strip()
        return canvas.finished(f"{title} · {board.where}", described, self.token("surface"))

    def sentence(self, beat: Beat | None) -> str:
        """What is happening, what is asked of the viewer, or how it ended."""
        outcome = self.view.game.outcome(self.view.rules, self.view.plain)
        if beat is not None:
            return self.shown.hand.prompt
        if outcome is not None:
            return self.names.words.outcome("romans", outcome.record)
        if self.view.is_spectator or self.shown.hand.mode == "wait":
            return " ".join(entry.text for entry in self.shown.story.now) or self.shown.hand.prompt
        return self.shown.hand.prompt

    def column(self, number: int) -> float:
        """The middle of a column; column 0 is the first turn's."""
        return EDGE + LEFT + GAP + number * (self.wide + GAP) + self.wide / 2

    def columns(self, now: int, top: float, end: float) -> None:
        """This turn's column, in woad."""
        if not now:
            return
        canvas = self.canvas
        wide = self.wide + 6
        if self.on_rail:
            glow = f' stroke="{self.token("glow")}" stroke-width="2.5"'
            band = canvas.rect(0, 0, wide, end - top, "none", 12, glow)
            band += canvas.rect(0, 0, wide, end - top, self.token("glow"), 12, ' opacity=".14"')
        else:
            edge = f' stroke="{self.token("accent")}" stroke-width="2.5"'
            band = canvas.rect(0, 6, wide, end - top - 12, self.token("accent-soft"), 12, edge)
        canvas.lay(self.column(now - 1) - wide / 2, top, band)

    # The Wall

    def wall(self, towers: Sequence[Tower | Mark], top: float) -> None:
        """The Wall from edge to edge, its forts on it, and what is left of those that fell."""
        canvas, board = self.canvas, self.shown.board
        foot = top + WALL - 38
        canvas.lay(-BLEED, foot - 64, self.stones(canvas.width + 2 * BLEED, 64))
        words = self.names.words
        plate = canvas.words(words.say("ui.wall"), 0, 0, (28, 26, 24), LEFT - 10, self.token("ink"), "title")
        canvas.lay(EDGE, foot - 26, plate, label=board.where)
        for number, tower in enumerate(towers):
            middle = self.column(number)
            if isinstance(tower, Mark):
                self.mark(tower, middle, foot)
            else:
                self.tower(tower, middle, foot)

    def stones(self, width: float, height: float) -> str:
        """A wall of laid stones with a crenellated top."""
        canvas = self.canvas
        stone = canvas.colours.of("romans", "style", ".romans-scene .wall", "fill")
        teeth = canvas.tiled("teeth", 36, 12, f'<path fill="{stone}" d="M0 0h22v12H0z"/>')
        laid = '<path d="M0 0h72M0 17h72M18 0v17M54 17v17" stroke="#000" stroke-opacity=".15" stroke-width="2"/>'
        drawn = canvas.rect(0, 0, width, 12, teeth) + canvas.rect(0, 11.5, width, height - 11.5, stone)
        return drawn + canvas.rect(0, 11.5, width, height - 11.5, canvas.tiled("stones", 72, 34, laid))

    def tower(self, tower: Tower, middle: float, foot: float) -> None:
        """A fort that stands, its name and what it does below."""
        canvas = self.canvas
        wide = self.wide + 6
        if tower.now:
            canvas.lay(middle - wide / 2, foot + 2, canvas.rect(1, 0, wide - 2, 37, self.token("accent"), 4))
        ink = self.token("on-accent") if tower.now else self.token("ink")
        muted = self.token("on-accent") if tower.now else self.token("muted")
        words = canvas.words(tower.name, 0, 11, (17, 16, 15), wide - 8, ink, "title", "middle")
        words += canvas.words(tower.note, 0, 28, (14, 13, 12, 11), wide - 6, muted, "text", "middle")
        canvas.lay(middle, foot + 2, words)
        drawn = self.fort(tower.kind, tower.value, FORT)
        canvas.lay(middle - FORT / 2, foot - FORT + 2, drawn, tower.move, FORT, FORT, tower.label)

    def fort(self, kind: str, value: str, size: float) -> str:
        """A tower with its value in the wall, and above it the sign of what it does."""
        canvas = self.canvas
        colour, ink = self.fort_colours(kind)
        cut = self.colour(".romans .fort .tw > svg:first-child", "--cut")
        drawn = canvas.sign("tower", 0, 0, size, colour, cut)
        drawn += canvas.text(value, size / 2, size * 0.85, size * 0.42, ink, "title", "middle")
        if kind != "ordinary":
            drawn += canvas.sign(kind, size * 0.34, -size * 0.24, size * 0.32, self.token("ink"), self.token("cloth"))
        return drawn

    def fort_colours(self, kind: str) -> tuple[str, str]:
        """A fort's stone, a legion's being red, and what is written on it."""
        if self.on_rail:
            legion = ".romans .rail .mini.legion" if kind == "legion" else ".romans .rail .mini"
            return self.colour(legion), self.colour(".romans .rail .mini b")
        stone = self.colour(".romans .fort.legion") if kind == "legion" else self.token("stone")
        return stone, self.colour(".romans .fort .v")

    def mini(self, kind: str, value: str, width: float) -> str:
        """A small tower with its value."""
        canvas = self.canvas
        colour, ink = self.fort_colours(kind)
        cut = self.token("rail") if self.on_rail else self.token("cloth")
        drawn = canvas.sign("tower", 0, 0, width, colour, cut)
        return drawn + canvas.text(value, width / 2, width * 0.87, width * 0.46, ink, "title", "middle")

    def mark(self, mark: Mark, middle: float, foot: float) -> None:
        """Where a fort stood: who took it, or that it was discarded."""
        canvas = self.canvas
        wide, high = 116.0, 82.0
        back = self.token("raised") if mark.now else self.token("cloth")
        edge = self.token("accent") if mark.now else self.token("muted")
        drawn = canvas.rect(0, 0, wide, high, back, 8, ' opacity=".88"') + canvas.dashed(0, 0, wide, high, edge)
        drawn += canvas.words(mark.word, wide / 2, 66, SMALL, wide - 10, self.token("ink"), "text", "middle")
        x = middle - wide / 2
        if mark.clan:
            drawn += f'<g transform="translate(14 10)">{self.mini(mark.kind, mark.value, 40)}</g>'
            drawn += canvas.emblem("romans", mark.clan, 62, 10, 40)
        canvas.lay(x, foot - high + 2, drawn, label=mark.label)
        if not mark.clan:
            fallen = f'<g transform="rotate(-14 20 20)" opacity=".6">{self.mini(mark.kind, mark.value, 40)}</g>'
            canvas.lay(middle - 20, foot - high + 12, fallen, mark.move, 40, 40)

    # A clan

    def row(self, row: Row, y: float, high: float, plan: Plan | None = None) -> None:
        """A clan's plate and its line."""
        tall = min(high - 14, 132.0)
        top = y + (high - tall) / 2
        if row.clan in self.winners:
            fill = self.canvas.side("romans", row.clan).fill
            band = self.canvas.rect(0, 0, self.canvas.width - 24, high - 2, fill, 12, ' opacity=".24"')
            self.canvas.lay(12, y + 1, band)
        self.plate(row, top, tall)
        if plan is not None:
            self.plan(plan, row.clan, top, tall)
            return
        planned = self.hand_of(row)
        for number, card in enumerate(row.cards):
            if card.look == "empty" and planned:
                break
            self.card(card, row.clan, self.column(number), top, tall)
        self.total(row.clan, top, tall)
        for number, warrior in enumerate(planned):
            wide = tall * WIDE
            x = EDGE + LEFT + GAP + number * ((6 * self.wide + 5 * GAP - wide) / 6)
            drawn = self.warrior(row.clan, warrior, tall) + self.alone(wide, tall)
            self.canvas.lay(x, top, drawn, label=self.names.about_warrior(warrior))

    def total(self, clan: str, y: float, tall: float) -> None:
        """What a clan's warriors come to in this turn, once that is known, on the card of this turn."""
        canvas, now = self.canvas, self.shown.board.column
        for row in self.shown.story.nums if now else ():
            if row.sum.clan == clan:
                ahead = row.highest
                chip = canvas.disc(0, 1.5, 22, "#000", ' opacity=".3"') + canvas.disc(0, 0, 22, self.token("paper"))
                chip += canvas.disc(0, 0, 19, self.token("accent") if ahead else self.token("raised"))
                ink = self.token("on-accent") if ahead else self.token("muted" if row.sum.barred else "ink")
                chip += canvas.text(str(row.sum.total), 0, 8, 23, ink, "title", "middle")
                x = self.column(now - 1) + min(tall * WIDE / 2 + 24, self.wide / 2 - 14)
                canvas.lay(x, y + tall * 0.55, chip, label=f"{row.name}: {row.sum.total}")

    def hand_of(self, row: Row) -> list[str]:
        """The warriors that a clan still has to put in line, where the view knows them."""
        state = self.view.plain
        if state.phase != Phase.PLAN:
            return []
        clans = self.view.game.vocabulary(self.view.rules, "clan")
        number = clans.index(row.clan)
        held = [at(int(state.hand[number]), k) for k in range(7)]
        known = all(warrior < len(WARRIORS) for warrior in held) and number < state.players
        return [WARRIORS[warrior] for warrior in held] if known and int(state.hand[number]) else []

    def plate(self, row: Row, y: float, tall: float) -> None:
        """Whose line it is, who plays it, the forts it has won and their sum."""
        canvas = self.canvas
        ink = self.token("rail-ink") if self.on_rail else self.token("ink")
        muted = self.token("rail-muted") if self.on_rail else self.token("muted")
        about = " · ".join(part for part in (row.person, row.aside) if part)
        size = 52.0 if tall > 110 else 44.0
        lines = size if about else 38.0
        top = y + (tall - lines - 8 - MINI) / 2
        canvas.lay(EDGE, top + (lines - size) / 2, canvas.emblem("romans", row.clan, 0, 0, size))
        points = letters.width(row.total, "title", 32)
        room = LEFT - size - 24 - points
        names = canvas.words(row.name, 0, 12 if about else lines / 2, (24, 22, 20, 18), room, ink, "title")
        if about:
            names += canvas.words(about, 0, lines - 12, SMALL, LEFT - size - 12 - points - 8, muted)
        canvas.lay(EDGE + size + 12, top, names, label=row.name)
        total = canvas.words(row.total, 0, lines / 2, (32,), 90, ink, "title", "end")
        canvas.lay(EDGE + LEFT - 8, top, total, label=row.forts_label)
        self.won(row, top + lines + 8)

    def won(self, row: Row, y: float) -> None:
        """Small towers, behind each other where they are many; a sign for who is a legion short of victory."""
        canvas = self.canvas
        room = LEFT - 12 - (34 if row.danger else 0)
        step = min(MINI + 3, (room - MINI) / max(1, len(row.forts) - 1))
        for number, fort in enumerate(row.forts):
            drawn = self.mini(fort.kind, fort.value, MINI)
            canvas.lay(EDGE + number * step, y, drawn, fort.move, MINI, MINI, fort.label)
        if row.danger:
            sign = canvas.disc(15, 15, 15, self.token("wax"))
            sign += canvas.sign("legion", 5, 5, 20, "#ffffff", self.token("wax"))
            canvas.lay(EDGE + len(row.forts) * step + max(0, MINI - step) + 6, y, sign, label=row.danger)

    # Cards

    def card(self, card: Card, clan: str, middle: float, y: float, tall: float) -> None:
        """A place of a clan's line."""
        canvas = self.canvas
        wide = tall * WIDE
        x = middle - wide / 2
        if card.look == "empty":
            canvas.lay(x, y, canvas.dashed(0, 0, wide, tall, self.token("line")), label=card.label)
        elif card.look == "gone":
            canvas.lay(x, y, self.gone(card, wide, tall), card.move, wide, tall, card.label, "up")
        elif card.look == "back":
            canvas.lay(x, y, self.back(clan, wide, tall), card.move, wide, tall, card.label, "down")
        else:
            drawn = self.warrior(clan, card.warrior, tall, card.now)
            if card.look in ("mine", "opened"):
                drawn += self.alone(wide, tall)
            canvas.lay(x, y, drawn, card.move, wide, tall, card.label, "down" if card.look == "mine" else "up")

    def warrior(self, clan: str, warrior: str, tall: float, now: bool = False) -> str:
        """A warrior: strength, its clan's emblem, silhouette, name, and a foot in the clan's colour."""
        canvas, paint = self.canvas, self.canvas.side("romans", clan)
        wide = tall * WIDE
        ring = canvas.rect(-3, -3, wide + 6, tall + 6, self.token("accent"), 10) if now else ""
        large, strength = tall * 0.48, str(POINTS[warrior])
        sizes = tuple(tall * part for part in (0.155, 0.145, 0.135, 0.125, 0.115))
        ink = self.token("paper-ink")
        drawn = [
            ring,
            canvas.paper(wide, tall, paint.fill),
            canvas.text(strength, tall * 0.06, tall * 0.235, tall * 0.25, ink, "title"),
            canvas.emblem("romans", clan, wide - tall * 0.26, tall * 0.06, tall * 0.2),
            canvas.sign(warrior, (wide - large) / 2, tall * 0.255, large, paint.paper, self.token("paper")),
            canvas.words(self.names.warrior(warrior), wide / 2, tall * 0.825, sizes, wide - 6, ink, "title", "middle"),
        ]
        return "".join(drawn)

    def alone(self, wide: float, tall: float) -> str:
        """The edge of what is not for all to see."""
        colour = self.token("glow") if self.on_rail else self.token("accent")
        return self.canvas.dashed(-4, -4, wide + 8, tall + 8, colour, 11)

    def back(self, clan: str, wide: float, tall: float) -> str:
        """A warrior face down: the clan's pattern and its emblem."""
        canvas, paint = self.canvas, self.canvas.side("romans", clan)
        edge = tall * 0.055
        drawn = canvas.shadow(wide, tall) + canvas.rect(0, 0, wide, tall, self.token("paper"), 8)
        inner = pattern(canvas, clan, wide - 2 * edge, tall - 2 * edge)
        drawn += f'<g transform="translate({edge:.2f} {edge:.2f})">{inner}</g>'
        size = tall * 0.44
        colour = paint.on if paint.on != "#ffffff" else self.token("paper")
        return drawn + canvas.sign(f"romans-{clan}", (wide - size) / 2, (tall - size) / 2, size, colour, paint.fill)

    def gone(self, card: Card, wide: float, tall: float) -> str:
        """The shadow of a warrior that left, and a word of why."""
        canvas = self.canvas
        muted = self.token("rail-muted") if self.on_rail else self.token("muted")
        cut = self.token("rail") if self.on_rail else self.token("cloth")
        size = tall * 0.46
        x = (wide - size) / 2
        turned = f' transform="rotate(-24 {wide / 2:.1f} {tall * 0.3:.1f})"' if card.why == "wrecked" else ""
        shade = f'<g opacity=".36"{turned}>{canvas.sign(card.warrior, x, tall * 0.05, size, muted, cut)}</g>'
        sizes = tuple(max(12.0, tall * part) for part in (0.15, 0.14, 0.13))
        shade += canvas.words(card.name, wide / 2, tall * 0.66, sizes, self.wide, muted, "text", "middle")
        return shade + canvas.words(card.word, wide / 2, tall * 0.84, sizes, self.wide, muted, "text", "middle")

    def plan(self, plan: Plan, clan: str, y: float, tall: float) -> None:
        """A line as its owner has sealed it, or the seven warriors he chooses from."""
        held = [place.holds for place in plan.places if place.holds] or list(plan.hand)
        seven = [*held, *(plan.left if len(held) < len(plan.hand) else ())]
        wide = tall * WIDE
        step = (6 * self.wide + 5 * GAP - wide) / 6
        for number, warrior in enumerate(seven):
            x = EDGE + LEFT + GAP + number * step
            drawn = self.warrior(clan, warrior.warrior, tall) + self.alone(wide, tall)
            self.canvas.lay(x, y, drawn, label=warrior.title)

    def colour(self, selector: str, prop: str = "color") -> str:
        """A colour of the game's sheet."""
        return self.canvas.colours.of("romans", "style", selector, prop)


_PATTERNS = {
    "gold": (11, '<circle cx="5.5" cy="5.5" r="2.3" fill-opacity=".24"/>'),
    "green": (10, '<path d="M0 0h3.5v10H0z" fill-opacity=".24"/>'),
    "violet": (13, '<path d="M0 13 13 0M0 0l13 13" stroke="#000" stroke-opacity=".22" stroke-width="2"/>'),
    "red": (11, '<path d="M0 0h11v4.5H0z" fill-opacity=".24"/>'),
}


def pattern(canvas: Canvas, clan: str, width: float, height: float, radius: float = 4) -> str:
    """A surface in a clan's colour and pattern: what lies face down."""
    size, drawn = _PATTERNS[clan]
    plain = canvas.rect(0, 0, width, height, canvas.side("romans", clan).fill, radius)
    return plain + canvas.rect(0, 0, width, height, canvas.tiled(f"backs-{clan}", size, size, drawn), radius)

"""Goths Save the Queen as a picture: both clans' ground, cards and machines, the objectives, and a seat's own hand."""

from collections.abc import Mapping, Sequence

from meadhall.games.game import Event
from meadhall.games.goths.state import CLANS
from meadhall.match import Beat, View
from meadhall.web.drawing import letters
from meadhall.web.drawing.canvas import Canvas, Drawing
from meadhall.web.drawing.cloth import EDGE, RAIL, Heading, frame
from meadhall.web.goths.board import ActCard, Army, Goal, KingCard, Picture, Tile, Token, picture
from meadhall.web.goths.board import Side as Half
from meadhall.web.goths.hand import Group, Hand, OrderCard, RoyalCard
from meadhall.words import Words

WIDTH, HEIGHT = 1200.0, 630.0
GAP = 10.0
ROW = 140.0
COLUMN = (WIDTH - 2 * EDGE - 6 * GAP) / 7
HAND = 150.0  # what a hand adds to the rail
UNIT = (57.0, 76.0)
KING = (84.0, 108.0)
BACK = (146.0, 108.0)
MINI = (42.0, 56.0)
SMALL = (15.0, 14.0, 13.0, 12.0)


def draw(
    view: View, events: Sequence[Event], words: Words, theme: str, people: Mapping[str, str], beat: Beat | None
) -> Drawing:
    """The table as a seat, or a spectator, may see it."""
    names = {seat: name for seat, name in people.items() if letters.can_write(name)}
    shown = picture(view, events, words, names, beat)
    return Board(Canvas(theme, WIDTH, HEIGHT + (HAND if shown.hand.groups else 0)), shown, words).drawn(view, beat)


class Board:
    """One picture of the table being drawn."""

    def __init__(self, canvas: Canvas, shown: Picture, words: Words) -> None:
        self.canvas, self.shown, self.words = canvas, shown, words
        self.token = canvas.token
        self.top = 0.0

    def drawn(self, view: View, beat: Beat | None) -> Drawing:
        """Everything, from the cloth up."""
        canvas, shown, words = self.canvas, self.shown, self.words
        outcome = view.game.outcome(view.rules, view.plain)
        sentence, emblems = shown.hand.prompt, []
        if outcome is not None and (beat is None or not sentence):
            sentence = words.outcome("goths", outcome.record)
        if outcome is not None:
            emblems = [("goths", clan) for clan in CLANS if clan in outcome.winners]
        title = words.title("goths")
        hand = HAND if shown.hand.groups else 0
        top, end = frame(canvas, Heading(title, shown.turn, sentence, emblems), RAIL + hand)
        self.top = top + (end - top - 3 * ROW - 2 * GAP) / 2
        for side in shown.sides:
            self.half(side)
        for goal in shown.goals:
            self.goal(goal)
        self.armies()
        if shown.hand.groups:
            self.hand(shown.hand, canvas.height - HAND)
        labels = [side.name + (f". {side.seats}" if side.seats else "") for side in shown.sides]
        return canvas.finished(f"{title} · {shown.turn}", "\n".join([sentence, *labels]).strip(), self.token("surface"))

    # Places

    def row(self, number: int) -> float:
        """Where a row of the board begins."""
        return self.top + number * (ROW + GAP)

    def column(self, number: int) -> float:
        """Where a column of the board begins."""
        return EDGE + number * (COLUMN + GAP)

    def from_outside(self, side: Half, offset: float, width: float) -> float:
        """The left edge of a thing so far from a side's outer edge."""
        return EDGE + offset if side.who == "me" else WIDTH - EDGE - offset - width

    # A clan's half

    def half(self, side: Half) -> None:
        """A clan's name and cards, its ground, its machines."""
        self.plate(side)
        self.kings(side)
        for number, tile in enumerate(side.tiles):
            self.tile(side, tile, self.column(number if side.who == "me" else 6 - number))
        self.machines(side)

    def plate(self, side: Half) -> None:
        """Who it is, who plays it, and whether it has the initiative."""
        canvas, paint = self.canvas, self.canvas.side("goths", side.clan)
        x, y = self.from_outside(side, 0, 0), self.row(0)
        at = "start" if side.who == "me" else "end"
        canvas.lay(x - (0 if side.who == "me" else 46), y, canvas.emblem("goths", side.clan, 0, 0, 46), label=side.name)
        crowded = len(side.face_up) > 4
        room = COLUMN + (0 if crowded else 12)
        marks = canvas.words(side.name, 0, 66, (26, 24, 22, 20), room, self.token("ink"), "title", at)
        lines = [line for line in (side.relation, *side.people) if line][:3]
        for number, line in enumerate(lines):
            marks += canvas.words(line, 0, 88 + 19 * number, SMALL, room, self.token("muted"), "text", at)
        canvas.lay(x, y, marks, label=side.seats)
        if side.initiative:
            word = self.words.say("ui.initiative")
            wide = 24 + letters.width(word, "strong", 16)
            torch = canvas.sign("torch", 0, -12, 20, paint.ink, self.token("cloth"))
            torch += canvas.text(word, 24, 4, 16, paint.ink, "strong")
            left = x + 56 if side.who == "me" else x - 56 - wide
            canvas.lay(left, y + 23, torch, "torch", wide, 24, side.initiative)

    def kings(self, side: Half) -> None:
        """The King cards that lie there, the newest next to the objectives."""
        inner = 3 * COLUMN + 2 * GAP  # from the outer edge
        y = self.row(0) + 2
        offset = inner
        if side.played:
            size = BACK if side.played.halves else KING
            offset -= size[0]
            self.king(side, side.played, self.from_outside(side, offset, size[0]), y)
            offset -= 12
        if side.fan:
            columns = (len(side.face_up) + 1) // 2
            for number, card in enumerate(side.face_up):
                across = offset - (columns - number // 2) * (MINI[0] + 5) + 5
                x = self.from_outside(side, across, MINI[0])
                self.lay_front(card, x, y + number % 2 * (MINI[1] + 6), MINI)
        else:
            for card in side.face_up:
                offset -= KING[0]
                self.king(side, card, self.from_outside(side, offset, KING[0]), y)

    def king(self, side: Half, card: KingCard, x: float, y: float) -> None:
        """A King card with what stands below it."""
        canvas = self.canvas
        wide = BACK[0] if card.halves else KING[0]
        if card.halves:
            name = f"order-{card.clan}"
            canvas.lay(x, y, self.back(card), card.move, *BACK, label=card.name, side="down", name=name)
        else:
            self.lay_front(card, x, y, KING)
        if card.secret:
            label = letters.shortened(card.secret, "strong", 15, wide - 40)
            long = 36 + letters.width(label, "strong", 15)
            pill = canvas.dashed(0, 0, long, 22, self.token("accent"), 11)
            pill += canvas.sign("reconnoitre", 10, 4, 15, self.token("ink"), self.token("cloth"))
            pill += canvas.text(label, 29, 16, 15, self.token("ink"), "strong")
            canvas.lay(x + (wide - long) / 2, y + BACK[1] + 6, pill)
        else:
            caption = canvas.words(card.caption, wide / 2, 0, SMALL, wide + 20, self.token("muted"), "text", "middle")
            canvas.lay(x, y + BACK[1] + 16, caption)

    def lay_front(self, card: KingCard, x: float, y: float, size: tuple[float, float]) -> None:
        """A King card that lies face up, large or small."""
        name = f"order-{card.clan}" if card.order else ""
        self.canvas.lay(x, y, self.front(card, size), card.move, *size, label=card.name, side="up", name=name)

    def front(self, card: KingCard, size: tuple[float, float]) -> str:
        """The character large and by name, the bluff small below a dashed line."""
        canvas, ink, paper = self.canvas, self.token("paper-ink"), self.token("paper")
        width, height = size
        character, name = card.character or ("", "")
        drawn = canvas.paper(width, height, canvas.side("goths", card.clan).fill, 8 if width > 50 else 5)
        if width <= 50:
            large, small = width * 0.62, width * 0.32
            drawn += canvas.sign(character, (width - large) / 2, 4, large, ink, paper)
            muted = self.token("paper-muted")
            return drawn + canvas.sign(card.bluff, (width - small) / 2, height - small - 7, small, muted, paper)
        drawn += canvas.sign(character, (width - 46) / 2, 8, 46, ink, paper)
        drawn += canvas.words(name, width / 2, 65, (16, 15, 14, 13, 12), width - 8, ink, "title", "middle")
        drawn += canvas.line([(6, 76), (width - 6, 76)], self.token("paper-line"), 1.2, ' stroke-dasharray="4 3"')
        word = self.words.say("ui.bluff")
        wide = 22 + letters.width(word, "text", 13)
        left = (width - wide) / 2
        muted = self.token("paper-muted")
        drawn += canvas.sign(card.bluff, left, 80, 17, muted, paper)
        return drawn + canvas.text(word, left + 22, 93, 13, muted)

    def back(self, card: KingCard) -> str:
        """Two characters side by side, in a frame of the clan's pattern."""
        canvas, ink, paper = self.canvas, self.token("paper-ink"), self.token("paper")
        width, height = BACK
        drawn = canvas.shadow(width, height) + pattern(canvas, card.clan, width, height)
        drawn += canvas.rect(8, 8, width - 16, height - 16, paper, 5)
        drawn += canvas.line([(width / 2, 14), (width / 2, height - 14)], self.token("paper-line"), 2)
        for k, (half, name) in enumerate(card.halves):
            x = 8 + (width - 16) * (k + 0.5) / 2
            drawn += canvas.sign(half, x - 21, 20, 42, ink, paper)
            drawn += canvas.words(name, x, 80, (*SMALL[1:], 11, 10), (width - 16) / 2 - 5, ink, "strong", "middle")
        return drawn

    def machines(self, side: Half) -> None:
        """The catapult, the Warchief card of this turn, and the units in reserve."""
        canvas, y = self.canvas, self.row(2)
        paint = canvas.side("goths", side.clan)
        drawn = self.machine(side.loaded)
        mirrored = side.who != "me"
        if mirrored:
            drawn = f'<g transform="translate(104 0) scale(-1 1)">{drawn}</g>'
        canvas.lay(
            self.from_outside(side, 0, 104), y + 20, drawn, f"catapult-{side.clan}", 104, 104, side.catapult_name
        )
        words = canvas.words(
            self.words.say("ui.catapult"), 60, 12, (22, 20, 18), 124, self.token("ink"), "title", "middle"
        )
        label = side.catapult
        wide = min(124.0, letters.width(label, "strong", 15) + 24)
        if side.loaded:
            words += canvas.rect(60 - wide / 2, 28, wide, 26, paint.fill, 13)
        else:
            words += canvas.dashed(60 - wide / 2, 28, wide, 26, self.token("muted"), 13)
        ink = paint.on if side.loaded else self.token("ink")
        words += canvas.words(label, 60, 41, SMALL, wide - 14, ink, "strong", "middle")
        canvas.lay(self.from_outside(side, 116, 120), y + 42, words)
        if side.act:
            canvas.lay(
                self.from_outside(side, 252, 92),
                y + 6,
                self.act(side.act),
                f"act-{side.clan}",
                92,
                126,
                side.act.name,
                "up" if side.act.number else "down",
            )
        count = canvas.words(side.reserve_count, 0, 0, SMALL, 130, self.token("muted"), "text", "middle")
        middle = self.from_outside(side, 3 * COLUMN + 2 * GAP - 56, 0)
        canvas.lay(middle, y + ROW - 18, count, label=side.reserve_name)

    def machine(self, loaded: bool) -> str:
        """A catapult: its arm back with a stone in the cup, or up and paler."""
        colour = self.colour(".goths .engine svg" if loaded else ".goths .engine.off svg")
        name = "catapult" if loaded else "catapult-empty"
        return self.canvas.sign(name, 0, 0, 104, colour, self.token("cloth"))

    def act(self, card: ActCard) -> str:
        """A Warchief card: a back in the clan's pattern, or the order with its number."""
        canvas = self.canvas
        width, height = 92.0, 126.0
        paint = canvas.side("goths", card.clan)
        if not card.number:
            drawn = canvas.shadow(width, height) + canvas.rect(0, 0, width, height, self.token("paper"), 8)
            inner = pattern(canvas, card.clan, width - 12, height - 12, 5)
            drawn += f'<g transform="translate(6 6)">{inner}</g>'
            drawn += canvas.disc(width / 2, height / 2, 31, self.token("paper"))
            return drawn + canvas.emblem("goths", card.clan, width / 2 - 21, height / 2 - 21, 42)
        drawn = self.order(card.number, card.action, card.action_name, width, height, paint.fill)
        if card.lost:
            drawn = f'<g opacity=".55">{drawn}</g>'
            drawn += canvas.line([(10, height - 34), (width - 10, 34)], self.token("wax"), 6, ' stroke-linecap="round"')
        return drawn

    def order(self, number: int, action: str, name: str, width: float, height: float, foot: str) -> str:
        """An order: its number, its sign, its name."""
        canvas, ink = self.canvas, self.token("paper-ink")
        sizes = (16, 15, 14, 13)
        two = len(letters.fitted(name, "title", sizes, width - 8, 2)[0]) > 1
        large = min(width * 0.62, height * (0.4 if two else 0.46))
        return (
            canvas.paper(width, height, foot)
            + canvas.text(str(number), 8, 25, 24, ink, "title")
            + canvas.sign(
                action, (width - large) / 2, height * (0.21 if two else 0.25), large, ink, self.token("paper")
            )
            + canvas.words(name, width / 2, height * 0.8, sizes, width - 8, ink, "title", "middle", 2, 1.05)
        )

    # The ground

    def tile(self, side: Half, tile: Tile, x: float) -> None:
        """A Terrain card: a small landscape under its name, with stakes or a fog token on it."""
        canvas, y, mirrored = self.canvas, self.row(1), side.who != "me"
        canvas.lay(x, y, self.ground(tile.land, mirrored), label=tile.name)
        if tile.barricade:
            wood = self.stakes(mirrored)
            canvas.lay(x, y, wood, f"barricade-{side.clan}-{tile.barricade}", COLUMN, ROW)
        canvas.lay(x, y, self.strip(tile.ground))
        if tile.token:
            left = x + 8 if side.who == "me" else x + COLUMN - 58
            drawn = self.fog(side.clan, tile.token)
            canvas.lay(left, y + 34, drawn, f"fog-{side.clan}", 50, 50, tile.token.name)

    def ground(self, land: str, mirrored: bool = False) -> str:
        """The landscape of a Terrain card."""
        sky = self.canvas.rect(0, 0, COLUMN, ROW, self.colour(".goths .tile", "background"))
        return self.canvas.shadow(COLUMN, ROW) + self.clipped(sky + self.in_land(self.land(land), mirrored))

    def stakes(self, mirrored: bool = False) -> str:
        """The stakes of a barricade, from edge to edge."""
        wood, cut = (self.colour(".goths .land.stakes", prop) for prop in ("color", "--cut"))
        return self.clipped(self.in_land(self.canvas.sign("stakes", 0, 0, 118, wood, cut), mirrored))

    def strip(self, name: str) -> str:
        """The name of a Terrain card along its upper edge."""
        strip = self.clipped(self.canvas.rect(0, 0, COLUMN, 25, "#fffbf1", 0, OPAQUE))
        return strip + self.canvas.words(name, COLUMN / 2, 12.5, (16, 15, 14), COLUMN - 12, "#231a12", "text", "middle")

    def in_land(self, drawn: str, mirrored: bool) -> str:
        """Something in the units of a landscape, as large as a Terrain card."""
        flip = f"translate({COLUMN:.2f} 0) scale(-1 1) " if mirrored else ""
        return f'<g transform="{flip}translate(0 {ROW - COLUMN:.2f}) scale({COLUMN / 118:.4f})">{drawn}</g>'

    def clipped(self, drawn: str) -> str:
        """What does not reach beyond the round corners of a Terrain card."""
        shape = f'<clipPath id="tile"><rect width="{COLUMN:.2f}" height="{ROW:.0f}" rx="8"/></clipPath>'
        self.canvas.define("tile", shape)
        return f'<g clip-path="url(#tile)">{drawn}</g>'

    def land(self, name: str) -> str:
        """The landscape of a tile, which has colours of its own."""
        return self.canvas.sign(f"land-{name}", 0, 0, 118, self.token("ink"), self.token("cloth"))

    def fog(self, clan: str, token: Token) -> str:
        """A fog token: a slate disc with a cloud, or the order it forbids, struck through."""
        canvas = self.canvas
        slate, paper = self.token("slate"), self.token("paper")
        if token.state == "hidden":
            drawn = canvas.disc(25, 26, 27, "#000", ' opacity=".25"') + canvas.disc(25, 25, 26, paper)
            drawn += canvas.disc(25, 25, 23, slate) + canvas.sign("fog", 9, 10, 32, self.token("slate-ink"), slate)
            if token.looked:
                drawn += self.eye(clan, -6, 32, 24)
            if token.secret:
                drawn += self.peek(token.forbids, 32, -8, 34, struck=True)
        elif token.state == "discarded":
            drawn = canvas.disc(25, 25, 18, paper, ' opacity=".55"')
            drawn += canvas.disc(
                25, 25, 18, "none", f' stroke="{self.token("paper-muted")}" stroke-width="2" stroke-dasharray="4 3"'
            )
            drawn += canvas.sign(token.forbids, 14, 14, 22, self.token("paper-muted"), paper, more=' opacity=".6"')
        else:
            drawn = canvas.disc(25, 26, 28, "#000", ' opacity=".25"') + canvas.disc(
                25, 25, 26, self.token("paper-muted")
            )
            drawn += canvas.disc(25, 25, 23, paper) + canvas.sign(
                token.forbids, 9, 9, 32, self.token("paper-ink"), paper
            )
            drawn += self.struck(25, 25, 19)
        return drawn

    def struck(self, x: float, y: float, reach: float) -> str:
        """A stroke across what is forbidden."""
        ends = [(x - reach, y - reach), (x + reach, y + reach)]
        wide = self.canvas.line(ends, self.token("paper"), 9, ' stroke-linecap="round"')
        return wide + self.canvas.line(ends, self.token("wax"), 5, ' stroke-linecap="round"')

    def eye(self, clan: str, x: float, y: float, width: float) -> str:
        """That a clan has looked."""
        paint = self.canvas.side("goths", clan)
        return self.canvas.sign(f"eye-{clan}", x, y, width, paint.on, paint.fill, paint.fill)

    def peek(self, name: str, x: float, y: float, width: float, struck: bool = False) -> str:
        """The turned-up corner of what only the viewer has seen."""
        canvas, paper = self.canvas, self.token("paper")
        drawn = canvas.rect(x, y, width, width, paper, 7) + canvas.dashed(x, y, width, width, self.token("woad"), 7)
        inner = width * 0.66
        drawn += canvas.sign(
            name, x + (width - inner) / 2, y + (width - inner) / 2, inner, self.token("paper-ink"), paper
        )
        return drawn + (self.struck(x + width / 2, y + width / 2, width * 0.3) if struck else "")

    def armies(self) -> None:
        """Every unit, over all the ground it may cross: those of the field, then those of the reserve."""
        for side in self.shown.sides:
            for number, tile in enumerate(side.tiles):
                if tile.army:
                    x = self.column(number if side.who == "me" else 6 - number) + COLUMN / 2
                    self.army(tile.army, x, self.row(1) + ROW - 8, 1.0 if len(tile.army.units) < 3 else 0.9)
            middle = self.from_outside(side, 3 * COLUMN + 2 * GAP - 56, 0)
            self.army(side.reserve, middle, self.row(2) + ROW - 32, 0.76)
        for goal in self.shown.goals:
            if goal.army:
                self.army(goal.army, WIDTH / 2, self.row(goal.number - 1) + ROW - 8, 0.86)

    def army(self, army: Army, middle: float, foot: float, scale: float) -> None:
        """Units side by side on a line."""
        canvas, paint = self.canvas, self.canvas.side("goths", army.clan)
        width, height = UNIT[0] * scale, UNIT[1] * scale
        step = width - 4 * scale
        x = middle - (len(army.units) - 1) * step / 2 - width / 2
        for k, unit in enumerate(army.units):
            place = f'cx="{width / 2:.1f}" cy="{height - 2:.1f}" rx="{width * 0.34:.1f}" ry="{height * 0.06:.1f}"'
            shade = f'<ellipse {place} opacity=".35"/>'
            drawn = shade + canvas.sign(f"unit-{army.clan}", 0, 0, width, paint.fill, paint.on)
            name = f"army-{army.clan}" if unit == 1 else ""
            canvas.lay(x + k * step, foot - height, drawn, f"unit-{army.clan}-{unit}", width, height, name=name)

    # The objectives

    def goal(self, goal: Goal) -> None:
        """An Objective card: slate with a knot, or paper with what it is."""
        canvas = self.canvas
        x, y = self.column(3), self.row(goal.number - 1)
        key = f"objective-{goal.number}"
        side = "up" if goal.card else "down"
        canvas.lay(
            x, y, self.open_goal(goal) if goal.card else self.closed_goal(goal), key, COLUMN, ROW, goal.name, side
        )

    def open_goal(self, goal: Goal) -> str:
        """What the card is, and below it whoever stands there."""
        canvas, ink, paper = self.canvas, self.token("paper-ink"), self.token("paper")
        large = 46 if goal.army else 74
        drawn = canvas.paper(COLUMN, ROW)
        drawn += canvas.sign(goal.card, (COLUMN - large) / 2, 31 if goal.army else 38, large, ink, paper)
        drawn += canvas.line([(8, 27), (COLUMN - 8, 27)], self.token("paper-line"), 1.2, ' stroke-dasharray="4 3"')
        name = f"{goal.number} · {goal.card_name}"
        drawn += canvas.words(name, COLUMN / 2, 14, (18, 17, 16, 15), COLUMN - 12, ink, "title", "middle")
        if goal.was and not goal.army:
            drawn += canvas.words(
                goal.was, COLUMN / 2, 126, SMALL, COLUMN - 12, self.token("paper-muted"), "text", "middle"
            )
        return drawn

    def closed_goal(self, goal: Goal) -> str:
        """Who has looked, and what the viewer knows of it."""
        canvas, slate, pale = self.canvas, self.token("slate"), self.colour(".goths .obj .lab")
        rim = self.border(".goths .obj.down::before")
        drawn = canvas.shadow(COLUMN, ROW) + canvas.rect(0, 0, COLUMN, ROW, slate, 8)
        drawn += canvas.rect(6, 6, COLUMN - 12, ROW - 12, "none", 5, f' stroke="{rim}" stroke-width="1.5"')
        drawn += canvas.sign("knot", COLUMN / 2 - 36, 20, 72, self.token("slate-ink"), slate)
        drawn += canvas.disc(COLUMN / 2, 56, 14, slate)
        drawn += canvas.words(str(goal.number), COLUMN / 2, 56, (19,), 30, pale, "title", "middle")
        for k, clan in enumerate(goal.lookers):
            drawn += self.eye(clan, 12, 12 + 34 * k, 28)
        if goal.saw:
            drawn += self.peek(goal.saw, COLUMN - 50, -6, 54)
        if goal.label:
            sign = 22 if goal.secret else 0
            lines, size = letters.fitted(goal.label, "text", (16, 15, 14, 13, 12), COLUMN - 24 - sign)
            wide = sign + letters.width(lines[0], "text", size)
            left = (COLUMN - wide) / 2
            if goal.secret:
                drawn += canvas.sign("reconnoitre", left, 107, 17, pale, slate)
            drawn += canvas.text(lines[0], left + sign, 121, size, pale)
        return drawn

    # A hand

    def hand(self, hand: Hand, y: float) -> None:
        """The cards of a seat on its rail."""
        cards: list[tuple[Group, OrderCard | RoyalCard]] = []
        for group in hand.groups:
            cards += ((group, order) for order in group.orders)
            cards += ((group, king) for king in group.cards)
        gaps = len(hand.groups) - 1
        width = min(124.0, (WIDTH - 2 * EDGE - 16 * gaps - 6 * (len(cards) - 1)) / len(cards))
        x = EDGE
        for number, (group, card) in enumerate(cards):
            if number and group is not cards[number - 1][0]:
                x += 16
            self.held(hand, group, card, x, y, width)
            x += width + 6

    def held(self, hand: Hand, group: Group, card: OrderCard | RoyalCard, x: float, y: float, width: float) -> None:
        """A card of the hand: one that cannot be played now is dim, the one that is sealed has a seal."""
        canvas, height = self.canvas, HAND - 20
        fill = canvas.side("goths", hand.clan).fill
        if isinstance(card, OrderCard):
            drawn = self.order(card.number, card.action, card.name, width, height, fill)
            dim, label = group.dim or card.standing == "resting", card.label
        else:
            drawn = self.royal(card, width, height, fill)
            dim, label = bool(card.standing), card.label
        if dim:
            drawn += canvas.rect(0, 0, width, height, self.token("rail"), 8, ' opacity=".45"')
        if card.pick and card.pick.sealed:
            drawn += canvas.sign("seal", width - 40, height - 44, 38, self.token("wax"), self.token("paper"))
        canvas.lay(x, y, drawn, label=label)

    def royal(self, card: RoyalCard, width: float, height: float, foot: str) -> str:
        """A King card in the king's own hand."""
        canvas, ink, paper = self.canvas, self.token("paper-ink"), self.token("paper")
        muted = self.token("paper-muted")
        line = height * 0.66
        drawn = canvas.paper(width, height, foot) + canvas.sign(card.character, (width - 54) / 2, 8, 54, ink, paper)
        drawn += canvas.words(card.name, width / 2, 74, (18, 17, 16, 15, 14, 13), width - 8, ink, "title", "middle")
        drawn += canvas.line([(8, line), (width - 8, line)], self.token("paper-line"), 1.2, ' stroke-dasharray="4 3"')
        drawn += canvas.sign(card.bluff, 10, line + 6, 22, muted, paper)
        return drawn + canvas.words(card.bluff_name, 38, line + 17, SMALL, width - 44, muted)

    # Colours of the sheet

    def colour(self, selector: str, prop: str = "color") -> str:
        """A colour of the board's sheet."""
        return self.canvas.colours.of("goths", "board", selector, prop)

    def border(self, selector: str) -> str:
        """The colour of a border of the board's sheet."""
        return self.canvas.colours.border("goths", "board", selector)


OPAQUE = ' opacity=".86"'
_PATTERNS = {
    "ostrogoth": (
        17,
        '<path d="M-4 4 4-4M0 17 17 0M13 21 21 13" stroke="#000" stroke-opacity=".13" stroke-width="6"/>',
    ),
    "visigoth": (18, '<path d="M0 0h9v9H0zM9 9h9v9H9z" fill-opacity=".11"/>'),
}


def pattern(canvas: Canvas, clan: str, width: float, height: float, radius: float = 8) -> str:
    """A surface in a clan's colour and pattern: what lies face down."""
    size, drawn = _PATTERNS[clan]
    plain = canvas.rect(0, 0, width, height, canvas.side("goths", clan).fill, radius)
    return plain + canvas.rect(0, 0, width, height, canvas.tiled(f"backs-{clan}", size, size, drawn), radius)

"""Romans Go Home!: the picture of each clause. What is shown was played by the rules; sums are those they told."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache

from meadhall.games.decks import own_deck
from meadhall.games.game import Event
from meadhall.games.romans import rules
from meadhall.games.romans.names import POINTS, VALUES
from meadhall.games.romans.state import CLANS, FORTS, WARRIORS
from meadhall.match import SPECTATOR, Beat, Match
from meadhall.web.romans.board import Card, Picture, Row, Tower, picture
from meadhall.web.romans.pieces import Names, kind_of
from meadhall.web.shown import Cell, Figure, Piece, Strip
from meadhall.words import Words
from meadhall.words.text import minus

GOLD, GREEN, VIOLET, RED = CLANS
NINE = (*WARRIORS, "charriott")
ORDINARY = "ordinary-1 ordinary-3 ordinary-4 ordinary-5 ordinary-3 ordinary-6"
START, END = "turn", "end"  # moments of a turn; any other is a kind of beat, such as reveal or wrecks


@dataclass(frozen=True)
class Game:
    """A first round: the lines of the clans, the forts drawn first, and the answers to what is asked, in order."""

    lines: tuple[tuple[str, str], ...]
    answers: tuple[str, ...] = ()
    deck: str = ORDINARY
    neutrals: tuple[str, ...] = ()
    original: bool = False

    def match(self) -> Match:
        """The game with its plans laid and all answers given; what else is asked is answered as it comes first."""
        match = self.dealt()
        for clan, line in self.lines:
            if clan in match.waiting:
                match.commit(clan, f"plan:{line.replace(' ', ',')}")
        left = list(self.answers)
        while match.waiting and match.state.round == 1:
            seat = match.waiting[0]
            match.commit(seat, left.pop(0) if left and match.is_legal(seat, left[0]) else _usual(match, seat))
        return match

    def dealt(self) -> Match:
        """The game before the plans."""
        forts = self.deck.split()
        rest = list(own_deck("romans"))
        for fort in forts:
            rest.remove(fort)
        hands = {clan: self._hand(clan, line.split()) for clan, line in self.lines}
        given = {
            "players": [clan for clan, _ in self.lines if clan not in self.neutrals],
            "neutrals": list(self.neutrals),
            "original_rules": self.original,
        }
        setup = {"forts": forts + rest, "hands": [hands] * 3}
        record = {"format": "meadhall/1", "game": "romans", "rules": given, "setup": setup, "choices": []}
        return Match.from_record(record)

    def _hand(self, clan: str, line: list[str]) -> list[str]:
        rest = list(NINE)
        for warrior in line:
            rest.remove(warrior)
        return line if clan in self.neutrals else [*line, rest[0]]


def _usual(match: Match, seat: str) -> str:
    """What is answered where a picture does not care: nothing is put in a new order, else what comes first."""
    pending = match.view(seat).pending
    if isinstance(pending, dict):
        verb = "plan" if pending["take"] < len(pending["arrange"]) else "reorder"
        return f"{verb}:{','.join(pending['arrange'][: pending['take']])}"
    return match.choices(seat)[0]


def game(answers: Sequence[str] = (), deck: str = ORDINARY, original: bool = False, **lines: str) -> Game:
    """A game by the first warriors of each line; a clan whose name ends in `_neutral` is played by nobody."""
    filled = tuple((clan.removesuffix("_neutral"), _filled(line)) for clan, line in lines.items())
    neutrals = tuple(clan.removesuffix("_neutral") for clan in lines if clan.endswith("_neutral"))
    return Game(filled, tuple(answers), deck, neutrals, original)


def _filled(line: str) -> str:
    """Six warriors: those named, then others, those that do the least first."""
    rest = ["archr", "axx", "druhid", "filchy", "horsie", "zvord", "charriott", "charriott", "qween"]
    for warrior in line.split():
        rest.remove(warrior)
    return " ".join([*line.split(), *rest][:6])


@dataclass(frozen=True)
class Show:
    """Parts of a table at a moment of a turn: `field`, `sums`, `wall`, `lines`, `board`, or such as `forts.CLAN`."""

    game: Game
    parts: str
    turn: int = 1
    at: str = END
    seat: str = SPECTATOR
    said: str = ""


@dataclass(frozen=True)
class Things:
    """Pieces, whatever the game: `war:WARRIOR`, `fort:FORT`, `clan:CLAN`."""

    names: tuple[str, ...]
    said: str = ""
    clan: str = GOLD


@dataclass(frozen=True)
class Line:
    """A strip: its cells; `verdict` says after it what the rules said of the fight."""

    cells: tuple[Show | Things, ...]
    said: str = ""
    arrows: bool = True
    verdict: bool = False


@dataclass(frozen=True)
class Plan:
    """A figure: the key of its caption, and its strips."""

    caption: str
    rows: tuple[Line, ...]
    wide: bool = False
    single: bool = False


@dataclass(frozen=True)
class Lane:
    """A clan on the field: its face-up warriors, those it has just lost, and the fort it has just taken."""

    clan: str
    name: str
    cards: tuple[Card, ...]
    taken: tuple[Tower, ...]


def still(*cells: Show | Things, said: str = "") -> Line:
    """Pieces side by side."""
    return Line(cells, said, arrows=False)


def fight(played: Game, turn: int = 1, before: str = "reveal") -> Line:
    """A fight: the warriors, the sums, and what the rules say of it."""
    return Line((Show(played, "field", turn, before), Show(played, "sums", turn)), verdict=True)


def change(played: Game, parts: str, turn: int = 1, before: str = "verdict", said: str = "") -> Line:
    """What a turn changes, from one of its moments to its end."""
    return Line((Show(played, parts, turn, before), Show(played, parts, turn, END)), said)


THREE = game(gold="axx archr", green="druhid horsie", red="zvord filchy")
CRASH = game(gold="charriott axx", green="charriott druhid", red="axx druhid")
CHARM = game(gold="qween axx", green="horsie druhid")
TWO_QWEENS = game(gold="qween axx", green="qween druhid", red="druhid axx")
EXAMPLE = game(red="druhid archr", green="axx filchy", violet="axx druhid")
BARRED = game(gold="filchy axx", green="druhid horsie")
ARCHR = game(red="zvord axx", green="druhid archr", violet="zvord druhid")
TWO_ARCHRS = game(red="druhid archr", green="druhid archr")
TIE = game(gold="axx archr", green="axx horsie", red="druhid zvord")
WALL = "ordinary-1 ordinary-4 legion-2 ordinary-5 ordinary-3 ordinary-6"
DRUHID = game(("take:6",), WALL, gold="druhid axx", green="filchy horsie")
AXX = game(("keep:axx",), gold="druhid axx", green="druhid zvord")
HORSIE = game(("discard:druhid",), gold="druhid horsie", green="druhid charriott")
ZVORD = game(
    ("reorder:horsie,archr,druhid,axx,filchy",), gold="zvord archr axx druhid horsie filchy", green="horsie axx"
)
UNWARY = game(
    ("keep:weakest",),
    "ordinary-1 unwary-2 ordinary-3 ordinary-4 ordinary-5 ordinary-6",
    gold="druhid charriott",
    green="druhid axx",
)
SIGNAL = game(
    ("discard:axx", "discard:zvord"),
    "ordinary-1 signal-4 ordinary-3 ordinary-5 ordinary-3 ordinary-6",
    gold="druhid charriott",
    green="druhid axx",
    red="qween zvord",
)
TWINS = game(
    ("charm:gold", "charm:gold"),
    "ordinary-1 signal-4 ordinary-3 ordinary-5 ordinary-3 ordinary-6",
    gold="charriott charriott",
    green="qween druhid",
    red="druhid qween",
)
TAX = game(
    ("keep:axx", "take:5", "pay:ordinary-1"),
    "ordinary-1 ordinary-3 ordinary-4 ordinary-5 ordinary-3 tax-8",
    gold="axx druhid",
    green="druhid zvord",
)
LEGIONS = game(
    (),
    "ordinary-1 legion-1 legion-2 legion-2 ordinary-3 ordinary-6",
    gold="filchy charriott charriott horsie archr axx",
    green="archr druhid zvord filchy horsie axx",
)
LOST_SIGNAL = game(
    (), "signal-4 ordinary-5 ordinary-6 ordinary-5 legion-1 ordinary-6", gold="axx archr", green="axx horsie"
)
NEUTRAL_QWEEN = game(gold="druhid axx", green_neutral="qween horsie")
NEUTRAL_HORSIE = game(gold="druhid charriott", green_neutral="druhid horsie")
ORIGINAL_TIE = game((), WALL, True, gold="axx archr", green="axx horsie")
ORIGINAL_DRUHID = game(("take:3",), WALL, True, gold="druhid axx", green="filchy horsie")
SORTED = game((), "signal-4 legion-2 tax-8 ordinary-3 ordinary-4 ordinary-3", gold="axx archr", green="druhid horsie")
COMPANY = game(gold="axx archr", green="druhid horsie", violet_neutral="zvord filchy")
LATER = game(gold="axx druhid archr", green="druhid horsie zvord", violet="filchy qween axx", red="zvord axx filchy")
STEPS = ("reconnoitre", "charriott", "qween", "tower", "druhid", "legion", "axx", "horsie", "signal")

SHOWN: dict[str, Plan] = {
    "R1.1": Plan(
        "romans.shown.clans",
        (
            still(Things(tuple(f"war:{warrior}" for warrior in NINE))),
            still(Things(tuple(f"clan:{clan}" for clan in CLANS))),
        ),
        wide=True,
        single=True,
    ),
    "R1.2": Plan("romans.shown.forts", (), wide=True),  # made from the deck
    "R2.1": Plan("romans.shown.players", (still(Show(COMPANY, "plates", 1, START)),)),
    "R3.1": Plan(
        "romans.shown.wall",
        (
            Line(
                (
                    Things(tuple(f"fort:{fort}" for fort in SORTED.deck.split()), "romans.shown.drawn"),
                    Show(SORTED, "wall", 1, START, said="romans.shown.laid"),
                )
            ),
        ),
        wide=True,
        single=True,
    ),
    "R3.2": Plan(
        "romans.shown.plan",
        (
            Line(
                (
                    Show(ZVORD, "hand.gold", said="romans.shown.seven"),
                    Show(ZVORD, "line.gold", 1, START, GOLD, "romans.shown.own-line"),
                    Show(ZVORD, "line.gold", 1, START, said="romans.shown.others-see"),
                )
            ),
        ),
        wide=True,
        single=True,
    ),
    "R3.3": Plan("romans.shown.neutral", (still(Show(COMPANY, "line.violet", 1, START)),), wide=True),
    "R3.4": Plan("romans.shown.turn-by-turn", (still(Show(LATER, "board", 3, "sums")),), wide=True),
    "R4.1": Plan(
        "romans.shown.reveal",
        (Line((Show(THREE, "lines", 1, START), Show(THREE, "lines", 1, "reveal"))),),
        wide=True,
        single=True,
    ),
    "R4.2": Plan("romans.shown.crash", (change(CRASH, "field", 1, "reveal"), fight(CRASH, 1, "sums")), wide=True),
    "R4.3": Plan("romans.shown.charm", (fight(CHARM), change(CHARM, "field")), wide=True),
    "R4.4": Plan("romans.shown.two-qweens", (fight(TWO_QWEENS),), wide=True),
    "R4.5": Plan("romans.shown.sum", (still(Show(EXAMPLE, "sums", 2)),)),
    "R4.6": Plan("romans.shown.filchy", (fight(BARRED),), wide=True),
    "R4.7": Plan("romans.shown.capture", (fight(EXAMPLE, 2),), wide=True),
    "R4.8": Plan("romans.shown.archr", (fight(ARCHR, 2), fight(TWO_ARCHRS, 2)), wide=True),
    "R4.9": Plan("romans.shown.tie", (fight(TIE), change(TIE, "field"), change(TIE, "wall")), wide=True),
    "R4.10": Plan("romans.shown.druhid", (change(DRUHID, "wall", 1, "verdict"),), wide=True, single=True),
    "R4.11": Plan("romans.shown.leave", (change(EXAMPLE, "lane.red", 2),), wide=True),
    "R4.12": Plan("romans.shown.axx", (change(AXX, "lane.gold", 2),), wide=True),
    "R4.13": Plan("romans.shown.horsie", (change(HORSIE, "lane.gold", 2),), wide=True),
    "R4.14": Plan(
        "romans.shown.zvord",
        (
            Line((Show(ZVORD, "line.gold", 1, "verdict", GOLD), Show(ZVORD, "line.gold", 1, END, GOLD))),
            still(Show(ZVORD, "line.gold", 1, END, said="romans.shown.others-see")),
        ),
        wide=True,
        single=True,
    ),
    "R5.1": Plan("romans.shown.unwary", (change(UNWARY, "lane.gold", 2),), wide=True),
    "R5.2": Plan("romans.shown.signal", (change(SIGNAL, "field", 2),), wide=True, single=True),
    "R5.3": Plan("romans.shown.tax", (change(TAX, "forts.gold", 2, "fort"),)),
    "R5.4": Plan("romans.shown.legions", (change(LEGIONS, "forts.gold", 4, "reveal", "romans.shown.won"),)),
    "R5.5": Plan("romans.shown.ordinary", (still(Things(("fort:ordinary-1", "fort:ordinary-4", "fort:ordinary-6"))),)),
    "R5.6": Plan(
        "romans.shown.lost-fort",
        (fight(LOST_SIGNAL), change(LOST_SIGNAL, "field"), change(LOST_SIGNAL, "wall")),
        wide=True,
    ),
    "R6.1": Plan("romans.shown.steps", (), wide=True),  # a sign for each step
    "R6.2": Plan("romans.shown.twins", (change(TWINS, "lane.gold", 2),), wide=True),
    "R7.1": Plan("romans.shown.score", ()),  # made by the rules
    "R8.1": Plan("romans.shown.neutral-qween", (fight(NEUTRAL_QWEEN),), wide=True),
    "R8.2": Plan("romans.shown.neutral-horsie", (change(NEUTRAL_HORSIE, "lane.green", 2),), wide=True),
    "R9.1": Plan("romans.shown.original-tie", (change(ORIGINAL_TIE, "wall"),), wide=True, single=True),
    "R9.2": Plan("romans.shown.original-druhid", (change(ORIGINAL_DRUHID, "wall"),), wide=True, single=True),
    "R10.1": Plan("romans.shown.public", (still(Show(LATER, "board", 4, "reveal")),), wide=True),
    "R10.2": Plan(
        "romans.shown.own",
        (
            still(
                Show(LATER, "line.gold", 3, "reveal", GOLD, "romans.shown.own-line"),
                Show(LATER, "line.gold", 3, "reveal", said="romans.shown.others-see"),
            ),
        ),
        wide=True,
        single=True,
    ),
    "R10.3": Plan("romans.shown.nobody", (still(Show(COMPANY, "line.violet", 2, "reveal")),), wide=True),
}


def figures(words: Words) -> dict[str, Figure]:
    """The picture of each clause that has one."""
    drawn = Drawer(words)
    made = {clause: drawn.figure(plan) for clause, plan in SHOWN.items()}
    made["R1.2"] = replace(made["R1.2"], strips=drawn.deck())
    made["R6.1"] = replace(made["R6.1"], strips=drawn.steps())
    made["R7.1"] = replace(made["R7.1"], strips=drawn.score())
    return made


class Drawer:
    """Makes figures from plans, in one language."""

    def __init__(self, words: Words) -> None:
        self.words, self.names = words, Names(words, {})

    def figure(self, plan: Plan) -> Figure:
        """A figure of a plan."""
        strips = tuple(self.strip(row) for row in plan.rows)
        return Figure(self.words.say(plan.caption), strips, plan.wide, plan.single)

    def strip(self, row: Line) -> Strip:
        """A strip, and after it what the rules said."""
        said = self.words.say(row.said) if row.said else ""
        if row.verdict:
            last = next(cell for cell in reversed(row.cells) if isinstance(cell, Show))
            latest = _picture(last, self.words).story.latest
            said = latest.verdict[0].text if latest else ""
        return Strip(tuple(self.cell(cell) for cell in row.cells), row.arrows, said)

    def cell(self, cell: Show | Things) -> Cell:
        """Some pieces."""
        said = self.words.say(cell.said) if cell.said else ""
        if isinstance(cell, Things):
            return Cell(tuple(self.thing(name, cell.clan) for name in cell.names), said)
        pieces = [self.part(part, cell) for part in cell.parts.split()]
        return Cell(tuple(each for some in pieces for each in some), said)

    # Parts of a table

    def part(self, name: str, cell: Show) -> list[Piece]:
        """Pieces of the table by their name."""
        what, _, clan = name.partition(".")
        if what == "hand":
            seven = cell.game.dealt().view(clan).json()["clans"][clan]["hand"]
            return [Piece("war", self.card(warrior), clan) for warrior in seven]
        shown = _picture(cell, self.words)
        rows = [*shown.board.rows, *((shown.own,) if shown.own else ())]
        if what == "board":
            return [Piece("board", shown)]
        if what == "wall":
            return [Piece("fort", tower) for tower in shown.board.towers if isinstance(tower, Tower)]
        if what == "sums":
            latest = shown.story.latest
            return [Piece("sums", latest.sums if latest else ())]
        if what == "field":
            return [Piece("field", tuple(self.lane(row, cell) for row in rows))]
        if what in ("lines", "plates"):
            return [Piece("line" if what == "lines" else "plate", row, row.clan) for row in rows]
        row = next(row for row in rows if row.clan == clan)
        return [Piece("field", (self.lane(row, cell),)) if what == "lane" else Piece(what, row, clan)]

    def lane(self, row: Row, cell: Show) -> Lane:
        """A clan on the field at some moment of a turn."""
        said = [event for event in _moment(cell)[1] if event.args.get("clan") == row.clan]
        lost = {event.args["place"] for event in said if event.code in ("wrecked", "left", "discarded")}
        kept = tuple(
            card
            for place, card in enumerate(row.cards, 1)
            if card.look == "up" or (card.look == "gone" and place in lost)
        )
        taken = [str(event.args["fort"]) for event in said if event.code == "captured"]
        return Lane(row.clan, row.name, kept, tuple(self.tower(fort) for fort in taken))

    # Pieces by their names

    def thing(self, name: str, clan: str) -> Piece:
        """A warrior, a fort or a clan."""
        kind, _, what = name.partition(":")
        if kind == "war":
            return Piece("war", self.card(what), clan)
        if kind == "fort":
            return Piece("fort", self.tower(what))
        return Piece("clan", self.names.clan(what), what)

    def card(self, warrior: str) -> Card:
        """A warrior, face up."""
        name, points = self.names.warrior(warrior), POINTS[warrior]
        return Card("up", f"{name} {points}", self.names.about_warrior(warrior), "", warrior, name, points)

    def tower(self, fort: str) -> Tower:
        """A fort."""
        about = self.names.about_fort(fort)
        kind = self.names.kind(fort)
        return Tower(kind_of(fort), minus(VALUES[fort]), kind, self.names.note(fort), self.names.fort(fort), about, "")

    # Figures that the rules make

    def deck(self) -> tuple[Strip, ...]:
        """Every fort of the deck, and how many there are of it (R1.2)."""
        deck = own_deck("romans")
        kinds = list(dict.fromkeys(deck))
        return (
            Strip(tuple(Cell((Piece("kind", self.tower(fort)),), f"{deck.count(fort)} ×") for fort in kinds), False),
        )

    def steps(self) -> tuple[Strip, ...]:
        """The steps of a turn by their numbers (R6.1)."""
        return (Strip(tuple(Cell((Piece("sign", sign),), str(k)) for k, sign in enumerate(STEPS, 1)), False),)

    def score(self) -> tuple[Strip, ...]:
        """Ten points against ten, and who wins by the rules (R7.1)."""
        match = game(gold="axx archr", red="druhid horsie").dealt()
        state = match.state
        held = {GOLD: ("ordinary-6", "ordinary-5", "legion-1"), RED: ("tax-8", "unwary-2")}
        for clan, forts in enumerate(held.values()):
            for place, fort in enumerate(forts):
                state.worth[clan] = rules.worth_with(state, clan, FORTS.index(fort))
                state.forts[clan][place] = FORTS.index(fort)
                state.forts_count[clan] = place + 1
        winners = rules.winners_by_points(state)
        shown = picture(match.view(), (), self.words, {})
        return tuple(
            Strip(
                (Cell((Piece("forts", row, row.clan),)),),
                False,
                self.words.say("romans.shown.more-forts") if winners >> clan & 1 else "",
                "yes" if winners >> clan & 1 else "no",
            )
            for clan, row in enumerate(shown.board.rows)
        )


@cache
def _beats(played: Game, seat: str) -> tuple[tuple[Beat, tuple[Event, ...]], ...]:
    """Every beat of the first round with all that had been told by then."""
    told: list[Event] = []
    found = []
    for beat in played.match().timeline(seat):
        told += beat.events
        found.append((beat, tuple(told)))
    return tuple(found)


@cache
def _moment(cell: Show) -> tuple[Beat, tuple[Event, ...], tuple[Event, ...]]:
    """The beat that a cell shows, the events of its turn up to then, and all before."""
    beats = _beats(cell.game, cell.seat)
    turn = [(beat, told) for beat, told in beats if _turn_of(told) == cell.turn and _is_first_round(told)]
    wanted = turn if cell.at == END else [each for each in turn if each[0].kind == cell.at]
    beat, told = wanted[-1]
    start = max(k for k, event in enumerate(told) if event.code == "turn")
    return beat, told[start:], told


def _turn_of(told: Iterable[Event]) -> int:
    """The turn that was begun last."""
    turns = [event.args["turn"] for event in told if event.code == "turn"]
    return int(turns[-1] or 0) if turns else 0


def _is_first_round(told: Iterable[Event]) -> bool:
    return sum(event.code == "round" for event in told) == 1


def _picture(cell: Show, words: Words) -> Picture:
    """The table at a moment as a seat sees it; nobody is asked anything there."""
    beat, _, told = _moment(cell)
    return picture(beat.view, told, words, {}, beat)

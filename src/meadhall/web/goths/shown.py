"""Goths Save the Queen: the picture of each clause. What is shown was played by the rules, from the first turn on."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from meadhall.games.goths.names import FORBIDDEN
from meadhall.games.goths.state import ACTION_CHARACTER, ACTIONS, CARDS, CHARACTERS, CLANS, OBJECTIVES, TOKENS
from meadhall.match import SPECTATOR, Match
from meadhall.web.goths.board import ActCard, Army, Goal, KingCard, Picture, Side, Token, picture
from meadhall.web.goths.pieces import Viewer, order_tip, soft
from meadhall.web.shown import Cell, Figure, Piece, Strip
from meadhall.words import Words

OSTROGOTH, VISIGOTH = CLANS
CHARACTER = {action: CHARACTERS[ACTION_CHARACTER[number]] for number, action in enumerate(ACTIONS)}
IDLE = "idle"  # an order that is understood and has no effect
FAILS = "fails"  # an order that is misread


@dataclass(frozen=True)
class Turn:
    """A turn: each clan's action, and the answers to what is then asked."""

    ostrogoth: str = IDLE
    visigoth: str = IDLE
    answers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Game:
    """A game up to some moment: what chance dealt, the turns played, and choices of a turn that has begun."""

    turns: tuple[Turn, ...] = ()
    begun: tuple[tuple[str, str], ...] = ()
    objectives: tuple[str, ...] = ("trap", "queen", "plains")
    fog: tuple[str, str] | None = None
    lone: tuple[str, ...] = ()

    def then(self, ostrogoth: str = IDLE, visigoth: str = IDLE, *answers: str) -> "Game":
        """The game a turn later."""
        return replace(self, turns=(*self.turns, Turn(ostrogoth, visigoth, answers)))

    def with_choices(self, *choices: tuple[str, str]) -> "Game":
        """The game with choices of the next turn."""
        return replace(self, begun=(*self.begun, *choices))

    def match(self) -> Match:
        """The game, played."""
        setup: dict[str, object] = {"objectives": list(self.objectives)}
        rules: dict[str, object] = {"lone_rulers": list(self.lone)}
        if self.fog:
            rules["fog_of_war"], setup["fog"] = True, dict(zip(CLANS, self.fog, strict=True))
        record = {"format": "meadhall/1", "game": "goths", "rules": rules, "setup": setup, "choices": []}
        match = Match.from_record(record)
        for turn in self.turns:
            _play(match, turn)
        for seat, choice in self.begun:
            match.commit(seat, choice)
        return match


def _play(match: Match, turn: Turn) -> None:
    """Play a turn; a king lays a card that his warchief understands, or one that he misreads."""
    actions = {OSTROGOTH: turn.ostrogoth, VISIGOTH: turn.visigoth}
    acts = {}
    while match.waiting and match.waiting[0].endswith("-king"):
        king = match.waiting[0]
        clan = king.partition("-")[0]
        card, acts[clan] = _order(match, clan, actions[clan])
        match.commit(king, f"order:{card}")
    for clan in CLANS:
        match.commit(f"{clan}-warchief", f"act:{acts[clan]}")
    for answer in turn.answers:
        match.commit(match.waiting[0], answer)


def _order(match: Match, clan: str, action: str) -> tuple[str, str]:
    """A King card of the hand and an action: understood, or misread if no action is named."""
    held = held_cards(match, clan)
    if action == IDLE:  # a catapult that is not loaded cannot be sabotaged, rats find nobody without a barricade
        enemy = next(other for other in CLANS if other != clan)
        action = "rats" if match.position()["clans"][enemy]["catapult"] == "active" else "sabotage"
    if action != FAILS:
        fitting = [card for card in held if card.startswith(f"{CHARACTER[action]}/")]
        return (fitting or held)[0], action
    up = {card.partition("/")[0] for card in match.position()["clans"][clan]["face_up"]}
    for card in held:
        for other in ACTIONS:
            if CHARACTER[other] not in up | {card.partition("/")[0]}:
                return card, other
    raise AssertionError("an order that cannot fail (G4.6)")


def held_cards(match: Match, clan: str) -> list[str]:
    """The King cards in a king's hand, which is no secret (G10.2)."""
    number = CLANS.index(clan)
    return [card for k, card in enumerate(CARDS) if match.state.hand[number] >> k & 1]


START = Game()
# On their own plain with three units, and the Ostrogoths' catapult loaded.
THREE = START.then("load", "recruit")
ON_PLAIN, IN_FOREST = THREE.then(IDLE, "advance"), THREE
BEHIND = ON_PLAIN.then("sabotage", "barricade")
LAST_PLAIN = START.then("advance").then("advance")
FOGGY = Game(fog=("boar-shortage", "gusts"))


@dataclass(frozen=True)
class Show:
    """A moment of a game, and the parts of its table that are shown: names such as `visigoth.army`, or `board`."""

    game: Game
    parts: str
    seat: str = SPECTATOR
    said: str = ""


@dataclass(frozen=True)
class Cards:
    """Cards, whatever the game: `front:CARD`, `back:CARD`, `act:ACTION`, or `lost:ACTION` that does nothing."""

    cards: tuple[str, ...]
    said: str = ""
    clan: str = OSTROGOTH


@dataclass(frozen=True)
class Order:
    """What a king meant and his warchief read after some turns, and how that went by the rules (G4.1)."""

    game: Game
    card: str
    action: str


@dataclass(frozen=True)
class Row:
    """A strip of a figure."""

    cells: tuple[Show | Cards, ...]
    said: str = ""
    arrows: bool = True


@dataclass(frozen=True)
class Plan:
    """A figure: the key of its caption, and its strips."""

    caption: str
    rows: tuple[Row | Order, ...]
    wide: bool = False
    single: bool = False


def case(game: Game, parts: str, turn: tuple[str, ...], said: str = "", clan: str = OSTROGOTH) -> Row:
    """Before and after an action of a clan."""
    ours, theirs = (turn[0], IDLE) if clan == OSTROGOTH else (IDLE, turn[0])
    done = game.then(ours, theirs, *turn[1:])
    return Row((Show(game, parts), Cards((f"act:{turn[0]}",), clan=clan), Show(done, parts)), said)


def still(*cells: Show | Cards, said: str = "") -> Row:
    """Pieces side by side."""
    return Row(cells, said, arrows=False)


ALL_CARDS = tuple(f"front:{character}/{bluff}" for character, bluff in (card.split("/") for card in CARDS))
LAID = (("ostrogoth-king", "order:barbarian/vulture"), ("visigoth-king", "order:catapult/recruiter"))
TWO_UP = START.then(FAILS).then(FAILS)
SIX_UP = START.then(FAILS).then(FAILS).then(FAILS).then(FAILS).then(FAILS).then(FAILS)
FARTHER = LAST_PLAIN.then("advance", IDLE, "enter:objective-3")
EMPTY_GROUND = FARTHER
BUILT = (
    START.then("barricade", "sabotage").then("advance").then("barricade", "sabotage").then("advance")
    .then("barricade", "sabotage").then("advance", IDLE, "enter:objective-3")
)  # fmt: skip
LOOKED = START.then("reconnoitre", IDLE, "look:objective-2")
REVEALED = FOGGY.then("advance").then("advance")
LATER = (
    START.then("advance", "recruit").then(FAILS, "load").then("advance", "advance")
    .then("reconnoitre", FAILS, "look:objective-1")
    .with_choices(("ostrogoth-king", "order:barbarian/vulture"), ("visigoth-king", "order:catapult/recruiter"))
)  # fmt: skip
WINDY = Game(fog=("gusts", "pea-soup")).then("advance", "advance").then("advance").then(FAILS)
WEAK = START.then("advance", "advance").then("advance", "axe").then("sabotage")
RESTING = Game(lone=(OSTROGOTH,)).then("load").with_choices(
    ("visigoth-king", "order:vulture/recruiter"), ("ostrogoth-king", "order:catapult/recruiter")
)  # fmt: skip

SHOWN: dict[str, Plan] = {
    "G1.1": Plan("goths.shown.clans", (still(Show(START, "ostrogoth.seats visigoth.seats")),)),
    "G1.2": Plan(
        "goths.shown.king-card",
        (
            still(
                Cards(("front:barbarian/vulture",), "goths.shown.front"),
                Cards(("back:barbarian/vulture",), "goths.shown.back"),
            ),
            still(Show(START, "ostrogoth.held"), said="goths.shown.eight"),
        ),
    ),
    "G1.3": Plan("goths.shown.backs", ()),  # made from the deck
    "G1.4": Plan("goths.shown.nine", (still(Cards(tuple(f"act:{action}" for action in ACTIONS))),), wide=True),
    "G1.5": Plan(
        "goths.shown.terrain",
        (Row((Show(EMPTY_GROUND, "ostrogoth.march"), Show(BUILT, "ostrogoth.march")), "goths.shown.turned"),),
        wide=True,
    ),
    "G1.6": Plan(
        "goths.shown.objectives",
        (still(Show(START, "goals")), still(Cards(tuple(f"goal:{name}" for name in OBJECTIVES)))),
    ),
    "G1.7": Plan(
        "goths.shown.units",
        (
            still(
                Cards(("units:three",)),
                Show(START, "ostrogoth.catapult"),
                Show(THREE, "ostrogoth.catapult"),
            ),
        ),
    ),
    "G2.1": Plan("goths.shown.start", (still(Show(START, "board")),), wide=True),
    "G2.2": Plan("goths.shown.torch", (still(Show(START, "ostrogoth.who"), Show(START, "visigoth.who")),)),
    "G3.1": Plan(
        "goths.shown.torch-moves",
        (
            Row(
                (
                    Show(START, "ostrogoth.who visigoth.who", said="goths.shown.turn-one"),
                    Show(START.then(), "ostrogoth.who visigoth.who", said="goths.shown.turn-two"),
                )
            ),
        ),
        wide=True,
    ),
    "G3.2": Plan(
        "goths.shown.first-king",
        (
            still(
                Show(START.with_choices(LAID[0]), "ostrogoth.kings", said="goths.shown.all-see"),
                Show(START.with_choices(LAID[0]), "ostrogoth.kings", "ostrogoth-king", "goths.shown.king-sees"),
            ),
        ),
    ),
    "G3.3": Plan(
        "goths.shown.second-king",
        (
            Row(
                (
                    Show(START.with_choices(LAID[0]), "ostrogoth.kings"),
                    Show(START.with_choices(*LAID), "ostrogoth.kings visigoth.kings"),
                )
            ),
        ),
        wide=True,
    ),
    "G3.4": Plan(
        "goths.shown.warchief",
        (
            Row(
                (
                    Show(START.with_choices(*LAID), "ostrogoth.kings", "ostrogoth-warchief"),
                    Show(START.with_choices(*LAID), "odds", "ostrogoth-warchief"),
                )
            ),
        ),
        wide=True,
    ),
    "G4.1": Plan(
        "goths.shown.heard",
        (
            Order(START, "barbarian/vulture", "advance"),
            Order(START, "barbarian/vulture", "reconnoitre"),
            Order(
                Game(
                    (),
                    (
                        ("ostrogoth-king", "order:barbarian/vulture"),
                        ("visigoth-king", "order:vulture/barbarian"),
                        ("ostrogoth-warchief", "act:reconnoitre"),
                        ("visigoth-warchief", "act:sabotage"),
                    ),
                ),
                "catapult/recruiter",
                "advance",
            ),
        ),
        wide=True,
    ),
    "G4.2": Plan(
        "goths.shown.cards-back",
        (
            Row(
                (
                    Show(TWO_UP, "ostrogoth.kings", said="goths.shown.on-table"),
                    Cards(("act:advance",)),
                    Show(TWO_UP.then("advance"), "ostrogoth.held", said="goths.shown.in-hand"),
                )
            ),
        ),
    ),
    "G4.3": Plan(
        "goths.shown.stays",
        (
            Row(
                (
                    Show(START.with_choices(LAID[0]), "ostrogoth.kings"),
                    Cards(("lost:reconnoitre",)),
                    Show(
                        START.with_choices(
                            *LAID, ("ostrogoth-warchief", "act:reconnoitre"), ("visigoth-warchief", "act:load")
                        ),
                        "ostrogoth.kings",
                        said="goths.shown.face-up",
                    ),
                )
            ),
        ),
    ),
    "G4.4": Plan(
        "goths.shown.own-card",
        (Row((Cards(("lost:reconnoitre",)), Cards(tuple(f"small:{action}" for action in ACTIONS)))),),
        wide=True,
    ),
    "G4.5": Plan(
        "goths.shown.no-effect",
        (
            Row(
                (
                    Show(THREE.then("recruit").then(FAILS), "ostrogoth.army ostrogoth.kings"),
                    Cards(("act:recruit",)),
                    Show(THREE.then("recruit").then(FAILS).then("recruit"), "ostrogoth.army ostrogoth.held"),
                )
            ),
        ),
        wide=True,
    ),
    "G4.6": Plan(
        "goths.shown.six",
        (
            still(
                Show(SIX_UP, "ostrogoth.kings", said="goths.shown.on-table"),
                Show(SIX_UP, "ostrogoth.held", said="goths.shown.in-hand"),
            ),
        ),
        wide=True,
    ),
    "G5.1": Plan(
        "goths.shown.seven-eight",
        (
            Row(
                (
                    Show(START, "visigoth.army"),
                    Cards(("act:advance",), "goths.shown.first", VISIGOTH),
                    Show(START.then(IDLE, "advance"), "visigoth.army"),
                    Cards(("act:axe",), "goths.shown.second"),
                    Show(START.then("axe", "advance"), "visigoth.army"),
                ),
                "goths.shown.one-lost",
            ),
        ),
        wide=True,
    ),
    "G5.2": Plan(
        "goths.shown.same-number",
        (
            Row(
                (
                    Show(START, "ostrogoth.who"),
                    Cards(("act:advance",), "goths.shown.first"),
                    Show(START, "visigoth.who"),
                    Cards(("act:advance",), "goths.shown.second", VISIGOTH),
                ),
                arrows=False,
            ),
        ),
        wide=True,
    ),
    "G5.3": Plan(
        "goths.shown.stops",
        (
            Row(
                (
                    Show(START.then("load", "advance"), "ostrogoth.catapult visigoth.army"),
                    Cards(("act:fire",), "goths.shown.first"),
                    Show(START.then("load", "advance").then("fire", "advance"), "ostrogoth.catapult visigoth.reserve"),
                    Cards(("lost:advance",), "goths.shown.never", VISIGOTH),
                ),
                arrows=False,
            ),
        ),
        wide=True,
    ),
    "G6.1": Plan(
        "goths.shown.look",
        (
            Row(
                (
                    Show(START, "goal-2"),
                    Cards(("act:reconnoitre",)),
                    Show(LOOKED, "goal-2", said="goths.shown.all-see"),
                    Show(LOOKED, "goal-2", "ostrogoth-warchief", "goths.shown.he-sees"),
                ),
            ),
        ),
        wide=True,
    ),
    "G6.2": Plan("goths.shown.sabotage", (case(START.then(IDLE, "load"), "visigoth.catapult", ("sabotage",)),)),
    "G6.3": Plan(
        "goths.shown.recruit",
        (
            case(START, "ostrogoth.army ostrogoth.reserve", ("recruit",)),
            case(START.then("recruit"), "ostrogoth.army", ("recruit",), "goths.shown.nothing"),
        ),
    ),
    "G6.4": Plan("goths.shown.load", (case(START, "ostrogoth.catapult", ("load",)),)),
    "G6.5": Plan(
        "goths.shown.fire",
        (
            case(ON_PLAIN, "ostrogoth.catapult visigoth.army", ("fire",), "goths.shown.two-lost"),
            case(IN_FOREST, "ostrogoth.catapult visigoth.army", ("fire",), "goths.shown.two-lost"),
            case(ON_PLAIN.then("load", "barricade"), "ostrogoth.catapult visigoth.army", ("fire",), "goths.shown.safe"),
        ),
        wide=True,
    ),
    "G6.6": Plan(
        "goths.shown.barricade",
        (
            case(START, "ostrogoth.army", ("barricade",)),
            case(START.then("advance"), "ostrogoth.army", ("barricade",)),
            case(FARTHER, "ostrogoth.army", ("barricade",), "goths.shown.nothing"),
        ),
    ),
    "G6.7": Plan(
        "goths.shown.advance",
        (
            case(START, "ostrogoth.march", ("advance",)),
            Row(
                (
                    Show(LAST_PLAIN, "ostrogoth.army goals"),
                    Cards(("act:advance",)),
                    Show(FARTHER, "goals"),
                ),
                "goths.shown.plains",
            ),
            Row(
                (
                    Show(FARTHER, "goals"),
                    Cards(("act:advance",)),
                    Show(FARTHER.then("advance", IDLE, "enter:objective-1"), "goals"),
                ),
                "goths.shown.trap",
            ),
        ),
        wide=True,
        single=True,
    ),
    "G6.8": Plan(
        "goths.shown.axe",
        (
            case(START.then(IDLE, "advance"), "visigoth.army", ("axe",), "goths.shown.one-lost"),
            case(START, "visigoth.army", ("axe",), "goths.shown.safe"),
            case(START.then(IDLE, "barricade"), "visigoth.army", ("axe",), "goths.shown.safe"),
        ),
    ),
    "G6.9": Plan(
        "goths.shown.rats",
        (
            case(START.then(IDLE, "barricade"), "visigoth.army", ("rats",), "goths.shown.one-lost"),
            case(START.then(IDLE, "advance"), "visigoth.army", ("rats",), "goths.shown.nothing"),
        ),
    ),
    "G6.10": Plan(
        "goths.shown.reserve",
        (
            Row(
                (
                    Show(START.then(IDLE, "advance"), "visigoth.army visigoth.reserve"),
                    Cards(("act:axe",)),
                    Show(START.then(IDLE, "advance").then("axe"), "visigoth.army visigoth.reserve"),
                    Cards(("act:recruit",), clan=VISIGOTH),
                    Show(
                        START.then(IDLE, "advance").then("axe").then("sabotage", "recruit"),
                        "visigoth.army visigoth.reserve",
                    ),
                ),
            ),
        ),
        wide=True,
    ),
    "G6.11": Plan(
        "goths.shown.numbers",
        tuple(
            still(
                Cards((f"sign:{character}",)),
                Cards(tuple(f"small:{action}" for action in ACTIONS if CHARACTER[action] == character)),
            )
            for character in CHARACTERS
        ),
    ),
    "G7.1": Plan(
        "goths.shown.queen",
        (
            Row(
                (
                    Show(LAST_PLAIN, "ostrogoth.army goal-2"),
                    Cards(("act:advance",)),
                    Show(LAST_PLAIN.then("advance", IDLE, "enter:objective-2"), "goal-2"),
                ),
                "goths.shown.won",
            ),
        ),
    ),
    "G7.2": Plan(
        "goths.shown.last-unit",
        (
            Row(
                (
                    Show(WEAK, "ostrogoth.army goal-1"),
                    Cards(("act:advance",)),
                    Show(WEAK.then("advance", IDLE, "enter:objective-1"), "goal-1 ostrogoth.reserve"),
                ),
                "goths.shown.lost",
            ),
        ),
        wide=True,
    ),
    "G8.1": Plan(
        "goths.shown.tokens",
        (still(Show(FOGGY, "ostrogoth.tile-3"), Cards(tuple(f"token:{token}" for token in TOKENS))),),
        wide=True,
    ),
    "G8.2": Plan(
        "goths.shown.token-up",
        (
            Row(
                (
                    Show(FOGGY.then("advance"), "ostrogoth.tile-2 ostrogoth.tile-3"),
                    Cards(("act:advance",)),
                    Show(REVEALED, "ostrogoth.tile-2 ostrogoth.tile-3"),
                )
            ),
        ),
        wide=True,
    ),
    "G8.3": Plan(
        "goths.shown.token-look",
        (
            Row(
                (
                    Cards(("act:reconnoitre",)),
                    Show(
                        FOGGY.then("reconnoitre", IDLE, "look:fog"),
                        "ostrogoth.tile-3",
                        said="goths.shown.all-see",
                    ),
                    Show(
                        FOGGY.then("reconnoitre", IDLE, "look:fog"),
                        "ostrogoth.tile-3",
                        "ostrogoth-warchief",
                        "goths.shown.he-sees",
                    ),
                )
            ),
        ),
        wide=True,
    ),
    "G8.4": Plan(
        "goths.shown.token-away",
        (
            case(REVEALED, "ostrogoth.army", ("barricade", "build"), "goths.shown.build"),
            case(REVEALED, "ostrogoth.army", ("barricade", "disperse"), "goths.shown.disperse"),
        ),
    ),
    "G8.5": Plan("goths.shown.forbids", (still(Cards(("token:pea-soup", "lost:reconnoitre"))),)),
    "G8.6": Plan("goths.shown.forbids", (still(Cards(("token:reduced-numbers", "lost:recruit"))),)),
    "G8.7": Plan(
        "goths.shown.boar",
        (
            Row(
                (
                    Show(FOGGY.then("advance").then("load"), "ostrogoth.catapult ostrogoth.tile-3"),
                    Cards(("act:advance",)),
                    Show(FOGGY.then("advance").then("load").then("advance"), "ostrogoth.catapult ostrogoth.tile-3"),
                )
            ),
        ),
        wide=True,
    ),
    "G8.8": Plan("goths.shown.forbids", (still(Cards(("token:gusts", "lost:axe"))),)),
    "G8.9": Plan(
        "goths.shown.forbidden",
        (
            Row(
                (
                    Show(WINDY, "ostrogoth.army ostrogoth.kings visigoth.army"),
                    Cards(("act:axe",)),
                    Show(WINDY.then("axe"), "ostrogoth.army ostrogoth.held visigoth.army"),
                )
            ),
        ),
        wide=True,
        single=True,
    ),
    "G9.1": Plan(
        "goths.shown.lone",
        (
            Row(
                (
                    Cards(("act:load",), "goths.shown.turn-one"),
                    Show(RESTING, "acts", "ostrogoth-warchief", "goths.shown.turn-two"),
                )
            ),
        ),
    ),
    "G10.1": Plan("goths.shown.public", (still(Show(LATER, "board")),), wide=True),
    "G10.2": Plan(
        "goths.shown.kings-secret",
        (
            still(
                Show(LATER, "visigoth.kings", said="goths.shown.all-see"),
                Show(LATER, "visigoth.kings", "visigoth-king", "goths.shown.king-sees"),
            ),
        ),
        wide=True,
    ),
    "G10.3": Plan(
        "goths.shown.warchiefs-secret",
        (
            still(
                Show(LATER, "goals", said="goths.shown.all-see"),
                Show(LATER, "goals", "ostrogoth-warchief", "goths.shown.he-sees"),
            ),
        ),
        wide=True,
    ),
}


def figures(words: Words) -> dict[str, Figure]:
    """The picture of each clause that has one."""
    drawn = Drawer(words)
    made = {clause: drawn.figure(plan) for clause, plan in SHOWN.items()}
    made["G1.3"] = replace(made["G1.3"], strips=drawn.backs())
    return made


class Drawer:
    """Makes figures from plans, in one language."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self.viewer = Viewer(Game().match().view(), words)

    def figure(self, plan: Plan) -> Figure:
        """A figure of a plan."""
        strips = tuple(self.order(row) if isinstance(row, Order) else self.strip(row) for row in plan.rows)
        return Figure(self.words.say(plan.caption), strips, plan.wide, plan.single)

    def strip(self, row: Row) -> Strip:
        """A strip; an action that leads from one moment to the next is marked as such."""
        cells = tuple(self.cell(cell) for cell in row.cells)
        return Strip(cells, row.arrows, self.said(row.said))

    def cell(self, cell: Show | Cards) -> Cell:
        """Some pieces."""
        if isinstance(cell, Show):
            shown = _picture(cell.game, cell.seat, self.words)
            match = _match(cell.game)
            pieces = [self.part(part, shown, match, cell) for part in cell.parts.split()]
            return Cell(tuple(each for some in pieces for each in some), self.said(cell.said))
        made = tuple(self.card(name, cell.clan) for name in cell.cards)
        return Cell(made, self.said(cell.said), act=len(made) == 1 and made[0].kind == "act")

    def said(self, key: str) -> str:
        """A word below a cell or after a strip."""
        return self.words.say(key) if key else ""

    # Parts of a table

    def part(self, name: str, shown: Picture, match: Match, cell: Show) -> list[Piece]:
        """Pieces of the table by their name."""
        clan, _, what = name.rpartition(".")
        if not clan:
            return self.shared(what, shown, cell)
        side = next(side for side in shown.sides if side.clan == clan)
        if what in ("who", "seats", "catapult", "reserve"):
            return [Piece(what, self.seats(side) if what == "seats" else side, clan)]
        if what == "march":
            return [Piece("march", side, clan)]
        if what.startswith("tile-"):
            return [Piece("tile", side.tiles[int(what[-1]) - 1], clan)]
        if what == "army":
            tiles = [Piece("tile", tile, clan) for tile in side.tiles if tile.army]
            return tiles or [Piece("goal", goal) for goal in shown.goals if goal.army and goal.army.clan == clan]
        if what == "held":
            return [Piece("hand", tuple(self.front(clan, card) for card in held_cards(match, clan)), clan)]
        return [Piece("kings", side, clan)]

    def shared(self, what: str, shown: Picture, cell: Show) -> list[Piece]:
        """What belongs to no clan: the whole board, the objectives; or what a seat can tell of its orders."""
        if what == "board":
            return [Piece("board", shown)]
        if what == "goals":
            return [Piece("goal", goal) for goal in shown.goals]
        if what.startswith("goal-"):
            return [Piece("goal", shown.goals[int(what[-1]) - 1])]
        clan = cell.seat.partition("-")[0]
        if what == "odds":
            asked = picture(_match(cell.game).view(cell.seat), (), self.words)
            return [Piece("odds", group, clan) for group in asked.hand.groups]
        choices = _match(cell.game).view(cell.seat).choices
        return [Piece("small", self.act(action, clan, f"act:{action}" not in choices), clan) for action in ACTIONS]

    def seats(self, side: Side) -> tuple[Side, tuple[str, ...]]:
        """A clan and its two seats."""
        return side, (self.words.say("goths.table.king"), self.words.say("goths.table.warchief"))

    # Cards by their names

    def card(self, name: str, clan: str) -> Piece:
        """A card, a token or a sign."""
        kind, _, what = name.partition(":")
        viewer = self.viewer
        if kind == "front":
            return Piece("front", self.front(clan, what), clan)
        if kind == "back":
            return Piece("back", self.back(clan, what), clan)
        if kind == "units":
            return Piece("units", Army(clan, range(1, 4)), clan)
        if kind in ("sign", "deed"):
            return Piece("sign", (what, viewer.name("character" if kind == "sign" else "action", what)), clan)
        if kind == "token":
            named = {"token": viewer.name("token", what), "action": viewer.name("action", FORBIDDEN[what])}
            tip = viewer.say("goths.table.tip.forbids", **named)
            token = Token("revealed", FORBIDDEN[what], False, False, named["token"], tip, None)
            return Piece("token", token, clan)
        if kind == "goal":
            named_goal = viewer.name("objective", what)
            number = OBJECTIVES.index(what) + 1
            return Piece("goal", Goal(number, what, named_goal, "", "", False, (), None, "", named_goal, "", None))
        small, lost = kind in ("small", "struck"), kind in ("lost", "struck")
        return Piece("small" if small else "act", self.act(what, clan, lost), clan)

    def front(self, clan: str, card: str) -> KingCard:
        """A King card by its front."""
        character, bluff = card.split("/")
        named = self.viewer.name("character", character)
        name = self.viewer.say(
            "goths.table.name.front", of_clan=self.viewer.of(clan), card=self.viewer.name("card", card)
        )
        return KingCard(clan, "", name, "", "", character=(character, named), bluff=bluff)

    def back(self, clan: str, card: str) -> KingCard:
        """A King card by its back."""
        halves = tuple(half for half in CHARACTERS if half in card.split("/"))
        name = self.viewer.say("goths.table.name.back", of_clan=self.viewer.of(clan), back=self.viewer.back(halves))
        return KingCard(
            clan, "", name, "", "", halves=tuple((half, self.viewer.name("character", half)) for half in halves)
        )

    def act(self, action: str, clan: str, lost: bool) -> ActCard:
        """A Warchief card."""
        number, named = ACTIONS.index(action) + 1, self.viewer.name("action", action)
        name = self.viewer.say("goths.table.name.act-up", of_clan=self.viewer.of(clan), number=number, action=named)
        return ActCard(clan, number, action, soft(named), lost, name, order_tip(self.viewer, action))

    # Figures that the rules make

    def backs(self) -> tuple[Strip, ...]:
        """Every back of the deck, and the cards that it can be (G1.3)."""
        by_back: dict[tuple[str, ...], list[str]] = {}
        for card in held_cards(START.match(), OSTROGOTH):
            by_back.setdefault(tuple(half for half in CHARACTERS if half in card.split("/")), []).append(card)
        return tuple(
            Strip((self.cell(Cards((f"back:{cards[0]}",))), self.cell(Cards(tuple(f"front:{card}" for card in cards)))))
            for cards in by_back.values()
        )

    def order(self, order: Order) -> Strip:
        """What was meant and what was read, and whether the rules call it understood (G4.1)."""
        match = order.game.match()
        up = match.position()["clans"][OSTROGOTH]["face_up"]
        while match.waiting[0] != "ostrogoth-king":
            match.commit("visigoth-king", "order:vulture/barbarian")
        match.commit("ostrogoth-king", f"order:{order.card}")
        if match.waiting[0] == "visigoth-king":
            match.commit("visigoth-king", "order:vulture/barbarian")
        match.commit("ostrogoth-warchief", f"act:{order.action}")
        events = match.commit("visigoth-warchief", "act:sabotage")
        understood = any(event.code == "understood" and event.args["clan"] == OSTROGOTH for event in events)
        earlier = [Cards(tuple(f"front:{card}" for card in up), "goths.shown.face-up")] if up else []
        action = ("act:" if understood else "lost:") + order.action
        cells = (
            *earlier,
            Cards((f"front:{order.card}",), "goths.shown.king-laid"),
            Cards((action,), "goths.shown.he-plays"),
        )
        made = tuple(replace(self.cell(cell), act=False) for cell in cells)
        verdict = "goths.shown.understood" if understood else "goths.shown.misread"
        return Strip(made, arrows=False, said=self.words.say(verdict), mark="yes" if understood else "no")


@cache
def _match(game: Game) -> Match:
    return game.match()


def _picture(game: Game, seat: str, words: Words) -> Picture:
    """The table at a moment as a seat sees it; nobody is asked anything there."""
    match = _match(game)
    return picture(match.view(seat).closed(), match.events(seat), words)


def clauses_shown() -> Sequence[str]:
    """The clauses that have a picture."""
    return tuple(SHOWN)

"""Goths Save the Queen on one page: what it is about, a turn, the nine actions, and what protects an army."""

from meadhall.games.goths.names import FORBIDDEN
from meadhall.games.goths.state import ACTIONS, TOKENS
from meadhall.web.goths.pieces import Viewer, order_does
from meadhall.web.goths.shown import (
    LAID,
    LAST_PLAIN,
    START,
    VISIGOTH,
    Cards,
    Drawer,
    Game,
    Show,
)
from meadhall.web.shown import Item, Piece, Section
from meadhall.words import Words

# An army of the Visigoths with three units on each ground, and the Ostrogoths' catapult loaded.
READY = START.then("recruit", "recruit").then("load")
GROUNDS = (
    READY,
    READY.then(visigoth="advance"),
    READY.then("load", "barricade"),
    READY.then(visigoth="advance").then(visigoth="advance").then("load", "advance", "enter:objective-3"),
)
ATTACKS = ("fire", "axe", "rats")


def summary(words: Words) -> tuple[Section, ...]:
    """The parts of the page."""
    drawn, say = Drawer(words), words.say
    viewer = Viewer(START.match().view(), words)

    def show(game: Game, parts: str) -> tuple[Piece, ...]:
        return drawn.cell(Show(game, parts)).pieces

    def cards(*names: str) -> tuple[Piece, ...]:
        return drawn.cell(Cards(names)).pieces

    won = LAST_PLAIN.then("advance", "idle", "enter:objective-2")
    return (
        Section("things", say("ui.summary.aim"), (Item(say("goths.summary.aim"), show(won, "goal-2")),)),
        Section("picture", say("ui.summary.start"), (Item(say("goths.summary.start"), show(START, "board")),)),
        Section(
            "steps",
            say("ui.summary.turn"),
            (
                Item(say("goths.summary.first"), show(START.with_choices(LAID[0]), "ostrogoth.kings")),
                Item(say("goths.summary.second"), show(START.with_choices(*LAID), "visigoth.kings")),
                Item(say("goths.summary.choose"), cards("small:advance")),
                Item(say("goths.summary.understood"), cards("front:barbarian/vulture", "small:advance")),
                Item(say("goths.summary.misread"), cards("front:barbarian/vulture", "struck:reconnoitre")),
                Item(say("goths.summary.order"), show(START, "ostrogoth.who")),
            ),
        ),
        Section(
            "table",
            say("goths.summary.cover"),
            heads=tuple(piece for game in GROUNDS for piece in show(game, "visigoth.army")),
            rows=tuple((cards(f"deed:{attack}")[0], _losses(drawn, attack)) for attack in ATTACKS),
        ),
        Section(
            "extra",
            say("ui.host.fog"),
            tuple(
                Item(
                    say("goths.summary.token", action=viewer.name("action", FORBIDDEN[token])), cards(f"token:{token}")
                )
                for token in TOKENS
            ),
        ),
        Section(
            "things",
            say("goths.summary.actions"),
            tuple(Item(order_does(viewer, action), cards(f"act:{action}")) for action in ACTIONS),
            whole=True,
        ),
    )


def _losses(drawn: Drawer, attack: str) -> tuple[str, ...]:
    """What an attack takes from the army on each ground, played by the rules."""
    found = []
    for game in GROUNDS:
        before, after = (_units(drawn, each) for each in (game, game.then(attack)))
        found.append(f"−{before - after}" if before > after else "✓")
    return tuple(found)


def _units(drawn: Drawer, game: Game) -> int:
    (piece,) = drawn.cell(Show(game, f"{VISIGOTH}.army")).pieces
    return len(piece.it.army.units)

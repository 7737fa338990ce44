"""Romans Go Home! on one page: what it is about, a round, a turn, the warriors and the forts."""

from meadhall.games.decks import own_deck
from meadhall.games.romans.state import WARRIORS
from meadhall.web.romans.pieces import Names, kind_of
from meadhall.web.romans.shown import SORTED, STEPS, ZVORD, Drawer, Show, Things
from meadhall.web.shown import Item, Piece, Section
from meadhall.words import Words

KINDS = ("unwary", "signal", "tax", "legion", "ordinary")


def summary(words: Words) -> tuple[Section, ...]:
    """The parts of the page."""
    drawn, names, say = Drawer(words), Names(words, {}), words.say
    first = {kind_of(fort): fort for fort in reversed(own_deck("romans"))}

    wall = tuple(f"fort:{fort}" for fort in SORTED.dealt().position()["wall"])

    def fort(kind: str) -> tuple[Piece, ...]:
        return drawn.cell(Things((f"fort:{first[kind]}",))).pieces

    told = (
        say("romans.summary.reveal"),
        say("romans.summary.crash"),
        say("romans.summary.charm"),
        say("romans.summary.total"),
        say("romans.summary.druhid"),
        say("romans.summary.legions"),
        say("romans.summary.leave"),
        say("romans.summary.horsie"),
        say("romans.summary.fort"),
    )
    return (
        Section("things", say("ui.summary.aim"), (Item(say("romans.summary.aim"), fort("tax")),)),
        Section(
            "picture",
            say("romans.summary.round"),
            (
                Item(say("romans.summary.wall"), drawn.cell(Things(wall)).pieces),
                Item(say("romans.summary.plan"), drawn.cell(Show(ZVORD, "line.gold", 1, "turn", "gold")).pieces),
            ),
        ),
        Section(
            "steps",
            say("ui.summary.turn"),
            tuple(Item(text, (Piece("sign", sign),)) for sign, text in zip(STEPS, told, strict=True)),
        ),
        Section("things", say("ui.summary.end"), (Item(say("romans.summary.end")),)),
        Section(
            "things",
            say("romans.summary.warriors"),
            tuple(Item(names.does(each), drawn.cell(Things((f"war:{each}",))).pieces) for each in WARRIORS),
            whole=True,
        ),
        Section(
            "things",
            say("romans.summary.forts"),
            tuple(Item(names.does(kind), fort(kind)) for kind in KINDS),
            whole=True,
        ),
    )

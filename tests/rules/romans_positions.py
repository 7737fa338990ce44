"""Romans positions for the rule tests: a first round by its deal, a later turn by what lies on the table.

Warriors and forts are written as words in one text, left to right, in the order revealed or captured.
"""

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

from meadhall.engine.bits import row_of
from meadhall.games.decks import own_deck
from meadhall.games.romans.setup import clans_of
from meadhall.games.romans.state import FORTS, RomansState
from tests.table import Table

# A clan's nine warriors, those that ask or do the least first: what a test does not name is taken from here.
NINE = ("archr", "filchy", "charriott", "charriott", "axx", "druhid", "horsie", "zvord", "qween")
STRENGTH = {
    "qween": 1,
    "druhid": 2,
    "zvord": 3,
    "axx": 4,
    "archr": 5,
    "filchy": 6,
    "horsie": 7,
    "charriott": 9,
}
DECK = "ordinary-1 ordinary-3 ordinary-3 ordinary-4 ordinary-5 ordinary-6"
# When two clans lay this line, nobody captures on any turn and nothing is asked.
STALEMATE = "charriott charriott druhid axx archr filchy"


def without(pieces: Iterable[str], taken: Iterable[str]) -> list[str]:
    """What is left of some pieces, in their order; all that is taken must have been there."""
    left = list(pieces)
    for piece in taken:
        left.remove(piece)
    return left


def plan(line: str) -> str:
    return "plan:" + line.replace(" ", ",")


def reorder(line: str) -> str:
    return "reorder:" + line.replace(" ", ",")


def before_plans(
    speed: str,
    deck: str = DECK,
    neutrals: Iterable[str] = (),
    rules: Mapping[str, Any] | None = None,
    **lines: str,
) -> Table:
    """Round 1, all plans owed. `deck`: the first forts drawn. Each hand is a line of six and some seventh."""
    given = {"players": [clan for clan in lines if clan not in neutrals], "neutrals": list(neutrals)}
    given |= dict(rules or {})
    drawn = deck.split()
    forts = drawn + without(given.get("fort_deck", own_deck("romans")), drawn)
    hands = {}
    for clan, line in lines.items():
        six = line.split()
        rest = without(NINE, six)
        hands[clan] = six if clan in neutrals else [*six, rest[-1]]
    return Table(speed, "romans", given, {"forts": forts, "hands": [hands] * 3})


def lay(table: Table, lines: Mapping[str, str]) -> Table:
    """All players lay these lines; play goes on to the next question."""
    return table.choose(*((clan, plan(lines[clan])) for clan in table.waiting))


def battle(
    speed: str,
    deck: str = DECK,
    neutrals: Iterable[str] = (),
    rules: Mapping[str, Any] | None = None,
    **lines: str,
) -> Table:
    """Round 1, all plans laid, played on to the first question."""
    return lay(before_plans(speed, deck, neutrals, rules, **lines), lines)


def clash(
    speed: str,
    wall: str,
    neutrals: Iterable[str] = (),
    rules: Mapping[str, Any] | None = None,
    forts: Mapping[str, str] | None = None,
    **clans: str,
) -> Table:
    """A turn of the last round with these forts left in the Wall, played on to the first question or the end.

    A clan is "face up > revealed this turn > hidden"; "axx" alone is revealed, what is not said is filled in.
    The piles of discarded warriors and forts begin empty. After the last turn all stays as it lies (R3.4).
    """
    laid = {clan: line_and_face_up(text, len(wall.split())) for clan, text in clans.items()}
    lines = {clan: " ".join(line) for clan, (line, _) in laid.items()}
    table = before_plans(speed, wall, neutrals, rules, **lines)
    held = {clan: (forts or {}).get(clan, "").split() for clan in clans}
    without(table.match.rules["fort_deck"], [*wall.split(), *chain(*held.values())])  # there are so many
    turn_begins(table.state, wall.split())
    for number, clan in enumerate(clans_of(table.match.rules)):
        clan_has(table.state, number, held[clan], laid[clan][1])
    return lay(table, lines)


def line_and_face_up(text: str, places: int) -> tuple[list[str], list[str]]:
    """The six warriors of a clan of `clash`, and those of them that lie face up before the turn."""
    parts = text.split(">") if ">" in text else ["", text]
    up, revealed, hidden = (part.split() for part in (*parts, "")[:3])
    rest = without(NINE, [*up, *revealed, *hidden])
    while len(hidden) < places - 1:
        hidden.append(rest.pop(0))
    gone = [rest.pop() for _ in range(6 - places - len(up))]
    line = [*gone, *up, *revealed, *hidden]
    assert len(line) == 6, f"{text!r} makes {len(line)} warriors, not 6"
    return line, up


# Only these two know how the state is laid out: they change a first round that waits for its plans.


def turn_begins(state: RomansState, wall: list[str]) -> None:
    """It is the turn of the last round on which these forts are left."""
    state.round = 3
    state.turn = 7 - len(wall)
    state.shown = 6 - len(wall)
    state.wall = row_of([FORTS.index(fort) for fort in wall])
    state.wall_count = len(wall)


def clan_has(state: RomansState, clan: int, captured: list[str], up: list[str]) -> None:
    """The clan holds these forts, and the last it has shown of its line lie face up."""
    for place, fort in enumerate(captured):
        state.forts[clan][place] = FORTS.index(fort)
    state.forts_count[clan] = len(captured)
    state.worth[clan] = sum(worth(fort) for fort in captured)
    state.up[clan] = sum(1 << (state.shown - 1 - k) for k in range(len(up)))
    state.strength_up[clan] = sum(STRENGTH[warrior] for warrior in up)


def worth(fort: str) -> int:
    kind, value = fort.split("-")
    return -int(value) if kind == "legion" else int(value)


# What tests look at


def forts(table: Table, clan: str) -> list[str]:
    return table.clan(clan)["forts"]


def face_up(table: Table, clan: str) -> list[str]:
    return table.clan(clan)["face_up"]


def discarded(table: Table, clan: str) -> list[str]:
    return table.clan(clan)["discarded"]


def discarded_forts(table: Table) -> list[str]:
    return table.position["discarded_forts"]


def captor(table: Table) -> str | None:
    """The only clan that holds forts, None if nobody does."""
    holders = [clan for clan, lot in table.position["clans"].items() if lot["forts"]]
    assert len(holders) < 2, f"several clans hold forts: {holders}"
    return holders[0] if holders else None


def is_over(table: Table) -> bool:
    return table.position["outcome"] is not None

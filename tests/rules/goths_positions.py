"""Goths: positions to try a rule on, whole turns to play from them, and who can tell two tables apart."""

from collections.abc import Iterator
from random import Random
from typing import Any

from hypothesis import HealthCheck, settings

from meadhall.games.goths.rules import set_up
from meadhall.match import SPECTATOR
from tests.table import GOTHS_SETUP, Table

CLANS = ("ostrogoth", "visigoth")
SEATS = ("ostrogoth-king", "ostrogoth-warchief", "visigoth-king", "visigoth-warchief")
EVERYBODY = {*SEATS, SPECTATOR}
PLACES = ("terrain-1", "terrain-2", "terrain-3", "objective-1", "objective-2", "objective-3")
SIGHTS = ("objective-1", "objective-2", "objective-3", "fog")
FOG_STATES = ("none", "hidden", "revealed", "discarded")
# The nine Warchief cards in the order of their numbers, with their characters (G6.1 to G6.9).
CHARACTER = {
    "reconnoitre": "vulture",
    "sabotage": "vulture",
    "recruit": "recruiter",
    "load": "catapult",
    "fire": "catapult",
    "barricade": "barbarian",
    "advance": "barbarian",
    "axe": "barbarian",
    "rats": "barbarian",
}
ACTIONS = tuple(CHARACTER)
# The eight King cards of the project's own deck (G1.3), as choices are sorted.
CARDS = (
    "barbarian/catapult",
    "barbarian/vulture",
    "catapult/barbarian",
    "catapult/recruiter",
    "recruiter/catapult",
    "recruiter/vulture",
    "vulture/barbarian",
    "vulture/recruiter",
)
ALL_ORDERS = [f"order:{card}" for card in CARDS]
ALL_ACTS = sorted(f"act:{action}" for action in ACTIONS)
# All cards of three characters: as many failed orders as can ever lie face up (G4.6).
SIX_CARDS = tuple(card for card in CARDS if not card.startswith("barbarian"))

PROPERTY = settings(
    max_examples=25,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)

Order = str | tuple[str, str] | None


def enemy_of(clan: str) -> str:
    return CLANS[1 - CLANS.index(clan)]


def position(
    speed: str,
    rules: dict[str, Any] | None = None,
    objectives: tuple[str, str, str] = ("trap", "plains", "queen"),
    fog: tuple[str, str] | None = None,
    initiative: str = "ostrogoth",
    revealed: tuple[str, ...] = (),
    **clans: dict[str, Any],
) -> Table:
    """A table before the first order of a turn; what is not said is as at the start of a game.

    `fog` gives the two clans' tokens and switches the variant on; of a clan, `place`, `units`, `catapult`,
    `barricades`, `face_up`, `seen` and `fog` (the token's state) can be said.
    """
    rules, setup = dict(rules or {}), dict(GOTHS_SETUP, objectives=list(objectives))
    if fog is not None:
        rules["fog_of_war"] = True
        setup["fog"] = dict(zip(CLANS, fog, strict=True))
    table = Table(speed, "goths", rules, setup)
    s = table.state
    if initiative == "visigoth":
        s.turn, s.initiative = 2, 1
    s.revealed = bits(PLACES[3:], revealed)
    for name, army in clans.items():
        clan, said = CLANS.index(name), dict(army)
        s.place[clan] = PLACES.index(said.pop("place", "terrain-1"))
        s.units[clan] = said.pop("units", 2)
        s.catapult[clan] = said.pop("catapult", "inactive") == "active"
        s.barricades[clan] = bits(PLACES, said.pop("barricades", ()))
        s.seen[clan] = bits(SIGHTS, said.pop("seen", ()))
        s.fog[clan] = FOG_STATES.index(said.pop("fog", FOG_STATES[s.fog[clan]]))
        for card in said.pop("face_up", ()):
            number = table.game.choice_id(table.match.rules, s, 2 * clan, f"order:{card}")
            s.face_up[clan][s.face_up_count[clan]] = number
            s.face_up_count[clan] += 1
            s.hand[clan] &= ~(1 << number)
        assert not said, f"position() does not know {said}"
    return table


def set_up_again(table: Table) -> Table:
    """The start of a game, whatever was played at the table before."""
    if table.speed == "interpreted":
        set_up(table.state)
    else:
        from meadhall.engine.compiling import compiled

        compiled("goths").set_up(table.state.array()[0])
    return table


def bits(names: tuple[str, ...], chosen: tuple[str, ...]) -> int:
    return sum(1 << names.index(name) for name in chosen)


def hand(table: Table, clan: str) -> list[str]:
    """The King cards a king holds, sorted."""
    held = table.state.hand[CLANS.index(clan)]
    names = (table.game.choice_name(table.match.rules, table.state, 0, number) for number in range(12))
    return sorted(name.removeprefix("order:") for k, name in enumerate(names) if held >> k & 1)


def misreads(table: Table, clan: str) -> list[tuple[str, str]]:
    """Every King card in hand with every action that would not be understood by it (G4.1)."""
    up = {card.split("/")[0] for card in table.clan(clan)["face_up"]}
    return [
        (card, action)
        for card in hand(table, clan)
        for action in ACTIONS
        if CHARACTER[action] not in up | {card.split("/")[0]}
    ]


def plan(table: Table, clan: str, order: Order) -> tuple[str, str]:
    """A clan's two cards: both as given, or a King card that fits the action, or a misunderstanding."""
    if order is None:
        return misreads(table, clan)[0]
    if isinstance(order, tuple):
        return order
    held = hand(table, clan)
    return next((card for card in held if card.startswith(CHARACTER[order])), held[0]), order


def turn(table: Table, *answers: str, ostrogoth: Order = None, visigoth: Order = None) -> Table:
    """Play both orders, both acts and the answers to what is asked then.

    A clan's order is (King card, action), or only the action, which is then understood; without one the
    clan misunderstands and does nothing.
    """
    first = table.position["initiative"]
    plans = {"ostrogoth": plan(table, "ostrogoth", ostrogoth), "visigoth": plan(table, "visigoth", visigoth)}
    for clan in (first, enemy_of(first)):
        table.choose((f"{clan}-king", f"order:{plans[clan][0]}"))
    for clan in CLANS:
        table.choose((f"{clan}-warchief", f"act:{plans[clan][1]}"))
    for answer in answers:
        table.choose((table.waiting[0], answer))
    return table


def board(table: Table) -> dict[str, Any]:
    """What actions can change: both clans but for their King cards, and the objectives."""
    now = table.position
    clans = {clan: {k: v for k, v in now["clans"][clan].items() if k != "face_up"} for clan in CLANS}
    return {"clans": clans, "objectives": now["objectives"], "seen": now["seen"]}


def refuses(table: Table, seat: str, choice: str) -> bool:
    """Is the choice refused at the table's speed, with nothing changed?"""
    before = bytes(table.state)
    try:
        if table.speed == "interpreted":
            table.match.commit(seat, choice)
        else:
            from meadhall.engine.compiling import compiled

            number = table.game.choice_id(table.match.rules, table.state, SEATS.index(seat), choice)
            compiled("goths").commit(table.state.array()[0], SEATS.index(seat), number)
    except ValueError:
        return bytes(table.state) == before
    return False


def at_random(table: Table, random: Random, most: int = 300) -> Iterator[tuple[str, str]]:
    """Play legal choices at random up to the end, stopping after each: the seat and what it chose."""
    for _ in range(most):
        if not table.waiting:
            return
        seat = random.choice(table.waiting)
        choice = random.choice(table.options(seat))
        table.choose((seat, choice))
        yield seat, choice


def who_can_tell(one: Table, other: Table) -> set[str]:
    """The seats, spectators included, that see or were told anything that differs between two tables."""
    return {
        seat
        for seat in EVERYBODY
        if one.match.view(seat).json() != other.match.view(seat).json()
        or bytes(one.match.view(seat).state) != bytes(other.match.view(seat).state)
        or one.match.events(seat) != other.match.events(seat)
    }

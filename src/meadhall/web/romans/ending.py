"""Romans Go Home! in the browser: how all clans stand at the end, best first, with every fort that counts."""

from dataclasses import dataclass

from meadhall.games.romans.names import VALUES
from meadhall.games.romans.state import FORTS
from meadhall.match import View
from meadhall.web.romans.pieces import Names, kind_of
from meadhall.words.text import minus

_PLACES = {
    1: "romans.place.first",
    2: "romans.place.second",
    3: "romans.place.third",
    4: "romans.place.fourth",
}


@dataclass(frozen=True)
class Won:
    """A fort among those that count at the end."""

    value: str
    name: str
    kind: str


@dataclass(frozen=True)
class Score:
    """A clan at the end: its place, its forts, and what they come to."""

    clan: str
    name: str
    place: str  # "" for a neutral clan, which is not ranked among players (R7.2)
    person: str
    forts: tuple[Won, ...]
    total: str
    won: bool
    mine: bool
    label: str


def scores(view: View, names: Names) -> tuple[Score, ...]:
    """The final score (R7.1); nothing while the game goes on."""
    outcome = view.game.outcome(view.rules, view.plain)
    if outcome is None:
        return ()
    points: dict[str, int] = outcome.record["points"]
    last = len(points) + 1
    ranked = sorted(points, key=lambda clan: (outcome.places.get(clan, last), -points[clan]))
    return tuple(_score(view, names, clan, outcome.places.get(clan), clan in outcome.winners) for clan in ranked)


def _score(view: View, names: Names, clan: str, place: int | None, won: bool) -> Score:
    state, say, mine = view.plain, names.words.say, clan == view.seat
    number = view.game.vocabulary(view.rules, "clan").index(clan)
    forts = [FORTS[state.forts[number][k]] for k in range(state.forts_count[number])]
    total = minus(state.worth[number])
    person = say("romans.label.neutral") if number >= state.players else names.people.get(clan, "")
    listed = ", ".join(names.fort(fort) for fort in forts) or say("ui.nothing")
    return Score(
        clan=clan,
        name=names.clan(clan),
        place=say(_PLACES[place]) if place else "",
        person=say("ui.you") if mine else person,
        forts=tuple(Won(minus(VALUES[fort]), names.fort(fort), kind_of(fort)) for fort in forts),
        total=total,
        won=won,
        mine=mine,
        label=say("romans.table.forts-won", clan=names.clan(clan), total=total, list=listed),
    )

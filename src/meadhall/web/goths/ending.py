"""Goths Save the Queen in the browser: how well each clan understood itself, told when the game is over."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from meadhall.games.game import Event
from meadhall.games.goths.state import CLANS
from meadhall.web.goths.pieces import Viewer


@dataclass(frozen=True)
class Score:
    """A clan at the end: who played it, and how many of its orders got through."""

    clan: str
    name: str
    people: str
    understood: str
    won: bool
    mine: bool


def scores(viewer: Viewer, events: Sequence[Event], people: Mapping[str, str]) -> tuple[Score, ...]:
    """Both clans, the winner first; nothing while the game goes on."""
    outcome = viewer.position["outcome"]
    if not outcome:
        return ()
    return tuple(
        Score(
            clan=clan,
            name=viewer.name("clan", clan),
            people=people[clan],
            understood=_understood(viewer, events, clan),
            won=clan == outcome["winner"],
            mine=clan == viewer.clan,
        )
        for clan in sorted(CLANS, key=lambda clan: clan != outcome["winner"])
    )


def _understood(viewer: Viewer, events: Sequence[Event], clan: str) -> str:
    """How many of a clan's orders got through, of those that were turned up."""
    told = [event.code for event in events if event.args.get("clan") == clan]
    through = told.count("understood")
    return viewer.say("goths.table.understood", n=through, all=through + told.count("misread"))

"""Romans Go Home!: what somebody new must know: the goal, who he is, and what warriors and forts do."""

from collections.abc import Sequence
from dataclasses import dataclass

from meadhall.games.game import Event
from meadhall.games.romans.names import POINTS
from meadhall.games.romans.state import WARRIORS
from meadhall.match import View
from meadhall.web.romans.pieces import Names
from meadhall.words.text import capital


@dataclass(frozen=True)
class Piece:
    """A warrior with its strength, or a kind of fort, and what it does."""

    symbol: str
    name: str
    points: str
    effect: str


@dataclass(frozen=True)
class Guide:
    """The goal, whose side the viewer is on (a spectator's clan is nothing), and what the pieces do."""

    who: str
    clan: str
    warriors: tuple[Piece, ...]
    forts: tuple[Piece, ...]
    first: bool  # no turn has been fought yet


def guide(view: View, events: Sequence[Event], names: Names) -> Guide:
    """What the story column holds for somebody new."""
    say, seat = names.words.say, "" if view.is_spectator else str(view.seat)
    who = say("romans.table.who-you", clan=names.the_clan(seat)) if seat else say("romans.table.who-watch")
    warriors = [Piece(each, names.warrior(each), str(POINTS[each]), names.effect(each)) for each in WARRIORS]
    forts = [
        Piece(kind, capital(names.kind(kind)), "", names.effect(kind)) for kind in ("unwary", "signal", "tax", "legion")
    ]
    first = all(event.code != "turn" for event in events)
    return Guide(who, seat, tuple(warriors), tuple(forts), first)

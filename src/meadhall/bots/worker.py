"""What a worker process is asked at a table: views put together again from bytes, and what levels make of them."""

from collections.abc import Sequence
from random import Random
from typing import Any

from meadhall.bots import BEST, PLAIN, RANDOM, choose, evaluate, level_module, levels_of
from meadhall.bots.evaluation import Evaluation
from meadhall.bots.patience import be_hurried
from meadhall.games.game import GAMES, game_named
from meadhall.match import Match, View

Packed = tuple[str, dict[str, Any], str, bytes, tuple[bytes, ...]]


def packed(view: View) -> Packed:
    """A view as it travels to another process: all that the seat may know, and nothing else."""
    return view.game.name, view.rules, view.seat, bytes(view.state), view.past


def unpacked(parts: Packed) -> View:
    """The view put together again."""
    name, rules, seat, state, past = parts
    game = game_named(name)
    return View(game, rules, seat, game.state_type.from_buffer_copy(state), past=past)


def prelude() -> None:
    """Import all that a view of any game needs: whoever is forked from a process that has done so starts at once."""
    be_hurried()
    for game in GAMES:
        match = Match.new(game)
        for seat in match.waiting:
            view = unpacked(packed(match.view(seat)))
            choose(RANDOM, view, Random(0))
            view.json()


def chosen(view: Packed, level: str, seed: int | str) -> str:
    """What a level chooses."""
    return choose(level, unpacked(view), Random(seed))


def evaluated(view: Packed) -> Evaluation | None:
    """What the best level thinks of a position; None where that would have to wait for a compiler."""
    ready = getattr(level_module(BEST, view[0]), "ready", None)
    return evaluate(unpacked(view)) if ready is None or ready() else None


def prepare_levels(games: Sequence[str], levels: Sequence[str] | None = None) -> None:
    """Import these levels (all if not given), load what they play by, and compile what they run."""
    for game in games:
        for level in levels_of(game):
            if level not in PLAIN and (levels is None or level in levels):
                prepare = getattr(level_module(level, game), "prepare", None)
                if prepare is not None:
                    prepare()

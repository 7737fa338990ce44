"""An arena: every entrant against every other on the same deals, sides exchanged; and everybody as partners."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from meadhall.bots import PLAIN, caveat, levels_of
from meadhall.bots.evaluation import Reason
from meadhall.bots.forkserver import ForkServer
from meadhall.bots.own.seats import check_files, own_bots_server
from meadhall.bots.processes import Supervisor, WorkerLost
from meadhall.bots.worker import prepare_levels
from meadhall.engine.cores import cores_at_hand
from meadhall.faults import Fault
from meadhall.games.game import game_named
from meadhall.lab.arena.crossplay import couples
from meadhall.lab.arena.entrants import Entrant, is_file
from meadhall.lab.arena.play import Fixture, Played, Setting, play_deals
from meadhall.lab.arena.shipping import pack, play_packed
from meadhall.lab.shards import Workers, in_flight

DEALS_A_JOB, MANY_DEALS = 4, 40  # many for workers elsewhere, if nobody thinks for long


@dataclass(frozen=True)
class Meeting:
    """Two sides that meet, on so many deals; a cross-play meeting is of a king and a warchief with the fixed pair."""

    first: Entrant
    second: Entrant
    deals: int
    couple: tuple[str, str] | None = None

    @property
    def title(self) -> str:
        """For the progress bar."""
        return f"{self.first.name} – {self.second.name}"


@dataclass
class Arena:
    """What was asked for, and what has come of it so far: by meeting, then by deal, the games."""

    setting: Setting
    rules: dict[str, Any]  # as given
    entrants: tuple[Entrant, ...]
    meetings: list[Meeting]
    cores: int
    fixed: Entrant | None = None
    caveats: dict[str, Reason] = field(default_factory=dict)  # by level: what its tables were not made for
    played: list[dict[int, list[Played]]] = field(default_factory=list)

    @property
    def games(self) -> int:
        """How many games there are to play."""
        return sum(meeting.deals for meeting in self.meetings) * self.setting.sides

    @property
    def done(self) -> int:
        """How many have been played."""
        return sum(len(deals) for deals in self.played) * self.setting.sides

    @property
    def both_ways(self) -> bool:
        """Does one meeting tell of both sides? Among three or four players one meets copies of the other."""
        return self.setting.sides == 2


def _caveats(setting: Setting, sides: Sequence[Entrant]) -> dict[str, Reason]:
    """The levels that play these rules by estimates, and why."""
    levels = [level for level in levels_of(setting.game) if any(level in entrant.bots for entrant in sides)]
    found = {level: caveat(level, setting.game, setting.rules) for level in levels}
    return {level: why for level, why in found.items() if why is not None}


def prepare(
    game: str,
    rules: dict[str, Any],
    entrants: tuple[Entrant, ...],
    games: int,
    seed: int | str = 0,
    cores: int | None = None,
    budget: float = 1.0,
    fixed: Entrant | None = None,
    cross_games: int | None = None,
    keep: bool = False,
) -> Arena:
    """An arena ready to run, with so many games for each meeting, or a few more so that every deal is whole."""
    rules = rules | {name: value for name, value in game_named(game).stalls.items() if rules.get(name) is None}
    setting = Setting(game, game_named(game).check_rules(rules), seed, budget, keep)
    if setting.sides < 2:
        raise Fault("an arena needs two players or more, such as --players gold,green")
    if len(entrants) < (1 if fixed is not None else 2):
        raise Fault("an arena needs two bots or more, such as --bots medium,easy")
    deals = -(-games // setting.sides)
    meetings = [
        Meeting(first, second, deals)
        for i, first in enumerate(entrants)
        for j, second in enumerate(entrants)
        if i < j or (i > j and setting.sides > 2)
    ]
    if fixed is not None and setting.roles > 1:
        cross_deals = -(-(games if cross_games is None else cross_games) // setting.sides)
        meetings += [
            Meeting(side, fixed, cross_deals, (king.name, warchief.name))
            for king, warchief, side in couples(entrants)
            if cross_deals
        ]
    if not meetings:
        raise Fault("nobody meets anybody; give two bots or more, or let one play with itself (--cross-games)")
    played: list[dict[int, list[Played]]] = [{} for _ in meetings]
    caveats = _caveats(setting, (*entrants, *((fixed,) if fixed is not None else ())))
    return Arena(setting, rules, entrants, meetings, cores or cores_at_hand(), fixed, caveats, played)


class Job(NamedTuple):
    """Some deals of one meeting, by its number."""

    number: int
    fixture: Fixture
    deals: range


def _jobs(arena: Arena, size: int) -> Iterator[Job]:
    """All meetings side by side, so that stopping early leaves as much of each."""
    most = max((meeting.deals for meeting in arena.meetings), default=0)
    for first in range(0, most, size):
        for number, meeting in enumerate(arena.meetings):
            deals = range(first, min(first + size, meeting.deals))
            if deals:
                yield Job(number, Fixture(meeting.first.bots, meeting.second.bots), deals)


def run(
    arena: Arena,
    progress: Callable[[int, str], None] = lambda done, title: None,
    workers: Workers | None = None,
) -> Arena:
    """Play all games, here or by others; Ctrl-C stops early, and what was done is in the arena."""
    sides = (side for meeting in arena.meetings for side in (meeting.first, meeting.second))
    bots = tuple(dict.fromkeys(bot for side in sides for bot in side.bots))
    with suppress(KeyboardInterrupt):
        check_files([Path(bot) for bot in bots if is_file(bot)], own_bots_server())
        if workers is None:
            _play_here(arena, bots, progress)
        else:
            size = MANY_DEALS if set(bots) <= set(PLAIN) else DEALS_A_JOB
            files = workers.put(pack(bots))
            _play(arena, size, partial(workers.submit, play_packed, files), workers.ahead, progress)
    return arena


def _play_here(arena: Arena, bots: tuple[str, ...], progress: Callable[[int, str], None]) -> None:
    """What levels need is compiled and loaded once, before any process is forked."""
    server = ForkServer((prepare_levels, ((arena.setting.game,), bots)))
    processes = Supervisor(server, arena.cores)
    try:
        server.prepare()
        _play(arena, DEALS_A_JOB, partial(processes.submit, play_deals), lambda: 2 * arena.cores, progress)
    except WorkerLost as loss:
        raise Fault(f"a process of the arena {loss}; is there enough memory?") from None
    finally:
        processes.close()
        server.close()


def _play(
    arena: Arena,
    size: int,
    submit: Callable[[Setting, Fixture, range], Future[list[list[Played]]]],
    ahead: Callable[[], int],
    progress: Callable[[int, str], None],
) -> None:
    """Take in what the workers have done in whatever order it comes."""
    for job, played in in_flight(lambda job: submit(arena.setting, job.fixture, job.deals), _jobs(arena, size), ahead):
        arena.played[job.number] |= zip(job.deals, played, strict=True)
        progress(arena.done, arena.meetings[job.number].title)

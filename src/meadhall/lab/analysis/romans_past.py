"""Romans: a finished game taken apart for its analysis, and the chances to win at any point of it."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from meadhall.bots.romans import hard
from meadhall.bots.romans.compiled import SEARCH_MODULES
from meadhall.bots.romans.monte_carlo import STATE, SearchModel
from meadhall.bots.romans.rollout import win_chance
from meadhall.engine.rng import seed_word
from meadhall.games.game import Event
from meadhall.games.romans.setup import clans_of
from meadhall.games.romans.state import (
    Phase,
    RomansState,
)
from meadhall.match import Beat, Match, View

WORLD_COUNT = 4096  # in which the rest of a round is played for a point of the curve
SEED = seed_word("analysis of romans")

Floats = npt.NDArray[np.float64]
Wins = tuple[float, ...]  # by side


@dataclass(frozen=True)
class Made:
    """A choice of the record, with the position before it and after it."""

    index: int
    seat: str
    number: int  # of the seat
    name: str
    choice: int  # by its number
    moment: int  # choices with the same moment answered the same question
    view: View  # what the seat knew
    before: RomansState
    after: RomansState


@dataclass
class Played:
    """A round as it was played."""

    number: int
    start: RomansState  # nothing chosen yet
    beat: int
    made: list[Made] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    end: RomansState | None = None  # after its last turn, before the next round is dealt

    @property
    def over(self) -> RomansState:
        """The position at its end."""
        assert self.end is not None
        return self.end

    def plan_of(self, clan: int) -> Made:
        """A player's plan."""
        return next(each for each in self.made if each.before.phase == Phase.PLAN and each.number == clan)

    def later_choices(self, without: int) -> tuple[Any, Any]:
        """The choices after the plans by turn, phase and clan, and what was asked, less one clan's."""
        made, asked = np.full((6, 8, 4), -1, np.int64), np.zeros((6, 8), STATE)
        for each in self.made:
            if each.before.phase != Phase.PLAN and each.number != without:
                place = int(each.before.shown) - 1, int(each.before.phase)
                made[(*place, each.number)] = each.choice
                asked[place] = each.before.array()[0]
        return made, asked


class Past:
    """A finished match taken apart: its rounds, its choices, and the beats at which they show."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.clans = clans_of(match.rules)
        players = len(match.seats)
        # R7.2: a player alone has the neutrals for rivals.
        self.sides = tuple(self.clans) if players == 1 else tuple(match.seats)
        self.model: SearchModel = hard.model(players, len(self.clans))
        self.likely = self.model.policies, self.model.shares, SEED  # what the rollouts draw from
        self.beats: list[list[Beat]] = match.opened_timeline()
        self.first = [0]  # the number of the first beat of each list
        for beats in self.beats:
            self.first.append(self.first[-1] + len(beats))
        self.made = _choices(match)
        self.rounds = self._rounds()

    def _rounds(self) -> list[Played]:
        found: list[Played] = []
        for place, beats in enumerate(self.beats):
            if place > 0:
                found[-1].made.append(self.made[place - 1])
            for k, beat in enumerate(beats):
                if beat.kind == "round":
                    found.append(Played(len(found) + 1, beat.view.state, self.first[place] + k))
                if beat.kind == "summary":
                    found[-1].end = beat.view.state
                found[-1].events += beat.events
        found[-1].end = self.match.state
        return found

    def wins(self, state: RomansState) -> Wins:
        """Each side's chance to win at the end of a round or of the game."""
        return tuple(win_chance(state, clan, self.model.value_weights) for clan in range(len(self.sides)))


def _choices(match: Match) -> list[Made]:
    """Every choice of a match."""
    again, found = Match(match.header), []
    for index, (seat, name) in enumerate(match.record()["choices"]):
        before, number, view, moment = again.state.copy(), again.seats.index(seat), again.view(seat), again.moment
        choice = again.game.choice_id(again.rules, before, number, name)
        again.commit(seat, name)
        found.append(Made(index, seat, number, name, choice, moment, view, before, again.state.copy()))
    return found


def compiled() -> Any:
    """The rollouts of the analysis, compiled with the search and the rules."""
    from meadhall.engine.compiling import compiled_beside  # importing Numba takes long

    return compiled_beside("romans", (*SEARCH_MODULES, "meadhall.lab.analysis.romans_rollouts"))


def no_choices() -> tuple[Any, Any]:
    """What the rollouts are given when no real choice is known."""
    return np.full((6, 8, 4), -1, np.int64), np.zeros((6, 8), STATE)


def chance(past: Past, state: RomansState) -> Wins:
    """Each side's chance to win in a position in which somebody owes a choice."""
    sums, start, rng = np.zeros(len(past.sides)), np.frombuffer(bytes(state), STATE).copy(), np.ones(2, np.int64)
    weights = past.model.value_weights
    compiled().add_chances(start, start.copy(), WORLD_COUNT, past.likely, *no_choices(), weights, rng, sums)
    return tuple(float(part) for part in sums / sums.sum())

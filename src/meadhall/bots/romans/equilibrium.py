"""A round of Romans between two players as one simultaneous game, solved close to its equilibrium.

Both lay a line at once, each knowing his own hand and how likely every hand of the other is. From public knowledge
alone the same solution follows for both: for each hand a mixture of lines that hardly anybody can turn to his
advantage. Lines are found by double oracle: regret matching among a few candidates for each hand, then candidates near
the ones in use that would do better against what the other does, and so on. Nobody meets only perfect rivals: a part
of them is taken to follow the policies of planning, whoever that helps.
"""

from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np

from meadhall.bots.romans.compiled import compiled_search
from meadhall.bots.romans.lines import HAND_CHANCES, HANDS, LINES, PLAYABLE, ROWS, Ints, neighbours
from meadhall.bots.romans.monte_carlo import STATE, Floats, SearchModel
from meadhall.games.romans.state import RomansState

FIRST_WORLDS = 5  # sampled lines of the rival, against which the first candidates are found
CANDIDATES, NEW = 16, 6  # for each hand; how many of them an oracle may replace
ORACLES = 4
ITERATIONS, LAST_ITERATIONS = 120, 400  # of regret matching, before each oracle and at the end
COLUMNS = 56  # of the rival's lines that an oracle answers, the likeliest ones
ORDINARY, ORDINARY_WORLDS = 0.4, 20  # the share of rivals who follow the policies, and how many of them are sampled
USED = 0.0005  # lines with a smaller probability are not worth looking around


@dataclass(frozen=True)
class Side:
    """One player's part: candidates for each hand, [hand, candidate], and how often each is laid."""

    candidates: Ints
    mixture: Floats

    def lines(self) -> tuple[Ints, Floats]:
        """All lines that may be laid, in increasing order, and the probability of each over all hands."""
        lines, place = np.unique(self.candidates, return_inverse=True)
        return lines, _laid(place, self.mixture, len(lines))

    def likeliest(self, count: int) -> tuple[Ints, Floats]:
        """The lines that are laid most often, in increasing order, and their probabilities."""
        lines, laid = self.lines()
        kept = np.sort(np.argsort(-laid, kind="stable")[:count])
        return lines[kept], laid[kept] / laid[kept].sum()


class Round:
    """A round that is being planned, as everybody sees it: what lines are worth against each other."""

    def __init__(self, public: RomansState, model: SearchModel) -> None:
        self.model = model
        self._start = public.array().copy()
        self._seed = f"round {bytes(public).hex()}"

    def worlds(self, seat: int, count: int) -> Any:
        """So many worlds in which the rivals of a seat have laid lines by the model's policies, the same every time."""
        worlds, rng, model = np.zeros(count, STATE), Random(f"{self._seed} {seat} {count}"), self.model
        generator = np.array([rng.getrandbits(32), rng.getrandbits(32) | 1], np.int64)
        compiled_search().sample_worlds(self._start, worlds, seat, model.policies, model.shares, generator)
        return worlds

    def values_in(self, worlds: Any, seat: int, lines: Ints) -> Floats:
        """The chance to win with each line in each world."""
        values = np.zeros((len(lines), len(worlds)))
        path = np.zeros(7, STATE)
        compiled_search().evaluate_lines(worlds, seat, ROWS[lines], path, self.model.value_weights, values)
        return values

    def values(self, seat: int, lines: Ints, answers: Ints) -> Floats:
        """The chance of a seat to win with each line against each line of the other player."""
        worlds = self.worlds(seat, len(answers))
        worlds["line"][:, 1 - seat] = ROWS[answers]
        return self.values_in(worlds, seat, lines)

    def against(self, seat: int, lines: Ints, rival: Side) -> Floats:
        """The chance of a seat to win with each line against a rival's mixture."""
        answers, laid = rival.likeliest(COLUMNS)
        found: Floats = self.values(seat, lines, answers) @ laid
        return found

    def worlds_against(self, seat: int, rival: Side, count: int) -> Any:
        """So many worlds in which the rival has laid lines by a mixture, the same every time."""
        worlds, (lines, laid) = self.worlds(seat, count), rival.lines()
        drawn = Random(f"{self._seed} {seat} rival").choices(lines.tolist(), laid.tolist(), k=count)
        worlds["line"][:, 1 - seat] = ROWS[drawn]
        return worlds

    def against_ordinary(self, seat: int, lines: Ints) -> Floats:
        """The chance of a seat to win with each line against rivals who follow the model's policies."""
        found: Floats = self.values_in(self.worlds(seat, ORDINARY_WORLDS), seat, lines).mean(axis=1)
        return found


@lru_cache(maxsize=8)
def solved_round(public: bytes, model: SearchModel) -> tuple[Round, tuple[Side, Side]]:
    """The mixtures of both players in a position that all see as these bytes."""
    played = Round(RomansState.from_buffer_copy(public), model)
    sides = first_candidates(played, 0), first_candidates(played, 1)
    for _ in range(ORACLES):
        sides = regret_matching(played, sides, ITERATIONS)
        sides = with_answers(played, 0, sides), with_answers(played, 1, sides)
    return played, regret_matching(played, sides, LAST_ITERATIONS)


def first_candidates(played: Round, seat: int) -> Side:
    """For each hand the best lines against some lines by the model's policies."""
    values = played.values_in(played.worlds(seat, FIRST_WORLDS), seat, np.arange(len(LINES))).mean(axis=1)
    return _evenly(np.stack([_best(values, playable, CANDIDATES) for playable in PLAYABLE]))


def with_answers(played: Round, seat: int, sides: tuple[Side, Side]) -> Side:
    """A player's candidates, the ones used least replaced by better answers to what the other does."""
    side, (lines, laid) = sides[seat], sides[seat].lines()
    tried = np.union1d(neighbours(lines[laid > USED]), lines)
    values = np.full(len(LINES), -np.inf)
    values[tried] = (1.0 - ORDINARY) * played.against(seat, tried, sides[1 - seat])
    values[tried] += ORDINARY * played.against_ordinary(seat, tried)
    candidates = []
    for hand, playable in enumerate(PLAYABLE):
        used = side.candidates[hand][np.argsort(-side.mixture[hand], kind="stable")]
        found = _best(values, playable, NEW)
        candidates.append(list(dict.fromkeys([*used[:-NEW], *found, *used[-NEW:]]))[:CANDIDATES])
    return _evenly(np.array(candidates))


def _best(values: Floats, among: Ints, count: int) -> Ints:
    """The numbers of the lines with the highest values."""
    return among[np.argpartition(-values[among], count - 1)[:count]]


def _evenly(candidates: Ints) -> Side:
    return Side(candidates, np.full(candidates.shape, 1.0 / candidates.shape[1]))


def regret_matching(played: Round, sides: tuple[Side, Side], iterations: int) -> tuple[Side, Side]:
    """The average play of regret matching+ between the candidates of both, later play counting more."""
    lines = [np.unique(side.candidates) for side in sides]
    places = [np.searchsorted(lines[seat], sides[seat].candidates) for seat in range(2)]
    values = played.values(0, lines[0], lines[1]).astype(np.float32)
    # What each player gains with each of his lines, given how often the other lays each of his.
    gains = ((1.0 - ORDINARY) * values, np.ascontiguousarray((ORDINARY - 1.0) * values.T))
    ordinary = [ORDINARY * played.against_ordinary(seat, lines[seat]) for seat in range(2)]
    regrets = [np.zeros(HANDS.shape[:1] + side.candidates.shape[1:]) for side in sides]
    sums = [regret.copy() for regret in regrets]
    mixtures = [side.mixture for side in sides]
    for number in range(1, iterations + 1):
        for seat in range(2):
            laid = _laid(places[1 - seat], mixtures[1 - seat], len(lines[1 - seat]))
            gained: Floats = (gains[seat] @ laid.astype(np.float32) + ordinary[seat])[places[seat]]
            mixtures[seat] = _improved(regrets[seat], gained)
            sums[seat] += number * mixtures[seat]
    weight = iterations * (iterations + 1) / 2
    return Side(sides[0].candidates, sums[0] / weight), Side(sides[1].candidates, sums[1] / weight)


def _laid(places: Ints, mixture: Floats, count: int) -> Floats:
    """How often each line is laid over all hands."""
    return np.bincount(places.ravel(), (mixture * HAND_CHANCES[:, None]).ravel(), count).astype(np.float64)


def _improved(regrets: Floats, gained: Floats) -> Floats:
    """Add to the regrets of each hand what its candidates would have gained; the mixture that follows from them."""
    regrets += gained - (gained * _matched(regrets)).sum(axis=1, keepdims=True)
    np.maximum(regrets, 0.0, out=regrets)
    return _matched(regrets)


def _matched(regrets: Floats) -> Floats:
    """Regrets as probabilities; where there are none, all alike."""
    total = regrets.sum(axis=1, keepdims=True)
    return np.where(total > 0.0, regrets / np.where(total > 0.0, total, 1.0), 1.0 / regrets.shape[1])

"""Romans, the tables of the strong bots: how standings promise to win, and how thoughtful players lay their lines.

Level by level: players of the habits known so far play whole games, from which standings are fitted; in positions of
those games every plan is tried against such players, and a new habit learns to lay what came out best. A level's
rivals are all the deeper habits before it, so the habits together settle into a company hard to answer.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from meadhall.bots.romans.compiled import SEARCH
from meadhall.bots.romans.habits import HABIT_SIZE
from meadhall.bots.romans.medium import greedy, rough_standings
from meadhall.bots.romans.solved import COMPANIES
from meadhall.bots.romans.turns import LEGIONS, STANDING_SIZE
from meadhall.bots.solved import Arrays
from meadhall.engine.compiling import compiled_beside
from meadhall.engine.rng import seed_word
from meadhall.games.game import game_named
from meadhall.games.romans.state import CLANS, RomansState
from meadhall.lab.simulate import cores_at_hand
from meadhall.lab.solve.step import Step

Floats = npt.NDArray[np.float64]
LEVELS = 4
GAMES = 6_000
POSITIONS_PER_GAME = 1 / 12
WORLDS = 24  # that every plan is tried in
HEAT = 0.02  # the loss in win chance at which a plan is laid a third as often
CHUNK = 50
EPOCHS, BATCH, PACE, MODESTY = 25, 100, 0.1, 0.0005
FEATURES_APART = 2 * 25  # a line has 25 features; a wrong one misses one that is wanted and has one that is not
PRIOR = np.array([0.01, 0.01, *(3.0,) * (STANDING_SIZE - LEGIONS)])  # how many games an estimate outweighs


def lessons() -> SimpleNamespace:
    """The compiled functions that play and learn."""
    return compiled_beside("romans", (*SEARCH, "meadhall.lab.solve.romans_training"))


@dataclass
class Course:
    """One table in the making: the seed, the size of the work, and what is known so far."""

    word: int
    games: int
    pool: ThreadPoolExecutor
    habits: npt.NDArray[np.float32]  # [clans - 2, level, weight]
    standings: Floats  # [players - 1, clans - 2, round - 1, weight]
    done: int = 0  # units of work
    figure: float = 1.0

    def arrays(self) -> Arrays:
        """All that is known so far."""
        return {"habits": self.habits.copy(), "standings": self.standings.copy(), "done": np.array(self.done)}


def units() -> list[tuple[int, int, int]]:
    """The work in order: players, clans, and the level to find; -1 for a standing only."""
    deep = [(clans, clans, level) for clans in (2, 3, 4) for level in range(LEVELS)]
    return deep + [(players, clans, -1) for players, clans in COMPANIES]


def steps(saved: Arrays | None, seed: int = 0, cores: int | None = None, games: int = GAMES) -> Iterator[Step]:
    """Make the tables, one unit of work after the other, from the start or from where it was broken off."""
    habits = np.zeros((3, LEVELS, HABIT_SIZE), np.float32)
    standings = np.tile(rough_standings(), (4, 3, 1, 1))
    work = units()
    with ThreadPoolExecutor(cores or cores_at_hand()) as pool:
        course = Course(seed_word(f"romans {seed}"), games, pool, habits, standings)
        if saved is not None:
            course.habits, course.standings = saved["habits"], saved["standings"]
            course.done = int(saved["done"])
        while course.done < len(work):
            players, clans, level = work[course.done]
            what = f"{players} of {clans} clans, " + (f"level {level + 1}" if level >= 0 else "standings")
            yield Step(course.done, len(work), course.figure, what, course.arrays())
            course.figure = study(course, players, clans, level)
            course.done += 1
        yield Step(course.done, len(work), course.figure, "done", course.arrays())


def finished(arrays: Arrays) -> Arrays:
    """The tables as they are shipped."""
    return {name: arrays[name].astype(np.float32) for name in ("habits", "standings")}


def study(course: Course, players: int, clans: int, level: int) -> float:
    """One unit of work; gives by how much the best answers differ from what the level before lays, 0 to 1.

    For standings alone it gives by how much their weights moved.
    """
    known = level if level >= 0 else LEVELS
    habits = np.concatenate([np.zeros((1, HABIT_SIZE), np.float32), [greedy()], course.habits[clans - 2, :known]])
    shares = rivals(known)
    starts, winners = played(course, players, clans, habits, shares)
    before = course.standings[players - 1, clans - 2].copy()
    course.standings[players - 1, clans - 2] = fitted(starts, winners, players, clans)
    if level < 0:
        return float(np.abs(course.standings[players - 1, clans - 2] - before).mean())
    lesson = answered(course, clans, starts, habits, shares)
    course.habits[clans - 2, level], off = learnt(course.pool, lesson, habits[-1])
    return off


def rivals(known: int) -> npt.NDArray[np.int64]:
    """Of a thousand rivals, how many follow each habit: at first the thoughtless and the greedy, then deeper ones."""
    if known == 0:
        return np.array([500, 500])
    shares = np.zeros(2 + known, np.int64)
    shares[2:] = 900 // known
    shares[0] = 1000 - shares.sum()
    return shares


# Whole games, and what standings promise


def played(course: Course, players: int, clans: int, habits: Any, shares: Any) -> tuple[Any, npt.NDArray[np.int64]]:
    """The positions in which rounds were planned, [game, round], and who won, a bit for each."""
    game = game_named("romans")
    given = game.check_rules({"players": list(CLANS[:players]), "neutrals": list(CLANS[players:clans])})
    start = game.blank(given).array()
    starts = np.zeros((course.games, 3), RomansState.dtype())
    winners = np.zeros(course.games, np.int64)
    play = lessons().play_by_habits

    def part(first: int) -> None:
        span = slice(first, first + 500)
        play(start.copy(), course.word + course.done, first, habits, shares, starts[span], winners[span])

    list(course.pool.map(part, range(0, course.games, 500)))
    return starts, winners


def fitted(starts: Any, winners: npt.NDArray[np.int64], players: int, clans: int) -> Floats:
    """The weights of standings after rounds 1 and 2 that foretell the winners best."""
    weights = rough_standings()
    for played_rounds in (1, 2):
        reached = starts[:, played_rounds]["round"] > 0
        positions = np.ascontiguousarray(starts[:, played_rounds][reached])
        raw = np.zeros((len(positions), clans, 4))
        lessons().standings(positions, raw)
        features = _features(raw, players, clans)
        bits = winners[reached][:, None] >> np.arange(features.shape[1]) & 1
        weights[played_rounds - 1] = _logit(
            features, bits / bits.sum(axis=1, keepdims=True), weights[played_rounds - 1]
        )
    return weights


def _features(raw: Floats, players: int, clans: int) -> Floats:
    """[position, clan that may win, weight]; a neutral's legions promise nothing (R5.4)."""
    candidates = clans if players == 1 else players  # R7.2
    features = np.zeros((len(raw), candidates, STANDING_SIZE))
    features[:, :, :LEGIONS] = raw[:, :candidates, :LEGIONS]
    cell = (LEGIONS + 5 * raw[:, :players, 2] + raw[:, :players, 3]).astype(np.int64)
    np.put_along_axis(features[:, :players], cell[:, :, None], 1.0, axis=2)
    return features


def _logit(features: Floats, won: Floats, prior: Floats) -> Floats:
    """The most likely weights if a clan wins as often as the exponential of its promise, by Newton's method."""
    weights, flat = prior.copy(), features.reshape(-1, STANDING_SIZE)
    for _ in range(12):
        promise = features @ weights
        chance = np.exp(promise - promise.max(axis=1, keepdims=True))
        chance /= chance.sum(axis=1, keepdims=True)
        slope = flat.T @ (won - chance).ravel() - PRIOR * (weights - prior)
        mean = np.einsum("nc,ncf->nf", chance, features)
        bend = (flat * chance.reshape(-1, 1)).T @ flat - mean.T @ mean + np.diag(PRIOR)
        weights = weights + np.linalg.solve(bend, slope)
    return weights


# The best answers, and a habit that learns them


@dataclass(frozen=True)
class Lesson:
    """Positions as a planner sees them, and the features of the lines to lay there."""

    hands: npt.NDArray[np.int64]
    kinds: npt.NDArray[np.int64]
    wanted: Floats


def answered(course: Course, clans: int, starts: Any, habits: Any, shares: Any) -> Lesson:
    """Every plan tried in positions of those games, each from one seat in turn."""
    flat = starts.reshape(-1)
    flat = flat[flat["round"] > 0][: max(CHUNK, int(course.games * POSITIONS_PER_GAME))]
    seats = np.arange(len(flat)) // 3 % clans
    kinds, wanted = np.zeros((len(flat), 7), np.int64), np.zeros((len(flat), HABIT_SIZE))
    weights, answer = course.standings[clans - 1, clans - 2], lessons().best_answers

    def part(first: int) -> None:
        span, scratch = slice(first, first + CHUNK), np.zeros(WORLDS, RomansState.dtype())
        ladder = np.zeros(7, RomansState.dtype())
        answer(
            *(flat[span], seats[span], course.word + 1000 + course.done, first),
            *(scratch, habits, shares, weights, HEAT, ladder, kinds[span], wanted[span]),
        )

    list(course.pool.map(part, range(0, len(flat), CHUNK)))
    hands = flat["hand"][np.arange(len(flat)), seats].astype(np.int64)
    return Lesson(hands, kinds, wanted)


def learnt(pool: ThreadPoolExecutor, lesson: Lesson, start: npt.NDArray[np.float32]) -> tuple[Any, float]:
    """A habit whose lines have the wanted features, found by following the slope (Adam); and how far off it began."""
    habit, off = start.astype(np.float32), 0.0
    speed, bumps, taken = np.zeros(HABIT_SIZE), np.zeros(HABIT_SIZE), 0
    for epoch in range(EPOCHS):
        for first in range(0, len(lesson.hands), BATCH):
            slope, missed = _slope(pool, lesson, habit, first)
            off = missed if taken == 0 else off
            slope -= MODESTY * habit
            taken += 1
            speed = 0.9 * speed + 0.1 * slope
            bumps = 0.99 * bumps + 0.01 * slope * slope
            pace = PACE * (1.0 - epoch / EPOCHS)
            move = speed / (1.0 - 0.9**taken) / (np.sqrt(bumps / (1.0 - 0.99**taken)) + 1e-6)
            habit = (habit + pace * move).astype(np.float32)
    return habit, off


def _slope(pool: ThreadPoolExecutor, lesson: Lesson, habit: Any, first: int) -> tuple[Floats, float]:
    """Which way to change a habit, by one batch; and by how much its lines differ from the wanted ones, 0 to 1."""

    def part(begin: int) -> tuple[Floats, float]:
        span, slopes = slice(begin, min(begin + BATCH // 2, first + BATCH)), np.zeros(HABIT_SIZE)
        return slopes, float(
            lessons().learn(lesson.hands[span], lesson.kinds[span], lesson.wanted[span], habit, slopes)
        )

    found = list(pool.map(part, (first, first + BATCH // 2)))
    lines = len(lesson.hands[first : first + BATCH])
    slope: Floats = (found[0][0] + found[1][0]) / lines
    return slope, (found[0][1] + found[1][1]) / (lines * FEATURES_APART)

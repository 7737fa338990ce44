"""How long the bots think: processor time of a decision, by level and kind, and of the analysis of a game."""

import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from multiprocessing import get_context
from random import Random
from statistics import median
from typing import Any

from rich.table import Table

VERDICTS = {True: "[green]met", False: "[red]missed"}
FULL, QUICK = 20, 1  # games
PLAN = "plan"
# Seconds on one core; plans of hard in Romans may take longer.
BUDGETS = {"easy": 0.005, "medium": 0.1, "hard": 0.3}
PLAN_BUDGET = 1.0
ANALYSIS, ANALYST = "analysis of a game", "hard"
ANALYSIS_BUDGETS = {"goths": 15.0, "romans": 30.0}
PLAYED_BY = "medium"
FULL_ANALYSES = 5  # games
GAMES: dict[str, tuple[str, dict[str, Any]]] = {
    "Goths": ("goths", {"turn_limit": 60}),
    "Goths in fog": ("goths", {"turn_limit": 60, "fog_of_war": True}),
    "Romans, 2": ("romans", {"players": ["gold", "green"]}),
    "Romans, 4": ("romans", {"players": ["gold", "green", "violet", "red"]}),
}


@dataclass(frozen=True)
class Thinking:
    """The times of one kind of decision of one level."""

    what: str
    level: str
    kind: str
    count: int
    middle: float
    longest: float
    budget: float

    @property
    def met(self) -> bool:
        """Does the typical decision keep the budget, and the slowest of the sample nearly so?"""
        return self.middle < self.budget and self.longest < 2 * self.budget


def measure(what: str, level: str, games: int) -> list[Thinking]:
    """Play games of a level with itself and time every decision."""
    from meadhall.bots import choose
    from meadhall.match import Match

    game, rules = GAMES[what]
    if level != "easy":
        module = import_module(f"meadhall.bots.{game}.{level}")
        getattr(module, "prepare", lambda: None)()
    times: dict[str, list[float]] = {}
    for seed in range(games):
        match, rng = Match.new(game, rules, seed), Random(seed)
        while match.waiting:
            view = match.view(match.waiting[0])
            start = time.thread_time()
            choice = choose(level, view, rng)
            taken = time.thread_time() - start
            kind = choice.partition(":")[0]
            times.setdefault(kind if kind in ("order", "act", PLAN) else "other", []).append(taken)
            match.commit(match.waiting[0], choice)
    return [
        Thinking(
            what,
            level,
            kind,
            len(taken),
            median(taken),
            sorted(taken)[int(0.99 * (len(taken) - 1))],
            PLAN_BUDGET if kind == PLAN and level == "hard" else BUDGETS[level],
        )
        for kind, taken in sorted(times.items())
    ]


def measure_analysis(what: str, games: int) -> list[Thinking]:
    """Analyse games that bots have played with each other, each as a whole."""
    from meadhall.bots import choose
    from meadhall.lab.analysis import analyse
    from meadhall.match import Match

    game, rules = GAMES[what]
    for level in (PLAYED_BY, ANALYST):
        getattr(import_module(f"meadhall.bots.{game}.{level}"), "prepare", lambda: None)()
    times = []
    for seed in range(games):
        match, rng = Match.new(game, rules, seed), Random(seed)
        while match.waiting:
            match.commit(match.waiting[0], choose(PLAYED_BY, match.view(match.waiting[0]), rng))
        if not times:
            analyse(match)  # compiles what is not compiled yet
        start = time.process_time()
        analyse(match)
        times.append(time.process_time() - start)
    return [Thinking(what, ANALYST, ANALYSIS, games, median(times), max(times), ANALYSIS_BUDGETS[game])]


def measure_all(quick: bool) -> list[Thinking]:
    """Every game and level, and its analysis, each in a process of its own."""
    found = []
    for what in GAMES:
        works = [(measure, (what, level, QUICK if quick else FULL)) for level in BUDGETS]
        works.append((measure_analysis, (what, QUICK if quick else FULL_ANALYSES)))
        for work, arguments in works:
            with ProcessPoolExecutor(1, get_context("spawn")) as pool:
                found += pool.submit(work, *arguments).result()
    return found


def table_of(figures: Sequence[Thinking], caption: str) -> Table:
    """A line for each kind of decision."""
    table = Table(title="Thinking, processor time of a decision", caption=caption)
    for heading in ("Game", "Level", "Decision"):
        table.add_column(heading)
    for heading in ("Decisions", "Median", "p99", "Budget"):
        table.add_column(heading, justify="right")
    table.add_column("")
    for each in figures:
        numbers = (f"{1000 * seconds:,.1f} ms" for seconds in (each.middle, each.longest))
        verdict = VERDICTS[each.met]
        table.add_row(
            each.what, each.level, each.kind, f"{each.count:,}", *numbers, f"< {1000 * each.budget:g} ms", verdict
        )
    return table


def as_json(figures: Sequence[Thinking]) -> list[dict[str, Any]]:
    """The same for machines."""
    return [vars(each) | {"met": each.met} for each in figures]

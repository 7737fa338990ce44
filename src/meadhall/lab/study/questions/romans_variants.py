"""How much the original rules, neutrals and what the rulebook leaves open change Romans."""

from typing import Any

import numpy as np

from meadhall.games.decks import own_deck
from meadhall.games.romans.state import Ending
from meadhall.lab.study.estimates import Estimate, mean, share
from meadhall.lab.study.report import Section, number, percent, points
from meadhall.lab.study.romans import FOUR, TWO
from meadhall.lab.study.studies import Games, Study
from meadhall.lab.study.variants import CAVEAT, Comparison, Metric, Variant


def _steeper() -> list[str]:
    """Another guess at the box (R1.2): fewer forts in the middle, more at both ends."""
    changed = {"ordinary-3": "ordinary-1", "ordinary-4": "ordinary-6", "ordinary-5": "ordinary-6"}
    return [changed.get(fort, fort) for fort in own_deck("romans")]


def _more_effects() -> list[str]:
    """And one with more forts that do something."""
    deck = list(own_deck("romans"))
    for ordinary, other in (("ordinary-1", "unwary-2"), ("ordinary-4", "signal-4"), ("ordinary-6", "tax-8")):
        deck[deck.index(ordinary)] = other
    return deck


VARIANTS = (
    Variant("two", "two players", TWO),
    Variant("original", "two, original rules", TWO | {"original_rules": True}, "two"),
    Variant("qween", "two, the qween replaces", TWO | {"qween": "replaces"}, "two"),
    Variant("neutral", "two and a neutral", TWO | {"neutrals": ["violet"]}, "two"),
    Variant("neutrals", "two and two neutrals", TWO | {"neutrals": ["violet", "red"]}, "two"),
    Variant("steeper", "two, a steeper deck", TWO | {"fort_deck": _steeper()}, "two"),
    Variant("effects", "two, more forts with effects", TWO | {"fort_deck": _more_effects()}, "two"),
    Variant("four", "four players", FOUR),
    Variant("four-original", "four, original rules", FOUR | {"original_rules": True}, "four"),
    Variant("four-qween", "four, the qween replaces", FOUR | {"qween": "replaces"}, "four"),
)


def _players(columns: Any) -> int:
    return sum(name.startswith("share_") for name in columns)


def _points(columns: Any) -> Estimate:
    """The mean over the players of a game."""
    return mean(np.mean([columns[f"points_{k}"] for k in range(_players(columns))], axis=0))


def _margin(columns: Any) -> Estimate:
    """By how much the most points are more than the second most."""
    held = np.sort([columns[f"points_{k}"] for k in range(_players(columns))], axis=0)
    return mean(held[-1] - held[-2])


def _skill(columns: Any) -> Estimate:
    shares = np.array([columns[f"share_{k}"] for k in range(_players(columns))])
    return share(shares[columns["way"], np.arange(shares.shape[1])])


METRICS = (
    Metric(
        "Forts that nobody gets",
        "A game has eighteen; these are lost to ties, or paid as tax.",
        lambda columns: mean(columns["lost"]),
        number,
        "{:+.2f}".format,
        "forts lost",
    ),
    Metric("Points of a player", "The mean of all players.", _points, number, "{:+.2f}".format, "points"),
    Metric(
        "How close it is",
        "By how many points the first is ahead of the second.",
        _margin,
        number,
        "{:+.2f}".format,
        "points ahead",
    ),
    Metric(
        "Games won by legions",
        "Whoever holds three wins at once.",
        lambda columns: share(columns["ending"] == Ending.LEGIONS),
        percent,
        points,
        "won by legions",
    ),
    Metric(
        "Shared victories",
        "Equal to the last fort.",
        lambda columns: share(columns["shared"]),
        percent,
        points,
        "shared victories",
    ),
)
COMPARISON = Comparison("romans", VARIANTS, METRICS, _skill)


def _answered(games: Games) -> tuple[list[str], list[Section]]:
    lines = ["Among hard players, beside the usual rules for as many players:"]
    return [*lines, *COMPARISON.answer(games, "hard"), CAVEAT], list(COMPARISON.sections(games))


STUDY = Study(
    "romans-variants",
    "Romans: how much do original rules, neutrals and the undocumented choices change?",
    COMPARISON.samples,
    _answered,
)

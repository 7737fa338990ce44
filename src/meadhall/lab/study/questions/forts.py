"""What each fort of Romans is worth: in points it is printed, in victories it is not."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from meadhall.bots import LEVELS
from meadhall.games.romans.names import VALUES
from meadhall.games.romans.state import FORTS
from meadhall.lab.study import figures, romans
from meadhall.lab.study.estimates import Estimate, coefficients, ratio
from meadhall.lab.study.report import Cell, Section, Table, points
from meadhall.lab.study.samples import Sample, by_level
from meadhall.lab.study.sections import field
from meadhall.lab.study.studies import Games, Study, sample_of

TWO = by_level("romans", "two", romans.TWO)
FOUR = by_level("romans", "four", romans.FOUR)
MOST_ROWS = 40_000  # of a sample: more would not change what is seen


def _held(columns: Any, players: int) -> Any:
    """[game, player, fort]: how many each held in the end."""
    found = [[columns[f"held_{fort}_{k}"][:MOST_ROWS] for fort in FORTS] for k in range(players)]
    return np.array(found, np.float64).transpose(2, 0, 1)


def worths(columns: Any, players: int) -> dict[str, Estimate]:
    """What one more of a fort than one's rivals have adds to one's share of the victory, all else being equal."""
    held = _held(columns, players)
    rivals = (held.sum(axis=1, keepdims=True) - held) / (players - 1)
    shares = np.array([columns[f"share_{k}"][:MOST_ROWS] for k in range(players)], np.float64).T
    rows = (held - rivals).reshape(-1, len(FORTS))
    clusters = np.repeat(np.arange(len(held)), players)
    found = coefficients((shares - shares.mean()).ravel(), rows, clusters)
    return dict(zip(FORTS, found, strict=True))


def _worth(games: Games, samples: Sequence[Sample], players: int) -> Section:
    found = {level: worths(games[sample_of(samples, level).name], players) for level in LEVELS}
    rows: list[tuple[str, list[Cell]]] = [
        (f"{fort} ({VALUES[fort]:+})", [found[level][fort] for level in LEVELS]) for fort in FORTS
    ]
    return Section(
        f"{players} players: what a fort adds to the chance of victory",
        [
            "In percentage points, for one more of its kind than the rivals have on average, everything else that "
            "is held being equal (least squares over all players of all games). A legion loses points, but three of "
            "them win."
        ],
        Table(("fort", *LEVELS), rows, points),
        figures.intervals(
            [(fort, {level: found[level][fort] for level in LEVELS}) for fort in FORTS],
            form=points,
            at=0.0,
            label="percentage points of victory",
        ),
        "What each fort adds to the chance of victory, by level.",
    )


def _fate(games: Games) -> Section:
    def lost(fort: str, level: str) -> Estimate | None:
        columns = games[sample_of(TWO, level).name]
        gone = columns[f"lost_{fort}"]
        return ratio(gone, gone + columns[f"held_{fort}_0"] + columns[f"held_{fort}_1"])

    return field(
        "2 players: forts that nobody gets",
        ["Of forts that were fought for: how many were lost to a tie, or paid as tax?"],
        "The share of forts that nobody held in the end, by level.",
        *("fort", FORTS, LEVELS, lost),
    )


def _answer(games: Games) -> list[str]:
    lines = []
    for samples, players in ((TWO, 2), (FOUR, 4)):
        found = worths(games[sample_of(samples, "hard").name], players)
        ranked = sorted(found, key=lambda fort: -found[fort].value)
        first, last = ranked[0], ranked[-1]
        legions = [found[fort].value for fort in FORTS if fort.startswith("legion")]
        legion = points(sum(legions) / len(legions))
        lines.append(
            f"Among {players} hard players the {first} is worth most, {points(found[first].value)} percentage "
            f"points of victory, and the {last} least, {points(found[last].value)}; a legion {legion} "
            "on average."
        )
    return lines


def _answered(games: Games) -> tuple[list[str], list[Section]]:
    return _answer(games), [_worth(games, TWO, 2), _worth(games, FOUR, 4), _fate(games)]


STUDY = Study("forts", "Romans: what is each fort worth?", [*TWO, *FOUR], _answered)

"""How fast can one win: at best, and among players of every level."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from meadhall.bots import LEVELS
from meadhall.bots.goths.positions import LOST, POSITIONS, WON
from meadhall.games.goths.state import DRAW, ENDINGS
from meadhall.games.romans.state import Ending as RomansEnding
from meadhall.lab.exploit.goths_response import START
from meadhall.lab.solve.goths_transitions import transitions_of
from meadhall.lab.study import figures, romans
from meadhall.lab.study.estimates import mean, share
from meadhall.lab.study.report import Cell, Section, Table, number
from meadhall.lab.study.samples import THINKING, Sample, against, by_level
from meadhall.lab.study.studies import Games, Study, sample_of

GOTHS = by_level("goths", "standard", {})
CHASES = [against("goths", "standard", {}, "hard", weaker, THINKING) for weaker in ("random", "easy", "medium")]
TWO = by_level("romans", "two", romans.TWO)
FOUR = by_level("romans", "four", romans.FOUR)


@cache
def fastest_in_goths() -> int:
    """The fewest turns in which anybody can win, if everybody wants it: every turn is played by the rules."""
    reached, turns = {START}, 0
    while True:
        turns += 1
        after = {int(number) for position in reached for number in transitions_of([position])[0]}
        if after & {WON, LOST}:
            return turns
        reached = {number for number in after if number < POSITIONS}


def _within(turns: Any, counted: Any, most: int) -> tuple[list[float], list[float]]:
    """By how many turns which share of all games had been won."""
    steps = np.arange(0.0, most + 1)
    won = np.sort(turns[counted])
    shares = np.searchsorted(won, steps, side="right") / len(turns)
    return [float(step) for step in steps], [float(each) for each in shares]


def _goths(games: Games) -> Section:
    rows: list[tuple[str, list[Cell]]] = []
    drawn = {}
    for level in LEVELS:
        columns = games[sample_of(GOTHS, level).name]
        turns, won = columns["turns"], columns["winner"] != DRAW
        rows.append((level, [_least(turns[won]), *_quantiles(turns), mean(turns), share(~won)]))
        drawn[level] = _within(turns, won, 100)
    return Section(
        "Goths: how long a game is",
        [
            f"Nobody can win before turn {fastest_in_goths()}, whatever both clans do: found by trying every pair "
            "of actions in every position that can be reached by then. After 200 turns a game is a draw."
        ],
        Table(
            ("level", "fastest win", "a tenth by", "half by", "nine tenths by", "mean turns", "drawn"),
            rows,
            forms={"mean turns": number},
        ),
        figures.curves(drawn, "turns", "games won by then"),
        "The share of games won after so many turns, by level.",
    )


def _least(turns: Any) -> Cell:
    return int(turns.min()) if len(turns) else None


def _quantiles(turns: Any) -> list[Cell]:
    return [_by(turns, part) for part in (0.1, 0.5, 0.9)]


def _endings(games: Games) -> Section:
    rows: list[tuple[str, list[Cell]]] = []
    for level in LEVELS:
        columns = games[sample_of(GOTHS, level).name]
        by_ending = (columns["turns"][columns["ending"] == k] for k in range(2))
        rows.append((level, [cell for turns in by_ending for cell in (_least(turns), _by(turns, 0.5))]))
    headings = [f"{ENDINGS[k]}: {what}" for k in range(2) for what in ("fastest", "half by")]
    return Section(
        "Goths: by the queen or by elimination",
        ["The queen can be saved as soon as an army reaches her card; an army falls when its last unit is lost."],
        Table(("level", *headings), rows),
    )


def _by(turns: Any, part: float) -> Cell:
    return int(np.quantile(turns, part, method="higher")) if len(turns) else None


def _chases(games: Games) -> Section:
    rows: list[tuple[str, list[Cell]]] = []
    drawn = {}
    for sample in CHASES:
        columns = games[sample.name]
        won = columns["winner"] == columns["way"]  # the first side sits as `way` says
        rows.append((sample.others[0], [share(won), *_quantiles(columns["turns"][won]), _least(columns["turns"][won])]))
        drawn[f"against {sample.others[0]}"] = _within(columns["turns"], won, 100)
    return Section(
        "Goths: how fast the strongest bots win",
        ["A pair of hard against weaker pairs."],
        Table(("against", "hard wins", "a tenth by", "half by", "nine tenths by", "fastest"), rows),
        figures.curves(drawn, "turns", "games that hard had won by then"),
        "The share of games that hard had won after so many turns, by enemy.",
    )


def _romans(games: Games, samples: Sequence[Sample], players: str) -> Section:
    rows: list[tuple[str, list[Cell]]] = []
    drawn = {}
    for level in LEVELS:
        columns = games[sample_of(samples, level).name]
        legions = columns["ending"] == RomansEnding.LEGIONS
        turns = columns["turns"][legions]
        rows.append((level, [share(legions), _least(turns), _by(turns, 0.5)]))
        drawn[level] = _within(columns["turns"], legions, 18)
    return Section(
        f"Romans, {players} players: before the last turn",
        [
            "A game has eighteen turns unless somebody holds three legions. Three captures take three turns, so "
            "nobody can win before turn 3."
        ],
        Table(("level", "won by legions", "fastest", "half of these by turn"), rows),
        figures.curves(drawn, "turns", "games won by legions by then"),
        f"The share of games of {players} that were won by legions after so many turns, by level.",
    )


def _answer(games: Games) -> list[str]:
    middle = {level: _by(games[sample_of(GOTHS, level).name]["turns"], 0.5) for level in LEVELS}
    told = ", ".join(f"{level} {turns}" for level, turns in middle.items())
    lines = [
        f"Goths can be won on turn {fastest_in_goths()} and never sooner. Half of the games are over by turn: {told}.",
    ]
    for samples, players in ((TWO, "two"), (FOUR, "four")):
        parts = []
        for level in LEVELS:
            columns = games[sample_of(samples, level).name]
            legions = columns["ending"] == RomansEnding.LEGIONS
            least = _least(columns["turns"][legions])
            seen = f" (fastest: turn {least})" if least is not None else ""
            parts.append(f"{level} {100 * legions.mean():.1f} %{seen}")
        lines.append(f"Romans with {players} ends early, by three legions, in: {', '.join(parts)}.")
    return lines


def _answered(games: Games) -> tuple[list[str], list[Section]]:
    romans = [_romans(games, TWO, "two"), _romans(games, FOUR, "four")]
    return _answer(games), [_goths(games), _endings(games), _chases(games), *romans]


STUDY = Study("speed", "How fast can one win?", [*GOTHS, *CHASES, *TWO, *FOUR], _answered)

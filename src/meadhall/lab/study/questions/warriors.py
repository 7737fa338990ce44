"""What each warrior of Romans is worth: what it captures, where, and what is missed without it."""

from collections.abc import Sequence
from typing import Any

from meadhall.bots import LEVELS
from meadhall.games.romans.state import WARRIORS
from meadhall.lab.study import figures, romans
from meadhall.lab.study.estimates import Estimate, per_unit, ratio
from meadhall.lab.study.report import Cell, Section, Table, number
from meadhall.lab.study.romans import PLACES
from meadhall.lab.study.samples import Sample, by_level
from meadhall.lab.study.sections import field
from meadhall.lab.study.studies import Games, Study, sample_of

TWO = by_level("romans", "two", romans.TWO, compiled=False)
FOUR = by_level("romans", "four", romans.FOUR, compiled=False)


def _shown(columns: Any, warrior: str) -> Any:
    return sum(columns[f"shown_{warrior}_{place}"] for place in PLACES)


def worth(columns: Any, warrior: str) -> Estimate | None:
    """Points captured on the turn that it is revealed."""
    return per_unit(sum(columns[f"value_{warrior}_{place}"] for place in PLACES), _shown(columns, warrior))


def missed(columns: Any, warrior: str) -> Estimate | None:
    """How many more points a round brings if the warrior is laid than if it is put aside."""
    laid = per_unit(columns[f"points_laid_{warrior}"], columns[f"laid_{warrior}"])
    aside = per_unit(columns[f"points_aside_{warrior}"], columns[f"aside_{warrior}"])
    return None if laid is None or aside is None else laid - aside


def _by_level(games: Games, samples: Sequence[Sample], players: str) -> Section:
    found = {
        (warrior, level): worth(games[sample_of(samples, level).name], warrior)
        for warrior in WARRIORS
        for level in LEVELS
    }
    return Section(
        f"{players} players: points captured on its turn",
        [
            "The value of the fort that its clan captures on the turn on which it is revealed; nothing if it "
            "captures none."
        ],
        Table(("warrior", *LEVELS), [(w, [found[w, level] for level in LEVELS]) for w in WARRIORS], number),
        figures.intervals(
            [(w, {level: found[w, level] for level in LEVELS}) for w in WARRIORS],
            form=lambda value: f"{value:.1f}",
            label="points a turn",
        ),
        "Points captured on the turn that each warrior is revealed, by level.",
    )


def _captures(games: Games) -> Section:
    def captured(warrior: str, level: str) -> Estimate | None:
        columns = games[sample_of(TWO, level).name]
        return ratio(columns[f"captures_{warrior}"], _shown(columns, warrior))

    return field(
        "Two players: how often its clan captures on its turn",
        ["Filchy bars his own clan, so it never does; archr wins ties; two charriotts wreck each other."],
        "How often a clan captures on the turn of each warrior, by level.",
        *("warrior", WARRIORS, LEVELS, captured, _whole),
    )


def _whole(value: float) -> str:
    return f"{100 * value:.0f} %"


def _by_place(games: Games, level: str) -> Section:
    columns = games[sample_of(TWO, level).name]
    laid = "at random" if level == "random" else f"by {level}"

    def captured(warrior: str, place: str) -> Estimate | None:
        return per_unit(columns[f"value_{warrior}_{place}"], columns[f"shown_{warrior}_{place}"])

    return field(
        f"Two players, lines laid {laid}: points by place",
        [
            "Points captured on its turn, by the place of the line where it was revealed. The last fort is the most "
            "valuable one."
        ],
        f"Points captured on its turn, by warrior and place, lines laid {laid}.",
        *("warrior", WARRIORS, [str(place) for place in PLACES], captured, "{:.1f}".format, number),
    )


def _aside(games: Games) -> Section:
    rows: list[tuple[str, list[Cell]]] = []
    drawn: list[tuple[str, dict[str, Estimate | None]]] = []
    for warrior in WARRIORS:
        found = {level: missed(games[sample_of(TWO, level).name], warrior) for level in LEVELS}
        rows.append((warrior, [*(found[level] for level in LEVELS)]))
        drawn.append((warrior, {"random": found["random"]}))
    return Section(
        "Two players: the seventh warrior",
        [
            "Of seven drawn, one is put aside. How many more points does a round bring if a warrior that was drawn "
            "is laid than if it is the one put aside? Where lines are laid at random that is what the warrior "
            "itself adds, and only that is drawn here; those who choose put a warrior aside when it is of no use, "
            "so their differences say how well they choose."
        ],
        Table(("warrior", *LEVELS), rows, lambda value: f"{value:+.2f}"),
        figures.intervals(
            drawn, form=lambda value: f"{value:+.1f}", at=0.0, label="points a round, lines laid at random"
        ),
        "What laying a warrior adds to the points of a round, lines laid at random.",
    )


def _discarded(games: Games) -> Section:
    def put_aside(warrior: str, level: str) -> Estimate | None:
        columns = games[sample_of(TWO, level).name]
        aside = columns[f"aside_{warrior}"]
        return ratio(aside, aside + columns[f"laid_{warrior}"])

    return field(
        "Two players: who is put aside",
        ["How often a warrior that was drawn is the one put aside; of the charriotts, one of them."],
        "How often each warrior is put aside, by level.",
        *("warrior", WARRIORS, LEVELS, put_aside, _whole),
    )


def _answer(games: Games) -> list[str]:
    lines = []
    for level in LEVELS:
        columns = games[sample_of(TWO, level).name]
        found = {w: estimate for w in WARRIORS if (estimate := worth(columns, w)) is not None}
        ranked = sorted(found, key=lambda w: -found[w].value)
        told = ", ".join(f"{w} {found[w].value:.2f}" for w in ranked[:3])
        lines.append(
            f"Two {level} players: most is captured on the turn of {told} (points a turn); least on that of "
            f"{ranked[-1]}."
        )
    return lines


def _answered(games: Games) -> tuple[list[str], list[Section]]:
    return _answer(games), [
        _by_level(games, TWO, "Two"),
        _by_level(games, FOUR, "Four"),
        _captures(games),
        _by_place(games, "random"),
        _by_place(games, "hard"),
        _aside(games),
        _discarded(games),
    ]


STUDY = Study("warriors", "Romans: what is each warrior worth?", [*TWO, *FOUR], _answered)

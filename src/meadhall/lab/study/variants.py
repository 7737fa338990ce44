"""Variants of one game side by side: every metric for every level, and how it differs from the usual game."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from meadhall.bots import LEVELS
from meadhall.lab.study import figures
from meadhall.lab.study.estimates import Estimate
from meadhall.lab.study.report import Form, Section, Table, points, with_interval
from meadhall.lab.study.samples import THINKING, Sample, against, by_level
from meadhall.lab.study.studies import Games, sample_of

CAVEAT = (
    "The values that hard plays by were solved for the usual rules: where a variant changes them it goes by "
    "estimates, so some of what differs may be hard playing less well."
)
Measure = Callable[[Any], Estimate | None]


@dataclass(frozen=True)
class Variant:
    """Some rules, and those that they are compared with (none: others are compared with these)."""

    name: str
    told: str
    rules: dict[str, Any]
    beside: str | None = None


@dataclass(frozen=True)
class Metric:
    """Something to measure in every variant."""

    title: str
    words: str
    measure: Measure
    form: Form
    difference: Form
    label: str


class Comparison:
    """All variants of a game, with what is played and measured for them."""

    def __init__(self, game: str, variants: Sequence[Variant], metrics: Sequence[Metric], skill: Measure) -> None:
        self.variants = {variant.name: variant for variant in variants}
        self._metrics, self._skill = metrics, skill
        self._levels = {each.name: by_level(game, each.name, each.rules) for each in variants}
        self._gaps = {each.name: against(game, each.name, each.rules, "medium", "easy", THINKING) for each in variants}

    @property
    def samples(self) -> list[Sample]:
        """Everything that is to be played."""
        return [sample for name in self.variants for sample in (*self._levels[name], self._gaps[name])]

    def sections(self, games: Games) -> Iterator[Section]:
        """One for each metric, and one for how much the better players are ahead."""
        for metric in self._metrics:
            found = {name: self._measured(games, name, metric) for name in self.variants}
            yield self._section(metric, found, LEVELS)
        gap = {name: {"medium against easy": self._skill(games[self._gaps[name].name])} for name in self.variants}
        yield self._section(SKILL, gap, ("medium against easy",))

    def _measured(self, games: Games, name: str, metric: Metric) -> dict[str, Estimate | None]:
        samples = self._levels[name]
        return {level: metric.measure(games[sample_of(samples, level).name]) for level in LEVELS}

    def _section(
        self, metric: Metric, found: Mapping[str, Mapping[str, Estimate | None]], columns: Sequence[str]
    ) -> Section:
        rows = [(each.told, [found[each.name].get(column) for column in columns]) for each in self.variants.values()]
        return Section(
            metric.title,
            [metric.words, "The figure shows by how much each variant differs from the one it is a variant of."],
            Table(("rules", *columns), rows, metric.form),
            figures.intervals(self._differences(found), form=metric.difference, at=0.0, label=metric.label),
            f"{metric.title}: differences of the variants, by level.",
        )

    def _differences(
        self, found: Mapping[str, Mapping[str, Estimate | None]]
    ) -> list[tuple[str, dict[str, Estimate | None]]]:
        rows: list[tuple[str, dict[str, Estimate | None]]] = []
        for variant in self.variants.values():
            if variant.beside is not None:
                usual = found[variant.beside]
                rows.append(
                    (variant.told, {key: _minus(each, usual[key]) for key, each in found[variant.name].items()})
                )
        return rows

    def answer(self, games: Games, level: str) -> list[str]:
        """What differs among players of one level, a sentence for each variant."""
        lines = []
        for variant in self.variants.values():
            if variant.beside is None:
                continue
            changed = []
            for metric in self._metrics:
                mine, usual = (self._measured(games, name, metric)[level] for name in (variant.name, variant.beside))
                change = _minus(mine, usual)
                if change is not None and change.sign and metric.difference(change.value).strip("+-0."):
                    changed.append(f"{metric.label} {with_interval(change, metric.difference)}")
            lines.append(f"{variant.told}: {'; '.join(changed) or 'no change that these games could show'}.")
        return lines


def _minus(mine: Estimate | None, usual: Estimate | None) -> Estimate | None:
    return None if mine is None or usual is None else mine - usual


SKILL = Metric(
    "How far the better players are ahead",
    "What medium scores against easy: the more, the more the game is one of skill.",
    lambda columns: None,
    lambda value: f"{100 * value:.1f} %",
    points,
    "percentage points",
)

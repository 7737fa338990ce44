"""Studies at work: the shards that are missing are played, and then the reports are written."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from meadhall.lab.data import arrow, check_arrow
from meadhall.lab.shards import in_flight
from meadhall.lab.study.figures import check_matplotlib
from meadhall.lab.study.keeping import Keeping
from meadhall.lab.study.play import Columns, play_shard
from meadhall.lab.study.report import Report, Table
from meadhall.lab.study.samples import Sample, Shard
from meadhall.lab.study.studies import Games, Study


class Work:
    """Some studies, in one folder; what an earlier run left there is not played again."""

    def __init__(self, studies: Sequence[Study], folder: Path, seed: int | str, scale: float, how: str) -> None:
        check_arrow()
        check_matplotlib()
        self.studies, self._folder, self._how = studies, folder, how
        self.seed, self._scale = seed, scale
        self._keeping = Keeping(folder, seed, scale)
        samples = {sample.name: sample for study in studies for sample in study.samples}
        self.missing = [shard for sample in samples.values() for shard in self._keeping.missing(sample)]
        self.shards = sum(1 for sample in samples.values() for _ in sample.shards(scale))

    @property
    def bots(self) -> tuple[str, ...]:
        """All levels that will play."""
        missing = (bot for shard in self.missing for bot in (*shard.sample.first, *shard.sample.others))
        return tuple(dict.fromkeys(missing))

    @property
    def games(self) -> tuple[str, ...]:
        """All games that will be played."""
        return tuple(dict.fromkeys(shard.sample.game for shard in self.missing))

    def keep(self, shard: Shard, columns: Columns) -> None:
        """Take in what a worker has played."""
        self._keeping.keep(shard, columns)

    def reports(self) -> Iterator[Path]:
        """Write the reports, whose games are all there; gives each page as it is written."""
        for study in self.studies:
            report = self._report(study)
            page = self._folder / f"{study.name}.html"
            _write_rows(report, page.with_suffix(".parquet"))
            _replace(page, partial(_write_text, report.html()))
            yield page

    def _report(self, study: Study) -> Report:
        tables = {sample.name: self._keeping.table(sample) for sample in study.samples}
        games: Games = {name: _columns(table) for name, table in tables.items()}
        answer, sections = study.answered(games)
        return Report(
            study.name,
            study.title,
            answer,
            sections,
            self._played(study.samples),
            f"meadhall study {study.name}{self._how}",
        )

    def _played(self, samples: Sequence[Sample]) -> Table:
        rows: list[tuple[str, list[Any]]] = [
            (sample.name, [_side(sample.first), _side(sample.others), _rules(sample), sample.games(self._scale)])
            for sample in samples
        ]
        return Table(("games", "first side", "others", "rules", "how many"), rows)


def _columns(table: Any) -> dict[str, np.ndarray[Any, Any]]:
    return {name: table.column(name).to_numpy() for name in table.column_names}


def _side(bots: Sequence[str]) -> str:
    return bots[0] if len(set(bots)) == 1 else "+".join(bots)


def _rules(sample: Sample) -> str:
    return ", ".join(f"{name}: {_told(value)}" for name, value in sample.rules.items()) or "as usual"


def _told(value: Any) -> str:
    if isinstance(value, list):
        return " ".join("/".join(each) if isinstance(each, list) else str(each) for each in value)
    return str(value)


def _write_text(text: str, file: Path) -> None:
    file.write_text(text, "utf-8")


def _write_rows(report: Report, file: Path) -> None:
    table = arrow().Table.from_pylist(report.rows())
    _replace(file, lambda part: arrow("parquet").write_table(table, part, compression="zstd"))


def _replace(file: Path, write: Callable[[Path], Any]) -> None:
    """All of a file or nothing."""
    part = file.with_name(f".{file.name}.part")
    write(part)
    part.replace(file)


def play(work: Work, submit: Callable[..., Future[Columns]], ahead: Callable[[], int]) -> Iterator[Shard]:
    """Have all that is missing played, so many shards ahead; gives each as it is kept."""
    for shard, columns in in_flight(lambda shard: submit(play_shard, shard, work.seed), work.missing, ahead):
        work.keep(shard, columns)
        yield shard

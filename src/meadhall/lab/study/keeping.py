"""The games of a study on disk: each shard as it is done, and each sample as one table once all its shards are.

So a study that is broken off goes on from there, and one that asks for games already played does not play them again.
"""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from meadhall.games.fingerprint import rules_hash
from meadhall.lab.data import arrow
from meadhall.lab.data.tables import KEY
from meadhall.lab.study.play import Columns
from meadhall.lab.study.samples import Sample, Shard


class Keeping:
    """A folder with a table for each sample, `games/NAME.parquet`."""

    def __init__(self, folder: Path, seed: int | str, scale: float) -> None:
        self._folder, self._seed, self._scale = folder / "games", seed, scale

    def missing(self, sample: Sample) -> Iterator[Shard]:
        """The shards of a sample that are still to be played."""
        if _stands(self._table(sample), self._about(sample)):
            return
        for shard in sample.shards(self._scale):
            if not _stands(self._part(shard), self._about_part(shard)):
                yield shard

    def keep(self, shard: Shard, columns: Columns) -> None:
        """Write down what was played: all of it or nothing."""
        file = self._part(shard)
        file.parent.mkdir(parents=True, exist_ok=True)
        _write(file, self._about_part(shard), arrow().table(columns))

    def table(self, sample: Sample) -> Any:
        """All games of a sample, whose shards are there."""
        parquet, file = arrow("parquet"), self._table(sample)
        if not _stands(file, self._about(sample)):
            parts = [parquet.read_table(self._part(shard)) for shard in sample.shards(self._scale)]
            _write(file, self._about(sample), arrow().concat_tables(parts))
            shutil.rmtree(self._parts(sample))
        return parquet.read_table(file)

    def _table(self, sample: Sample) -> Path:
        return self._folder / f"{sample.name}.parquet"

    def _parts(self, sample: Sample) -> Path:
        return self._folder / f"{sample.name}.parts"

    def _part(self, shard: Shard) -> Path:
        return self._parts(shard.sample) / f"{shard.number:05}.parquet"

    def _about(self, sample: Sample) -> bytes:
        """What is written with all games: were they played by these rules, by these bots, from this seed?"""
        return _packed(sample, self._seed, sample.games(self._scale))

    def _about_part(self, shard: Shard) -> bytes:
        """The same of a part; a larger study takes over those of a smaller one."""
        return _packed(shard.sample, self._seed, [shard.begin, shard.games])


def _packed(sample: Sample, seed: int | str, games: Any) -> bytes:
    about = sample.key | {"seed": seed, "games": games, "code": rules_hash(sample.game)}
    return json.dumps(about, sort_keys=True).encode()


def _stands(file: Path, about: bytes) -> bool:
    """Is it on disk, whole and as it would be played now?"""
    try:
        found = arrow("parquet").read_schema(file).metadata or {}
    except (OSError, arrow().ArrowInvalid):  # not there, or not whole
        return False
    return bool(found.get(KEY) == about)


def _write(file: Path, about: bytes, table: Any) -> None:
    part = file.with_suffix(".part")
    arrow("parquet").write_table(table.replace_schema_metadata({KEY: about}), part, compression="zstd")
    part.replace(file)

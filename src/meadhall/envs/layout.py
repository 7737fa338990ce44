"""What each number of an observation means: declared once, for the code that writes them and for the documentation."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    """Some numbers in a row: their name, what each of them stands for, and the greatest value that they take."""

    name: str
    labels: tuple[str, ...]
    most: int = 1
    least: int = 0


@dataclass(frozen=True)
class Entry:
    """One number of an observation."""

    index: int
    part: str
    label: str
    least: int
    most: int


class Layout:
    """The parts of an observation, one after the other."""

    def __init__(self, *parts: Part) -> None:
        self.parts = parts
        self._starts: dict[str, int] = {}
        size = 0
        for part in parts:
            self._starts[part.name] = size
            size += len(part.labels)
        self.size = size

    def start(self, name: str) -> int:
        """Where a part begins."""
        return self._starts[name]

    def entries(self) -> Iterator[Entry]:
        """Every number with its meaning."""
        for part in self.parts:
            for k, label in enumerate(part.labels):
                yield Entry(self._starts[part.name] + k, part.name, label, part.least, part.most)

    def markdown(self) -> str:
        """The table of all indices, for the documentation."""
        rows = ["| index | part | is set for | range |", "| ---: | --- | --- | --- |"]
        rows += [f"| {e.index} | {e.part} | {e.label} | {e.least} to {e.most} |" for e in self.entries()]
        return "\n".join(rows) + "\n"


def beside(prefix: str, parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """The same parts under a prefix: one clan's among several."""
    return tuple(Part(f"{prefix}.{part.name}", part.labels, part.most, part.least) for part in parts)


def one(name: str, label: str = "", most: int = 1, least: int = 0) -> Part:
    """A part of a single number."""
    return Part(name, (label or name,), most, least)

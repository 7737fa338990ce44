"""What a strong bot thinks of a position: the numbers behind its choice, for hints and analysis."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Valued:
    """A choice, the chance to win after it, and how often the bot would make it."""

    choice: str
    win: float
    weight: float


@dataclass(frozen=True)
class Reading:
    """What a face-down King card could be, and how likely."""

    clan: str
    card: str
    chance: float


@dataclass(frozen=True)
class Reason:
    """One reason, as the key of a sentence in the catalogues and the numbers and names that go into it."""

    key: str
    args: dict[str, str | int | float]


@dataclass(frozen=True)
class Evaluation:
    """All that `hard` makes of a seat's view; chances are from 0 to 1, for the seat's side."""

    seat: str
    win: float
    choices: tuple[Valued, ...]  # the best first; of thousands of arrangements only the best ones
    why: Reason
    readings: tuple[Reading, ...] = ()
    caveat: str | None = None  # what the numbers do not know of, if the solved values were made for other rules

    @property
    def best(self) -> str:
        """What `hard` would do."""
        return self.choices[0].choice

    def json(self) -> dict[str, Any]:
        """The same as plain data."""
        return asdict(self) | {"best": self.best}

"""How long a bot seems to think: drawn by chance alone, so that nothing can be learnt from it."""

import asyncio
import re
from dataclasses import dataclass
from random import SystemRandom

from meadhall.faults import Fault, show

LONGEST = 60.0  # seconds
_NUMBER = r"(\d{1,6}(?:\.\d{1,6})?)"
_WRITTEN = re.compile(rf"{_NUMBER}(?:-{_NUMBER})?", re.ASCII)


@dataclass(frozen=True)
class Pause:
    """A range of seconds from which each pause is drawn; neither cards nor the time a bot took have a part in it."""

    least: float = 0.0
    most: float = 0.0

    @classmethod
    def read(cls, text: str) -> "Pause":
        """A pause as it is written: one number of seconds, or two with a hyphen between them."""
        found = _WRITTEN.fullmatch(text.strip())
        least, most = (float(found[1]), float(found[2] or found[1])) if found else (-1.0, -1.0)
        if not 0 <= least <= most <= LONGEST:
            raise Fault(
                f"must be a number of seconds from 0 to {LONGEST:.0f}, or two such as 0.7-1.9, the smaller first; "
                f"not {show(text)}"
            )
        return cls(least, most)

    def draw(self) -> float:
        """Seconds for one choice."""
        return SystemRandom().uniform(self.least, self.most)

    async def over(self) -> None:
        """Come back when one pause is over."""
        await asyncio.sleep(self.draw())

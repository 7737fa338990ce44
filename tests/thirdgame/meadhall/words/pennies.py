"""Matching pennies with a hidden coin, in words."""

from collections.abc import Mapping
from typing import Any, ClassVar

from meadhall.words import grammar


class Grammar(grammar.Grammar):
    """What the game says."""

    chosen: ClassVar[Mapping[str, tuple[str, str | None]]] = {"show": ("face", "face")}

    def outcome(self, outcome: Mapping[str, Any]) -> str:
        """Who won."""
        return self.say("event.won", seat=self.seat(outcome["winner"]))

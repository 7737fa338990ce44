"""Matching pennies with a hidden coin in the browser."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from meadhall.games.game import Event
from meadhall.match import Beat, View
from meadhall.words import Words


@dataclass(frozen=True)
class Picture:
    """What the three templates show."""

    position: Mapping[str, Any]
    choices: Sequence[str]
    own: str | None
    story: Sequence[str]


def picture(
    view: View, events: Sequence[Event], words: Words, people: Mapping[str, str], beat: Beat | None = None
) -> Picture:
    """The table as a seat, or a spectator, may see it; while a beat is told it asks for nothing."""
    return Picture(view.json(), () if beat else view.choices[:], view.own, words.story("pennies", events))


def choice_from(form: Mapping[str, str]) -> str:
    """The choice that a posted form names."""
    return form.get("choice", "")

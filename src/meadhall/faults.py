"""What can be wrong with what somebody gives us, said so that they can put it right."""

import json
from typing import Any


class Fault(ValueError):
    """Bad input of any kind: the message says what was wrong and what would be right."""


class RecordFault(Fault):
    """A record that is refused; `index` is the choice at fault, None for a fault outside the choices."""

    def __init__(self, message: str, index: int | None = None) -> None:
        super().__init__(message if index is None else f"choice {index}: {message}")
        self.index = index


class ChoiceFault(Fault):
    """A choice that is refused. Nothing has changed."""


class MalformedChoice(ChoiceFault):
    """Not the name or number of any choice of this game."""


class IllegalChoice(ChoiceFault):
    """A choice of this game that this seat may not make now."""


def show(value: Any, most: int = 60) -> str:
    """Somebody's value as short, harmless text for a message."""
    try:
        text = json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        text = f"a {type(value).__name__}"
    return text if len(text) <= most else text[: most - 3] + "..."


def listing(names: Any, most: int = 12) -> str:
    """Names for a message, cut where they would fill a screen."""
    names = list(names)
    if len(names) > most:
        return ", ".join(names[:most]) + f", ... ({len(names)} in all)"
    return ", ".join(names)

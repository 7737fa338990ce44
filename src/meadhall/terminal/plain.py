"""A table in the terminal for any game that has no drawing of its own: its view as it stands, its choices as a list."""

import json

from rich.console import RenderableType
from rich.text import Text

from meadhall.match import View
from meadhall.terminal.pieces import Arrangement, Options, choice_list
from meadhall.words import Words


def header(view: View, words: Words) -> str:
    """The name of the game."""
    return words.title(view.game.name)


def board(view: View, words: Words) -> RenderableType:
    """All that the seat may know, a line for each thing."""
    shown = {key: value for key, value in view.json().items() if key not in ("pending", "own")}
    return Text("\n".join(f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in shown.items()))


def question(view: View, words: Words) -> str:
    """How to answer."""
    return words.say("ui.choose", n=len(view.choices))


def hand(view: View, words: Words) -> RenderableType:
    """The choices, numbered."""
    return choice_list({k: words.choice(view.game.name, choice) for k, choice in options(view).items()})


def options(view: View) -> Options:
    """The choices by the number to type."""
    return dict(enumerate(view.choices, 1))


def arrangement(view: View) -> Arrangement | None:
    """Nothing is put in order: whatever may be chosen is listed."""
    return None

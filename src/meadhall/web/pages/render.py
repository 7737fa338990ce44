"""Pages from templates: every page gets its words, and all it knows otherwise is what it is given."""

from collections.abc import Iterable
from functools import cache
from typing import Any

from jinja2 import BaseLoader, ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, StrictUndefined

from meadhall.bots import LEVELS
from meadhall.tables.decisions import USUAL
from meadhall.web.assets import asset
from meadhall.web.folders import TEMPLATES, game_folders, shared
from meadhall.words import Words
from meadhall.words.languages import LANGUAGES


def loader(roots: Iterable[str] | None = None) -> BaseLoader:
    """Finds a shared template by its name, and a game's as GAME/NAME."""
    places = list(roots) if roots is not None else None
    games = {game: FileSystemLoader(folder / TEMPLATES) for game, folder in game_folders(places).items()}
    return ChoiceLoader([PrefixLoader(games), FileSystemLoader(shared(places) / TEMPLATES)])


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=loader(),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {"asset": asset, "games": tuple(game_folders()), "languages": LANGUAGES, "usual": USUAL}
    return environment


def render(template: str, words: Words, **context: Any) -> str:
    """The page of a template in a language."""
    always = {"words": words, "say": words.say, "lang": words.lang}
    return _environment().get_template(template).render({"levels": LEVELS} | always | context)

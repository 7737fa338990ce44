"""Pages from templates: every page gets its words, and all it knows otherwise is what it is given."""

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from jinja2 import BaseLoader, ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, StrictUndefined
from jinja2.ext import Extension

from meadhall.bots import LEVELS
from meadhall.tables.decisions import LONGEST_NAME, USUAL
from meadhall.web.assets import analysis_sheets, asset, rule_sheets, sheets
from meadhall.web.folders import TEMPLATES, game_folders, shared
from meadhall.web.game import form_of
from meadhall.web.lesson import lesson_of
from meadhall.web.shown import has_summary
from meadhall.words import Words
from meadhall.words.languages import LANGUAGES


def loader(roots: Iterable[str] | None = None) -> BaseLoader:
    """Finds a shared template by its name, and a game's as GAME/NAME."""
    places = list(roots) if roots is not None else None
    games = {game: FileSystemLoader(folder / TEMPLATES) for game, folder in game_folders(places).items()}
    return ChoiceLoader([PrefixLoader(games), FileSystemLoader(shared(places) / TEMPLATES)])


class _Unindented(Extension):
    """Templates are indented for those who read them; what is sent is not."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """The source without the blanks at the start of its lines."""
        return re.sub(r"^[ \t]+", "", source, flags=re.MULTILINE)


def side_class(game: str, seat: str) -> str:
    """The class, and the drawing, of the side a seat belongs to: its game's name and what its own name begins with."""
    return f"{game}-{seat.partition('-')[0]}"


def banners() -> tuple[list[str], list[str]]:
    """The banners of all sides of all games: half of each game's hang on the left, half on the right."""
    left: list[str] = []
    right: list[str] = []
    for game in game_folders():
        sides = list(dict.fromkeys(side_class(game, seat) for seat in form_of(game).seats))
        left, right = left + sides[: len(sides) // 2], sides[len(sides) // 2 :] + right
    return left, right


_KEPT: dict[str, dict[tuple[Any, ...], str]] = {}
MOST_KEPT = 1000  # of each kind, some kilobytes each at most


def once(macro: Any) -> Callable[..., str]:
    """A macro whose output hangs on its arguments alone, and is made once for all pages: a table draws hundreds."""
    known = _KEPT.setdefault(macro.name, {})

    def made(*given: Any) -> str:
        found = known.get(given)
        if found is None:
            if len(known) >= MOST_KEPT:
                known.clear()
            found = known[given] = macro(*given)
        return found

    return made


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=loader(),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,  # a telling renders hundreds of templates: none is looked for on the disk again
        extensions=[_Unindented],
    )
    environment.globals |= {"asset": asset, "sheets": sheets, "side_class": side_class, "games": tuple(game_folders())}
    environment.globals |= {"banners": banners, "languages": LANGUAGES, "usual": USUAL, "longest_name": LONGEST_NAME}
    environment.globals["once"] = once
    environment.globals |= {"analysis_sheets": analysis_sheets, "rule_sheets": rule_sheets, "has_summary": has_summary}
    environment.globals["questions"] = lambda game: form_of(game).questions
    environment.globals["has_lesson"] = lambda game: lesson_of(game) is not None
    # What most pages lack.
    environment.globals |= {
        "face": None,
        "fragment": False,
        "slip": None,
        "hint": None,
        "caveats": (),
        "over": None,
        "may_end": False,
        "called": (),
        "telling": False,
        "offers": {},
        "site": "",
    }
    return environment


def render(template: str, words: Words, **context: Any) -> str:
    """The page of a template in a language."""
    always = {"words": words, "say": words.say, "lang": words.lang}
    return _environment().get_template(template).render({"levels": LEVELS} | always | context)

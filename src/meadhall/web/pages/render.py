"""Pages from templates: every page gets its words, and all it knows otherwise is what it is given."""

import re
from collections.abc import Callable, Iterable, MutableMapping
from functools import cache
from types import CodeType
from typing import Any

from jinja2 import (
    BaseLoader,
    BytecodeCache,
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    PrefixLoader,
    StrictUndefined,
    Template,
)
from jinja2.bccache import Bucket
from jinja2.ext import Extension
from jinja2.runtime import Context, Macro
from markupsafe import Markup, escape

from meadhall.bots import LEVELS
from meadhall.tables.decisions import LONGEST_NAME, USUAL
from meadhall.web.assets import analysis_sheets, asset, rule_sheets, scripts, sheets
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


MOST_KEPT = 1000  # of each kind, some kilobytes each at most
MOST_TEXTS = 10_000  # a sentence each at most


def once(macro: Any) -> Callable[..., str]:
    """A macro whose output hangs on its arguments and the language alone is made once for all pages that need it.

    A table draws hundreds of them. What a template imports without context is there once for each language. Arguments
    are plain texts, never markup: that would equal the same text which is still to be escaped.
    """
    known: dict[tuple[Any, ...], str] = {}

    def made(*given: Any) -> str:
        found = known.get(given)
        if found is None:
            if len(known) >= MOST_KEPT:
                known.clear()
            found = known[given] = macro(*given)
        return found

    return made


class _Compiled(BytecodeCache):
    """Keeps the code of templates, which is the same in every language."""

    def __init__(self) -> None:
        self.known: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """The code of a template that another language has compiled already."""
        bucket.code = self.known.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the code of a template."""
        if bucket.code is not None:
            self.known[bucket.key, bucket.checksum] = bucket.code


class _Context(Context):
    """Calls what a template names without asking first what it wants to know: macros want the context's, others none.

    A table makes thousands of such calls.
    """

    def call(self, called: Any, /, *args: Any, _loop_vars: Any = None, _block_vars: Any = None, **named: Any) -> Any:
        """What a macro or a function gives."""
        return called(self.eval_ctx, *args, **named) if type(called) is Macro else called(*args, **named)


_known: dict[str, Markup] = {}


def _escaped(value: Any) -> Markup:
    """What `escape` gives; a table says the same few hundred texts again and again."""
    if type(value) is Markup:
        return value
    if type(value) is not str:
        return escape(value)
    found = _known.get(value)
    if found is None:
        if len(_known) >= MOST_TEXTS:
            _known.clear()
        found = _known[value] = escape(value)
    return found


class _Environment(Environment):
    """Templates that all know the same, and are given the rest for each page."""

    context_class = _Context

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._found: dict[str, Template] = {}

    def get_template(
        self, name: str | Template, parent: str | None = None, globals: MutableMapping[str, Any] | None = None
    ) -> Template:
        """A template by its name, which means the same everywhere and never changes: found once."""
        found = self._found.get(name) if type(name) is str else None
        if found is None:
            found = super().get_template(name, parent, globals)
            found.root_render_func.__globals__["escape"] = _escaped
            if type(name) is str:
                self._found[name] = found
        return found

    def make_globals(self, d: Any) -> MutableMapping[str, Any]:
        """What a template knows: nothing of its own, so that no map of two maps has to be gone through."""
        return self.globals


_compiled = _Compiled()


@cache
def _environment(words: Words) -> Environment:
    """All templates in one language: small pieces that know nothing but the language are made ready once."""
    environment = _Environment(
        loader=loader(),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,  # a telling renders hundreds of templates: none is looked for on the disk again
        bytecode_cache=_compiled,
        extensions=[_Unindented],
    )
    environment.globals |= {"words": words, "say": words.say, "lang": words.lang, "levels": LEVELS}
    environment.globals |= {"asset": asset, "sheets": sheets, "scripts": scripts}
    environment.globals |= {"side_class": side_class, "games": tuple(game_folders())}
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
        "kept": "",
    }
    return environment


def render(template: str, words: Words, **context: Any) -> str:
    """The page of a template in a language."""
    return _environment(words).get_template(template).render(context)

"""Pages from templates: every page gets its words, and all it knows otherwise is what it is given."""

from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from meadhall.bots import LEVELS
from meadhall.tables.decisions import USUAL
from meadhall.words import Words
from meadhall.words.languages import LANGUAGES


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("meadhall", "web/templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def render(template: str, words: Words, **context: Any) -> str:
    """The page of a template in a language."""
    always = {"words": words, "say": words.say, "lang": words.lang, "languages": LANGUAGES, "usual": USUAL}
    return _environment().get_template(template).render({"levels": LEVELS} | always | context)

"""Our own rulebook, in four languages."""

import re
from pathlib import Path

from meadhall.faults import Fault
from meadhall.words.languages import check_language

_PACKAGE = Path(__file__).parent.parent
# Installed, the rulebook lies in the package; in a checkout, at its top.
_PLACES = (_PACKAGE / "rulebook", _PACKAGE.parent.parent / "rulebook")
_CLAUSE = re.compile(r"^- \*\*([GR]\d+\.\d+)\*\*", re.MULTILINE)
_DECISION = re.compile(r"^- \*([GR]\d+\.\d+)\* ", re.MULTILINE)


def rulebook(game: str, lang: str) -> str:
    """The rulebook of a game as Markdown."""
    check_language(lang)
    for place in _PLACES:
        page = place / lang / f"{game}.md"
        if page.is_file():
            return page.read_text(encoding="utf-8")
    raise Fault(f"the rulebook of {game} in {lang} is not installed")


def clauses(text: str) -> list[str]:
    """The ids of a rulebook's clauses, in order."""
    return _CLAUSE.findall(text)


def decisions(text: str) -> list[str]:
    """The clauses on which the printed rules are silent and we had to decide, in the order of the list at the end."""
    return _DECISION.findall(text)

"""One language: its catalogue of messages, and what each game says with it (`words/GAME.py`).

Catalogues lie in `locale/`: one for the program itself, and a folder for each game and each part of the pages.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from gettext import c2py
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from meadhall.games.game import Event, Outcome
from meadhall.words.grammar import Grammar, grammar_of
from meadhall.words.languages import check_language


class Words:
    """One language: its messages by key, one form or a form for each plural."""

    def __init__(self, lang: str, messages: Mapping[str, Sequence[str]], plural: Callable[[int], int]) -> None:
        self.lang = lang
        self.messages = messages
        self.plural = plural
        self._grammars: dict[str, Grammar] = {}
        self._names: dict[tuple[str, str, str], str] = {}  # a page names the same few pieces again and again

    def say(self, key: str, **args: object) -> str:
        """The message of a key, its placeholders filled; one with plural forms needs the number `n`."""
        forms = self.messages[key]
        if len(forms) == 1 and "{" not in forms[0]:  # most have nothing to fill in, and a page says hundreds
            return forms[0]
        n = args.get("n")
        form = self.plural(abs(n)) if len(forms) > 1 and isinstance(n, int) else 0
        return forms[form].format(**args)

    def of(self, game: str) -> Grammar:
        """What a game says in this language."""
        if game not in self._grammars:
            self._grammars[game] = grammar_of(game)(game, self)
        return self._grammars[game]

    def title(self, game: str) -> str:
        """The name of a game."""
        return self.of(game).title()

    def name(self, game: str, kind: str, value: str) -> str:
        """The name of a piece, without an article: `name("goths", "card", "barbarian/vulture")`."""
        found = self._names.get((game, kind, value))
        if found is None:
            found = self._names[game, kind, value] = self.of(game).name(kind, value)
        return found

    def seat(self, game: str, seat: str) -> str:
        """The name of a seat, or of a spectator."""
        return self.say("ui.spectator") if seat == "spectator" else self.of(game).seat(seat)

    def side(self, game: str, side: str) -> str:
        """The name of a side."""
        return self.of(game).side(side)

    def choice(self, game: str, choice: str) -> str:
        """A label for a choice, from its name."""
        return self.of(game).choice(choice)

    def outcome(self, game: str, outcome: Mapping[str, Any]) -> str:
        """How a game ended, from its outcome as records write it."""
        return self.of(game).outcome(outcome)

    def victory(self, game: str, winners: Sequence[str]) -> str:
        """That these sides won, without a word of why."""
        return self.of(game).victory(winners)

    def reason(self, game: str, outcome: Outcome) -> str:
        """Why a game is over, without saying who won."""
        return self.of(game).reason(outcome)

    def listing(self, names: Sequence[str]) -> str:
        """Names in a row, the last after an "and"."""
        *first, last = names
        return self.say("ui.over.and", list=", ".join(first), last=last) if first else last

    def event(self, game: str, event: Event) -> str:
        """One sentence for one event."""
        return self.of(game).event(event)

    def story(self, game: str, events: Iterable[Event]) -> list[str]:
        """Events as a story: a heading for each turn, under it a line for each thing that happened."""
        return self.of(game).story(events)


@cache
def words(lang: str) -> Words:
    """The words of a language."""
    check_language(lang)
    from babel.messages.pofile import read_po  # it takes longer to import than all the rest

    messages: dict[str, Sequence[str]] = {}
    plural = ""
    for path in catalogues(lang):
        with path.open("rb") as file:
            catalogue = read_po(file, abort_invalid=True)
        plural = plural or catalogue.plural_expr
        for message in catalogue:
            key = message.id if isinstance(message.id, str) else message.id[0]
            forms = (message.string,) if isinstance(message.string, str) else tuple(message.string or ())
            if key:  # the header is a message without a key
                messages[key] = forms
    return Words(lang, messages, c2py(plural))


def catalogues(lang: str) -> list[Traversable]:
    """The catalogues of a language: the program's own, and one in each folder for a game or a part of the pages."""
    root = files("meadhall.words").joinpath("locale")
    areas = sorted((area for area in root.iterdir() if area.is_dir()), key=lambda area: area.name)
    found = [root.joinpath(f"{lang}.po"), *(area.joinpath(f"{lang}.po") for area in areas)]
    return [path for path in found if path.is_file()]

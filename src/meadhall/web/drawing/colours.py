"""The colours of the pages, read from their sheets: a picture has no style sheet, and no palette of its own either."""

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from meadhall.faults import Fault, show
from meadhall.web.folders import game_folders, shared

THEMES = ("light", "dark")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_PAIR = re.compile(r"light-dark\(([^,]+),([^)]+)\)")
_VARIABLE = re.compile(r"var\(--([\w-]+)\)")
_HEX = re.compile(r"#[0-9a-f]{3}(?:[0-9a-f]{3})?")
Rules = Mapping[str, Mapping[str, str]]


def check_theme(theme: str) -> None:
    """A Fault if there is no such theme."""
    if theme not in THEMES:
        raise Fault(f"there is no theme {show(theme)}; the themes are {' and '.join(THEMES)}")


def rules(text: str) -> Rules:
    """The declarations of a sheet by their selectors, nested ones after their parents': `.goths .tile`."""
    found: dict[str, dict[str, str]] = {}
    parents: list[str] = []
    for part in re.split(r"(?<=[{};])", _COMMENT.sub("", text)):
        body, end = part[:-1].strip(), part[-1:]
        if end == "{":
            parents.append(body)
        elif body:
            name, _, value = body.partition(":")
            found.setdefault(_path(parents), {})[name.strip()] = " ".join(value.split())
        if end == "}":
            parents.pop()
    return found


def _path(parents: list[str]) -> str:
    return " ".join(parents).replace(" &", "")


@cache
def _sheet(game: str, name: str) -> Rules:
    """A sheet of a game, or one that all share."""
    folder = game_folders()[game] if game else shared() / "static"
    return rules((folder / f"{name}.css").read_text("utf-8"))


class Side(NamedTuple):
    """The colours of a side: what is painted with its own, what stands on that, its signs on paper, its words."""

    fill: str
    on: str
    paper: str
    ink: str


class Colours:
    """What every colour is in one theme."""

    def __init__(self, theme: str) -> None:
        check_theme(theme)
        self.theme = theme
        self._tokens = _sheet("", "meadhall")[":root"]

    def token(self, name: str) -> str:
        """A colour that all sheets share, such as `paper`."""
        return self._plain(self._tokens[f"--{name}"])

    def of(self, game: str, sheet: str, selector: str, prop: str) -> str:
        """A colour that a game's own sheet gives to something."""
        return self._plain(_sheet(game, sheet)[selector][prop])

    def border(self, game: str, sheet: str, selector: str) -> str:
        """The colour of a border, whatever its width."""
        declared = _sheet(game, sheet)[selector]["border"]
        return self._plain(declared.split(" ", 2)[2])

    def side(self, game: str, side: str) -> Side:
        """The colours of a side."""
        declared = _sheet(game, "style")[f".{game}-{side}"]
        names = ("--c", "--c-on", "--c-paper", "--c-ink")
        return Side(*(self._plain(declared[name]) for name in names))

    def _plain(self, value: str) -> str:
        value = _VARIABLE.sub(lambda found: self._tokens[f"--{found[1]}"], value)
        value = _PAIR.sub(lambda found: found[1 + THEMES.index(self.theme)], value).strip()
        if not _HEX.fullmatch(value):
            raise ValueError(f"{value} is no plain colour")
        return value


@cache
def colours(theme: str) -> Colours:
    """The colours of a theme."""
    return Colours(theme)

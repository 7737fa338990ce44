"""What both tables are drawn with: pictures of lines of equal width, colours, clan badges, lists of choices.

Three signs as in the browser: paper is known, patterned colour is face down, an eye is known to you alone.
Every colour brings its own ground, so that it can be read on dark and on light terminals, and none is the
only sign of anything: a table without colours says the same.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from rich.cells import cell_len
from rich.console import RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from meadhall.words import Words

WIDTH = 80
INK = "#231A12"
PAPER = f"{INK} on #E9DDC6"
SMALL_ON_PAPER = "#5A4936 on #E9DDC6"
SLATE = "#D7E1EC on #34465C"
WOAD = "#2F86C6"  # your move, and nothing else
MUTED = "dim"
EYE = "◉"

Picture = list[Text]
Options = dict[int, str]  # the number to type -> the name of the choice
Side = Literal["left", "center", "right"]


class Arrangement(NamedTuple):
    """Pieces to put in order: the verb of the choice, the pieces there are, how many of them, and their names."""

    verb: str
    pool: list[str]
    take: int
    name: Callable[[str, Words], str]


@dataclass(frozen=True)
class Sign:
    """How a clan is told from the others: the colour of its pieces, its charge, the pattern of its backs."""

    fill: str
    ink: str
    charge: str
    pattern: str

    @property
    def on_fill(self) -> str:
        """The style of writing on the clan's colour."""
        return f"bold {self.ink} on {self.fill}"

    def badge(self, name: str) -> Text:
        """The clan's name on its colour, after its charge."""
        return Text(f" {self.charge} {name} ", style=self.on_fill)


def line(content: str | Text, width: int, style: str = "", side: Side = "left") -> Text:
    """One line of exactly this width."""
    text = Text.assemble(content, style=style, no_wrap=True)
    text.truncate(width, overflow="ellipsis")
    text.align(side, width)
    return text


def block(lines: Iterable[str | Text], width: int, height: int = 0, style: str = "", side: Side = "left") -> Picture:
    """Lines of equal width, filled up with empty ones to the height."""
    picture = [line(content, width, style, side) for content in lines]
    return picture + [line("", width, style) for _ in range(height - len(picture))]


def beside(pictures: Sequence[Picture], gap: int = 1) -> Picture:
    """Pictures side by side; shorter ones are filled up from below."""
    height = max(len(picture) for picture in pictures)
    filled = [
        picture + block([], picture[0].cell_len, height - len(picture)) if len(picture) < height else picture
        for picture in pictures
    ]
    return [Text(" " * gap, no_wrap=True).join(row) for row in zip(*filled, strict=True)]


def folded(words: Sequence[Text], width: int, between: str = " ") -> Picture:
    """Words set one after the other, with a new line wherever the next would not fit."""
    lines = [Text()]
    for word in words:
        if lines[-1] and lines[-1].cell_len + cell_len(between) + word.cell_len > width:
            lines.append(Text())
        lines[-1] = Text.assemble(lines[-1], between if lines[-1] else "", word)
    return lines


def drawn(picture: Picture) -> Text:
    """A picture as something rich can print."""
    return Text("\n", no_wrap=True).join(picture)


def hem(title: str | Text, style: str = MUTED) -> Rule:
    """The seam between two parts of the screen."""
    return Rule(title, align="left", characters="─", style=style)


def question(sentence: str) -> RenderableType:
    """What the person must do now, in one sentence."""
    return Padding(Text(f"▶ {sentence}", style=f"bold {WOAD}"), (1, 0, 0, 0))


def number(value: int) -> Text:
    """The number to type for a choice."""
    return Text(f" {value} ", style=f"bold #FFFFFF on {WOAD}")


def choice_table() -> Table:
    """A table of choices that never needs more than the width of the board."""
    return Table.grid(padding=(0, 1), pad_edge=False)


def choice_list(labels: dict[int, str]) -> Table:
    """The choices one under the other, each with the number to type."""
    table = choice_table()
    for k, label in labels.items():
        table.add_row(number(k), label)
    return table

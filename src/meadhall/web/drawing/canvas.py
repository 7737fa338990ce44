"""What a picture is drawn on: pieces with a place each, which a film can move, made of plain SVG and nothing else."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape

from meadhall.web.drawing import letters
from meadhall.web.drawing.art import Paint, markup, size_of
from meadhall.web.drawing.colours import Colours, Side, colours

USUAL_WIDTH = 1200  # what sites that show a link ask for


@dataclass(frozen=True)
class Piece:
    """Something that lies somewhere. One with a key is the same thing wherever it lies in another picture."""

    key: str
    x: float
    y: float
    width: float
    height: float
    markup: str
    label: str = ""
    side: str = ""  # which of its faces is up, so that a film turns it over when that changes
    name: str = ""  # by which a cue knows it

    def placed(self, box: tuple[float, float, float, float] | None = None, opacity: float = 1, thin: float = 1) -> str:
        """The piece where it lies, or somewhere on its way; `thin` is how much of its width shows as it turns over."""
        x, y, width, height = box or (self.x, self.y, self.width, self.height)
        across, down = width / self.width * thin, height / self.height
        x += width * (1 - thin) / 2
        scale = "" if abs(across - 1) < 1e-6 and abs(down - 1) < 1e-6 else f" scale({number(across)} {number(down)})"
        seen = "" if opacity >= 1 else f' opacity="{number(opacity)}"'
        name = f"<title>{escape(self.label, quote=False)}</title>" if self.label else ""
        return f'<g transform="translate({number(x)} {number(y)}){scale}"{seen}>{name}{self.markup}</g>'


@dataclass(frozen=True)
class Drawing:
    """A finished picture: what lies on it from the bottom up, and what its pieces are made of."""

    width: float
    height: float
    ground: str  # the colour around it where a size has another shape
    title: str
    description: str
    pieces: Sequence[Piece]
    defs: dict[str, str] = field(repr=False)
    bands: Sequence[tuple[float, str]] = ()  # down to where, and the colour that goes on beside it

    def named(self, name: str) -> Piece | None:
        """The piece that a cue calls so."""
        return next((piece for piece in self.pieces if piece.name == name), None)

    @property
    def size(self) -> tuple[int, int]:
        """The size it has if none is asked for."""
        return USUAL_WIDTH, round(USUAL_WIDTH * self.height / self.width)

    def svg(self, size: tuple[int, int] | None = None, body: str | None = None, clear: bool = False) -> str:
        """The whole picture; in a size of another shape it lies in the middle. A `clear` one has no ground."""
        width, height = size or self.size
        scale = min(width / self.width, height / self.height)
        left, top = (self.width - width / scale) / 2, (self.height - height / scale) / 2
        box = " ".join(number(each) for each in (left, top, width / scale, height / scale))
        inside = "".join(piece.placed() for piece in self.pieces) if body is None else body
        edge = "" if clear else self._around(left, top, width / scale, height / scale)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" role="img" '
            f'width="{width}" height="{height}" viewBox="{box}">'
            f"<title>{escape(self.title, quote=False)}</title><desc>{escape(self.description, quote=False)}</desc>"
            f"<defs>{''.join(self.defs.values())}</defs>{edge}{inside}</svg>\n"
        )

    def _around(self, left: float, top: float, width: float, height: float) -> str:
        """What lies around the picture in a size of another shape: its bands go on to the edges."""
        drawn = []
        start = top
        for number_, (until, colour) in enumerate(self.bands or ((self.height, self.ground),), 1):
            end = top + height if number_ == max(1, len(self.bands)) else until
            at = f'x="{number(left)}" y="{number(start)}" width="{number(width)}" height="{number(end - start)}"'
            drawn.append(f'<rect {at} fill="{colour}"/>')
            start = end
        return "".join(drawn)


def number(value: float) -> str:
    """A number as SVG writes it, to a hundredth."""
    return f"{value:.2f}".rstrip("0").rstrip(".").replace("-0", "0" if abs(value) < 0.005 else "-0")


class Canvas:
    """A picture being drawn, in one theme."""

    def __init__(self, theme: str, width: float, height: float) -> None:
        self.colours: Colours = colours(theme)
        self.width, self.height = width, height
        self.bands: tuple[tuple[float, str], ...] = ()
        self._pieces: list[Piece] = []
        self.defs: dict[str, str] = {}

    def token(self, name: str) -> str:
        """A colour that all pages share."""
        return self.colours.token(name)

    def lay(
        self,
        x: float,
        y: float,
        markup: str,
        key: str = "",
        width: float = 1,
        height: float = 1,
        label: str = "",
        side: str = "",
        name: str = "",
    ) -> None:
        """Put something on top of what is there, at its place."""
        self._pieces.append(Piece(key, x, y, width, height, markup, label, side, name or key))

    def finished(self, title: str, description: str, ground: str) -> Drawing:
        """The picture."""
        return Drawing(self.width, self.height, ground, title, description, tuple(self._pieces), self.defs, self.bands)

    def define(self, name: str, markup: str) -> str:
        """Keep something that is drawn again and again; gives what refers to it."""
        self.defs.setdefault(name, markup)
        return f"#{name}"

    def tiled(self, name: str, width: float, height: float, drawn: str) -> str:
        """A fill that repeats a small drawing."""
        size = f'width="{number(width)}" height="{number(height)}" patternUnits="userSpaceOnUse"'
        self.define(name, f'<pattern id="{name}" {size}>{drawn}</pattern>')
        return f"url(#{name})"

    # Shapes

    def rect(
        self, x: float, y: float, width: float, height: float, fill: str, radius: float = 0, more: str = ""
    ) -> str:
        """A rectangle, its corners round."""
        round_ = f' rx="{number(radius)}"' if radius else ""
        at = " ".join(f'{name}="{number(value)}"' for name, value in zip("xy", (x, y), strict=True))
        return f'<rect {at} width="{number(width)}" height="{number(height)}"{round_} fill="{fill}"{more}/>'

    def dashed(self, x: float, y: float, width: float, height: float, colour: str, radius: float = 8) -> str:
        """A dashed edge."""
        more = f' stroke="{colour}" stroke-width="2.5" stroke-dasharray="7 5"'
        return self.rect(x, y, width, height, "none", radius, more)

    def disc(self, x: float, y: float, radius: float, fill: str, more: str = "") -> str:
        """A disc."""
        return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="{fill}"{more}/>'

    def line(self, points: Iterable[tuple[float, float]], colour: str, width: float = 2, more: str = "") -> str:
        """A line from point to point."""
        path = "L".join(f"{number(x)} {number(y)}" for x, y in points)
        return f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="{number(width)}"{more}/>'

    def shadow(self, width: float, height: float, radius: float = 8) -> str:
        """What lies on the cloth has weight."""
        soft = self.rect(-1, 1, width + 2, height + 3, "#000", radius + 1, ' opacity=".1"')
        return soft + self.rect(0, 1, width, height + 1, "#000", radius, ' opacity=".2"')

    def paper(self, width: float, height: float, foot: str = "", radius: float = 8) -> str:
        """A card's face: paper, with a foot in a side's colour."""
        sheet = self.rect(0, 0, width, height, self.token("paper"), radius)
        if foot:
            band = height * 0.07
            curve = min(radius, band)
            sheet += (
                f'<path fill="{foot}" d="M0 {number(height - band)}H{number(width)}V{number(height - curve)}'
                f"q0 {number(curve)}-{number(curve)} {number(curve)}H{number(curve)}"
                f'q-{number(curve)} 0-{number(curve)}-{number(curve)}z"/>'
            )
        return self.shadow(width, height, radius) + sheet

    # Drawings and words

    def sign(
        self,
        name: str,
        x: float,
        y: float,
        width: float,
        colour: str,
        cut: str,
        side: str = "",
        height: float = 0,
        more: str = "",
    ) -> str:
        """One of the drawings of the pages, so wide, in its colours."""
        made_for = size_of(name)
        identity = "-".join((name, *(part.removeprefix("#") for part in (colour, cut, side) if part)))
        if f"d-{identity}" not in self.defs:
            inside = markup(name, Paint(colour, cut, side), self.colours)
            self.define(f"d-{identity}", f'<g id="d-{identity}">{inside}</g>')
        across = width / made_for[0]
        down = height / made_for[1] if height else across
        scale = number4(across) if abs(across - down) < 1e-9 else f"{number4(across)} {number4(down)}"
        at = f"translate({number(x)} {number(y)}) scale({scale})"
        return f'<use xlink:href="#d-{identity}" transform="{at}"{more}/>'

    def emblem(self, game: str, side: str, x: float, y: float, width: float) -> str:
        """A side's emblem in its colours."""
        paint = self.side(game, side)
        return self.sign(f"{game}-{side}", x, y, width, paint.fill, paint.on)

    def side(self, game: str, side: str) -> Side:
        """The colours of a side."""
        return self.colours.side(game, side)

    def text(
        self,
        text: str,
        x: float,
        y: float,
        size: float,
        fill: str,
        face: str = "text",
        at: str = "start",
        more: str = "",
    ) -> str:
        """A line of words on its base line: from a point on, around it, or up to it."""
        text = letters.tidy(text)
        font = letters.face(face)
        starts, wide = font.places(text)
        scale = size / font.units
        x -= {"start": 0.0, "middle": 0.5, "end": 1.0}[at] * wide * scale
        uses = []
        for letter, start in zip(text, starts, strict=True):
            name = f"{face[:2]}{ord(letter):x}"
            if letter == " ":
                continue
            if name not in self.defs:
                self.defs[name] = f'<path id="{name}" d="{font.outline(letter)}"/>'
            uses.append(f'<use xlink:href="#{name}" x="{start}"/>')
        place = f"translate({number(x)} {number(y)}) scale({number4(scale)} {number4(-scale)})"
        return f'<g transform="{place}" fill="{fill}"{more}>{"".join(uses)}</g>'

    def words(
        self,
        text: str,
        x: float,
        y: float,
        sizes: Sequence[float],
        room: float,
        fill: str,
        face: str = "text",
        at: str = "start",
        most: int = 1,
        high: float = 1.2,
    ) -> str:
        """Words in the largest size in which they fit, in lines around a height: y is their middle."""
        lines, size = letters.fitted(text, face, sizes, room, most)
        first = y + size * 0.34 - (len(lines) - 1) * size * high / 2
        return "".join(
            self.text(line, x, first + k * size * high, size, fill, face, at) for k, line in enumerate(lines)
        )


def number4(value: float) -> str:
    """A scale, to a part of a hundred thousand."""
    return f"{value:.5f}".rstrip("0").rstrip(".")

"""The drawings of the pages' `symbols.html`, with plain colours in place of those that a style sheet would give."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from xml.etree import ElementTree
from xml.etree.ElementTree import Element
from xml.sax.saxutils import quoteattr

from meadhall.web.drawing.colours import Colours
from meadhall.web.folders import TEMPLATES, game_folders, shared

_JINJA = re.compile(r"{#.*?#}", re.DOTALL)
_LEFT_OUT = {"class", "id", "href", "x", "y", "width", "height", "viewBox", "color"}
USUAL = (64.0, 64.0)


@dataclass(frozen=True)
class Paint:
    """What a drawing is painted with: its own colour, what is cut out of it, and its side's."""

    colour: str
    cut: str
    side: str = ""


@cache
def symbols() -> Mapping[str, tuple[str, Element]]:
    """Every drawing by its name, with the game it belongs to; "" for those that all pages share."""
    places = {"": shared()} | game_folders()
    found: dict[str, tuple[str, Element]] = {}
    for game, folder in places.items():
        file = folder / TEMPLATES / "symbols.html"
        if not file.is_file():
            continue
        root = ElementTree.fromstring(_JINJA.sub("", file.read_text("utf-8")))
        for drawing in root.iter():
            if "id" in drawing.attrib:
                found[drawing.attrib["id"]] = (game, drawing)
    return found


def size_of(name: str) -> tuple[float, float]:
    """The width and the height a drawing is made for."""
    drawing = symbols()[name][1]
    box = drawing.attrib.get("viewBox")
    if box is None:
        return USUAL if drawing.tag == "symbol" else (118.0, 118.0)  # a landscape
    _, _, width, height = map(float, box.split())
    return width, height


def markup(name: str, paint: Paint, colours: Colours) -> str:
    """A drawing as plain SVG, in the units it is made for."""
    return "".join(_element(child, paint, colours) for child in symbols()[name][1])


def _element(drawn: Element, paint: Paint, colours: Colours) -> str:
    given = drawn.attrib
    if drawn.tag == "use":
        return _use(given, paint, colours)
    if "color" in given:
        paint = replace(paint, colour=given["color"])
    kind = given.get("class", "")
    attributes = {name: _value(value, paint) for name, value in given.items() if name not in _LEFT_OUT}
    if drawn.tag == "circle":
        attributes |= {name: given[name] for name in ("cx", "cy", "r")}
    if kind == "k":
        attributes["fill"] = paint.cut
    elif kind:  # a class of the game's sheet, such as the helm of a unit
        game = kind.partition("-")[0]
        fill, cut = (colours.of(game, "style", f".{kind}", prop) for prop in ("fill", "--cut"))
        paint = replace(paint, colour=fill, cut=cut)
        attributes["fill"] = fill
    attributes.setdefault("fill", paint.colour)
    inside = "".join(_element(child, paint, colours) for child in drawn)
    written = "".join(f" {name}={quoteattr(' '.join(value.split()))}" for name, value in attributes.items())
    return f"<{drawn.tag}{written}>{inside}</{drawn.tag}>" if inside else f"<{drawn.tag}{written}/>"


def _use(given: Mapping[str, str], paint: Paint, colours: Colours) -> str:
    """A drawing within a drawing, at its place and size."""
    name = given["href"].removeprefix("#")
    width, height = size_of(name)
    x, y = given.get("x", "0"), given.get("y", "0")
    across, down = float(given.get("width", width)) / width, float(given.get("height", height)) / height
    inside = markup(name, paint, colours)
    return f'<g transform="translate({x} {y}) scale({across:g} {down:g})">{inside}</g>'


def _value(value: str, paint: Paint) -> str:
    return {"currentColor": paint.colour, "var(--c)": paint.side}.get(value, value)

"""Words as outlines: a picture looks the same everywhere, and nobody needs a font to see it or to make it."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

_FILES = {
    "title": ("font_source_serif_pro", "SourceSerifPro-Bold.ttf"),
    "text": ("font_source_sans_pro", "SourceSansPro-Regular.ttf"),
    "strong": ("font_source_sans_pro", "SourceSansPro-Semibold.ttf"),
}
ELLIPSIS = "…"
REMEMBERED = 5000  # texts of a font
_INVISIBLE = dict.fromkeys(map(ord, "\xad\u200b"))  # where a word may be broken
_BLANKS = {0xA0: " ", 0x202F: " ", 0x2009: " "}


class Face:
    """One font: how wide its letters are, and their outlines."""

    def __init__(self, name: str) -> None:
        from fontTools.ttLib import TTFont  # heavy, and only needed once something is drawn

        self.name = name
        package, file = _FILES[name]
        with files(package).joinpath("files", file).open("rb") as stream:
            self._font: Any = TTFont(stream, lazy=False)
        self._names: dict[int, str] = self._font.getBestCmap()
        self._glyphs: Any = self._font.getGlyphSet()
        self._outlines: dict[str, str] = {}
        self._kerning = list(_pair_tables(self._font))
        self._kerned: dict[tuple[str, str], int] = {}
        self._placed: dict[str, tuple[list[int], int]] = {}  # a table's words come again with every picture
        self.units = int(self._font["head"].unitsPerEm)

    def has(self, letter: str) -> bool:
        """Is there such a letter?"""
        return ord(letter) in self._names

    def outline(self, letter: str) -> str:
        """A letter as a path, in the font's units, upwards."""
        from fontTools.pens.svgPathPen import SVGPathPen

        if letter not in self._outlines:
            pen = SVGPathPen(self._glyphs)
            self._glyphs[self._glyph(letter)].draw(pen)
            self._outlines[letter] = pen.getCommands()
        return self._outlines[letter]

    def places(self, text: str) -> tuple[list[int], int]:
        """Where each letter begins and how wide all are together, in the font's units."""
        found = self._placed.get(text)
        if found is None:
            if len(self._placed) >= REMEMBERED:
                self._placed.clear()
            found = self._placed[text] = self._place(text)
        return found

    def _place(self, text: str) -> tuple[list[int], int]:
        starts: list[int] = []
        at = 0
        before = ""
        for letter in text:
            glyph = self._glyph(letter)
            at += self._kern(before, glyph)
            starts.append(at)
            at += round(self._glyphs[glyph].width)
            before = glyph
        return starts, at

    def _glyph(self, letter: str) -> str:
        return self._names.get(ord(letter)) or self._names[ord("?")]

    def _kern(self, left: str, right: str) -> int:
        """By how much two letters come closer to each other."""
        key = (left, right)
        if key not in self._kerned:
            self._kerned[key] = next((found for table in self._kerning if (found := _pair(table, *key))), 0)
        return self._kerned[key]


def _pair_tables(font: Any) -> list[Any]:
    """The tables of the font that say which letters come closer to which."""
    layout = font["GPOS"].table
    numbers = {
        number
        for record in layout.FeatureList.FeatureRecord
        if record.FeatureTag == "kern"
        for number in record.Feature.LookupListIndex
    }
    tables = [table for number in sorted(numbers) for table in layout.LookupList.Lookup[number].SubTable]
    opened = [getattr(table, "ExtSubTable", table) for table in tables]
    return [table for table in opened if table.LookupType == 2]


def _pair(table: Any, left: str, right: str) -> int:
    """What one of these tables says of two letters."""
    if left not in table.Coverage.glyphs:
        return 0
    if table.Format == 1:
        pairs = table.PairSet[table.Coverage.glyphs.index(left)].PairValueRecord
        values = [pair.Value1 for pair in pairs if pair.SecondGlyph == right]
        value = values[0] if values else None
    else:
        first, second = table.ClassDef1.classDefs.get(left, 0), table.ClassDef2.classDefs.get(right, 0)
        value = table.Class1Record[first].Class2Record[second].Value1
    return int(getattr(value, "XAdvance", 0) or 0)


@cache
def face(name: str) -> Face:
    """One of the three fonts: title, text or strong."""
    return Face(name)


def tidy(text: str) -> str:
    """A text without what is invisible in it, its blanks all of one kind."""
    return text.translate(_INVISIBLE).translate(_BLANKS)


def can_write(text: str) -> bool:
    """Are there letters for all of this text? People may be called anything."""
    return all(face("text").has(letter) and face("title").has(letter) for letter in tidy(text))


def width(text: str, name: str, size: float) -> float:
    """How wide a text is."""
    font = face(name)
    return font.places(tidy(text))[1] * size / font.units


def shortened(text: str, name: str, size: float, room: float) -> str:
    """As much of a text as there is room for, an ellipsis after it if that is not all."""
    text = tidy(text)
    if width(text, name, size) <= room:
        return text
    while text and width(text + ELLIPSIS, name, size) > room:
        text = text[:-1].rstrip()
    return text + ELLIPSIS


def wrapped(text: str, name: str, size: float, room: float) -> list[str]:
    """A text in lines that fit, broken between words."""
    lines: list[str] = []
    for word in tidy(text).split(" "):
        if lines and width(f"{lines[-1]} {word}", name, size) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def fitted(text: str, name: str, sizes: Sequence[float], room: float, most: int = 1) -> tuple[list[str], float]:
    """The lines of a text in the largest of the sizes in which it fits, shortened where it fits in none."""
    for size in sizes:
        lines = wrapped(text, name, size, room)
        if len(lines) <= most and all(width(line, name, size) <= room for line in lines):
            return lines, size
    size = sizes[-1]
    lines = wrapped(text, name, size, room)
    kept = [*lines[: most - 1], " ".join(lines[most - 1 :])]
    return [shortened(line, name, size, room) for line in kept], size

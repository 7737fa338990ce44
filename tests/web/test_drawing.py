"""Pictures of positions: valid and complete, the same wherever a seat cannot tell worlds apart, and to be seen."""

import re
from collections.abc import Iterator
from io import BytesIO
from itertools import islice
from random import Random
from xml.etree import ElementTree

import pytest
from PIL import Image

from meadhall.faults import Fault
from meadhall.match import SPECTATOR, Match, View
from meadhall.web.drawing import art, draw, letters
from meadhall.web.drawing.colours import THEMES, colours, rules
from meadhall.web.drawing.png import png
from meadhall.web.game import board_of
from meadhall.words import words
from meadhall.words.languages import LANGUAGES
from tests.secrets.worlds import another_world, prefix
from tests.variants import VARIANTS, Variant, random_game, variant_named

SVG = "{http://www.w3.org/2000/svg}"
AFTER = {"goths": (0, 3, 25, 300), "romans": (0, 5, 300)}  # so many choices, and at the end
ALLOWED = {"svg", "title", "desc", "defs", "g", "path", "rect", "circle", "ellipse", "use", "pattern", "clipPath"}
LANGS = tuple(LANGUAGES)


def sights(variant: Variant) -> Iterator[tuple[View, list[object]]]:
    """Positions of a game, as every seat and a spectator see them, and with everything open."""
    for after in AFTER[variant.game]:
        match = random_game(variant, 7, after)
        for seat in (*match.seats, SPECTATOR):
            yield match.view(seat), list(match.events(seat))
        yield match.full_timeline()[-1][-1].view, match.full_events()


def names_in(thing: object) -> Iterator[str]:
    """What the pieces of a board are called, as its page reads them out."""
    if isinstance(thing, tuple):
        for each in thing:
            yield from names_in(each)
    elif hasattr(thing, "__dataclass_fields__"):
        if getattr(thing, "move", ""):
            yield getattr(thing, "label", "") or thing.name
        for field in thing.__dataclass_fields__:
            if field not in ("story", "guide", "hand", "scores"):
                yield from names_in(getattr(thing, field))


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_every_position_is_drawn_whole_as_plain_svg_for_every_seat(variant: Variant) -> None:
    for number, (view, events) in enumerate(sights(variant)):
        spoken, theme = words(LANGS[number % len(LANGS)]), THEMES[number % 2]
        drawing = draw(view, events, spoken, theme)
        text = drawing.svg()
        root = ElementTree.fromstring(text)
        tags = {element.tag.removeprefix(SVG) for element in root.iter()}
        assert tags <= ALLOWED, tags - ALLOWED
        assert not re.search(r"var\(|currentColor|light-dark|style=|NaN|inf\b|http(?!://www\.w3\.org/)", text)
        known = {element.attrib["id"] for element in root.iter() if "id" in element.attrib}
        assert set(re.findall(r'(?:href="#|url\(#)([\w-]+)', text)) <= known
        assert root.find(f"{SVG}title").text
        titles = {element.text for element in root.iter(f"{SVG}title")}
        shown = board_of(variant.game).picture(view, events, spoken, {})
        missing = set(names_in(shown)) - titles
        assert not missing, missing


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_a_seats_picture_is_the_same_in_every_world_it_cannot_rule_out(variant: Variant) -> None:
    record = random_game(variant, 1, 90).record()
    random = Random(str(variant))
    length = len(record["choices"])
    for number, at in enumerate((0, 4, length // 2, length - 1)):
        now = prefix(record, at)
        match = Match.from_record(now)
        for seat in (*match.seats, SPECTATOR):
            other = Match.from_record(another_world(now, seat, random))
            spoken = words(LANGS[number])
            drawn = [draw(each.view(seat), each.events(seat), spoken).svg() for each in (match, other)]
            assert drawn[0] == drawn[1], f"{seat} after {at}"


def test_a_picture_with_everything_open_shows_more_than_a_spectators() -> None:
    for name, after in (("goths, fog", 3), ("romans, four", 4)):
        match = random_game(variant_named(name), 3, after)
        opened = draw(match.full_timeline()[-1][-1].view, match.full_events(), words("en")).svg()
        assert opened != draw(match.view(SPECTATOR), match.events(), words("en")).svg()


@pytest.mark.parametrize("size", [None, (1200, 630), (600, 900), (1000, 200)])
@pytest.mark.parametrize("name", ["goths, base", "romans, four"])
def test_a_png_has_the_size_that_was_asked_for_and_something_in_it(name: str, size: tuple[int, int] | None) -> None:
    match = random_game(variant_named(name), 3, 9)
    drawing = draw(match.view(SPECTATOR), match.events(), words("de"), "dark")
    with Image.open(BytesIO(png(drawing, size))) as image:
        assert image.format == "PNG"
        assert image.size == (size or drawing.size)
        assert len(image.convert("RGB").resize((200, 120)).getcolors(200 * 120) or []) > 100


def test_people_are_named_unless_there_are_no_letters_for_them() -> None:
    match = random_game(variant_named("romans, two"), 3, 9)
    plain, *others = (
        draw(match.view(SPECTATOR), match.events(), words("en"), people=people).svg()
        for people in ({}, {"gold": "小明"}, {"gold": "Zoë Łącka"}, {"gold": "<&"})
    )
    assert others[0] == plain
    assert others[1] != plain
    assert ElementTree.fromstring(others[2]) is not None


def test_there_are_letters_for_all_that_the_catalogues_say() -> None:
    for lang in LANGUAGES:
        for key, forms in words(lang).messages.items():
            if not key.startswith("cli."):
                for form in forms:
                    lacking = {letter for letter in form if letter.isalpha() and not letters.can_write(letter)}
                    assert not lacking, (key, lacking)


def test_words_fit_where_they_are_put() -> None:
    long = "Donaudampfschifffahrtsgesellschaftskapitän " * 3
    for name in ("title", "text", "strong"):
        lines, size = letters.fitted(long, name, (20, 16), 300, 2)
        assert len(lines) == 2
        assert lines[-1].endswith(letters.ELLIPSIS)
        assert all(letters.width(line, name, size) <= 300 for line in lines)
        assert letters.width("AV", name, 100) < letters.width("A", name, 100) + letters.width("V", name, 100)


def test_the_colours_of_a_picture_are_those_of_the_sheets() -> None:
    sheet = "/* a */ .goths { color: red; .tile { background: light-dark(#111111, #222222); &.up { color: #333 } } }"
    assert rules(sheet) == {
        ".goths": {"color": "red"},
        ".goths .tile": {"background": "light-dark(#111111, #222222)"},
        ".goths .tile.up": {"color": "#333"},
    }
    assert colours("light").token("paper") == "#fffbf1"
    assert colours("dark").token("paper") == "#e9ddc6"
    assert colours("dark").side("goths", "visigoth").ink == "#f6d85c"
    with pytest.raises(Fault, match="the themes are light and dark"):
        colours("grey")


def test_every_drawing_of_the_pages_can_be_drawn_with_plain_colours() -> None:
    assert len(art.symbols()) > 50
    for name in art.symbols():
        drawn = art.markup(name, art.Paint("#123456", "#abcdef", "#fedcba"), colours("light"))
        ElementTree.fromstring(f"<g>{drawn}</g>")
        assert drawn
        assert "var(" not in drawn
        assert "currentColor" not in drawn


def test_the_picture_of_a_game_without_a_drawing_is_told_in_words() -> None:
    from meadhall.web.drawing import plain

    match = random_game(variant_named("goths, base"), 3, 9)
    drawing = plain.draw(match.view(SPECTATOR), match.events(), words("en"), "light", {}, None)
    ElementTree.fromstring(drawing.svg())
    assert len(list(islice(drawing.pieces, 10))) == 10

"""`meadhall draw`: a picture of a position, or a film of a turn."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from meadhall.cli.files import OutputFile, whole_file
from meadhall.cli.options import add_language, whole
from meadhall.faults import Fault

if TYPE_CHECKING:
    from meadhall.match import Match
    from meadhall.web.drawing.canvas import Drawing

HELP = "draw a position of a game as SVG or PNG, or a turn as a film"
EPILOG = None
PICTURES = (".svg", ".png")
FILMS = (".webp", ".gif", ".png")
SMALLEST, LARGEST = 100, 4000


def add_options(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("file", metavar="FILE", help="a record; - for standard input")
    parser.add_argument(
        "--at", type=_count, metavar="N", help="after so many choices; 0 is before the first (default: at the end)"
    )
    parser.add_argument(
        "--turn", metavar="N", help="a film of this turn: 7; in a game of rounds 2.3, round and turn; or: last"
    )
    parser.add_argument("--seat", help="what this seat may know, or: spectator (default: everything, face up)")
    parser.add_argument("--theme", default="light", metavar="THEME", help="light or dark (default: light)")
    parser.add_argument("--size", type=_size, metavar="WxH", help="in pixels (default: 1200 wide, a film 800)")
    parser.add_argument(
        "-o",
        "--out",
        required=True,
        metavar="OUT",
        type=Path,
        help="the file to write: its name ends in .svg or .png, a film's in .webp, .gif or .png",
    )
    add_language(parser)


def _count(text: str) -> int:
    return whole(text, 0)


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.lower().partition("x")
    if not all(part.isascii() and part.isdigit() and len(part) < 6 for part in (width, height)):
        raise argparse.ArgumentTypeError(f"must be a width and a height such as 1200x630, not {text!r}")
    size = int(width), int(height)
    if not all(SMALLEST <= part <= LARGEST for part in size):
        raise argparse.ArgumentTypeError(f"must be from {SMALLEST}x{SMALLEST} to {LARGEST}x{LARGEST}, not {text!r}")
    return size


def run(options: argparse.Namespace) -> None:
    """Draw it."""
    from meadhall.web.drawing.colours import check_theme
    from meadhall.words.languages import check_language

    check_language(options.lang)
    check_theme(options.theme)
    kind = options.out.suffix.lower()
    what, known = ("picture", PICTURES) if options.turn is None else ("film", FILMS)
    if kind not in known:
        raise Fault(f"-o {options.out}: a {what}'s name ends in {', '.join(known[:-1])} or {known[-1]}")
    match = _match(whole_file(options.file), options.at)
    if options.seat is not None:
        match.view(options.seat)  # refuses a seat there is none of
    out = OutputFile("-o", options.out)
    if options.turn is not None:
        out.write(_film(match, kind, options))
    elif kind == ".svg":
        out.write(_drawing(match, options).svg(options.size))
    else:
        from meadhall.web.drawing.png import png

        out.write(png(_drawing(match, options), options.size))


def _match(record: bytes, at: int | None) -> "Match":
    """The game after so many of its choices; all of the record must be right."""
    from meadhall.match import Match
    from meadhall.record import parse

    whole_game = Match.from_record(record)
    if at is None:
        return whole_game
    parsed: Any = parse(record)
    made = len(parsed["choices"])
    if at > made:
        raise Fault(f"--at {at}: the record has {made} choices; N is from 0 to {made}")
    return Match.from_record({**parsed, "choices": parsed["choices"][:at]})


def _drawing(match: "Match", options: argparse.Namespace) -> "Drawing":
    """As a seat saw it, or with everything face up: whoever holds the record holds all of it."""
    from meadhall.web.drawing import draw
    from meadhall.words import words

    if options.seat is None:
        beats = [beat for some in match.full_timeline() for beat in some]
        return draw(beats[-1].view, match.full_events(), words(options.lang), options.theme)
    return draw(match.view(options.seat), match.events(options.seat), words(options.lang), options.theme)


def _film(match: "Match", kind: str, options: argparse.Namespace) -> bytes:
    """A turn, beat by beat."""
    from meadhall.web.drawing.film import film, scenes
    from meadhall.words import words

    try:
        shown = scenes(match, options.turn, options.seat, words(options.lang), options.theme)
    except Fault as fault:
        raise Fault(f"--turn {options.turn}: {fault}") from None
    return film(shown, kind, options.size)

"""What every table's picture has: the name of the game above, the cloth between its hems, the rail with a sentence."""

from collections.abc import Sequence
from dataclasses import dataclass

from meadhall.web.drawing import letters
from meadhall.web.drawing.canvas import Canvas

TOP = 56.0
HEM = 10.0
EDGE = 28.0
RAIL = 84.0
BLEED = 2000.0  # how far bands go on beside a picture, for sizes that are wider than it


@dataclass(frozen=True)
class Heading:
    """What stands above and below a board: the game, when, what is happening, and whose sign goes with it."""

    game: str
    when: str
    sentence: str
    emblems: Sequence[tuple[str, str]] = ()  # of the winners: game and side


def frame(canvas: Canvas, heading: Heading, rail: float = RAIL) -> tuple[float, float]:
    """Draw what is around a board; gives where the cloth begins and ends."""
    width, height = canvas.width, canvas.height
    token = canvas.token
    end = height - rail
    canvas.bands = ((TOP, token("raised")), (end, token("cloth")), (height, token("rail")))
    canvas.lay(0, 0, canvas.rect(-BLEED, 0, width + 2 * BLEED, height, token("cloth")))
    canvas.lay(0, 0, weave(canvas, TOP + HEM, end - HEM))
    canvas.lay(0, 0, _top(canvas, heading))
    canvas.lay(0, TOP, hem(canvas))
    canvas.lay(0, end - HEM, hem(canvas))
    canvas.lay(0, end, _rail(canvas, rail))
    canvas.lay(0, end, _said(canvas, heading))
    return TOP + HEM, end - HEM


def _top(canvas: Canvas, heading: Heading) -> str:
    token = canvas.token
    middle = TOP / 2
    brand = canvas.sign("recruiter", EDGE, middle - 15, 30, token("accent"), token("raised"))
    brand += canvas.words("Meadhall", EDGE + 40, middle, (25,), 200, token("ink"), "title")
    left = EDGE + 40 + letters.width("Meadhall", "title", 25) + 16
    room = canvas.width - EDGE - left - 16 - letters.width(heading.when, "strong", 21)
    return (
        canvas.rect(-BLEED, 0, canvas.width + 2 * BLEED, TOP, token("raised"))
        + brand
        + canvas.line([(left, 14), (left, TOP - 14)], token("line"), 1.5)
        + canvas.words(heading.game, left + 16, middle, (21, 19, 17), room - 24, token("ink"), "strong")
        + canvas.words(heading.when, canvas.width - EDGE, middle, (21,), 600, token("muted"), "strong", "end")
    )


def hem(canvas: Canvas) -> str:
    """The woven border of the cloth: woad and madder, tooth into tooth."""
    token = canvas.token
    teeth = f'<path fill="{token("madder")}" d="M0 0h20v10H0z"/><path fill="{token("accent")}" d="M0 0h20L10 10z"/>'
    return canvas.rect(-BLEED, 0, canvas.width + 2 * BLEED, HEM, canvas.tiled("hem", 20, 10, teeth))


def weave(canvas: Canvas, top: float, end: float) -> str:
    """Threads across and down, hardly to be seen."""
    threads = f'<path d="M0 1h4M5 0v4" stroke="{canvas.token("ink")}" stroke-width="1" opacity=".035"/>'
    return canvas.rect(-BLEED, top, canvas.width + 2 * BLEED, end - top, canvas.tiled("weave", 8, 8, threads))


def _rail(canvas: Canvas, rail: float) -> str:
    seam = canvas.line(
        [(-BLEED, 9), (canvas.width + BLEED, 9)], canvas.token("thread"), 2, ' stroke-dasharray="9 6" opacity=".75"'
    )
    return canvas.rect(-BLEED, 0, canvas.width + 2 * BLEED, rail, canvas.token("rail")) + seam


def _said(canvas: Canvas, heading: Heading) -> str:
    """What is happening, in one sentence, on the leather."""
    middle = (RAIL + 10) / 2
    x = EDGE
    signs = ""
    for game, side in heading.emblems:
        signs += canvas.emblem(game, side, x, middle - 23, 46)
        x += 56
    x += 6 if heading.emblems else 0
    room = canvas.width - EDGE - x
    return signs + canvas.words(
        heading.sentence, x, middle, (29, 26, 23, 21, 19), room, canvas.token("rail-ink"), "title", most=2, high=1.18
    )

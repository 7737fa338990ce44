"""A turn as a short film: a picture for each beat, in which pieces move to where they lie in the next."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import groupby
from typing import TYPE_CHECKING

from meadhall.faults import Fault, listing, show
from meadhall.games.game import Event
from meadhall.match import Beat, Match
from meadhall.web.drawing import draw
from meadhall.web.drawing.canvas import Canvas, Drawing, Piece, number
from meadhall.web.drawing.png import rasterised
from meadhall.web.telling import Cue, chapter, cues, hold
from meadhall.words import Words

if TYPE_CHECKING:
    from PIL.Image import Image

KINDS = {".webp": "WEBP", ".gif": "GIF", ".png": "PNG"}
WIDTH = 800
PACE = 0.9  # of the time a beat is shown at a table; beside the board there is no story to read
LAST = 2500  # milliseconds: the end of the turn stays longer
STEPS = 6  # pictures of a move
STEP = 60  # milliseconds
LAST_TURN = "last"
ARC = 110.0  # how high things fly


@dataclass(frozen=True)
class Scene:
    """A beat: its picture, what flies across it, and for how many milliseconds it is shown."""

    drawing: Drawing
    cues: tuple[Cue, ...]
    hold: int
    theme: str = "light"


def turns(match: Match, seat: str | None) -> list[tuple[str, list[tuple[Beat, Sequence[Event]]]]]:
    """The turns of a game, each with its beats and all that had been told by then, as a seat saw it or open to all."""
    if seat is None:
        beats = [beat for some in match.full_timeline() for beat in some]
    else:
        beats = match.timeline(seat)
    heard: list[Event] = []
    shown: list[tuple[Beat, Sequence[Event]]] = []
    for beat in beats:
        heard += beat.events
        if beat.kind and beat.events:
            shown.append((beat, tuple(heard)))
    return [(name, list(some)) for name, some in groupby(shown, key=lambda each: chapter(each[0]))]


def scenes(
    match: Match, turn: str, seat: str | None, words: Words, theme: str, people: Mapping[str, str] | None = None
) -> list[Scene]:
    """A scene for each beat of a turn; a Fault if there is no such turn."""
    told = turns(match, seat)
    if not told:
        raise Fault("no turn of this game has been played yet")
    names = [name for name, _ in told]
    wanted = names[-1] if turn == LAST_TURN else turn
    if wanted not in names:
        raise Fault(f"there is no turn {show(turn)} in this game; its turns are {listing(names)}, {LAST_TURN}")
    return [
        Scene(draw(beat.view, events, words, theme, people, beat), cues(beat), round(hold(beat) * PACE), theme)
        for beat, events in next(some for name, some in told if name == wanted)
    ]


def film(shown: Sequence[Scene], suffix: str, size: tuple[int, int] | None = None) -> bytes:
    """The scenes as one moving picture: WebP, GIF or PNG."""
    from PIL.Image import Dither  # only where a film is made

    first = shown[0].drawing
    size = size or (WIDTH, round(WIDTH * first.height / first.width / 2) * 2)
    pictures, times = [], []
    for picture, time in _frames(shown, size):
        pictures.append(picture)
        times.append(time)
    times[-1] = max(times[-1], LAST)
    if suffix != ".webp":  # few colours, and all pictures have the same
        palette = pictures[-1].quantize(200)
        pictures = [picture.quantize(palette=palette, dither=Dither.NONE) for picture in pictures]
    options = {".webp": {"quality": 58, "method": 4}, ".gif": {"disposal": 1}, ".png": {}}[suffix]
    out = BytesIO()
    pictures[0].save(
        out, KINDS[suffix], save_all=True, append_images=pictures[1:], duration=times, loop=0, optimize=True, **options
    )
    return out.getvalue()


def _frames(shown: Sequence[Scene], size: tuple[int, int]) -> Iterator[tuple["Image", int]]:
    """Every picture of the film with its time: moves first, then what flies, then the scene as it stays."""
    before: Drawing | None = None
    for scene in shown:
        now = scene.drawing
        moving = _moving(before, now) if before is not None else {}
        if before is not None and moving:
            still = "".join(piece.placed() for piece in now.pieces if not piece.key or piece.key not in moving)
            ground = _image(now.svg(size, still))
            for step in range(1, STEPS):
                part = _eased(step / STEPS)
                body = "".join(_between(old, new, part) for old, new in moving.values())
                yield _over(ground, now, before.defs | now.defs, body, size), STEP
        standing = _image(now.svg(size))
        more = Canvas(scene.theme, now.width, now.height)
        flying = [cue for cue in scene.cues if cue.kind == "fly"]
        for step in range(1, STEPS + 1) if flying else ():
            body = "".join(_flying(now, cue, step / STEPS, more) for cue in flying)
            yield _over(standing, now, more.defs, body, size), STEP
        threads = "".join(_thread(now, cue, more) for cue in scene.cues if cue.kind == "thread")
        yield (_over(standing, now, {}, threads, size) if threads else standing), scene.hold
        before = now


def _moving(before: Drawing, now: Drawing) -> dict[str, tuple[Piece | None, Piece | None]]:
    """The pieces that do not lie as they did: where each was, and where it is."""
    old = {piece.key: piece for piece in before.pieces if piece.key}
    new = {piece.key: piece for piece in now.pieces if piece.key}
    return {key: (old.get(key), new.get(key)) for key in (old | new) if old.get(key) != new.get(key)}


def _between(old: Piece | None, new: Piece | None, part: float) -> str:
    """A piece on its way: it glides, turns over where another face comes up, appears or fades away."""
    if old is None or new is None:
        some = new or old
        return some.placed(opacity=part if new else 1 - part) if some else ""
    boxes = zip((old.x, old.y, old.width, old.height), (new.x, new.y, new.width, new.height), strict=True)
    x, y, width, height = (start + (end - start) * part for start, end in boxes)
    box = (x, y, width, height)
    if old.side != new.side:
        face = old if part < 0.5 else new
        return face.placed(box, thin=max(0.04, abs(1 - 2 * part)))
    if old.markup == new.markup:
        return new.placed(box)
    return old.placed(box) + new.placed(box, opacity=part)


def _eased(part: float) -> float:
    return part * part * (3 - 2 * part)


def _middle(drawing: Drawing, name: str) -> tuple[float, float] | None:
    piece = drawing.named(name)
    return (piece.x + piece.width / 2, piece.y + piece.height / 2) if piece else None


def _flying(drawing: Drawing, cue: Cue, part: float, canvas: Canvas) -> str:
    """Something on its way from a piece to another, in an arc."""
    start, end = _middle(drawing, cue.start), _middle(drawing, cue.end)
    if start is None or end is None:
        return ""
    along = _eased(part)
    x = start[0] + (end[0] - start[0]) * along
    y = start[1] + (end[1] - start[1]) * along - ARC * (1 - (2 * along - 1) ** 2)
    paper = canvas.token("paper")
    drawn = canvas.disc(0, 2, 34, "#000", ' opacity=".3"') + canvas.disc(0, 0, 33, paper)
    drawn += canvas.sign(cue.what, -22, -22, 44, canvas.token("paper-ink"), paper)
    return f'<g transform="translate({number(x)} {number(y)})">{drawn}</g>'


def _thread(drawing: Drawing, cue: Cue, canvas: Canvas) -> str:
    """The thread from a king's card to his warchief's: whole, or torn in the middle."""
    start, end = _middle(drawing, cue.start), _middle(drawing, cue.end)
    if start is None or end is None:
        return ""
    across, down = (end[0] - start[0]) / 2, (end[1] - start[1]) / 2
    if cue.what == "whole":
        bow = f"{number(across + 40)} {number(down)}"
        path = f"M{number(start[0])} {number(start[1])}q{bow} {number(2 * across)} {number(2 * down)}"
        colour = canvas.token("accent")
    else:
        path = (
            f"M{number(start[0])} {number(start[1])}q30 {number(down * 0.4)} 8 {number(down * 0.8)}"
            f"M{number(end[0])} {number(end[1])}q-30 {number(-down * 0.4)} -8 {number(-down * 0.8)}"
        )
        colour = canvas.token("wax")
    edge = f'<path d="{path}" fill="none" stroke="{canvas.token("paper")}" stroke-width="10" stroke-linecap="round"/>'
    return f'{edge}<path d="{path}" fill="none" stroke="{colour}" stroke-width="5" stroke-linecap="round"/>'


def _image(svg: str) -> "Image":
    from PIL import Image

    with Image.open(BytesIO(rasterised(svg))) as image:
        return image.convert("RGB")


def _over(ground: "Image", now: Drawing, defs: dict[str, str], body: str, size: tuple[int, int]) -> "Image":
    """A picture with something more on it."""
    from PIL import Image

    with Image.open(BytesIO(rasterised(replace(now, defs=defs).svg(size, body, clear=True)))) as image:
        found = ground.copy()
        found.paste(image, (0, 0), image)
        return found

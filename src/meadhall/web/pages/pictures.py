"""Pictures of tables: what a link to one is shown with, and what one can take home from a game that is over."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from functools import partial
from hashlib import blake2b
from typing import Any

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery

from meadhall.games.game import GAMES
from meadhall.match import SPECTATOR, Match
from meadhall.tables.refusals import Refusal, Senseless
from meadhall.tables.table import Table
from meadhall.web.drawing import draw
from meadhall.web.drawing.canvas import Drawing
from meadhall.web.drawing.colours import THEMES
from meadhall.web.drawing.cover import cover
from meadhall.web.drawing.film import LAST_TURN, scenes, turns
from meadhall.web.drawing.film import film as joined
from meadhall.web.drawing.png import rasterised
from meadhall.web.edge.session import Asked, language, lobby_of
from meadhall.web.edge.toll import DRAWN, FILMED
from meadhall.web.pages.screens import bot_name
from meadhall.web.pages.stills import beat_number
from meadhall.web.replay import OPEN, Replay
from meadhall.words import Words, words
from meadhall.words.languages import LANGUAGES

LINKED = (1200, 630)  # what sites that show a link ask for
KEPT = 64  # pictures, about a tenth of a megabyte each
AT_ONCE = 2  # are drawn; others wait, and the pages of everybody else do not
LIMIT = 60.0  # seconds for one
SVG, PNG, WEBP = "image/svg+xml", "image/png", "image/webp"


Making = Callable[[], Awaitable[bytes]]


class Pictures:
    """Pictures that were drawn lately. One that several ask for at once is drawn once."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._made: OrderedDict[Hashable, asyncio.Future[bytes]] = OrderedDict()
        self._drawing = asyncio.Semaphore(AT_ONCE)

    async def get(self, key: Hashable, make: Making) -> bytes:
        """The picture of a key, made if it is not there."""
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = asyncio.ensure_future(self.made(make))
            found.add_done_callback(lambda done: self._forget(key, done))
        self._made.move_to_end(key)
        while len(self._made) > self._kept:
            self._made.popitem(last=False)
        return await asyncio.shield(found)

    async def made(self, make: Making) -> bytes:
        """A picture that is not kept."""
        async with self._drawing:
            return await make()

    def _forget(self, key: Hashable, done: "asyncio.Future[bytes]") -> None:
        """What could not be drawn is not kept."""
        if (done.cancelled() or done.exception()) and self._made.get(key) is done:
            del self._made[key]


def spoken(request: Asked, lang: str) -> Words:
    """The words of a language that an address names, or of whoever asks."""
    if lang and lang not in LANGUAGES:
        raise Senseless("ui.draw.refused.language", languages=", ".join(LANGUAGES))
    return words(lang) if lang else language(request)


async def answer(
    request: Asked, key: tuple[Hashable, ...], make: Making, kind: str, name: str = "", kept: bool = True
) -> Response[bytes]:
    """A picture, which a browser keeps and asks about again; one that it has already is not sent.

    One that is not kept here takes everybody the same time, whether or not somebody else has asked for it.
    """
    tag = f'"{blake2b(repr(key).encode(), digest_size=12).hexdigest()}"'
    headers = {"etag": tag, "cache-control": "no-cache"}
    if name:
        headers["content-disposition"] = f'attachment; filename="{name}"'
    if tag in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=304, headers=headers)
    pictures: Pictures = request.app.state.pictures
    picture = await (pictures.get(key, make) if kept else pictures.made(make))
    return Response(picture, media_type=kind, headers=headers)


async def svg_of(drawing: Callable[[], Drawing], size: tuple[int, int] | None = None) -> bytes:
    """A picture as SVG, drawn in a thread."""
    return (await asyncio.to_thread(lambda: drawing().svg(size))).encode()


async def png_of(request: Asked, drawing: Callable[[], Drawing], size: tuple[int, int] | None = None) -> bytes:
    """The same as PNG, made by a process: it would hold up everybody here."""
    svg = (await svg_of(drawing, size)).decode()
    return bytes(await lobby_of(request).pool.make(rasterised, svg, limit=LIMIT))


def table_drawing(table: Table, told: Words, theme: str = "light") -> Callable[[], Drawing]:
    """A table as somebody sees it who has only its link; when the game is over everything is open, as on its page.

    All that it is made of is taken at once, so it may be drawn in a thread while the table moves on.
    """
    if table.phase == "open":
        return partial(cover, told, (table.header.game,), theme)
    face = table.page_face(None, None)
    return partial(draw, face.view, face.events, told, theme, _people(table, told))


@get("/preview.png", opt=DRAWN)
async def house(request: Asked, lang: FromQuery[str] = "") -> Response[bytes]:
    """The picture for links to pages that are about no game."""
    told = spoken(request, lang)
    drawing = partial(cover, told, tuple(GAMES))
    return await answer(request, ("house", told.lang), lambda: png_of(request, drawing, LINKED), PNG)


@get("/preview/{name:str}", opt=DRAWN)
async def game_preview(request: Asked, name: FromPath[str], lang: FromQuery[str] = "") -> Response[bytes]:
    """The picture for links to pages about a game: GAME.png."""
    game = name.removesuffix(".png")
    if game not in GAMES or game == name:
        raise NotFoundException
    told = spoken(request, lang)
    drawing = partial(cover, told, (game,))
    return await answer(request, ("game", game, told.lang), lambda: png_of(request, drawing, LINKED), PNG)


@get("/t/{code:str}/preview.png", opt=DRAWN)
async def preview(request: Asked, code: FromPath[str], lang: FromQuery[str] = "") -> Response[bytes]:
    """The picture for links to a table: never more than whoever opens the link may see."""
    table = await lobby_of(request).table(code)
    told = spoken(request, lang)
    drawing = table_drawing(table, told)
    key = ("table", table.code, table.position, table.company, table.phase, told.lang)
    # How soon it comes must not tell one player of a running game that another has looked.
    return await answer(request, key, lambda: png_of(request, drawing, LINKED), PNG, kept=table.phase != "playing")


@get("/t/{code:str}/replay.png", opt=DRAWN)
async def beat_preview(
    request: Asked, code: FromPath[str], beat: FromQuery[str] = "", lang: FromQuery[str] = ""
) -> Response[bytes]:
    """The picture for links to a beat of a finished game, through the eyes that the link is about."""
    table = await lobby_of(request).table(code)
    viewpoint = request.query_params.get("as", OPEN)
    told = _asked(request, table, "" if viewpoint == OPEN else viewpoint, "light", lang)
    replay = await asyncio.to_thread(Replay.of_record, table.match, viewpoint)
    step = replay.step(beat_number(beat, 0, replay.last))
    drawing = partial(draw, step.beat.view, step.events, told, "light", _people(table, told), step.beat)
    key = ("beat", table.code, table.company, viewpoint, beat, told.lang)
    return await answer(request, key, lambda: png_of(request, drawing, LINKED), PNG)


@get(["/t/{code:str}/picture.svg", "/t/{code:str}/picture.png"], opt=DRAWN)
async def picture(
    request: Asked,
    code: FromPath[str],
    at: FromQuery[str] = "",
    seat: FromQuery[str] = "",
    theme: FromQuery[str] = "light",
    lang: FromQuery[str] = "",
) -> Response[bytes]:
    """A picture of a finished game to keep: after any number of choices, through any eyes or with everything open."""
    table = await lobby_of(request).table(code)
    told = _asked(request, table, seat, theme, lang)
    last = len(table.match.record()["choices"])
    after = _count(at, last)
    kind = SVG if request.url.path.endswith(".svg") else PNG
    key = ("picture", kind, table.code, table.company, after, seat, theme, told.lang)
    name = f"meadhall-{table.code}-{after}.{'svg' if kind == SVG else 'png'}"

    drawing = table_drawing(table, told, theme)
    if (after, seat) != (last, ""):
        drawing = partial(_earlier, table, told, theme, after, seat)

    make = partial(svg_of, drawing) if kind == SVG else partial(png_of, request, drawing)
    return await answer(request, key, make, kind, name)


@get("/t/{code:str}/film", opt=FILMED)
async def film(
    request: Asked,
    code: FromPath[str],
    turn: FromQuery[str] = LAST_TURN,
    seat: FromQuery[str] = SPECTATOR,
    theme: FromQuery[str] = "light",
    lang: FromQuery[str] = "",
) -> Response[bytes]:
    """A film of a turn of a finished game, as all could see it then, or through the eyes of a seat."""
    table = await lobby_of(request).table(code)
    told = _asked(request, table, seat, theme, lang)
    names = [name for name, _ in await asyncio.to_thread(turns, table.match, seat)]  # nothing changes there any more
    wanted = names[-1] if turn == LAST_TURN and names else turn
    if wanted not in names:
        raise Senseless("ui.draw.refused.turn", turns=", ".join(names))
    key = ("film", table.code, table.company, wanted, seat, theme, told.lang)
    people = _people(table, told)
    work = partial(lobby_of(request).pool.make, film_of, table.match.record(), wanted, seat, told.lang, theme, people)
    return await answer(request, key, partial(work, limit=LIMIT), WEBP, f"meadhall-{table.code}-{wanted}.webp")


def film_of(record: Any, turn: str, seat: str, lang: str, theme: str, people: dict[str, str]) -> bytes:
    """A film, made from scratch in another process."""
    return joined(scenes(Match.from_record(record), turn, seat, words(lang), theme, people), ".webp")


def _asked(request: Asked, table: Table, seat: str, theme: str, lang: str) -> Words:
    """The words for a picture of a finished game; a Refusal says what of it there is not."""
    if table.phase != "over":
        raise Refusal("ui.draw.refused.running")
    if theme not in THEMES:
        raise Senseless("ui.draw.refused.theme", themes=", ".join(THEMES))
    if seat and seat not in (*table.match.seats, SPECTATOR):
        raise Senseless("ui.draw.refused.seat", seats=", ".join((*table.match.seats, SPECTATOR)))
    return spoken(request, lang)


def _people(table: Table, told: Words) -> dict[str, str]:
    """Who sat where, by name or as a bot of a level."""
    named = {seat: place.name for seat, place in table.places.items() if place.name}
    return named | {seat: bot_name(told, place.level) for seat, place in table.places.items() if place.level}


def _count(text: str, most: int) -> int:
    if not text:
        return most
    if not (text.isascii() and text.isdigit() and len(text) < 6 and int(text) <= most):
        raise Senseless("ui.draw.refused.at", most=most)
    return int(text)


def _earlier(table: Table, told: Words, theme: str, after: int, seat: str) -> Drawing:
    """A finished game as it was after some of its choices."""
    record: dict[str, Any] = dict(table.match.record())
    match = Match.from_record(record | {"choices": record["choices"][:after]})
    people = _people(table, told)
    if seat:
        return draw(match.view(seat), match.events(seat), told, theme, people)
    view = [beat for beats in match.full_timeline() for beat in beats][-1].view
    return draw(view, match.full_events(), told, theme, people)


HANDLERS = [house, game_preview, preview, beat_preview, picture, film]

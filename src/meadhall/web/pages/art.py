"""The page of all drawings: every piece of every game in three sizes and both themes, by its name."""

import asyncio
from functools import cache, partial
from typing import Any

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery

from meadhall.games.game import GAMES
from meadhall.tables.refusals import Senseless
from meadhall.web.art import art_of, shared_signs, sheet
from meadhall.web.drawing.colours import THEMES
from meadhall.web.edge.session import Asked, language
from meadhall.web.pages.around import HTML, page
from meadhall.web.pages.pictures import SVG, answer, spoken, svg_of
from meadhall.words import words


@cache
def _size(game: str, lang: str) -> tuple[int, int]:
    """How large a sheet will be, so that nothing on the page moves when it comes."""
    return sheet(game, words(lang), THEMES[0]).size


@get("/art", media_type=HTML)
async def art_page(request: Asked) -> Response[Any]:
    """Every drawing there is."""
    told = language(request)
    games = [(game, art) for game in GAMES if (art := art_of(game))]
    sizes = [await asyncio.to_thread(_size, game, told.lang) for game, _ in games]
    found = [(game, art.signs(told), size) for (game, art), size in zip(games, sizes, strict=True)]
    return page(request, "art.html", drawn=found, house=shared_signs(told), themes=THEMES)


@get("/art/{name:str}")
async def art_sheet(
    request: Asked, name: FromPath[str], theme: FromQuery[str] = "light", lang: FromQuery[str] = ""
) -> Response[bytes]:
    """All pieces of a game on one sheet: GAME.svg."""
    game = name.removesuffix(".svg")
    if game == name or game not in GAMES or art_of(game) is None:
        raise NotFoundException
    if theme not in THEMES:
        raise Senseless("ui.draw.refused.theme", themes=", ".join(THEMES))
    told = spoken(request, lang)
    return await answer(
        request, ("art", game, theme, told.lang), partial(svg_of, partial(sheet, game, told, theme)), SVG
    )


HANDLERS = [art_page, art_sheet]

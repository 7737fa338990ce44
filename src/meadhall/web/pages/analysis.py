"""The page of a finished game's analysis: asked for with a button, made in the background, then there for everybody."""

import asyncio
from collections import OrderedDict
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath
from markupsafe import Markup

from meadhall.bots.percent import percent
from meadhall.lab.analysis.report import Analysis
from meadhall.tables.analyses import Stage, TooBusy
from meadhall.tables.refusals import Refusal
from meadhall.tables.table import Table
from meadhall.web.edge.session import Asked, language, lobby_of
from meadhall.web.pages.around import HTML, go_to, page_context
from meadhall.web.pages.insight import insight
from meadhall.web.pages.render import render
from meadhall.web.pages.screens import bot_name
from meadhall.words import Words

WORKING = ("waiting", "working")
ACCEPTED = 202
RETRY_AFTER = "60"  # seconds
KEPT = 32  # drawings, each of some hundred kilobytes at most


def people_of(table: Table, words: Words) -> dict[str, str]:
    """Who sat where, by name or as a bot of a level."""
    names = {seat: place.name for seat, place in table.places.items() if place.name}
    return names | {
        seat: bot_name(words, place.level) for seat, place in table.places.items() if place.level is not None
    }


@get("/t/{code:str}/analysis", media_type=HTML)
async def analysis_page(request: Asked, code: FromPath[str]) -> Response[Any]:
    """The analysis of a finished game, how far it is, or the button that starts it."""
    lobby = lobby_of(request)
    table = await lobby.table(code)
    if code != table.code:
        return go_to(f"/t/{table.code}/analysis")
    try:
        stage = await lobby.analyses.look(table)
    except Refusal as refusal:
        return await _show(request, table, Stage("none"), refusal)
    return await _show(request, table, stage)


@post("/t/{code:str}/analysis")
async def start(request: Asked, code: FromPath[str]) -> Response[Any]:
    """Have a finished game analysed; all who ask get the same analysis."""
    lobby = lobby_of(request)
    table = await lobby.table(code)
    try:
        await lobby.analyses.start(table)
    except Refusal as refusal:
        return await _show(request, table, Stage("none"), refusal)
    return go_to(f"/t/{table.code}/analysis")


async def _show(request: Asked, table: Table, stage: Stage, refusal: Refusal | None = None) -> Response[str]:
    """The page; a refusal is told on it, with a way to try again if it may help."""
    words = language(request)
    busy = isinstance(refusal, TooBusy)
    shown = None if stage.analysis is None else await asyncio.to_thread(_drawn, table, stage.analysis, words)
    text = render(
        "analysis.html",
        words,
        **page_context(request),
        code=table.code,
        game=table.header.game,
        stage=stage,
        percent=percent(stage.progress),
        working=stage.state in WORKING,
        shown=shown,
        replay=_replay(table),
        refused=refusal.said(words) if refusal else "",
        busy=busy,
    )
    status = refusal.status if refusal else ACCEPTED if stage.state in WORKING else 200
    return Response(text, media_type=HTML, status_code=status, headers={"retry-after": RETRY_AFTER} if busy else {})


def _replay(table: Table) -> str:
    """To which the number of a beat is added."""
    return f"/t/{table.code}/replay?beat="


_known: OrderedDict[tuple[Table, str], Markup] = OrderedDict()


def _drawn(table: Table, analysis: Analysis, words: Words) -> Markup:
    """What was found out, as a part of a page; it is the same for everybody, and takes a while to draw."""
    key = table, words.lang
    drawn = _known.get(key)
    if drawn is None:
        found = insight(analysis, table.match, words, people_of(table, words))
        about = {"game": analysis.game, "found": found, "detail": found.detail, "replay": _replay(table)}
        drawn = Markup(render("insight.html", words, **about))  # by templates, which escape what people wrote
        _known[key] = drawn
        while len(_known) > KEPT:
            _known.popitem(last=False)
    return drawn


HANDLERS = [analysis_page, start]

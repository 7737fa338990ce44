"""Looking back: the replay of a table, and of a record that somebody brings."""

import asyncio
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from litestar import Response, get, post
from litestar.datastructures import UploadFile
from litestar.params import FromPath

from meadhall.faults import RecordFault
from meadhall.games.game import SPECTATOR
from meadhall.lab.analysis import can_analyse
from meadhall.match import Match
from meadhall.tables.refusals import NotYours, Senseless
from meadhall.tables.table import Table
from meadhall.web.edge.session import Asked, Shown, holder_of, language, lobby_of
from meadhall.web.edge.toll import OPENED
from meadhall.web.pages import packing
from meadhall.web.pages.around import HTML, UNPROCESSABLE, go_to, page, page_context
from meadhall.web.pages.screens import Slip, names, screen
from meadhall.web.pages.stills import Meanwhile, address, all_viewpoints, beat_number, html
from meadhall.web.replay import Replay
from meadhall.words import Words

_opened = lru_cache(maxsize=32)(packing.opened)
FRAGMENT = "x-fragment"
LARGEST_RECORD = 256 * 1024  # bytes of a file, or of what is pasted


@lru_cache(maxsize=32)
def _whole(match: Match, viewpoint: str) -> Replay:
    """A replay of a match that nothing more will happen in."""
    return Replay.of_record(match, viewpoint)


class RecordReplays:
    """Every viewpoint of a record: whoever holds it holds all of it."""

    code, over = "", False
    meanwhile: Meanwhile | None = None

    def __init__(self, match: Match, packed: str) -> None:
        self.match = match
        self.at = f"/replay/{packed}"
        self.seats: Sequence[str] = match.seats
        self.viewpoints = all_viewpoints(match.seats)

    def replay(self, viewpoint: str) -> Replay:
        """What a viewpoint saw."""
        return _whole(self.match, viewpoint)

    def first(self, replay: Replay) -> int:
        """The beat to begin with."""
        return 0

    def people(self, words: Words) -> dict[str, str]:
        """A record names nobody."""
        return {}


class TableReplays:
    """The viewpoints that somebody may take on a table, and what each saw: of a running game what a face has."""

    def __init__(self, table: Table, holder: str | None, shown: Shown, gone: frozenset[str]) -> None:
        looked = screen(table, holder, shown, gone)
        self.table, self.holder, self.gone, self.face = table, holder, gone, looked.face
        self.code, self.over = table.code, table.phase == "over"
        self.at = f"/t/{table.code}/replay"
        self.seats: Sequence[str] = table.match.seats
        own = looked.face.seat
        mine = (own, *(seat for seat in table.played_together(own) if seat != own)) if own else ()
        self.viewpoints = all_viewpoints(self.seats) if self.over else (*mine, SPECTATOR)
        self.meanwhile: Meanwhile | None = None
        if table.phase == "playing":
            asked = looked.face.asks and looked.curtain is None
            hides = looked.face.shared and own is not None
            self.meanwhile = Meanwhile(asked, hides, f"/t/{table.code}/live", looked.face.tag)

    def replay(self, viewpoint: str) -> Replay:
        """What a viewpoint saw."""
        if self.over:
            return _whole(self.table.match, viewpoint)
        seat = None if viewpoint == SPECTATOR else viewpoint
        return Replay(viewpoint, self.table.page_face(self.holder, seat, self.gone).watch(0))

    def first(self, replay: Replay) -> int:
        """The beat to begin with: of a game that is not over one looks back from its present."""
        return 0 if self.over else replay.last

    def people(self, words: Words) -> dict[str, str]:
        """Who sits where."""
        return names(self.face, words)


Replays = TableReplays | RecordReplays


def beat_page(seen: Replays, replay: Replay, number: int, words: Words, **around: Any) -> str:
    """The page of a beat."""
    around |= {"at": seen.at, "code": seen.code, "finished": seen.over, "meanwhile": seen.meanwhile}
    around["analysis"] = seen.over and can_analyse(replay.beats[0].view.game.name)
    return html(replay, number, seen.viewpoints, words, seen.people(words), **around)


async def _answer(request: Asked, seen: Replays) -> Response[Any]:
    """The page of the beat that is asked for, or the way from one viewpoint to the same moment of another."""
    query = request.query_params
    viewpoint = _viewpoint(query.get("as", ""), seen)
    replay = await asyncio.to_thread(seen.replay, viewpoint)
    before = query.get("from", "")
    if before:
        earlier = await asyncio.to_thread(seen.replay, _viewpoint(before, seen))
        number = beat_number(query.get("beat", ""), 0, earlier.last)
        return go_to(seen.at + address(viewpoint, earlier.counterpart(number, replay)))
    number = beat_number(query.get("beat", ""), seen.first(replay), replay.last)
    around = page_context(request) | {"path": seen.at + address(viewpoint, number)}
    around["fragment"] = request.headers.get(FRAGMENT) == "replay"
    text = await asyncio.to_thread(beat_page, seen, replay, number, language(request), **around)
    return Response(text, media_type=HTML)


@get("/t/{code:str}/replay", media_type=HTML)
async def table_replay(request: Asked, code: FromPath[str]) -> Response[Any]:
    """A beat of a table's game: of a finished one through any eyes, of a running one through one's own."""
    seated = await lobby_of(request).seated(code)
    table, holder = seated.table, holder_of(request)
    if table.phase == "open":
        return go_to(f"/t/{table.code}")
    await seated.touch(holder)
    return await _answer(request, TableReplays(table, holder, Shown.of(request, table), await seated.gone()))


def _viewpoint(name: str, seen: Replays) -> str:
    """The viewpoint of a name, if whoever asks may take it."""
    if not name:
        return seen.viewpoints[0]
    if name in seen.viewpoints:
        return name
    known = all_viewpoints(seen.seats)
    if name in known:
        raise NotYours("ui.refused.eyes")
    raise Senseless("ui.refused.viewpoint", name=name[:20], known=", ".join(known))


@get("/replay", media_type=HTML)
async def open_page(request: Asked) -> Response[Any]:
    """Where one opens a record, by file or by paste."""
    given, query = request.app.state.settings.record, request.url.query
    return go_to(f"/replay/{given}{'?' if query else ''}{query}") if given else _open_page(request)


def _open_page(request: Asked, status: int = 200, slip: Slip | None = None, text: str = "") -> Response[str]:
    return page(request, "open.html", status, slip=slip, text=text)


@post("/replay", opt=OPENED, request_max_body_size=LARGEST_RECORD)
async def open_record(request: Asked) -> Response[Any]:
    """Open a record: from then on its address holds it, and nothing is kept here."""
    form = await request.form()
    file, text = form.get("file"), str(form.get("text", ""))
    brought: str | bytes = await file.read() if isinstance(file, UploadFile) else b""
    try:
        packed = await asyncio.to_thread(packing.pack, brought or text)
    except RecordFault as fault:
        return _no_record(request, fault, "" if brought else text)
    return go_to(f"/replay/{packed}")


def _no_record(request: Asked, fault: RecordFault, text: str = "") -> Response[str]:
    """What is wrong with a record and where; what was pasted is kept."""
    words = language(request)
    if fault.index is None:
        title = words.say("ui.replay.no-record")
    else:
        title = words.say("ui.replay.bad-choice", number=fault.index + 1)
    return _open_page(request, UNPROCESSABLE, Slip(title, str(fault)), text)


@get("/replay/{packed:str}", media_type=HTML)
async def record_replay(request: Asked, packed: FromPath[str]) -> Response[Any]:
    """A beat of a record that lies in the address itself."""
    try:
        match = await asyncio.to_thread(_opened, packed)
    except RecordFault as fault:
        return _no_record(request, fault)
    return await _answer(request, RecordReplays(match, packed))


HANDLERS = [table_replay, open_page, open_record, record_replay]

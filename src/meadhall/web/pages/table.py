"""The pages of one table, and everything one can do there. They work without a script: forms, and a page in answer."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Stream

from meadhall.bots.evaluation import Evaluation
from meadhall.faults import ChoiceFault, Fault
from meadhall.record import RecordData
from meadhall.tables import decisions
from meadhall.tables.decisions import Decision
from meadhall.tables.refusals import MovedOn, Refusal, Senseless
from meadhall.tables.seated import Seated
from meadhall.tables.table import Table
from meadhall.web.edge.session import (
    SECRET,
    Asked,
    Shown,
    fingerprint,
    holder_of,
    language,
    lobby_of,
    new_secret,
    terms_of,
)
from meadhall.web.edge.toll import OPENED, STREAMED
from meadhall.web.game import board_of
from meadhall.web.live import stream
from meadhall.web.pages.around import HTML, UNPROCESSABLE, Form, go_to, note_own, page_context, to_table
from meadhall.web.pages.kept import for_ended
from meadhall.web.pages.screens import Screen, Slip, screen

FRAGMENT = "x-fragment"
SINCE = "x-since"  # the position that the page shows: what has happened since is told before the table is shown


async def show(
    request: Asked,
    seated: Seated,
    shown: Shown | None = None,
    slip: Slip | None = None,
    status: int = 200,
    evaluation: Evaluation | None = None,
    eyes: str = "",
) -> Response[str]:
    """The table as whoever asks sees it: the whole page, or for the script only what changes."""
    holder, table = holder_of(request), seated.table
    await seated.touch(holder)
    gone = await seated.gone()
    seen = shown or Shown.of(request, table)
    link = f"{request.url.scheme}://{request.headers.get('host', 'localhost')}/t/{table.code}"
    lobby = lobby_of(request)
    caveats = lobby.bots.caveats(table)
    fragment = request.headers.get(FRAGMENT) == "table"
    may_end = decisions.may_end(table, holder, gone)
    page = page_context(request) | {"fragment": fragment}
    page |= {"path": f"/t/{table.code}", "levels": lobby.levels_of(table.header.game)}

    def look() -> Screen:
        looked = replace(screen(table, holder, seen, gone), caveats=caveats, evaluation=evaluation, may_end=may_end)
        return looked.after(_since(request) if fragment else None)

    def strokes(looked: Screen | None) -> Iterator[str]:
        looked = looked or look()
        if looked.face.phase in ("over", "ended"):
            record = looked.face.phase == "over"
            page["kept"] = for_ended(terms_of(request), language(request), table.bots_only, record)
        return looked.strokes(language(request), slip, link, eyes, **page)

    before = look() if table.phase == "open" else None
    if before and before.gathering:
        state = request.app.state
        page["qr"] = await state.codes.get(link, partial(state.buckets.take, request.scope["client"]))
    # Whoever has just done something waits for the answer; whoever looks on is still shown what was before.
    text = await request.app.state.easel.draw(partial(strokes, before), first=request.method != "GET")
    answer = Response(text, media_type=HTML, status_code=status)
    if shown is not None:
        answer.set_cookie(shown.cookie(request, table))
    return answer


def _since(request: Asked) -> int | None:
    """The position from which on a script wants to be told; anything that is none is as good as no wish."""
    text = request.headers.get(SINCE, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


async def done(request: Asked, seated: Seated, shown: Shown | None = None) -> Response[Any]:
    """After a change: the new table for the script; for everybody else, a redirect to it."""
    if request.headers.get(FRAGMENT) == "table":
        return await show(request, seated, shown)
    answer = go_to(f"/t/{seated.table.code}")
    if shown is not None:
        answer.set_cookie(shown.cookie(request, seated.table))
    return answer


async def attempt(request: Asked, seated: Seated, decide: Callable[[], Decision]) -> Response[Any]:
    """Do something to a table; a refusal is shown as a slip on the table as it stands."""
    try:
        await seated.change(decide())
    except Fault as fault:
        return await refused(request, seated, fault)
    return await done(request, seated)


async def refused(request: Asked, seated: Seated, fault: Fault) -> Response[Any]:
    """The table as it stands, with a slip that says what was wrong; nothing was lost."""
    words = language(request)
    if isinstance(fault, MovedOn):
        slip = Slip(words.say("ui.slip.moved-on"), words.say("ui.slip.moved-on-detail"))
    elif isinstance(fault, Refusal):
        slip = Slip(words.say("ui.slip.refused"), fault.said(words))
    elif isinstance(fault, ChoiceFault):
        slip = Slip(words.say("ui.slip.refused"), words.say("ui.slip.not-possible"))
    else:
        slip = Slip(words.say("ui.slip.refused"), str(fault))
    return await show(request, seated, None, slip, fault.status if isinstance(fault, Refusal) else UNPROCESSABLE)


@get("/t/{code:str}", media_type=HTML)
async def table_page(request: Asked, code: FromPath[str], eyes: FromQuery[str] = "") -> Response[Any]:
    """A table; its code may be typed in any way, and has one address.

    `eyes` is a partner's seat or a spectator, as whom the viewer wants to see the board.
    """
    seated = await lobby_of(request).seated(code)
    if code != seated.table.code:
        return go_to(f"/t/{seated.table.code}")
    answer = await show(request, seated, eyes=eyes)
    note_own(request, seated.table, answer)
    return answer


@get("/t/{code:str}/live", opt=STREAMED)
async def live(request: Asked, code: FromPath[str], tag: FromQuery[str] = "") -> Stream:
    """A message whenever there is something new to see; the script then asks for it."""
    lobby, holder = lobby_of(request), holder_of(request)
    seated = await lobby.seated(code)
    await seated.touch(holder)
    messages = stream(lobby, seated, holder, tag, lambda table, gone: table.tag(holder, gone).encode())
    return Stream(messages, media_type="text/event-stream", headers={"x-accel-buffering": "no"})


@post("/t/{code:str}/choose")
async def choose(request: Asked, code: FromPath[str], data: Form) -> Response[Any]:
    """Seal a choice. On a shared device the curtain falls again."""
    seated = await lobby_of(request).seated(code)
    try:
        position = _number(data.get("position", ""))
        choice = board_of(seated.table.header.game).choice_from(data)
        seat = data.get("seat") or None
        after = await seated.change(decisions.choose(holder_of(request), seat, position, choice))
    except Fault as fault:
        return await refused(request, seated, fault)
    shown = Shown.of(request, after)
    if shown.seat is None:
        return await done(request, seated)
    still_owing = any(each in after.waiting for each in after.played_together(shown.seat))
    same_turn = still_owing and after.position == position
    return await done(request, seated, Shown(shown.seat if same_turn else None, position))


@post("/t/{code:str}/hint")
async def hint(request: Asked, code: FromPath[str], data: Form) -> Response[Any]:
    """What a strong bot would do, shown on the table as it stands; for nobody else does anything change."""
    lobby = lobby_of(request)
    seated = await lobby.seated(code)
    try:
        evaluation = await lobby.bots.hint(seated.table, holder_of(request), data.get("seat") or None)
    except Fault as fault:
        return await refused(request, seated, fault)
    return await show(request, seated, evaluation=evaluation)


@get("/t/{code:str}/hint")
async def after_hint(code: FromPath[str]) -> Redirect:
    """Whoever comes back to the address of a hint gets the table."""
    return go_to(f"/t/{code}")


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Senseless("ui.refused.position")
    return int(text)


@post("/t/{code:str}/here")
async def here(request: Asked, code: FromPath[str], data: Form) -> Response[Any]:
    """Somebody at a shared device says that he is there, and alone: show him his side."""
    seated = await lobby_of(request).seated(code)
    try:
        seat = decisions.own_seat(seated.table, holder_of(request), data.get("seat") or None)
    except Refusal as refusal:
        return await refused(request, seated, refusal)
    return await done(request, seated, Shown(seat, seated.table.position))


@post("/t/{code:str}/away")
async def away(request: Asked, code: FromPath[str]) -> Response[Any]:
    """Hide what is on a shared device, and pass it on."""
    seated = await lobby_of(request).seated(code)
    return await done(request, seated, Shown(None, seated.table.position))


@post("/t/{code:str}/sit")
async def sit(request: Asked, code: FromPath[str], data: Form) -> Response[Any]:
    """Take an open seat."""
    lobby = lobby_of(request)
    seated = await lobby.seated(code)
    secret = request.cookies.get(SECRET) or new_secret()
    try:
        await lobby.sit_at(seated, fingerprint(secret), data.get("seat") or None, data.get("name"))
    except Refusal as refusal:
        return await refused(request, seated, refusal)
    return to_table(request, seated.table, secret)


@post("/t/{code:str}/fill")
async def fill(request: Asked, code: FromPath[str], data: Form) -> Response[Any]:
    """Put bots on all open seats."""
    lobby, holder = lobby_of(request), holder_of(request)
    seated = await lobby.seated(code)
    game = seated.table.header.game
    level, levels = data.get("level") or decisions.substitute(game), lobby.levels_of(game)
    return await attempt(request, seated, lambda: decisions.fill(holder, level, levels))


@post("/t/{code:str}/pace")
async def pace(request: Asked, code: FromPath[str], data: Form) -> Response[Any]:
    """How fast bots among themselves play."""
    seated = await lobby_of(request).seated(code)
    return await attempt(request, seated, lambda: decisions.set_pace(holder_of(request), data.get("ms", "")))


@post("/t/{code:str}/again", opt=OPENED)
async def again(request: Asked, code: FromPath[str], seats: FromQuery[str] = "") -> Response[Any]:
    """The same company, another game, on the same seats or on others."""
    lobby = lobby_of(request)
    seated = await lobby.seated(code)
    try:
        following = await lobby.again_at(seated, holder_of(request), exchanged=seats == "exchanged")
    except Refusal as refusal:
        return await refused(request, seated, refusal)
    return to_table(request, await lobby.table(following), request.cookies.get(SECRET) or new_secret())


@get("/t/{code:str}/record")
async def record(request: Asked, code: FromPath[str]) -> Response[bytes]:
    """The record of a finished game, as a file."""
    lobby = lobby_of(request)
    table = await lobby.table(code)
    text = msgspec.json.format(msgspec.json.encode(record_of(table)), indent=1)
    name = f'attachment; filename="meadhall-{table.code}.json"'
    return Response(text, media_type="application/json", headers={"content-disposition": name})


def record_of(table: Table) -> RecordData:
    """The record of a game, which shows everything: only when it is over."""
    if table.phase != "over":
        raise Refusal("ui.refused.record")
    return table.match.record()


HANDLERS = [table_page, live, choose, hint, after_hint, here, away, sit, fill, pace, again, record]

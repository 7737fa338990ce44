"""What all at a table feel: ending it, leaving a seat, a bot in somebody's place. No request does it by accident.

On our pages the button stands behind a question, and sends the answer along. Whoever posts without it is asked here.
"""

from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect

from meadhall.faults import Fault
from meadhall.tables import decisions
from meadhall.tables.decisions import Decision
from meadhall.tables.seated import Seated
from meadhall.web.edge.session import Asked, holder_of, lobby_of
from meadhall.web.pages.around import go_to, page
from meadhall.web.pages.table import done, refused


async def _form(request: Asked) -> dict[str, str]:
    """What was sent; a request without a body asks for no more than the question."""
    return {name: value for name, value in (await request.form()).items() if isinstance(value, str)}


async def _act(
    request: Asked, seated: Seated, decision: Decision, act: str, seat: str = "", level: str = "", sure: bool = False
) -> Response[Any]:
    """Do it if whoever asks is sure; else ask whether he is, unless there is nothing to do or it is refused."""
    table = seated.table
    try:
        if not sure and decision(table) is not None:
            about: dict[str, Any] = {"act": act, "seat": seat, "level": level, "begun": table.started}
            return page(request, "sure.html", code=table.code, game=table.header.game, **about)
        await seated.change(decision)
    except Fault as fault:
        return await refused(request, seated, fault)
    return await done(request, seated)


@post("/t/{code:str}/leave")
async def leave(request: Asked, code: FromPath[str]) -> Response[Any]:
    """Get up from a seat."""
    seated, form, holder = await lobby_of(request).seated(code), await _form(request), holder_of(request) or ""
    seat = form.get("seat", "")
    try:
        decisions.own_seat(seated.table, holder, seat)
    except Fault as fault:
        return await refused(request, seated, fault)
    return await _act(request, seated, decisions.leave(holder, seat), "leave", seat, sure="sure" in form)


@post("/t/{code:str}/bot")
async def bot(request: Asked, code: FromPath[str]) -> Response[Any]:
    """Put a bot on a seat, or another bot; only where it takes a person's place there is a question."""
    lobby, form = lobby_of(request), await _form(request)
    seated = await lobby.seated(code)
    table, seat = seated.table, form.get("seat", "")
    level = form.get("level") or decisions.substitute(table.header.game)
    levels = lobby.levels_of(table.header.game)
    try:
        sure = "sure" in form or not decisions.replaces(table, seat)
        decision = decisions.seat_bot(holder_of(request), seat, level, await seated.gone(), levels)
    except Fault as fault:
        return await refused(request, seated, fault)
    return await _act(request, seated, decision, "bot", seat, level, sure)


@post("/t/{code:str}/end")
async def end(request: Asked, code: FromPath[str]) -> Response[Any]:
    """Close the table for everybody."""
    seated, form = await lobby_of(request).seated(code), await _form(request)
    decision = decisions.end(holder_of(request), await seated.gone())
    return await _act(request, seated, decision, "end", sure="sure" in form)


@get(["/t/{code:str}/leave", "/t/{code:str}/bot", "/t/{code:str}/end"])
async def after_question(code: FromPath[str]) -> Redirect:
    """Whoever comes back to the address of a question gets the table."""
    return go_to(f"/t/{code}")


HANDLERS = [leave, bot, end, after_question]

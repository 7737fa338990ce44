"""The JSON interface: tables for programs, with the same eyes as people. Its description is /api/openapi.json."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec
from litestar import delete, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, JSONBody, Parameter
from litestar.response import Stream

from meadhall.games.game import GAMES, game_named
from meadhall.tables import decisions
from meadhall.tables.face import Face, Phase, Who
from meadhall.tables.lobby import Lobby
from meadhall.tables.refusals import NotYours
from meadhall.tables.table import Table
from meadhall.web.edge.session import SECRET, Asked, bearer, fingerprint, holder_of, language, lobby_of, new_secret
from meadhall.web.live import stream
from meadhall.web.pages.hints import reason
from meadhall.web.pages.table import record_of

GameName = Literal["goths", "romans"]
Text = Annotated[str, msgspec.Meta(max_length=200)]
Position = Annotated[int, msgspec.Meta(ge=0, le=10**9)]
After = Annotated[int, Parameter(ge=0, le=10**9, description="Only what happened at this position or later")]
AsSeat = Annotated[
    str | None, Parameter(max_length=200, description="Through the eyes of this seat; it must be one of yours")
]


class Problem(msgspec.Struct):
    """Why a request was refused. `position` is the current one, where the request answered an old one."""

    status_code: int
    detail: str
    position: int | None = None


class GameInfo(msgspec.Struct):
    """A game and its options, each with its default."""

    game: str
    seats: list[str]
    rules: dict[str, Any]


class NewTable(msgspec.Struct, forbid_unknown_fields=True):
    """A table to be opened. Each seat is "me", "open" (as is one not named) or the level of a bot.

    `hints` allows hints also where several people play.
    """

    game: GameName
    rules: dict[str, Any] = {}
    seats: dict[str, Text] = {}
    name: Text | None = None
    public: bool = True
    hints: bool = False


class NewSeat(msgspec.Struct, forbid_unknown_fields=True):
    """A seat to be taken; the first open one if none is named."""

    seat: Text | None = None
    name: Text | None = None


class NewChoice(msgspec.Struct, forbid_unknown_fields=True):
    """A choice by name, and the position it answers. The seat may be left out by whoever has only one."""

    position: Position
    choice: Annotated[str, msgspec.Meta(max_length=500)]
    seat: Text | None = None


class SeatInfo(msgspec.Struct):
    """Who sits on a seat."""

    seat: str
    who: Who
    name: str | None
    level: str | None
    gone: bool


class TableInfo(msgspec.Struct):
    """A table through the eyes of one seat, or of a spectator (`seat` is null)."""

    code: str
    game: str
    rules: dict[str, Any]
    phase: Phase
    seats: list[SeatInfo]
    seat: str | None
    mine: Sequence[str]
    position: int
    view: dict[str, Any]
    choices: list[str]
    next: str | None
    hints: bool


class Opened(msgspec.Struct):
    """A new table, and the token that holds your seats if you sent none."""

    code: str
    token: str | None
    table: TableInfo


class Taken(msgspec.Struct):
    """The seat you have taken, and the token that holds it if you sent none."""

    seat: str
    token: str | None
    table: TableInfo


class Accepted(msgspec.Struct):
    """Your choice is on disk. The position is the one after it."""

    seat: str
    choice: str
    position: int


class Told(msgspec.Struct):
    """Something that happened, and at which position."""

    position: int
    code: str
    args: dict[str, str | int | None]
    clause: str


class Story(msgspec.Struct):
    """What a seat, or a spectator, was told."""

    position: int
    events: list[Told]


class Valued(msgspec.Struct):
    """A choice, the chance to win after it, and how often a strong bot would make it."""

    choice: str
    win: float
    weight: float


class Reading(msgspec.Struct):
    """What a face-down King card could be, and how likely that is."""

    clan: str
    card: str
    chance: float


class Reason(msgspec.Struct):
    """Why, as the key of a sentence and what goes into it."""

    key: str
    args: dict[str, str | int | float]


class HintInfo(msgspec.Struct):
    """What a strong bot would do on your seat and why, from what that seat may know.

    Chances are from 0 to 1. `sentence` says `why` in the language you ask for with Accept-Language.
    """

    seat: str
    position: int
    best: str
    win: float
    choices: list[Valued]
    readings: list[Reading]
    why: Reason
    sentence: str
    caveat: str | None


class Listing(msgspec.Struct):
    """A table that can be watched or joined."""

    code: str
    game: str
    phase: str


WHY = {
    400: "The request cannot be read",
    401: "No token",
    403: "Not your seat, or a page of another site sent this",
    404: "No such table",
    409: "Not now: the position is past, the seat is taken, the game is not over",
    413: "Too much",
    422: "It can be read and makes no sense here",
    429: "Too many requests",
}
TOKEN: list[dict[str, list[str]]] = [{"token": []}]
TOKEN_OR_NONE: list[dict[str, list[str]]] = [{}, {"token": []}]


def _problems(*statuses: int) -> dict[int, ResponseSpec]:
    """The refusals that a route documents."""
    return {k: ResponseSpec(Problem, description=WHY[k], generate_examples=False) for k in (*statuses, 429)}


CHANGED = (400, 403, 413, 422)
LOOKED_AT = _problems(400, 403, 404, 422)


def _seen(face: Face) -> TableInfo:
    return msgspec.convert(face.json(), TableInfo)


def _eyes(table: Table, holder: str | None, seat: str | None) -> str | None:
    """Through whose eyes: one's own seat if it is named, or that of the only person one is, or a spectator's."""
    if seat is not None:
        return decisions.own_seat(table, holder, seat)
    return table.eyes_of(holder)


async def _face(request: Asked, lobby: Lobby, code: str, seat: str | None) -> Face:
    holder = holder_of(request)
    await lobby.touch(code, holder)
    table = await lobby.table(code)
    return table.face(holder, _eyes(table, holder, seat), await lobby.gone(code))


def _secret(request: Asked) -> tuple[str, str | None]:
    """The secret of whoever asks, and the new one to be told to him if he had none."""
    known = bearer(request) or request.cookies.get(SECRET)
    secret = known or new_secret()
    return secret, None if known else secret


@get("/games", sync_to_thread=False, responses=_problems())
def games() -> list[GameInfo]:
    """The games and their options."""
    infos = []
    for name in GAMES:
        game = game_named(name)
        rules = game.check_rules(game.smallest_rules)
        infos.append(GameInfo(name, list(game.seats(rules)), rules))
    return infos


@get("/tables", responses=_problems())
async def list_tables(request: Asked) -> list[Listing]:
    """Public tables that are open or in play, newest first."""
    lobby = lobby_of(request)
    return [Listing(t.code, t.game, t.phase) for t in await lobby.store.listing(("playing", "open"), 50)]


@post("/tables", responses=_problems(*CHANGED), security=TOKEN_OR_NONE)
async def open_table(request: Asked, data: JSONBody[NewTable]) -> Opened:
    """Open a table."""
    lobby = lobby_of(request)
    secret, told = _secret(request)
    holder = fingerprint(secret)
    rules = data.rules or game_named(data.game).smallest_rules
    table = await lobby.open_table(data.game, rules, data.seats, holder, data.name, data.public, data.hints)
    return Opened(table.code, told, _seen(table.face(holder, _eyes(table, holder, None))))


@get("/tables/{code:str}", responses=LOOKED_AT, security=TOKEN_OR_NONE)
async def see_table(request: Asked, code: FromPath[str], seat: AsSeat = None) -> TableInfo:
    """The table as you may know it."""
    lobby = lobby_of(request)
    return _seen(await _face(request, lobby, code, seat))


@post("/tables/{code:str}/seats", responses=_problems(*CHANGED, 404, 409), security=TOKEN_OR_NONE)
async def take_seat(request: Asked, code: FromPath[str], data: JSONBody[NewSeat]) -> Taken:
    """Take an open seat."""
    lobby = lobby_of(request)
    secret, told = _secret(request)
    holder = fingerprint(secret)
    seat = await lobby.sit(code, holder, data.seat, data.name)
    table = await lobby.table(code)
    return Taken(seat, told, _seen(table.face(holder, seat)))


@delete("/tables/{code:str}/seats/{seat:str}", responses=_problems(401, 403, 404, 422), security=TOKEN)
async def leave_seat(request: Asked, code: FromPath[str], seat: FromPath[str]) -> None:
    """Get up from a seat of yours."""
    lobby = lobby_of(request)
    await lobby.leave(code, _known(request), seat)


@post("/tables/{code:str}/choices", status_code=200, responses=_problems(*CHANGED, 401, 404, 409), security=TOKEN)
async def choose(request: Asked, code: FromPath[str], data: JSONBody[NewChoice]) -> Accepted:
    """Make a choice, or change one that is still sealed. It is on disk before you get the answer."""
    holder = _known(request)
    table = await lobby_of(request).change(code, decisions.choose(holder, data.seat, data.position, data.choice))
    return Accepted(decisions.own_seat(table, holder, data.seat), data.choice, table.position)


@get("/tables/{code:str}/hint", responses=_problems(400, 401, 403, 404, 409, 422), security=TOKEN)
async def hint(request: Asked, code: FromPath[str], seat: AsSeat = None) -> HintInfo:
    """What a strong bot would do. Only where you owe a choice, and either play alone or the host allows hints."""
    lobby = lobby_of(request)
    holder = _known(request)
    table = await lobby.table(code)
    position, words = table.position, language(request)
    judgement = await lobby.counsel.hint(table, holder, seat)
    told = {
        "position": position,
        "sentence": reason(judgement.why, table.header.game, words),
        "caveat": words.say(judgement.caveat) if judgement.caveat else None,
    }
    return msgspec.convert(judgement.json() | told, HintInfo)


@get("/tables/{code:str}/events", responses=LOOKED_AT, security=TOKEN_OR_NONE)
async def events(request: Asked, code: FromPath[str], seat: AsSeat = None, after: After = 0) -> Story:
    """What you were told, from the beginning or from a position on."""
    lobby = lobby_of(request)
    face = await _face(request, lobby, code, seat)
    told = [Told(at, e.code, dict(e.args), e.clause) for at, e in face.told if at >= after]
    return Story(face.position, told)


@get("/tables/{code:str}/live", media_type="text/event-stream", responses=LOOKED_AT, security=TOKEN_OR_NONE)
async def live(request: Asked, code: FromPath[str], seat: AsSeat = None) -> Stream:
    """Server-Sent Events: the table now, and again whenever there is something new that you may know."""
    lobby = lobby_of(request)
    holder = holder_of(request)
    await _face(request, lobby, code, seat)  # refused now rather than in the middle of the stream

    def tell(table: Table, gone: frozenset[str]) -> bytes:
        return table.face(holder, seat or table.eyes_of(holder), gone, at_once=True).encoded()

    messages = stream(lobby, code, holder, "", tell)
    return Stream(messages, media_type="text/event-stream", headers={"x-accel-buffering": "no"})


@get("/tables/{code:str}/record", responses=_problems(404, 409))
async def record(request: Asked, code: FromPath[str]) -> dict[str, Any]:
    """The record of a game that is over, secrets included."""
    lobby = lobby_of(request)
    return record_of(await lobby.table(code))


def _known(request: Asked) -> str:
    """The holder who asks; a refusal if he shows no secret."""
    holder = holder_of(request)
    if holder is None:
        raise NoToken("ui.refused.no-token")
    return holder


class NoToken(NotYours):
    """A program that shows no token."""

    status = 401


HANDLERS = [games, list_tables, open_table, see_table, take_seat, leave_seat, choose, hint, events, live, record]

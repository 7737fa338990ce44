"""The JSON interface: tables for programs, with the same eyes as people. Its description is /api/openapi.json."""

import msgspec
from litestar import Response, delete, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, JSONBody
from litestar.response import Stream

from meadhall.games.game import GAMES, game_named
from meadhall.tables import decisions
from meadhall.tables.analyses import Stage
from meadhall.tables.face import Story, TableFace
from meadhall.tables.refusals import NotYours
from meadhall.tables.seated import Seated
from meadhall.tables.table import Table
from meadhall.web.api.analysed import AnalysisStage, stage_info
from meadhall.web.api.structs import (
    Accepted,
    After,
    AsSeat,
    GameInfo,
    HintInfo,
    Listing,
    NewChoice,
    NewSeat,
    NewTable,
    Opened,
    Problem,
    RecordInfo,
    Taken,
)
from meadhall.web.edge.session import SECRET, Asked, bearer, fingerprint, holder_of, language, lobby_of, new_secret
from meadhall.web.edge.toll import OPENED, STREAMED
from meadhall.web.live import stream
from meadhall.web.pages.hints import reason
from meadhall.web.pages.table import record_of

LISTED = 50
WHY = {
    400: "The request cannot be read",
    401: "No token",
    403: "Not your seat, or a page of another site sent this",
    404: "No such table",
    409: "Not now: the position is past, the seat is taken, the game is not over",
    410: "The table is stored in a way that this server cannot read",
    413: "Too much",
    422: "It can be read and makes no sense here",
    429: "Too many requests",
    503: "The store does not answer: try again after the seconds in Retry-After",
}
TOKEN: list[dict[str, list[str]]] = [{"token": []}]
TOKEN_OR_NONE: list[dict[str, list[str]]] = [{}, {"token": []}]


def _problems(*statuses: int) -> dict[int, ResponseSpec]:
    """The refusals that a route documents; those of the server as a whole are possible everywhere."""
    return {k: ResponseSpec(Problem, description=WHY[k], generate_examples=False) for k in (*statuses, 429, 503)}


STREAM = ResponseSpec(
    TableFace,
    description="A stream of Server-Sent Events; the data of each event is this JSON",
    media_type="text/event-stream",
    generate_examples=False,
)
CHANGED = (400, 403, 413, 422)
LOOKED_AT = _problems(400, 403, 404, 410, 422)


def _eyes(table: Table, holder: str | None, seat: str | None) -> str | None:
    """Through whose eyes: one's own seat if it is named, or that of the only person one is, or a spectator's."""
    if seat is not None:
        return decisions.own_seat(table, holder, seat)
    return table.eyes_of(holder)


async def _visited(request: Asked, code: str) -> Seated:
    """The table of a code; whoever looks at it is there."""
    seated = await lobby_of(request).seated(code)
    await seated.touch(holder_of(request))
    return seated


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
    """Public tables that are open or in play, those first where something happened last."""
    return [Listing(each.code, each.game, each.phase) for each in await lobby_of(request).listed(LISTED)]


@post("/tables", opt=OPENED, responses=_problems(*CHANGED), security=TOKEN_OR_NONE)
async def open_table(request: Asked, data: JSONBody[NewTable]) -> Opened:
    """Open a table."""
    secret, new = _secret(request)
    holder = fingerprint(secret)
    rules = data.rules or game_named(data.game).smallest_rules
    lobby = lobby_of(request)
    table = await lobby.open_table(data.game, rules, data.seats, holder, data.name, data.public, data.hints)
    return Opened(table.code, new, table.face(holder, table.eyes_of(holder)))


@get("/tables/{code:str}", responses=LOOKED_AT, security=TOKEN_OR_NONE)
async def see_table(request: Asked, code: FromPath[str], seat: AsSeat = None) -> TableFace:
    """The table as you may know it."""
    seated, holder = await _visited(request, code), holder_of(request)
    return seated.table.face(holder, _eyes(seated.table, holder, seat), await seated.gone())


@post("/tables/{code:str}/seats", responses=_problems(*CHANGED, 404, 409, 410), security=TOKEN_OR_NONE)
async def take_seat(request: Asked, code: FromPath[str], data: JSONBody[NewSeat]) -> Taken:
    """Take an open seat. Once play has begun, only your own back from the bot that plays for you, and only once."""
    secret, new = _secret(request)
    holder = fingerprint(secret)
    lobby = lobby_of(request)
    seated = await lobby.seated(code)
    seat = await lobby.sit_at(seated, holder, data.seat, data.name)
    return Taken(seat, new, seated.table.face(holder, seat))


@delete("/tables/{code:str}/seats/{seat:str}", responses=_problems(401, 403, 404, 410, 422), security=TOKEN)
async def leave_seat(request: Asked, code: FromPath[str], seat: FromPath[str]) -> None:
    """Get up from a seat of yours, at once: pages ask whether one is sure, programs are taken at their word.

    While a game is on a bot plays for you from then on.
    """
    await lobby_of(request).leave(code, _known(request), seat)


@post("/tables/{code:str}/choices", status_code=200, responses=_problems(*CHANGED, 401, 404, 409, 410), security=TOKEN)
async def choose(request: Asked, code: FromPath[str], data: JSONBody[NewChoice]) -> Accepted:
    """Make a choice, or change one that is still sealed. It is on disk before you get the answer.

    The choice answers a position, so sending it twice is harmless, and sending it too late is refused.
    """
    holder = _known(request)
    table = await lobby_of(request).change(code, decisions.choose(holder, data.seat, data.position, data.choice))
    return Accepted(decisions.own_seat(table, holder, data.seat), data.choice, table.position)


@get("/tables/{code:str}/hint", responses=_problems(400, 401, 403, 404, 409, 410, 422), security=TOKEN)
async def hint(request: Asked, code: FromPath[str], seat: AsSeat = None) -> HintInfo:
    """What a strong bot would do. Only where you owe a choice, and either play alone or the host allows hints."""
    lobby, holder, words = lobby_of(request), _known(request), language(request)
    table = await lobby.table(code)
    position = table.position
    found = await lobby.bots.hint(table, holder, seat)
    return HintInfo(
        seat=found.seat,
        position=position,
        best=found.best,
        win=found.win,
        choices=found.choices,
        readings=found.readings,
        why=found.why,
        sentence=reason(found.why, table.header.game, words),
        caveat=words.say(found.caveat) if found.caveat else None,
    )


@get("/tables/{code:str}/events", responses=LOOKED_AT, security=TOKEN_OR_NONE)
async def events(request: Asked, code: FromPath[str], seat: AsSeat = None, after: After = 0) -> Story:
    """What you were told, from the beginning or from a position on."""
    table, holder = (await _visited(request, code)).table, holder_of(request)
    return table.story(holder, _eyes(table, holder, seat), after)


_encode = msgspec.json.Encoder().encode


@get(
    "/tables/{code:str}/live",
    opt=STREAMED,
    media_type="text/event-stream",
    responses=LOOKED_AT | {200: STREAM},
    security=TOKEN_OR_NONE,
)
async def live(request: Asked, code: FromPath[str], seat: AsSeat = None) -> Stream:
    """Server-Sent Events: the table now, and again whenever there is something new that you may know.

    Each message has the event name `table` and the table as its data: the same JSON as `GET /api/tables/{code}`.
    Between messages there are comments, which keep the connection open.
    """
    seated, holder = await _visited(request, code), holder_of(request)
    _eyes(seated.table, holder, seat)  # refused now rather than in the middle of the stream

    def tell(table: Table, gone: frozenset[str]) -> bytes:
        return _encode(table.face(holder, seat or table.eyes_of(holder), gone))

    messages = stream(lobby_of(request), seated, holder, "", tell)
    return Stream(messages, media_type="text/event-stream", headers={"x-accel-buffering": "no"})


@get("/tables/{code:str}/record", responses=_problems(404, 409, 410))
async def record(request: Asked, code: FromPath[str]) -> RecordInfo:
    """The record of a game that is over, secrets included."""
    return record_of(await lobby_of(request).table(code))


ANALYSED = _problems(404, 409, 410, 422)
UNDER_WAY = ResponseSpec(AnalysisStage, description="It is not there yet: ask again", generate_examples=False)


@get("/tables/{code:str}/analysis", responses=ANALYSED | {202: UNDER_WAY})
async def analysis(request: Asked, code: FromPath[str]) -> Response[AnalysisStage]:
    """The analysis of a game that is over, or how far it is; it is made when somebody asks for it with POST."""
    lobby = lobby_of(request)
    return _staged(await lobby.analyses.look(await lobby.table(code)), request)


@post("/tables/{code:str}/analysis", status_code=200, responses=ANALYSED | _problems(403) | {202: UNDER_WAY})
async def analyse(request: Asked, code: FromPath[str]) -> Response[AnalysisStage]:
    """Have a game that is over analysed, in the background; whoever asks again gets the same analysis."""
    lobby = lobby_of(request)
    return _staged(await lobby.analyses.start(await lobby.table(code)), request)


def _staged(stage: Stage, request: Asked) -> Response[AnalysisStage]:
    under_way = stage.state in ("waiting", "working")
    return Response(stage_info(stage, language(request)), status_code=202 if under_way else 200)


def _known(request: Asked) -> str:
    """The holder who asks; a refusal if he shows no secret."""
    holder = holder_of(request)
    if holder is None:
        raise NoToken("ui.refused.no-token")
    return holder


class NoToken(NotYours):
    """A program that shows no token."""

    status = 401


HANDLERS = [
    games,
    list_tables,
    open_table,
    see_table,
    take_seat,
    leave_seat,
    choose,
    hint,
    events,
    live,
    record,
    analysis,
    analyse,
]

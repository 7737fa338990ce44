"""The web application: routes, what they share, and how errors are told."""

import asyncio
import gc
import os
import signal
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import chain, repeat
from pathlib import Path
from types import FrameType
from typing import Any

import structlog
from litestar import Litestar, MediaType, Response, Router, get
from litestar.datastructures import State
from litestar.exceptions import (
    HTTPException,
    InternalServerException,
    NotFoundException,
    PermissionDeniedException,
    SerializationException,
    ValidationException,
)
from litestar.middleware import DefineMiddleware
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme
from prometheus_client import CONTENT_TYPE_LATEST

from meadhall.bots.pool import Pool
from meadhall.faults import Fault
from meadhall.games.game import GAMES
from meadhall.store import StoreAway, StoreUnavailable, open_store
from meadhall.tables.housekeeping import Housekeeper
from meadhall.tables.lobby import Lobby
from meadhall.tables.refusals import MovedOn, Refusal
from meadhall.web import assets, metrics, telling
from meadhall.web.api import handlers as api
from meadhall.web.api.schema import GameTypes
from meadhall.web.edge.address import Forwarded
from meadhall.web.edge.compress import Compress
from meadhall.web.edge.door import Door, Limits
from meadhall.web.edge.files import connections_at_most
from meadhall.web.edge.guard import SUMMARY, Buckets, Guard
from meadhall.web.edge.keeper import Attended
from meadhall.web.edge.session import Asked, language, lobby_of
from meadhall.web.edge.toll import Streams, Toll
from meadhall.web.logs import set_up_logs
from meadhall.web.pages import analysis as analysispages
from meadhall.web.pages import around as pages
from meadhall.web.pages import art, learn, pictures, rulebook, sure
from meadhall.web.pages import replay as replaypages
from meadhall.web.pages import table as tablepages
from meadhall.web.pages.easel import Easel
from meadhall.web.pages.qr import Codes
from meadhall.web.settings import Settings
from meadhall.words import words

LARGEST_BODY = 64 * 1024
ERRORS = {
    400: ("ui.error.title-senseless", "ui.error.detail-senseless"),
    403: ("ui.error.title-forbidden", "ui.error.detail-forbidden"),
    404: ("ui.error.title-missing", "ui.error.detail-missing"),
    410: ("ui.error.title-unreadable", "ui.refused.unreadable"),
    413: ("ui.error.title-large", "ui.error.detail-large"),
    429: ("ui.error.title-often", "ui.error.detail-often"),
    500: ("ui.error.title-broken", "ui.error.detail-broken"),
    503: ("ui.error.title-away", "ui.error.detail-away"),
}
RETRY_AFTER = 5  # seconds
HEALTH_LIMIT = 5.0  # seconds until a store that does not answer counts as away
FIRST_ATTEMPT = 10.0  # seconds to open the store before requests are answered without it
OPEN_PAUSES = (0.2, 0.5, 1.0, 2.0)  # seconds between attempts to open the store; the last again and again
log = structlog.get_logger("meadhall.web")


def create(settings: Settings | None = None) -> Litestar:
    """The application, set up as given or as the environment says."""
    chosen = settings or Settings.from_environment()
    set_up_logs(chosen.log_level)
    limits = Limits(connections_at_most(int(chosen.connections)), int(chosen.address_connections), chosen.request_time)
    buckets = Buckets(chosen.rate_limit)
    streams = Streams(int(chosen.address_streams), limits.connections * 3 // 4)  # room is left for everything else
    app = Litestar(
        route_handlers=[
            *pages.HANDLERS,
            *tablepages.HANDLERS,
            *rulebook.HANDLERS,
            *analysispages.HANDLERS,
            *sure.HANDLERS,
            *pictures.HANDLERS,
            *art.HANDLERS,
            *learn.HANDLERS,
            *replaypages.HANDLERS,
            assets.static,
            healthz,
            metrics_page,
            Router("/api", route_handlers=api.HANDLERS, include_in_schema=True),
        ],
        include_in_schema=False,
        exception_handlers={Exception: answer_error},
        lifespan=[_lifespan],
        state=State(
            {
                "settings": chosen,
                "terms": chosen.terms,
                "pictures": pictures.Pictures(),
                "codes": Codes(),
                "easel": Easel(),
                "buckets": buckets,
                "door": Door(limits, chosen.proxies),
                "lobby": None,
            }
        ),
        logging_config=None,
        openapi_config=_description(),
        plugins=[GameTypes()],
        request_max_body_size=LARGEST_BODY,
        middleware=[DefineMiddleware(Toll, buckets=buckets, streams=streams)],
    )
    # Around everything: what Litestar calls middleware does not see requests that no route wants.
    guarded = Guard(Compress(app.asgi_handler), buckets)
    app.asgi_handler = Attended(Forwarded(guarded, chosen.proxies))
    return app


@asynccontextmanager
async def _lifespan(app: Litestar) -> AsyncIterator[None]:
    """Open the lobby when the server starts, or as soon as its store is there, and close it when it stops."""
    chosen: Settings = app.state.settings
    pool = app.state.pool = Pool(int(chosen.bot_processes) or None, own=chosen.own_bots)
    opening: asyncio.Task[None] | None = None
    try:
        async with asyncio.timeout(FIRST_ATTEMPT):
            await _open_lobby(app)
    except (StoreAway, TimeoutError) as fault:
        log.warning("waiting for the store", error=str(fault) or "it takes long")
        opening = asyncio.create_task(_open_when_it_is_there(app))
    warming = asyncio.create_task(pool.warm_up()) if chosen.warm_up else None
    _stop_streams_with_the_server(app.state)
    # What is there now stays, and tables live long: looking through all of it again and again finds nothing.
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    started = time.monotonic()
    log.info("ready", pid=os.getpid(), bots=list(pool.levels))
    try:
        yield
    finally:
        for task in (warming, opening):
            if task is not None:
                task.cancel()
        if opening is not None:
            await asyncio.wait([opening])
        SUMMARY.say()
        if app.state.lobby is None:
            pool.close()
        else:
            await app.state.lobby.close()
        log.info("stopped", pid=os.getpid(), after_s=round(time.monotonic() - started))


async def _open_lobby(app: Litestar) -> None:
    chosen: Settings = app.state.settings
    store = await open_store(chosen.db or None)
    lobby = app.state.lobby = Lobby(store, app.state.pool, chosen.grace, chosen.pause, telling.seconds)
    lobby.look_after(Housekeeper(lobby, chosen.terms, Path(chosen.archive) if chosen.archive else None).run())


async def _open_when_it_is_there(app: Litestar) -> None:
    """Try until the store can be opened; meanwhile requests that need it are told to come back."""
    for pause in chain(OPEN_PAUSES, repeat(OPEN_PAUSES[-1])):
        await asyncio.sleep(pause)
        try:
            await _open_lobby(app)
        except StoreAway as fault:
            log.warning("still waiting for the store", error=str(fault))
        except Exception as error:  # such as a password that was changed meanwhile: the host may see to that
            log.error("the store cannot be opened", error=str(error)[:300])
        else:
            log.info("the store is there")
            return


def _description() -> OpenAPIConfig:
    """How the JSON interface is described, at /api/openapi.json."""
    titles = " and ".join(words("en").title(name) for name in GAMES)
    return OpenAPIConfig(
        title="Meadhall",
        version="1",
        description=f"Tables of {titles} for programs.",
        render_plugins=[JsonRenderPlugin(path="/openapi.json")],
        use_handler_docstrings=True,
        openapi_router=Router("/api", route_handlers=[], include_in_schema=False, after_request=_no_page),
        components=Components(security_schemes={"token": SecurityScheme(type="http", scheme="bearer")}),
    )


def _no_page(response: Response[Any]) -> Response[Any]:
    """For a path of the interface that does not exist, JSON as for every other refusal: Litestar has a page for it."""
    if response.status_code == 404:
        raise NotFoundException
    return response


def _stop_streams_with_the_server(state: State) -> None:
    """End live connections when the server is told to stop: it waits for all requests, and they never end."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        server = signal.getsignal(number)
        if not callable(server) or threading.current_thread() is not threading.main_thread():
            continue

        def stop(number: int, frame: FrameType | None, server: Callable[..., Any] = server) -> None:
            loop.call_soon_threadsafe(_stop_streams, state.lobby, number)
            server(number, frame)

        signal.signal(number, stop)


def _stop_streams(lobby: Lobby | None, number: int) -> None:
    if lobby is None or not lobby.closing:
        live = 0 if lobby is None else lobby.watchers
        log.info("stopping", pid=os.getpid(), why=signal.Signals(number).name, live_connections=live)
    if lobby is not None:
        lobby.stop_watching()


@get("/healthz", include_in_schema=False)
async def healthz(request: Asked) -> Response[dict[str, str]]:
    """Is the server there, and can its store be read and written?"""
    try:
        async with asyncio.timeout(HEALTH_LIMIT):
            await lobby_of(request).store.ping()
    except Exception:  # the store has said so, once
        status = {"status": "the store cannot be read or written"}
        return Response(status, status_code=503, headers={"retry-after": str(RETRY_AFTER)})
    return Response({"status": "ok"})


@get("/metrics", include_in_schema=False)
async def metrics_page(request: Asked) -> Response[bytes]:
    """Counts and gauges for Prometheus; not for everybody, as they would tell a player when his partner chooses."""
    lobby = lobby_of(request)
    if not metrics.may_read(request):
        raise PermissionDeniedException
    return Response(await metrics.exposition(lobby), headers={"content-type": CONTENT_TYPE_LATEST})


def answer_error(request: Asked, error: Exception) -> Response[Any]:
    """JSON for programs, a page for people; what went wrong inside is for the log alone."""
    status, detail = _status_and_detail(request, error)
    headers = dict(getattr(error, "headers", None) or {})
    if status >= 500 and not isinstance(error, Refusal | StoreUnavailable):
        log.error("request failed", method=request.method, path=request.url.path, status=status, exc_info=error)
    if status == 503:
        headers["retry-after"] = str(RETRY_AFTER)
    if request.url.path == "/api" or request.url.path.startswith("/api/"):
        body: dict[str, Any] = {"status_code": status, "detail": detail}
        if isinstance(error, MovedOn):
            body["position"] = error.position
        return Response(body, status_code=status, media_type=MediaType.JSON, headers=headers)
    spoken = language(request)
    title, explained = ERRORS.get(status, ERRORS[400] if status < 500 else ERRORS[500])
    said = detail if isinstance(error, Fault) else spoken.say(explained)
    answer = pages.page(request, "error.html", status, title=spoken.say(title), detail=said)
    answer.headers.update(headers)
    return answer


def _status_and_detail(request: Asked, error: Exception) -> tuple[int, str]:
    """The status of an answer, and what went wrong in a sentence."""
    match error:
        case Refusal():
            return error.status, error.said(language(request))
        case Fault():
            return 422, str(error)
        case StoreUnavailable():
            return 503, f"the tables cannot be reached for the moment; try again in {RETRY_AFTER} seconds"
        case ValidationException():
            return 400, _what_is_invalid(error)
        case RecursionError():
            return 400, "the body: nested too deeply"
        case UnicodeDecodeError():
            return 400, "the body: not UTF-8"
        case InternalServerException() if "disconnected" in error.detail:
            return 400, "the body: broken off"  # and nobody there to read this
        case _ if isinstance(error.__cause__, SerializationException):
            return 400, f"the body is not JSON: {error.__cause__.detail}"
        case HTTPException() if error.status_code < 500:
            return error.status_code, error.detail
        case _:
            return 500, "something went wrong here; nothing was lost"


def _what_is_invalid(error: ValidationException) -> str:
    """Each part of a request that does not fit, by its place."""
    extra = error.extra if isinstance(error.extra, list) else []
    parts = [part for part in extra if isinstance(part, dict)]
    places = [(str(part.get("key", "data")), part.get("message", "")) for part in parts]
    return "; ".join(f"{'the body' if place == 'data' else place}: {said}" for place, said in places) or error.detail

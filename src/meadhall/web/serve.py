"""`meadhall serve`: the web server, in one process or several."""

import asyncio
import os
import platform
import socket
import tempfile
from collections.abc import Callable
from dataclasses import asdict
from importlib.metadata import version
from math import ceil

import structlog
import uvicorn
from uvicorn.supervisors import Multiprocess

from meadhall.bots.own.seats import check_own_bots
from meadhall.faults import Fault
from meadhall.store import open_store, shown_address
from meadhall.web.edge.files import raise_limit
from meadhall.web.logs import set_up_logs
from meadhall.web.settings import Settings

log = structlog.get_logger("meadhall.web")

UNSAID = ("db", "metrics_token", "record")  # in the log: the first with care, the others not at all
APP = "meadhall.web.app:create"
PATIENCE = 5  # seconds that requests in work may take when the server stops


def serve(host: str, port: int, workers: int, settings: Settings, ready: Callable[[str], None]) -> None:
    """Serve until stopped."""
    if not 1 <= workers <= 64:
        raise Fault(f"--workers must be from 1 to 64, not {workers}")
    if workers > 1 and not settings.db.startswith("postgres"):
        raise Fault("--workers above 1 needs PostgreSQL: give its address with --db postgresql://USER@HOST/NAME")
    if not 0 <= port <= 65535:
        raise Fault(f"--port must be from 0 to 65535, not {port}")
    set_up_logs(settings.log_level)
    asyncio.run(_check_store(settings.db))
    check_own_bots(settings.own_bots.values())
    os.environ |= settings.as_environment()
    raise_limit()
    config = uvicorn.Config(
        APP,
        factory=True,
        workers=workers,
        loop="uvloop",
        http="meadhall.web.edge.door:Doorkeeper",
        ws="none",
        proxy_headers=False,  # ours are believed from whom the settings say
        log_config=None,
        log_level="error",  # else whoever sends nonsense fills the log
        access_log=False,
        server_header=False,
        timeout_keep_alive=ceil(settings.request_time),  # the door closes them sooner
        timeout_graceful_shutdown=PATIENCE,
    )
    listener = _listen(host, port)
    _log_start(host, listener.getsockname()[1], workers, settings)
    ready(f"http://{_shown(host)}:{listener.getsockname()[1]}")
    with listener:
        if workers == 1:
            uvicorn.Server(config).run(sockets=[listener])
            return
        with tempfile.TemporaryDirectory(prefix="meadhall-") as folder:
            os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
            Multiprocess(config, sockets=[listener]).run()


def _log_start(host: str, port: int, workers: int, settings: Settings) -> None:
    """Say what is started, with everything that was set but passwords and tokens."""
    chosen = {name: value for name, value in asdict(settings).items() if name not in UNSAID and value != ""}
    log.info(
        "starting",
        version=version("meadhall"),
        python=platform.python_version(),
        pid=os.getpid(),
        address=f"{host}:{port}",
        workers=workers,
        db=shown_address(settings.db),
        **chosen,
    )


async def _check_store(where: str) -> None:
    """Open the store once before anything runs: what is wrong with it is said here, in one line."""
    store = await open_store(where or None)
    await store.close()


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listener = socket.socket(family)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(2048)
        listener.set_inheritable(True)
    except OSError as error:
        why = error.strerror or error
        raise Fault(f"cannot listen on {host} port {port}: {why}; choose another with --host and --port") from None
    return listener


def _shown(host: str) -> str:
    """The address as one types it into a browser here."""
    if host in ("0.0.0.0", "127.0.0.1", "::", "::1"):
        return "localhost"
    return f"[{host}]" if ":" in host else host

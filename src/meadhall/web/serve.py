"""`meadhall serve`: the web server, in one process or several."""

import asyncio
import os
import platform
import signal
import socket
import tempfile
from collections.abc import Callable
from dataclasses import asdict, replace
from functools import partial
from importlib.metadata import version
from math import ceil
from typing import Any

import structlog
import uvicorn

from meadhall.bots.own.seats import check_own_bots
from meadhall.engine.cores import cores_at_hand
from meadhall.faults import Fault
from meadhall.store import open_store, shown_address
from meadhall.web.edge.files import raise_limit
from meadhall.web.logs import set_up_logs
from meadhall.web.settings import Settings
from meadhall.web.workers import Workers

log = structlog.get_logger("meadhall.web")

UNSAID = ("db", "metrics_token", "record")  # in the log: the first with care, the others not at all
APP = "meadhall.web.app:create"
PATIENCE = 5  # seconds that requests in work may take when the server stops
TIME_TO_CLOSE = 10  # seconds that a process may take after that to close its store and its bots


def how(settings: Settings) -> dict[str, Any]:
    """How uvicorn is to serve, in each process."""
    return {
        "app": APP,
        "factory": True,
        "loop": "uvloop",
        "http": "meadhall.web.edge.keeper:Doorkeeper",
        "ws": "none",
        "proxy_headers": False,  # ours are believed from whom the settings say
        "log_config": None,
        "log_level": "error",  # else whoever sends nonsense fills the log
        "access_log": False,
        "server_header": False,
        "timeout_keep_alive": ceil(settings.request_time),  # the door closes them sooner
        "timeout_graceful_shutdown": PATIENCE,
    }


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
    if not settings.bot_processes:  # as many as cores, shared among the processes of the server
        settings = replace(settings, bot_processes=float(max(1, -(-cores_at_hand() // workers))))
    os.environ |= settings.as_environment()
    raise_limit()
    listener = _listen(host, port)
    _log_start(host, listener.getsockname()[1], workers, settings)
    ready(f"http://{_shown(host)}:{listener.getsockname()[1]}")
    with listener:
        if workers == 1:
            uvicorn.Server(uvicorn.Config(**how(settings))).run(sockets=[listener])
        else:
            signal.raise_signal(_serve_together(workers, settings, listener))


def _serve_together(workers: int, settings: Settings, listener: socket.socket) -> signal.Signals:
    """Serve with several processes, which count together for /metrics; the signal that stopped them."""
    with tempfile.TemporaryDirectory(prefix="meadhall-") as folder:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
        from prometheus_client.multiprocess import mark_process_dead  # which looks at the environment

        buried = partial(mark_process_dead, path=folder)
        return Workers(workers, how(settings), listener, PATIENCE + TIME_TO_CLOSE, buried).run()


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

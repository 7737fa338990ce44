"""The boardgame.io server, in memory, under 50 socket.io clients that move as soon as it is their turn."""

import json
import os
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

from web.machine import Cores, free_port, serving
from web.measured import Measured, Repeats, best

CLIENTS = 50
HERE = Path(__file__).parents[1] / "peers" / "boardgameio"
INSTALLED = Path(__file__).parents[2] / ".bench-node"
INSTALL_LIMIT = 600  # seconds


def install() -> Path:
    """Have npm fetch the pinned packages into a folder of their own, unless they are there; that folder."""
    wanted = (HERE / "package.json").read_bytes()
    kept = INSTALLED / "package.json"
    if not kept.exists() or kept.read_bytes() != wanted or not (INSTALLED / "node_modules" / "boardgame.io").exists():
        if shutil.which("node") is None or shutil.which("npm") is None:
            raise RuntimeError("node and npm are not installed")
        INSTALLED.mkdir(exist_ok=True)
        kept.write_bytes(wanted)
        quiet = ["--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"]
        command = ["npm", "install", "--prefix", str(INSTALLED), *quiet]
        subprocess.run(command, check=True, timeout=INSTALL_LIMIT, stdout=sys.stderr)
    return INSTALLED


def measure(cores: Cores, repeats: Repeats, players: int) -> Measured:
    """Moves a second, in matches of so many players."""
    folder = install()
    port = free_port()
    with serving(["node", str(HERE / "server.js"), str(port)], port, cores.server, folder / "log", folder) as server:
        numbers = (port, CLIENTS, players, repeats.seconds, repeats.count)
        before = server.cpu()
        done = subprocess.run(
            ["node", str(HERE / "load.js"), *map(str, numbers)],
            cwd=folder,
            capture_output=True,
            text=True,
            check=True,
            timeout=60 + 2 * repeats.count * repeats.seconds,
            preexec_fn=partial(os.sched_setaffinity, 0, {cores.load}),
        )
        spent = server.cpu() - before
    told = json.loads(done.stdout)
    if min(told["rates"]) <= 0:
        raise RuntimeError("the clients stopped moving")
    busy = min(1.0, spent / (repeats.count * repeats.seconds + 1))
    return best([Measured(rate, load_busy=told["busy"], server_busy=busy) for rate in told["rates"]])

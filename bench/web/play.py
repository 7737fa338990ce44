"""Meadhall itself under load: many tables in play, every choice on disk before its answer is sent."""

import math
import sys
import time
from pathlib import Path

import uvloop

from web.machine import Cores, Server, allow_many_sockets, folder_on_disk, free_port, serving
from web.measured import Measured, Repeats, best, percentile
from web.players import Players

TABLES = 200
SPARE = 100  # set up beforehand, to take the places of those that end during a repeat
UNDER_WAY = (16, 32, 64, 96)  # choices at a time that are tried
LONGEST_P99 = 100  # milliseconds
SEED = 1


def serve_command(file: Path | str, port: int) -> list[str]:
    """How Meadhall is started for a measurement."""
    options = ["--host", "127.0.0.1", "--port", str(port), "--db", str(file)]
    limits = ["--rate-limit", "0", "--address-streams", "0"]  # all of the load comes from one address
    return [sys.executable, "-m", "meadhall", "serve", *options, *limits]


def measure(cores: Cores, repeats: Repeats, game: str, people: int) -> Measured:
    """Choices a second at 200 tables, and how long after its sending a choice reaches the other seats."""
    allow_many_sockets()
    with folder_on_disk() as folder:
        port = free_port()
        command = serve_command(folder / "tables.db", port)
        with serving(command, port, cores.server, folder / "log") as server:
            return uvloop.run(_load(server, repeats, game, people))


async def _load(server: Server, repeats: Repeats, game: str, people: int) -> Measured:
    """Find how many choices at a time serve best, then repeat with that many."""
    players = Players(server.port, game, people, SEED)
    await players.fill(TABLES, SPARE)
    await players.play(repeats.warm_up, UNDER_WAY[0])
    await players.settle()
    tried = {most: await once(players, server, repeats, most) for most in UNDER_WAY}
    quick = {most: found for most, found in tried.items() if found.p99 < LONGEST_P99}
    most = max(quick, key=lambda each: quick[each].rate) if quick else UNDER_WAY[0]
    found = best([await once(players, server, repeats, most) for _ in range(repeats.count)])
    if not math.isfinite(found.p99):
        raise RuntimeError("no update reached another seat")
    return found


async def once(
    players: Players, server: Server, repeats: Repeats, most: int, tables: int = TABLES, spare: int = SPARE
) -> Measured:
    """One repeat, with so many choices under way at a time."""
    await players.fill(tables, spare)
    own, theirs = time.process_time(), server.cpu()
    passed = await players.play(repeats.seconds, most)
    own, theirs = time.process_time() - own, server.cpu() - theirs
    rate = players.choices / passed
    await players.settle()
    delays = sorted(players.delays)
    return Measured(
        rate,
        1000 * percentile(delays, 0.5),
        1000 * percentile(delays, 0.99),
        own / passed,
        theirs / passed,
        note=f"{most} at a time",
    )

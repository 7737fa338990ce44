"""What stays in memory of games that are over: nothing, once as many tables as are kept have been played."""

import time

import uvloop

from web.machine import Cores, Server, allow_many_sockets, folder_on_disk, free_port, serving
from web.measured import Measured
from web.play import SEED, serve_command
from web.players import Players

TABLES = 50  # in play at a time
UNDER_WAY = 32
STRETCH = 1.0  # seconds of play before finished tables are replaced


def measure(cores: Cores, filling: int, more: int) -> Measured:
    """How much each of so many games adds after the first ones, which fill what is kept."""
    allow_many_sockets()
    with folder_on_disk() as folder:
        port = free_port()
        with serving(serve_command(folder / "tables.db", port), port, cores.server, folder / "log") as server:
            return uvloop.run(_games(server, filling, more))


async def _games(server: Server, filling: int, more: int) -> Measured:
    players = Players(server.port, "goths", 2, SEED)
    started, own, theirs = time.perf_counter(), time.process_time(), server.cpu()
    first = await _play(players, 0, filling)
    full = server.memory()
    last = await _play(players, first, filling + more)
    after = server.memory()
    passed = time.perf_counter() - started
    kilobytes = 1000 * (after - full) / (last - first)
    note = f"{full:.0f} MB after {first:,} games, {after:.0f} MB after {last:,}: {kilobytes:+.1f} kB a game"
    busy = (time.process_time() - own) / passed, (server.cpu() - theirs) / passed
    return Measured(after / full, load_busy=busy[0], server_busy=busy[1], note=note)


async def _play(players: Players, games: int, until: int) -> int:
    """Play until so many games are over in all; how many are."""
    while games < until:
        games += sum(table.over for table in players.tables)
        await players.fill(TABLES, TABLES)
        await players.play(STRETCH, UNDER_WAY)
        await players.settle()
    return games

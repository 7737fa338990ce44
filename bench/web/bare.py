"""The bare Starlette handler, one synchronous=FULL commit a request, under 32 connections."""

import asyncio
import sys
import time
from pathlib import Path

import uvloop

from web.machine import Cores, Server, folder_on_disk, free_port, serving
from web.measured import Measured, Repeats, best
from web.wire import Connection, connect, request

CONNECTIONS = 32
BODY = b'{"position":12,"choice":"act:axe","seat":"ostrogoth-warchief"}'
HANDLER = Path(__file__).parents[1] / "peers" / "starlette_commit.py"


def measure(cores: Cores, repeats: Repeats) -> Measured:
    """Requests a second, each with its commit."""
    with folder_on_disk() as folder:
        port = free_port()
        command = [sys.executable, str(HANDLER), str(folder / "bare.db"), str(port)]
        with serving(command, port, cores.server, folder / "log") as server:
            return uvloop.run(_load(server, repeats))


async def _load(server: Server, repeats: Repeats) -> Measured:
    wire = request("POST", "/choices", body=BODY)
    done = 0
    refused = 0

    def again(connection: Connection) -> None:
        def answered(status: int, body: bytes) -> None:
            nonlocal done, refused
            done += 1
            refused += status != 200
            connection.send(wire, answered)

        connection.send(wire, answered)

    connections = await connect(server.port, CONNECTIONS)
    for connection in connections:
        again(connection)
    await asyncio.sleep(repeats.warm_up)
    found = []
    for _ in range(repeats.count):
        before, start, own, theirs = done, time.perf_counter(), time.process_time(), server.cpu()
        await asyncio.sleep(repeats.seconds)
        passed = time.perf_counter() - start
        found.append(
            Measured(
                (done - before) / passed,
                load_busy=(time.process_time() - own) / passed,
                server_busy=(server.cpu() - theirs) / passed,
            )
        )
    for connection in connections:
        connection.transport.abort()
    if refused:
        raise RuntimeError(f"{refused} requests were refused")
    return best(found)

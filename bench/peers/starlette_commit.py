"""The least a server that keeps its word can do: a bare handler, nothing checked, one commit to disk a request.

python starlette_commit.py FILE PORT
"""

import sqlite3
import sys

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route


def application(file: str) -> Starlette:
    """One route: the body goes to disk as it is, then comes the answer."""
    database = sqlite3.connect(file, isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")
    database.execute("CREATE TABLE choices (id INTEGER PRIMARY KEY, body BLOB NOT NULL)")

    async def choose(request: Request) -> Response:
        database.execute("INSERT INTO choices (body) VALUES (?)", (await request.body(),))
        return Response(b'{"ok":true}', media_type="application/json")

    return Starlette(routes=[Route("/choices", choose, methods=["POST"])])


if __name__ == "__main__":
    uvicorn.run(
        application(sys.argv[1]),
        host="127.0.0.1",
        port=int(sys.argv[2]),
        loop="uvloop",
        http="httptools",
        access_log=False,
        log_level="warning",
    )

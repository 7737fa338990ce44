"""Somebody at the pages, without a browser."""

import httpx

from meadhall.web.edge.session import SECRET
from tests.web.server import Server, client


class Browser:
    """Somebody at the pages: a client with cookies that sends the Origin of the page it is on, as browsers do."""

    def __init__(self, server: Server, **headers: str) -> None:
        self.http = client(server.url, headers=headers)
        self.origin = server.url

    def get(self, path: str, **more: str) -> httpx.Response:
        return self.http.get(path, headers=more)

    def post(self, path: str, form: dict[str, str] | None = None, **headers: str) -> httpx.Response:
        return self.http.post(path, data=form or {}, headers={"origin": self.origin} | headers)

    def play(self, game: str) -> str:
        """One click; the code of the table."""
        answer = self.post("/play", {"game": game})
        assert answer.status_code == 303
        return answer.headers["location"].rpartition("/")[2]

    @property
    def secret(self) -> str:
        return self.http.cookies[SECRET]


def cookies_set(answer: httpx.Response) -> dict[str, set[str]]:
    """The attributes of each cookie, by its name."""
    lines = [line.split("; ") for line in answer.headers.get_list("set-cookie")]
    return {first.partition("=")[0]: {part.lower() for part in rest} for first, *rest in lines}

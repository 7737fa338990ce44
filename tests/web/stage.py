"""A tiny server that follows the pages' contract, under a test's control, for the tests of the browser script."""

import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from queue import Queue
from typing import Any
from urllib.parse import parse_qsl, urlsplit

STATIC = files("meadhall.web") / "static"
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
LOOK = """
:root {{ --m-beat: 40ms; --m-turn: 30ms; --m-move: 30ms }}
.right {{ position: absolute; left: 300px }}
body {{ margin: 0; font: 15px/1.4 sans-serif }}
[hidden] {{ display: none !important }}
#table {{ min-height: 1500px }}
.pick {{ display: inline-block; width: 90px; height: 90px; position: relative; user-select: none }}
.pick input {{ position: absolute; opacity: 0 }}
.scroller {{ height: 40px; overflow: auto }} .scroller p {{ height: 400px }}
#tip {{ position: fixed; max-width: 280px; padding: 10px; background: white }}
.edge {{ position: absolute; right: 0; top: 60px }}
"""
CHOICES = {"act:axe": ("Seal 1, axe", "1"), "act:rats": ("Seal 2, rats", "2"), "act:march": ("Seal 3, march", "3")}


@dataclass(frozen=True)
class Beat:
    """A frame of a telling: its moment, what is said, for how long, in which turn, and where the tower stands."""

    at: int
    say: str
    hold: int = 1000
    chapter: str = "1"
    place: str = "left"
    steps: tuple[str, ...] = ()
    kind: str = "effect"
    brief: bool = True


@dataclass
class Stage:
    """What the server shows now. `change` says so on the live streams; `down` drops every request and stream."""

    seat: str = "gold"
    position: int = 4
    revision: int = 1
    kind: str = "table goths"
    title: str = ""
    sealed: str = ""
    speed: str = "normal"
    ways: str = ""
    lines: list[tuple[int, str]] = field(default_factory=lambda: [(2, "The king meant axe.")])
    choices: dict[str, tuple[str, str]] = field(default_factory=lambda: dict(CHOICES))
    extra: str = ""
    beats: list[Beat] = field(default_factory=list)
    asked_since: list[str] = field(default_factory=list)
    slip: str = ""
    place: str = "left"
    down: bool = False
    live_status: int = 200
    fragment_status: int = 200
    post_status: int = 200
    take: bool = True
    posts: list[dict[str, str]] = field(default_factory=list)
    settings: list[dict[str, str]] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    fragments: int = 0
    pages: int = 0
    streams: list["Queue[str | None]"] = field(default_factory=list)
    held: threading.Event = field(default_factory=threading.Event)
    address: str = ""

    def __post_init__(self) -> None:
        self.held.set()

    @property
    def tag(self) -> str:
        return f"t{self.revision}"

    def change(self, **facts: Any) -> None:
        """Changes what is shown and tells every stream."""
        self.put(**facts)
        for stream in list(self.streams):
            stream.put(self.tag)

    def put(self, **facts: Any) -> None:
        """Changes what is shown and tells nobody."""
        for name, value in facts.items():
            setattr(self, name, value)
        self.revision += 1

    def fall(self) -> None:
        """The server is gone."""
        self.down = True
        self.cut()

    def cut(self) -> None:
        """Every live stream ends."""
        for stream in list(self.streams):
            stream.put(None)

    def main(self) -> str:
        """The fragment."""
        head = f'id="table" class="{self.kind}" data-code="ABCD" data-tag="{self.tag}" data-live="/t/ABCD/live"'
        if self.title:
            head += f' data-title="{self.title}"'
        if not self.sealed and self.choices:
            head += ' data-asks="Your turn · Stage"'
        if self.kind == "curtain":
            return f"<main {head}><h1>Are you alone?</h1></main>"
        radios = "".join(
            f'<label class="pick" title="About {name}"><input type="radio" name="choice" form="choose" value="{name}"'
            f' data-act="{act}" data-key="{key}"{" checked data-sealed" if name == self.sealed else ""}>{name}</label>'
            for name, (act, key) in self.choices.items()
        )
        told = "".join(
            f'<li data-at="{at}">{line} <a class="clause" href="/rules/goths#G4.3" target="rules">G4.3</a></li>'
            for at, line in self.lines
        )
        return f"""<main {head} data-position="{self.position}" data-seat="{self.seat}">
<div class="play">{f'<div class="slip">{self.slip}</div>' if self.slip else ""}
<section class="cloth" data-group="board" aria-label="Board">
<span role="img" aria-label="Forest" title="Forest: hides an army." id="forest">F</span>
<span role="img" aria-label="Plain" title="Plain: nothing special." id="plain">P</span>
<span role="img" aria-label="Tower" title="Tower: worth five." id="tower" data-move="unit-1"
 class="{self.place}">T</span>
<span role="img" aria-label="Edge" title="{"A long sentence about the edge of the world. " * 4}" id="far"
 class="edge">E</span>
</section>
<section class="rail"><form id="choose" method="post" action="/t/ABCD/choose"><input type="hidden" name="seat"
 value="{self.seat}"><input type="hidden" name="position" value="{self.position}"></form>
<h1>Which did your king mean?</h1>{radios}
<button id="act" class="seal" form="choose" type="submit"><span class="label"
 data-idle="Seal an order">Seal an order</span></button>
{self.extra}</section></div>
<aside class="story" aria-label="Story"><ul class="scroller"><p>long</p></ul>
<div class="book"><section class="scene"><ul>{told}</ul></section></div>
<details><summary>Turn 1</summary><p>Old news.</p></details>
<details><summary>Turn 2</summary><p>More.</p></details></aside>
</main>"""

    def frame(self, beat: Beat) -> str:
        """A beat as the server sends it."""
        steps = "".join(f'<b data-step data-lights="{piece}">{piece}</b>' for piece in beat.steps)
        return f"""<template class="frame" data-beat="{beat.at}" data-kind="{beat.kind}" data-hold="{beat.hold}"
 data-chapter="{beat.chapter}" data-heading="Turn {beat.chapter}" data-say="{beat.say}"
 {"data-brief" if beat.brief else ""}>
<section class="cloth" aria-label="Board"><span role="img" aria-label="Tower" id="tower" data-move="unit-1"
 class="{beat.place}">T</span></section>
<section class="rail"><div class="ask"><h1>{beat.say}</h1></div></section>
<section class="scene"><ul><li data-at="{beat.at}">{beat.say}</li></ul>{steps}</section></template>"""

    def fragment(self, since: str) -> str:
        """What has happened since a position, and the table as it is now."""
        self.asked_since.append(since)
        news = [beat for beat in self.beats if since and beat.at >= int(since)]
        return "".join(self.frame(beat) for beat in news) + self.main()

    def page(self) -> str:
        """The whole page."""
        return f"""<!doctype html><html lang="en" data-speed="{self.speed}"><head><meta charset="utf-8">
<title>Stage</title><meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,"
 data-called="data:,called" data-ways="{self.ways}">
<link rel="stylesheet" href="/static/motion.css"><link rel="stylesheet" href="/look.css">
<script type="module" src="/static/table.js"></script></head>
<body><header class="top"><p id="link" hidden>Looking for the table</p>
<p id="telling" hidden><button type="button" data-skip="turn">Go on</button>
<button type="button" data-skip="all">To the present</button></p>
<section id="recap" hidden><ul id="missed"></ul><button type="button">Read</button></section></header>{self.main()}
<p id="say" aria-live="polite"></p><div id="tip" role="tooltip" hidden></div>
<form id="call" method="post" action="/settings"><button name="sign" value="off" aria-pressed="true">mark</button>
<button name="sound" value="off" aria-pressed="true">sound</button>
<button name="notice" value="on" aria-pressed="false">notice</button><p data-denied hidden>Not allowed.</p></form>
</body></html>"""


class Handler(BaseHTTPRequestHandler):
    """One request to the stage."""

    stage: Stage

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""

    def answer(self, body: str | bytes, kind: str = "text/html; charset=utf-8", status: int = 200) -> None:
        content = body.encode() if isinstance(body, str) else body
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Content-Security-Policy", CSP)
        self.end_headers()
        self.wfile.write(content)

    def do_GET(self) -> None:
        stage = self.stage
        path = urlsplit(self.path).path
        if stage.down:
            stage.refused.append("GET")
            return
        if path == "/static/game/part.js":
            self.answer(
                "export const wire = (part, main) => (part.dataset.wired = main.dataset.tag);", "text/javascript"
            )
        elif path.startswith("/static/"):
            kind = "text/css" if path.endswith(".css") else "text/javascript"
            self.answer((STATIC / path.removeprefix("/static/")).read_bytes(), kind)
        elif path == "/look.css":
            self.answer(LOOK.format(), "text/css")
        elif path.endswith("/live"):
            self.stream(dict(parse_qsl(urlsplit(self.path).query)))
        elif self.headers["X-Fragment"] == "table":
            stage.fragments += 1
            stage.held.wait(10)
            self.answer(stage.fragment(self.headers["X-Since"]), status=stage.fragment_status)
        elif path == "/t/ABCD":
            stage.pages += 1
            self.answer(stage.page())
        else:
            self.answer("<!doctype html><title>No</title>No such page.", status=404)

    def stream(self, query: dict[str, str]) -> None:
        stage = self.stage
        if stage.live_status != 200:
            self.answer("no", "text/plain", stage.live_status)
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        queue: Queue[str | None] = Queue()
        stage.streams.append(queue)
        if query["tag"] != stage.tag:
            queue.put(stage.tag)
        self.wfile.write(b": here\n\n")
        self.wfile.flush()
        while (tag := queue.get()) is not None:
            try:
                self.wfile.write(f"event: table\ndata: {tag}\n\n".encode())
                self.wfile.flush()
            except OSError:
                break
        stage.streams.remove(queue)

    def do_POST(self) -> None:
        stage = self.stage
        sent = dict(parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
        if stage.down:
            stage.refused.append("POST")
            return
        if self.path == "/settings":
            stage.settings.append(sent)
            self.answer("", status=200)
            return
        assert self.headers["X-Fragment"] == "table"
        stage.posts.append(sent)
        if stage.take:
            stage.put(sealed=sent["choice"])
        self.answer(stage.fragment(self.headers["X-Since"]), status=stage.post_status)


def open_stage(stage: Stage) -> ThreadingHTTPServer:
    """Starts serving a stage on a free port."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("StageHandler", (Handler,), {"stage": stage}))
    server.daemon_threads = True
    stage.address = f"http://127.0.0.1:{server.server_address[1]}/t/ABCD"
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    return server

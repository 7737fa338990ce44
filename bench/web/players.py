"""Tables in play over the JSON interface: every person has a token and a live stream."""

import asyncio
import random
import time
from collections import deque
from dataclasses import dataclass, field
from typing import Any

import msgspec

from web.machine import HOST
from web.wire import Connection, Stream, connect, request

# How so many people play: the options, and the seat each of them takes.
COMPANIES: dict[tuple[str, int], tuple[dict[str, Any], tuple[str, ...]]] = {
    ("goths", 2): ({"lone_rulers": ["ostrogoth", "visigoth"]}, ("ostrogoth-king", "visigoth-king")),
    ("goths", 4): ({}, ("ostrogoth-king", "ostrogoth-warchief", "visigoth-king", "visigoth-warchief")),
    ("romans", 2): ({"players": ["gold", "green"]}, ("gold", "green")),
    ("romans", 4): ({"players": ["gold", "green", "violet", "red"]}, ("gold", "green", "violet", "red")),
}
AT_ONCE = 8  # requests while tables are being set up
SILENCE = 30  # seconds without an answer
QUIET = 0.2  # seconds, for updates still on their way after the last answer
SEED_OF_TWINS = 2
LAST_POSITIONS = 8  # whose senders a table remembers


class Arrangement(msgspec.Struct):
    """What a Romans seat may lay in any order."""

    arrange: list[str]
    take: int


class Seen(msgspec.Struct):
    """The part of a view that says what the seat owes."""

    pending: dict[str, list[str] | Arrangement]


class Update(msgspec.Struct):
    """The part of a table's JSON that a player in a hurry reads."""

    position: int
    phase: str
    seat: str
    view: Seen


class Created(msgspec.Struct):
    code: str
    token: str


class Joined(msgspec.Struct):
    seat: str
    token: str


class Choice(msgspec.Struct):
    position: int
    choice: str
    seat: str


_update = msgspec.json.Decoder(Update).decode
_created = msgspec.json.Decoder(Created).decode
_joined = msgspec.json.Decoder(Joined).decode
_encode = msgspec.json.Encoder().encode


@dataclass(eq=False)
class Seat:
    """A person: what he owes at which position, for which seat, and up to which position he has answered."""

    table: "Table"
    name: str
    token: str
    position: int = -1
    answered: int = -1
    owes: list[str] | Arrangement | None = None
    stream: Stream | None = None

    def choose(self, rng: random.Random) -> str:
        """A random legal choice."""
        if isinstance(self.owes, Arrangement):
            verb = "plan" if self.owes.take < len(self.owes.arrange) else "reorder"
            return f"{verb}:{','.join(rng.sample(self.owes.arrange, self.owes.take))}"
        assert self.owes
        return rng.choice(self.owes)


@dataclass(eq=False)
class Table:
    """One table: its seats send one choice at a time, so that it is known which of them resolved a decision."""

    code: str
    seats: list[Seat] = field(default_factory=list)
    owed: deque[Seat] = field(default_factory=deque)
    sent: dict[int, tuple[float, Seat]] = field(default_factory=dict)  # position -> the last to answer it, and when
    busy: bool = False
    queued: bool = False
    spare: bool = False  # waits to take the place of one that ends
    over: bool = False


class Players:
    """All tables in play, and the connections that carry their choices."""

    def __init__(self, port: int, game: str, people: int, seed: int) -> None:
        self.port = port
        self.game = game
        self.people = people
        self.tables: list[Table] = []
        self.choices = 0
        self.delays: list[float] = []
        self.refusals: list[str] = []
        self._rng = random.Random(seed)
        self._ready: deque[Table] = deque()
        self._connections: list[Connection] = []
        self._idle: list[Connection] = []
        self._most = 0  # choices under way at a time; 0 while nobody plays
        self._under_way = 0

    # Setting up

    async def fill(self, count: int, spare: int) -> None:
        """Let finished tables go and set up new ones until so many are in play and so many spare, all listening."""
        for table in self.tables:
            if table.over:
                self._leave(table)
        self.tables = [table for table in self.tables if not table.over]
        missing = count + spare - len(self.tables)
        connections = await connect(self.port, min(AT_ONCE, max(missing, 0)))
        for k in range(0, missing, AT_ONCE):
            together = zip(range(min(AT_ONCE, missing - k)), connections, strict=False)
            self.tables += await asyncio.gather(*(self._set_up(connection) for _, connection in together))
        for connection in connections:
            connection.transport.abort()
        await self.listen()
        for k, table in enumerate(self.tables):
            table.spare = k >= count
            self._queue(table)

    async def _set_up(self, connection: Connection) -> Table:
        rules, (first, *others) = COMPANIES[self.game, self.people]
        own = [first, first.replace("king", "warchief")] if "lone_rulers" in rules else [first]
        wanted = {"game": self.game, "rules": rules, "seats": dict.fromkeys(own, "me"), "name": "Ann"}
        made = _created(await self._ask(connection, "/api/tables", wanted))
        table = Table(made.code)
        table.seats.append(Seat(table, first, made.token))
        for name in others:
            joined = _joined(
                await self._ask(connection, f"/api/tables/{made.code}/seats", {"seat": name, "name": "Bob"})
            )
            table.seats.append(Seat(table, joined.seat, joined.token))
        return table

    @staticmethod
    async def _ask(connection: Connection, path: str, body: Any) -> bytes:
        status, answer = await asyncio.wait_for(connection.ask(request("POST", path, body=_encode(body))), SILENCE)
        if status != 201:
            raise RuntimeError(f"POST {path} was answered with {status}: {answer.decode(errors='replace')}")
        return answer

    async def listen(self) -> None:
        """Open the live stream of every seat that has none, and wait until each has heard where its table stands."""
        loop = asyncio.get_running_loop()
        for table in self.tables:
            for seat in table.seats:
                if seat.stream is None:
                    seat.position = seat.answered = -1
                    path = f"/api/tables/{table.code}/live"
                    make = self._stream_of(seat, request("GET", path, seat.token))
                    _, seat.stream = await loop.create_connection(make, HOST, self.port)
        began = time.perf_counter()
        while any(seat.position < 0 for table in self.tables for seat in table.seats):
            if time.perf_counter() - began > SILENCE:
                raise RuntimeError("some live streams say nothing")
            await asyncio.sleep(0.01)

    def _stream_of(self, seat: Seat, data: bytes) -> Any:
        return lambda: Stream(data, lambda heard: self._hear(seat, heard))

    def _leave(self, table: Table) -> None:
        for seat in table.seats:
            if seat.stream:
                seat.stream.transport.abort()
                seat.stream = None
        table.owed.clear()

    def close(self) -> None:
        """Hang up on the server; the tables keep their tokens, so that another server may go on with them."""
        for table in self.tables:
            self._leave(table)
            table.busy = table.queued = False
            table.sent.clear()
        self._hang_up()
        self._ready.clear()

    def _hang_up(self) -> None:
        for connection in self._connections:
            connection.transport.abort()
        self._connections.clear()
        self._idle.clear()

    def twin(self) -> "Players":
        """The same tables and tokens, for a copy of the same file."""
        other = Players(self.port, self.game, self.people, SEED_OF_TWINS)
        for table in self.tables:
            copy = Table(table.code, over=table.over)
            copy.seats = [Seat(copy, seat.name, seat.token) for seat in table.seats]
            other.tables.append(copy)
        return other

    # Playing

    async def play(self, seconds: float, most: int) -> float:
        """Play with at most so many choices under way at a time; the time it took, until the stop was called."""
        self._hang_up()  # a server may close a connection that was idle since the last time
        self._connections = await connect(self.port, most)
        self._idle = list(self._connections)
        self.choices, self.delays, self._most = 0, [], most
        start = time.perf_counter()
        self._send()
        await asyncio.sleep(seconds)
        passed = time.perf_counter() - start
        self._most = 0
        return passed

    async def settle(self) -> None:
        """Wait for the answers still under way, and for what follows from them."""
        began = time.perf_counter()
        while self._under_way:
            if time.perf_counter() - began > SILENCE:
                raise RuntimeError(f"{self._under_way} choices were never answered")
            await asyncio.sleep(0.01)
        await asyncio.sleep(QUIET)
        if self.refusals:
            raise RuntimeError(f"{len(self.refusals)} choices were refused, the first with {self.refusals[0]}")

    def _hear(self, seat: Seat, data: bytes) -> None:
        """A seat's stream says how things stand."""
        now = time.perf_counter()
        update = _update(data)
        table = seat.table
        if update.position > seat.position:
            for position, (then, sender) in table.sent.items():
                if seat.position <= position < update.position and sender is not seat:
                    self.delays.append(now - then)
            seat.position = update.position
        if update.phase in ("over", "ended") and not table.over:
            table.over = True
            self._call_in_spare()
        seat.name = update.seat
        seat.owes = update.view.pending.get(seat.name)
        if seat.owes and seat.answered < update.position and seat not in table.owed:
            table.owed.append(seat)
            self._queue(table)

    def _call_in_spare(self) -> None:
        for table in self.tables:
            if table.spare and not table.over:
                table.spare = False
                self._queue(table)
                return

    def _queue(self, table: Table) -> None:
        if table.owed and not table.busy and not table.queued and not table.spare:
            table.queued = True
            self._ready.append(table)
            self._send()

    def _send(self) -> None:
        """Send choices, the table that waited longest first, while there is room."""
        while self._ready and self._idle and self._under_way < self._most:
            table = self._ready.popleft()
            table.queued = False
            seat = table.owed.popleft()
            if not seat.owes or seat.answered >= seat.position:
                self._queue(table)
                continue
            seat.answered = seat.position
            table.busy = True
            self._under_way += 1
            body = _encode(Choice(seat.position, seat.choose(self._rng), seat.name))
            wire = request("POST", f"/api/tables/{table.code}/choices", seat.token, body)
            if len(table.sent) >= LAST_POSITIONS:
                del table.sent[next(iter(table.sent))]
            table.sent.pop(seat.position, None)
            table.sent[seat.position] = (time.perf_counter(), seat)
            self._post(self._idle.pop(), table, wire)

    def _post(self, connection: Connection, table: Table, wire: bytes) -> None:
        def answered(status: int, body: bytes) -> None:
            self._under_way -= 1
            self._idle.append(connection)
            table.busy = False
            if status == 200:
                self.choices += 1
            else:
                self.refusals.append(f"{status} {body.decode(errors='replace')[:200]}")
            self._queue(table)
            self._send()

        connection.send(wire, answered)

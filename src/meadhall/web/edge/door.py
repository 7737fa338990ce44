"""The door of a server process: how many connections there may be, in all and of one address."""

import asyncio
from dataclasses import dataclass, field
from typing import Protocol

from meadhall.web.edge.address import Proxies, network_of

SWEEP = 1.0  # seconds between looks at who is late


@dataclass(frozen=True)
class Limits:
    """What one process of the server allows; 0 is no limit."""

    connections: int = 0
    by_address: int = 0
    head: float = 10.0  # seconds for the head of a request, and for the first one to begin

    @property
    def body(self) -> float:
        """Seconds for the body of a request."""
        return 2 * self.head

    @property
    def idle(self) -> float:
        """Seconds that a connection is kept between requests."""
        return self.head / 2

    @property
    def stalled(self) -> float:
        """Seconds in which somebody must read some of what was sent."""
        return 3 * self.head


class Connection(Protocol):
    """One of those at the door."""

    def look(self, now: float) -> None:
        """End the connection if its time is up."""

    def dismiss(self) -> None:
        """Somebody else needs the place."""


@dataclass
class Group:
    """The connections of one address: how many, and those on which nothing is being answered, oldest first."""

    count: int = 0
    idle: dict[Connection, None] = field(default_factory=dict)


class Door:
    """All connections of a process."""

    def __init__(self, limits: Limits, proxies: Proxies) -> None:
        self.limits = limits
        self.proxies = proxies
        self.all: dict[Connection, str] = {}
        self._everybody = Group()
        self._groups: dict[str, Group] = {}
        self._sweeping = False

    def admit(self, keeper: Connection, address: str) -> bool:
        """Let a connection in, if need be in the place of one on which nothing is being answered."""
        # A proxy brings many visitors over its own connections; it is the proxy's part to count them.
        name = "" if address in self.proxies else network_of(address)
        group = self._groups.get(name) or Group()
        by_address = self.limits.by_address if name else 0
        if not (self._room(group, by_address) and self._room(self._everybody, self.limits.connections)):
            return False
        self._groups[name] = group  # which may have been emptied just now
        self.all[keeper] = name
        for each in (group, self._everybody):
            each.count += 1
            each.idle[keeper] = None
        if not self._sweeping:
            self._sweeping = True
            asyncio.get_running_loop().call_later(SWEEP, self._sweep)
        return True

    def _room(self, group: Group, most: int) -> bool:
        """Is there room for one more? Whoever has been idle longest makes it."""
        if most and group.count >= most:
            oldest = next(iter(group.idle), None)
            if oldest is None:
                return False
            oldest.dismiss()
        return True

    def mark(self, keeper: Connection, *, idle: bool) -> None:
        """Note whether anything is being answered on a connection."""
        name = self.all.get(keeper)
        if name is None:
            return
        for group in (self._groups[name], self._everybody):
            if idle:
                group.idle[keeper] = None
            else:
                group.idle.pop(keeper, None)

    def leave(self, keeper: Connection) -> None:
        """A connection is over; it may be said twice."""
        name = self.all.pop(keeper, None)
        if name is None:
            return
        for group in (self._groups[name], self._everybody):
            group.count -= 1
            group.idle.pop(keeper, None)
        if not self._groups[name].count:
            del self._groups[name]

    def _sweep(self) -> None:
        loop = asyncio.get_running_loop()
        for keeper in tuple(self.all):
            keeper.look(loop.time())
        self._sweeping = bool(self.all)
        if self._sweeping:
            loop.call_later(SWEEP, self._sweep)

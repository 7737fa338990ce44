"""Live updates: a stream that speaks when there is something new to see, and otherwise beats like a clock.

The beat keeps its own time, so nothing about it tells when anybody else has chosen.
"""

import asyncio
from asyncio import Event
from collections.abc import AsyncIterator, Callable

from litestar.types import HTTPScope

from meadhall.tables.lobby import Hall, Seated
from meadhall.tables.table import Table

BEAT = 10.0  # seconds
SAY = "meadhall.say"  # the extension of ASGI by which the door lets a stream speak
Tell = Callable[[Table, frozenset[str]], bytes]
Say = Callable[[bytes], bool]


def way_to_say(scope: HTTPScope) -> Say | None:
    """How to say something on the stream that answers a request without waiting for anything, where there is a way."""
    return (scope.get("extensions") or {}).get(SAY, {}).get("say")  # type: ignore[return-value]


class Listener:
    """Somebody who listens at a table, and the tag of what he has heard last."""

    def __init__(self, seated: Seated, holder: str | None, known: str, tell: Tell) -> None:
        self.seated = seated
        self.holder = holder
        self.known = known
        self.tell = tell

    def news(self, gone: frozenset[str]) -> bytes | None:
        """A message, if there is anything new that he can see."""
        table = self.seated.table
        tag = table.tag(self.holder, gone)
        if tag == self.known:
            return None
        message = b"event: table\ndata: " + self.tell(table, gone) + b"\n\n"
        self.known = tag
        return message


class Prompter:
    """Watches a table and says at once what is new; where that cannot be, it wakes the stream, which can wait.

    Only while the stream waits for that: what it is about to say comes first.
    """

    def __init__(self, hall: Hall, listener: Listener, say: Say, changed: Event) -> None:
        self.hall = hall
        self.listener = listener
        self.say = say
        self.changed = changed
        self.may_speak = False
        self._soon = asyncio.get_running_loop().call_soon
        self._due = False

    def set(self) -> None:
        """There may be something new."""
        if not self._due:
            self._due = True
            self._soon(self._look)

    def _look(self) -> None:
        self._due = False
        if self.hall.closing or not self.may_speak or not self._spoken():
            self.changed.set()

    def _spoken(self) -> bool:
        """Has everything been said that there is to say?"""
        seated, known = self.listener.seated, self.listener.known
        gone = seated.presence.known_gone(seated.table.holders)
        if gone is None:
            return False
        try:
            message = self.listener.news(gone)
        except Exception:  # which ends the stream when it meets it
            return False
        if message is None or self.say(message):
            return True
        self.listener.known = known
        return False


async def stream(
    hall: Hall, code: str, holder: str | None, known: str, tell: Tell, say: Say | None = None
) -> AsyncIterator[bytes]:
    """A message for each change that the holder can see, counted from the tag he knows of.

    Where the server can `say` them at once, most messages go that way: waking a stream takes as long as making one.
    """
    every = min(BEAT, hall.grace / 4)
    loop = asyncio.get_running_loop()
    yield b"retry: 1000\n\n"
    seated = await hall.seated(code)
    listener, changed = Listener(seated, holder, known, tell), Event()
    prompter = Prompter(hall, listener, say, changed) if say else None
    with hall.watching(seated.table, prompter or changed):
        beat = loop.time() + every
        clock = loop.call_at(beat, changed.set)
        try:
            while not hall.closing:
                changed.clear()
                message = listener.news(await seated.gone())
                if message is not None:
                    yield message
                if loop.time() >= beat:
                    beat += every
                    clock = loop.call_at(beat, changed.set)
                    await hall.touch(code, holder)
                    yield b": beat\n\n"
                if prompter:
                    prompter.may_speak = True
                await changed.wait()
                if prompter:
                    prompter.may_speak = False
        finally:
            clock.cancel()

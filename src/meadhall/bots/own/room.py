"""Users' own bots at the table: each in a process of its own, which may hang or die without hurting anybody."""

import asyncio
import multiprocessing
import os
import signal
import time
from collections.abc import Iterable, Mapping
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random
from typing import Any

from meadhall.bots.worker import packed, settle_in, unpacked
from meadhall.faults import Fault, show
from meadhall.match import View

PATIENCE = 5.0  # seconds for one choice, waiting in line included
START_PATIENCE = 20.0  # seconds to start Python and import the file


class GuestFault(Fault):
    """A user's bot that does not answer, or cannot."""


def named_guests(files: Iterable[Path]) -> dict[str, Path]:
    """The files by their own names, under which they are offered; visitors can choose a name, never a file."""
    named: dict[str, Path] = {}
    for file in files:
        if not file.is_file():
            raise GuestFault(f"there is no file {show(str(file), 300)}; give the path of a Python file with a bot")
        if file.suffix != ".py" or not file.name.isprintable() or len(file.name) > 40:
            raise GuestFault(f"{show(file.name)} is no name for a bot; it must end in .py and have 40 letters or fewer")
        if file.name in named and named[file.name].resolve() != file.resolve():
            raise GuestFault(f"two bots are called {file.name}; rename one of the files")
        named[file.name] = file
    return named


def check_guests(guests: Mapping[str, Path]) -> None:
    """A Fault unless every one of these bots can be loaded; each is tried in a process of its own."""
    for file in guests.values():
        room = GuestRoom(file)
        try:
            room.start()
        finally:
            room.close()


class GuestRoom:
    """The process of one user's bot; it starts with the first question and is replaced when it hangs or dies."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._door = asyncio.Lock()  # one question at a time
        self._process: BaseProcess | None = None
        self._line: Connection | None = None

    async def choose(self, view: View, seed: int | str) -> str:
        """What the bot answers; a GuestFault says why there is no answer."""
        end = time.monotonic() + PATIENCE
        try:
            async with asyncio.timeout(PATIENCE):
                await self._door.acquire()
        except TimeoutError:
            raise GuestFault(f"{self.file.name} has been busy for {PATIENCE:.0f} s") from None
        try:
            return await asyncio.to_thread(self._ask, (*packed(view), seed), end)
        finally:
            self._door.release()

    def start(self) -> None:
        """Start the process, and wait until it has loaded the bot."""
        context = multiprocessing.get_context("spawn")
        self._line, other = context.Pipe()
        # It inherits this thread's mask: Ctrl-C cannot reach it even before it runs a line of ours.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._process = context.Process(target=_live, args=(other, str(self.file)), daemon=True)
            self._process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        other.close()
        self._heard(time.monotonic() + START_PATIENCE, START_PATIENCE)

    def close(self) -> None:
        """End the process, whatever it is doing."""
        line, process = self._line, self._process
        self._line = self._process = None
        if process is not None:
            process.kill()
            process.join()
        if line is not None:
            line.close()

    def _ask(self, question: tuple[Any, ...], end: float) -> str:
        if self._process is None or not self._process.is_alive():
            self.close()
            self.start()
            end = time.monotonic() + PATIENCE
        line = self._line
        if line is None:
            raise GuestFault(f"{self.file.name} is closed")
        try:
            line.send(question)
        except OSError:
            self.close()
            raise GuestFault(f"{self.file.name} ended by itself") from None
        return self._heard(end, PATIENCE)

    def _heard(self, end: float, patience: float) -> str:
        """The next answer of the process; one that does not come, or is a complaint, is a GuestFault."""
        line = self._line
        try:
            if line is None or not line.poll(max(0.0, end - time.monotonic())):
                self.close()
                raise GuestFault(f"{self.file.name} took longer than {patience:.0f} s")
            kind, text = line.recv()
        except (EOFError, OSError):
            self.close()
            raise GuestFault(f"{self.file.name} ended by itself") from None
        if kind == "fault":
            raise GuestFault(text)
        return str(text)


def _live(line: Connection, file: str) -> None:
    """In the process: load the bot, then answer questions until the parent hangs up."""
    settle_in()
    os.dup2(2, 1)  # what it prints is no answer of the server
    from meadhall.bots.own.files import load_guest

    try:
        guest = load_guest(Path(file))
    except Fault as fault:
        line.send(("fault", str(fault)))
        return
    line.send(("ready", ""))
    while True:
        try:
            game, rules, seat, state, seed = line.recv()
        except EOFError:
            return
        try:
            # Run afresh each time: what it remembered of one seat could be another's secret.
            line.send(("choice", guest.afresh().choose(unpacked(game, rules, seat, state), Random(seed))))
        except Exception as error:  # a user's bot may raise anything
            line.send(("fault", f"{guest.path.name} {error}"))

"""Inside a process that plays bots: how it lives and dies with its parent, and views put together again from bytes."""

import multiprocessing
import os
import signal
import threading
from importlib import import_module
from typing import Any

from meadhall.games.game import game_named
from meadhall.match import View

STRONG = [f"{game}.{level}" for game in ("goths", "romans") for level in ("medium", "hard")]
COMPILED = ("romans",)  # the games whose strong bots need a compiler
LOW_PRIORITY = 10

_prepared = threading.Event()

Packed = tuple[str, dict[str, Any], str | None, bytes]


def packed(view: View) -> Packed:
    """A view as it travels to another process: all that the seat may know, and nothing else."""
    return view.game.name, view.rules, view.seat, bytes(view.state)


def unpacked(game: str, rules: dict[str, Any], seat: str | None, state: bytes) -> View:
    """The view put together again."""
    chosen = game_named(game)
    return View(chosen, rules, seat, chosen.state_type.from_buffer_copy(state))


def settle_in() -> None:
    """Leave Ctrl-C to the parent, and do not outlive it, however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_die_with_the_parent, daemon=True).start()


def _die_with_the_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def prepare_strong_bots() -> None:
    """Load the tables of the strong bots, and compile what they run or read it from the disk."""
    for file in STRONG:
        prepare = getattr(import_module(f"meadhall.bots.{file}"), "prepare", None)
        if prepare is not None:
            prepare()
    _prepared.set()


def is_prepared() -> bool:
    """Is this process ready for strong bots?"""
    return _prepared.is_set()


def compile_quietly() -> None:
    """A whole process for compiling, which takes half a minute the first time: others go first."""
    settle_in()
    os.nice(LOW_PRIORITY)
    prepare_strong_bots()


def prepare_when(gate: Any) -> None:
    """Beside answering questions: get ready once the parent closes its end of the gate, all being compiled."""

    def wait_and_prepare() -> None:
        gate.poll(None)
        if hasattr(os, "setpriority"):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), LOW_PRIORITY)  # of this thread alone
        prepare_strong_bots()

    threading.Thread(target=wait_and_prepare, daemon=True).start()

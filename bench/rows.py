"""The rows of the table, what we promised, and how one row is measured in a process of its own."""

import os
from dataclasses import dataclass
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.connection import Connection
from textwrap import shorten

RATE, NANOSECONDS, SECONDS = "/s", "ns", "s"
TIME_LIMIT = 120  # seconds, compiling included
FEW_WORDS = 80  # characters

US = "Meadhall"
SPIEL, SPIEL_CPP = "OpenSpiel from Python", "OpenSpiel in C++"
ZOO, PGX = "PettingZoo", "Pgx on the CPU"
PGX_SEEN = "Pgx, observations kept"


@dataclass(frozen=True)
class Row:
    """One thing to measure: `work` names a function `module:function`, called with a length and `args`."""

    who: str
    what: str
    work: str
    args: tuple[str, ...] = ()
    unit: str = RATE
    target: float | None = None  # at least, for a rate; under, for a time


@dataclass(frozen=True)
class Figure:
    """What came of a row: a value in the row's unit, or the reason why there is none."""

    row: Row
    value: float | None = None
    reason: str = ""

    @property
    def met(self) -> bool | None:
        """Was the row's target met? None where there is no target."""
        if self.row.target is None:
            return None
        if self.value is None:
            return False
        return self.value >= self.row.target if self.row.unit == RATE else self.value < self.row.target


@dataclass(frozen=True)
class Comparison:
    """How many times as fast as the best of a peer's rows one of ours must be."""

    peer: str
    target: float
    ours: Row


GOTHS = Row(US, "Goths, batch, compiled", "ours:batch", ("goths",), target=25e6)
SEEN = Row(US, "Goths, vectorised, observed and masked", "ours:vectorised", ("goths",), target=4e6)
ROWS = (
    GOTHS,
    Row(US, "Romans with 4 players, batch, compiled", "ours:batch", ("romans",), target=8e6),
    SEEN,
    Row(US, "Romans with 4 players, vectorised, observed and masked", "ours:vectorised", ("romans",), target=1e6),
    Row(US, "Romans with 4 players, the same, warrior by warrior", "ours:vectorised", ("romans", "one by one")),
    Row(US, "Goths, vectorised, read in place by PyTorch", "in_place:stepping", ("PyTorch",)),
    Row(US, "Goths, vectorised, read in place by JAX", "in_place:stepping", ("JAX",)),
    Row(US, "Goths, Python loop over a compiled game", "ours:python_loop", target=100e3),
    Row(US, "Goths, interpreted", "ours:interpreted", target=20e3),
    Row(US, "Goths by names, Match.commit", "ours:by_names", ("goths",), target=10e3),
    Row(US, "Romans with 4 players by names, Match.commit", "ours:by_names", ("romans",), target=5e3),
    Row(US, "Goths, copying a state, compiled", "ours:copying", ("goths",), NANOSECONDS, 50),
    Row(US, "Romans, copying a state, compiled", "ours:copying", ("romans",), NANOSECONDS, 50),
    Row(US, "Goths, meadhall replay --json, cold", "ours:replay", (), SECONDS, 0.5),
    Row(SPIEL, "leduc_poker", "peer_openspiel:from_python", ("leduc_poker",)),
    Row(SPIEL, "goofspiel", "peer_openspiel:from_python", ("goofspiel",)),
    Row(SPIEL, "hanabi", "peer_openspiel:from_python", ("hanabi",)),
    Row(SPIEL_CPP, "leduc_poker (estimated)", "peer_openspiel:in_cpp", ("leduc_poker",)),
    Row(SPIEL_CPP, "goofspiel in turns (estimated)", "peer_openspiel:in_cpp", ("goofspiel",)),
    Row(SPIEL_CPP, "hanabi (estimated)", "peer_openspiel:in_cpp", ("hanabi",)),
    Row(ZOO, "leduc_holdem_v4", "peer_pettingzoo:leduc"),
    Row(PGX, "leduc_holdem, auto-reset", "peer_pgx:resetting", ("leduc_holdem",)),
    Row(PGX, "leduc_holdem, games to the end", "peer_pgx:to_the_end", ("leduc_holdem",)),
    Row(PGX, "kuhn_poker, auto-reset", "peer_pgx:resetting", ("kuhn_poker",)),
    Row(PGX, "kuhn_poker, games to the end", "peer_pgx:to_the_end", ("kuhn_poker",)),
    Row(PGX_SEEN, "leduc_holdem, auto-reset", "peer_pgx:observed", ("leduc_holdem",)),
    Row(PGX_SEEN, "kuhn_poker, auto-reset", "peer_pgx:observed", ("kuhn_poker",)),
)
COMPARISONS = (Comparison(PGX, 5, GOTHS), Comparison(PGX_SEEN, 3, SEEN), Comparison(SPIEL, 60, GOTHS))


def measure(row: Row, seconds: float) -> Figure:
    """Measure a row in a fresh process, so that one that fails, crashes or hangs takes no other with it."""
    context = get_context("spawn")
    answers, answer = context.Pipe(duplex=False)
    process = context.Process(target=_answer, args=(answer, row, seconds))
    process.start()
    answer.close()
    try:
        if not answers.poll(TIME_LIMIT):
            return Figure(row, reason=f"not done after {TIME_LIMIT} s")
        value, reason = answers.recv()
        return Figure(row, value, reason)
    except EOFError:
        process.join()
        return Figure(row, reason=f"its process ended with status {process.exitcode}")
    finally:
        if process.is_alive():
            process.join(5)
            process.kill()
        process.join()


def _answer(answer: Connection, row: Row, seconds: float) -> None:
    """What the fresh process does; whatever its libraries print goes to standard error."""
    os.dup2(2, 1)
    module, _, function = row.work.partition(":")
    try:
        answer.send((float(getattr(import_module(module), function)(seconds, *row.args)), ""))
    except ModuleNotFoundError as missing:
        answer.send((None, f"{missing.name} is not installed"))
    except Exception as fault:
        answer.send((None, shorten(f"{type(fault).__name__}: {fault}", FEW_WORDS, placeholder=" ...")))

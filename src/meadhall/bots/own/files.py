"""Anybody's own bot: a Python file with `choose(view, choices, rng)`, which answers with one of the choices.

The file gets a seat's view and nothing else. What it does wrong is told in one line, and never stops a game of others.
"""

import inspect
import io
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count
from pathlib import Path
from random import Random
from types import CodeType, ModuleType
from typing import Any, TypeVar, overload

from meadhall.faults import ChoiceFault, Fault, show
from meadhall.match import View

FORM = "a bot is a Python file with a function choose(view, choices, rng)"
AGAIN = 0.25  # seconds after which time is called again, should a bot have caught the first call
T = TypeVar("T")


class Forfeit(Fault):
    """What a bot did instead of choosing; `kind` is raised, nonsense, late or ended."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class _TimeUp(BaseException):
    """Not an Exception: a bot that catches those is stopped all the same."""


class _Nowhere(io.TextIOBase):
    """Where a bot's prints go: they are nobody's answer."""

    def write(self, text: str) -> int:
        return len(text)


_NOWHERE = _Nowhere()


class Choices(Sequence[str]):
    """The names of all a seat may choose; of thousands of arrangements only those asked for are spelled out."""

    def __init__(self, view: View) -> None:
        self._view = view

    @cached_property
    def _numbers(self) -> Sequence[int]:
        return self._view.choice_ids

    def _name(self, number: int) -> str:
        view = self._view
        return view.game.choice_name(view.rules, view.state, view.number, number)

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        """The name at a place, or the names at some."""
        if isinstance(index, slice):
            return tuple(self._name(number) for number in self._numbers[index])
        return self._name(self._numbers[index])

    def __iter__(self) -> Iterator[str]:
        return (self._name(number) for number in self._numbers)

    def __contains__(self, name: object) -> bool:
        """Is this a legal choice?"""
        return isinstance(name, str) and is_legal(self._view, name)

    def __repr__(self) -> str:
        return f"<{len(self)} choices>"


def is_legal(view: View, name: str) -> bool:
    """May the seat choose this now?"""
    try:
        number = view.game.choice_id(view.rules, view.state, view.number, name)
    except ChoiceFault:
        return False
    return view.game.allows(view.state, view.number, number)


@dataclass(frozen=True)
class Guest:
    """A loaded bot. It may remember things in its own file's names; `afresh` gives one that remembers nothing."""

    name: str
    path: Path
    code: CodeType
    answer: Callable[[View, Sequence[str], Random], Any]

    def choose(self, view: View, dice: Random) -> str:
        """The legal choice the bot makes; a Forfeit says what it did instead."""
        # Its own copy: whatever it does to the view, ours stays as it is.
        shown = View(view.game, deepcopy(view.rules), view.seat, view.state.copy())
        choices: Sequence[str] = Choices(shown) if view.arranges else view.choices
        try:
            with redirect_stdout(_NOWHERE), redirect_stderr(_NOWHERE):
                answer = self.answer(shown, choices, dice)
        except (Exception, SystemExit) as error:
            raise Forfeit("raised", f"raised {_told(error, self.path)}") from None
        if not isinstance(answer, str):
            raise Forfeit("nonsense", f"answered {_shown(answer)}, which is not the name of a choice")
        name = str.__str__(answer)
        if not is_legal(view, name):
            legal = f"which is not one of the {len(view.choice_ids)} choices"
            raise Forfeit("nonsense", f"answered {_quoted(name)}, {legal}")
        return name

    def afresh(self) -> "Guest":
        """The same bot with the file run again, for another seat or another game."""
        return replace(self, answer=_run(self.path, self.code))


def load_guest(path: Path) -> Guest:
    """The bot in a file; a Fault says what is wrong with the file."""
    code = read_guest(path)
    return Guest(path.stem, path, code, _run(path, code))


def read_guest(path: Path) -> CodeType:
    """The file as code that has not run yet; a Fault if there is no such file or it is not Python."""
    try:
        return compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
    except FileNotFoundError:
        raise Fault(f"{path}: there is no such file; {FORM}") from None
    except OSError as problem:
        raise Fault(f"{path} cannot be read ({problem.strerror or problem}); {FORM}") from None
    except SyntaxError as error:
        raise Fault(f"{path} is not Python (line {error.lineno}: {error.msg}); {FORM}") from None
    except ValueError as error:
        raise Fault(f"{path} is not Python ({error}); {FORM}") from None


def patience(seconds: float) -> float:
    """How long to wait by the clock for so many seconds of thought: others may keep the processor busy."""
    return 5.0 * seconds + 1.0


def limited(call: Callable[[], T], seconds: float) -> T:
    """What the call gives, or a Forfeit when its time is up; works in the main thread only.

    The limit is on the processor's time, so that a busy machine changes no result; the clock stops who only waits.
    """
    try:
        with _alarm(seconds):
            return call()
    except _TimeUp:
        _disarm()  # had it rung on the way out, it would ring again
        raise Forfeit("late", f"took longer than {seconds:g} s") from None


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    signal.signal(signal.SIGPROF, _ring)
    signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN)
    signal.setitimer(signal.ITIMER_REAL, patience(seconds), AGAIN)
    try:
        yield
    finally:
        _disarm()


def _disarm() -> None:
    signal.setitimer(signal.ITIMER_PROF, 0.0)
    signal.setitimer(signal.ITIMER_REAL, 0.0)


def _ring(number: int, frame: object) -> None:
    raise _TimeUp


_numbers = count(1)


def _run(path: Path, code: CodeType) -> Callable[[View, Sequence[str], Random], Any]:
    """Run the file in a module of its own and find its `choose`."""
    module = ModuleType(f"guest_{path.stem}_{next(_numbers)}")
    module.__file__ = str(path)
    folder = str(path.absolute().parent)
    if folder not in sys.path:  # as for any script, the files beside it can be imported
        sys.path.append(folder)
    sys.modules[module.__name__] = module  # dataclasses look their module up while it runs
    try:
        with redirect_stdout(_NOWHERE), redirect_stderr(_NOWHERE):
            exec(code, module.__dict__)
    except (Exception, SystemExit) as error:
        raise Fault(f"{path} does not run: {_told(error, path)}; {FORM}") from None
    finally:
        del sys.modules[module.__name__]
    choose = getattr(module, "choose", None)
    if choose is None:
        raise Fault(f"{path} has no choose; {FORM}")
    if not callable(choose):
        raise Fault(f"{path}: choose is {_shown(choose)}, not a function; {FORM}")
    try:
        inspect.signature(choose).bind(None, (), None)
    except TypeError as error:
        raise Fault(f"{path}: choose cannot be called with view, choices and rng ({error}); {FORM}") from None
    except ValueError:
        pass  # some callables do not tell
    found: Callable[[View, Sequence[str], Random], Any] = choose
    return found


def _told(error: BaseException, path: Path) -> str:
    """An error in one line, with the line of the file it came from."""
    try:
        said = " ".join(str(error).split())
    except Exception:  # its own __str__ can be at fault too
        said = ""
    said = said if len(said) <= 120 else said[:117] + "..."
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    where = f" (line {lines[-1]})" if lines else ""
    return f"{type(error).__name__}{': ' + said if said else ''}{where}"


def _quoted(name: str) -> str:
    return repr(name if len(name) <= 60 else name[:57] + "...")


def _shown(value: Any) -> str:
    """A value that is no text, for a message."""
    kind = type(value).__name__
    return "nothing (None)" if value is None else f"{show(value, 40)} ({kind})" if kind in _PLAIN else f"a {kind}"


_PLAIN = ("int", "float", "bool", "list", "tuple", "dict")

"""Anybody's own bot: a Python file with `choose(view, choices, rng)`, which answers with one of the choices.

The file gets a seat's view and nothing else. What it does wrong is told in one line, and never stops a game of others.
It runs in a process of its own (see `seats`), for one seat of one game.
"""

import inspect
import sys
import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import CodeType, ModuleType
from typing import Any

from meadhall.faults import Fault, show
from meadhall.match import View

FORM = "a bot is a Python file with a function choose(view, choices, rng)"
LONGEST_NAME = 40


class Forfeit(Fault):
    """What a bot did instead of choosing; `kind` is raised, nonsense, late or ended."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind

    def __reduce__(self) -> tuple[type, tuple[str, str]]:
        return Forfeit, (self.kind, str(self))


@dataclass(frozen=True)
class OwnBot:
    """A file that has run, and its `choose`."""

    path: Path
    answer: Callable[[View, Sequence[str], Random], Any]

    def choose(self, view: View, rng: Random) -> str:
        """The text that the bot answers with, be it a legal choice or not; a Forfeit says what it did instead."""
        try:
            answer = self.answer(view, view.choices, rng)
        except (Exception, SystemExit) as error:
            raise Forfeit("raised", f"raised {_told(error, self.path)}") from None
        if not isinstance(answer, str):
            raise Forfeit("nonsense", f"answered {_shown(answer)}, which is not the name of a choice")
        return str.__str__(answer)


def check_choice(view: View, name: str) -> str:
    """The name of a legal choice; a Forfeit for anything else."""
    if not view.is_legal(name):
        raise Forfeit("nonsense", f"answered {_quoted(name)}, which is not one of the {len(view.choice_ids)} choices")
    return name


def named_files(files: Iterable[Path]) -> dict[str, Path]:
    """The files by their own names, under which they are offered; visitors can choose a name, never a file."""
    named: dict[str, Path] = {}
    for file in files:
        if not file.is_file():
            raise Fault(f"there is no file {show(str(file), 300)}; give the path of a Python file with a bot")
        if file.suffix != ".py" or not file.name.isprintable() or len(file.name) > LONGEST_NAME:
            raise Fault(
                f"{show(file.name)} is no name for a bot; it must end in .py and have {LONGEST_NAME} letters or fewer"
            )
        if file.name in named and named[file.name].resolve() != file.resolve():
            raise Fault(f"two bots are called {file.name}; rename one of the files")
        named[file.name] = file
    return named


def read_code(path: Path) -> CodeType:
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


def load(path: Path) -> OwnBot:
    """Run the file in a module of its own and find its `choose`; a Fault says what is wrong with the file."""
    code = read_code(path)
    module = ModuleType(f"own_bot_{path.stem}")
    module.__file__ = str(path)
    folder = str(path.absolute().parent)
    if folder not in sys.path:  # as for any script, the files beside it can be imported
        sys.path.append(folder)
    sys.modules[module.__name__] = module  # dataclasses look their module up while it runs
    try:
        exec(code, module.__dict__)
    except (Exception, SystemExit) as error:
        raise Fault(f"{path} does not run: {_told(error, path)}; {FORM}") from None
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
    return OwnBot(path, choose)


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

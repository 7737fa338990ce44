"""Shards that tests have done elsewhere; light enough to be imported by a worker."""

import os
import time
from pathlib import Path
from typing import Any

from meadhall.bots.processes import TimedOut
from meadhall.faults import RecordFault


def square(number: int) -> int:
    return number * number


def square_and_tell(number: int, folder: Path) -> int:
    """Leaves word of who is at which number; number 0 is done only once somebody has let it be."""
    (folder / f"{number}-{os.getpid()}").touch()
    while number == 0 and not (folder / "go").exists():
        time.sleep(0.01)
    return number * number


def die(folder: Path) -> None:
    """Takes its worker with it, every time."""
    (folder / str(os.getpid())).touch()
    os._exit(3)


def refuse(index: int) -> None:
    raise RecordFault("not this one", index)


def be_late() -> None:
    raise TimedOut(1.5)


def total(values: Any, first: int, last: int) -> int:
    return int(values[first:last].sum())


def surroundings() -> tuple[str, str]:
    return os.environ["PYTHONHASHSEED"], os.environ["OPENBLAS_NUM_THREADS"]

"""A game's state is one small record: plain Python reads it through ctypes, Numba through a NumPy dtype.

Both look at the same bytes, so a state never has to be converted between the two speeds, and a small
integer wraps round in the one exactly as it does in the other.
"""

import ctypes
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self, TypeVar

if TYPE_CHECKING:  # a game at the table does not need NumPy, and starts faster without it
    import numpy as np

UNKNOWN = -1
"""What a seat may not know, and what is not there at all."""

EVERYONE = -1
"""The audience of an event that all seats and spectators see."""

I1 = Annotated[int, "i1"]
I2 = Annotated[int, "i2"]
I4 = Annotated[int, "i4"]
Flag = Annotated[bool, "?"]

_C_TYPES: dict[str, Any] = {
    "i1": ctypes.c_int8,
    "i2": ctypes.c_int16,
    "i4": ctypes.c_int32,
    "i8": ctypes.c_int64,
    "?": ctypes.c_bool,
}

RawEvent = tuple[int, ...]
"""An event as the rules emit it: its code, its arguments as numbers, and last its audience, a bit for each seat."""


@dataclass
class Log:
    """The events emitted while a choice took effect, and the state as it was at each event that starts a beat."""

    events: list[RawEvent] = field(default_factory=list)
    frames: dict[int, tuple[str, bytes]] = field(default_factory=dict)  # by the number of the event: kind, state
    after: bytes = b""  # the state once all had happened
    latest: tuple[str, bytes] = ("", b"")  # the last of the frames
    named: Any = field(default=None, compare=False, repr=False)  # whoever names the events may keep the names here

    def add(self, kind: str | None, state: "Record", event: RawEvent) -> None:
        """Take in an event; one of a beat's kind starts a beat unless it goes on with the last one unchanged."""
        if kind is not None:
            frame = (kind, bytes(state))
            if frame != self.latest:
                self.latest = self.frames[len(self.events)] = frame
        self.events.append(event)


class Record(ctypes.Structure):
    """The base of every game's state; `log`, when there is one, collects what `emit` reports."""

    log: Log | None = None
    beats: ClassVar[Mapping[int, str]] = {}
    """By code, the events that start a beat, and its kind: the smallest things worth watching.

    Events of one kind in a row are one beat if nothing changes between them.
    """

    @classmethod
    def dtype(cls) -> "np.dtype[Any]":
        """The same layout as a NumPy structured dtype."""
        return _dtype(cls)

    def array(self) -> "np.ndarray[Any, np.dtype[Any]]":
        """This very record as a NumPy array of length one: no bytes are copied."""
        import numpy as np

        return np.frombuffer(memoryview(self).cast("B"), dtype=self.dtype())

    def copy(self) -> Self:
        """Another record with the same bytes and no log."""
        return type(self).from_buffer_copy(self)


@cache
def _dtype(kind: type[Record]) -> "np.dtype[Any]":
    import numpy as np

    return np.dtype(kind)


R = TypeVar("R", bound=type[Record])


def record(cls: R) -> R:
    """Lay out a class of annotated fields: `units: Annotated[list[int], "i1", 2]`."""
    fields = []
    for name, hint in cls.__annotations__.items():
        kind, *shape = hint.__metadata__
        c_type = _C_TYPES[kind]
        for length in reversed(shape):
            c_type = c_type * length
        fields.append((name, c_type))
    # Packed: bytes between fields could differ without meaning, and states are compared byte for byte.
    cls._layout_ = "ms"  # type: ignore[attr-defined]  # what packing implies; from Python 3.14 on it has to be said
    cls._pack_ = 1
    cls._fields_ = fields
    return cls


def emit(s: Any, code: int, a: int = 0, b: int = 0, c: int = 0, d: int = 0, e: int = 0, to: int = EVERYONE) -> None:
    """Report an event to an audience (a bit for each seat); compiled rules replace this by nothing."""
    if s.log is not None:
        s.log.add(s.beats.get(code), s, (code, a, b, c, d, e, to))

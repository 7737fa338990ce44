"""A game's state is one small record: plain Python reads it through ctypes, Numba through a NumPy dtype.

Both look at the same bytes, so a state never has to be converted between the two speeds, and a small
integer wraps round in the one exactly as it does in the other.
"""

import ctypes
from typing import TYPE_CHECKING, Annotated, Any, Self, TypeVar

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


class Record(ctypes.Structure):
    """The base of both games' states; `log`, when it is a list, collects what `emit` reports."""

    log: list[tuple[int, ...]] | None = None

    @classmethod
    def dtype(cls) -> "np.dtype[Any]":
        """The same layout as a NumPy structured dtype."""
        import numpy as np

        return np.dtype(cls)

    def array(self) -> "np.ndarray[Any, np.dtype[Any]]":
        """This very record as a NumPy array of length one: no bytes are copied."""
        import numpy as np

        return np.frombuffer(memoryview(self).cast("B"), dtype=self.dtype())

    def copy(self) -> Self:
        """Another record with the same bytes and no log."""
        return type(self).from_buffer_copy(self)


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
    cls._pack_ = 1
    cls._fields_ = fields
    return cls


def emit(s: Any, code: int, a: int = 0, b: int = 0, c: int = 0, d: int = 0, e: int = 0, to: int = EVERYONE) -> None:
    """Report an event to an audience (a bit for each seat); compiled rules replace this by nothing."""
    if s.log is not None:
        s.log.append((int(code), int(a), int(b), int(c), int(d), int(e), int(to)))

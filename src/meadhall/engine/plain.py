"""A record as plain Python values, which Python reads and writes several times faster than a record's memory.

The functions of the rules take either. What is made to be told at once is made of these; whatever is kept, searched or
compiled is a record.
"""

import ctypes
import struct
from collections.abc import Callable
from functools import cache
from math import prod
from typing import Any

from meadhall.engine.layout import Record

_LETTERS: dict[Any, str] = {
    ctypes.c_int8: "b",
    ctypes.c_int16: "h",
    ctypes.c_int32: "i",
    ctypes.c_int64: "q",
    ctypes.c_bool: "?",
}


@cache
def plain(kind: type[Record]) -> Callable[..., Any]:
    """The plain twin of a kind of record: a class of objects with the same fields as numbers and lists of numbers."""
    letters, length, fields, values = "<", 0, [], []
    kept: Any
    for name, kept, *_ in kind._fields_:
        shape: list[int] = []
        while issubclass(kept, ctypes.Array):
            shape.append(kept._length_)
            kept = kept._type_
        letters += f"{prod(shape)}{_LETTERS[kept]}"
        fields.append(f"{name!r}: {_place(length, shape)}")
        values.append(_spread(f"source.{name}", shape))
        length += prod(shape)
    layout = struct.Struct(letters)
    zeros = list(layout.unpack(bytes(layout.size)))
    # Written out and compiled, as dataclasses are: going through the fields one by one takes twice as long.
    named = eval(f"lambda values: {{{', '.join(fields)}}}")
    spread = eval(f"lambda source: ({', '.join(values)},)")

    class Plain:
        """The values of a record, or zeros."""

        def __init__(self, source: Record | None = None) -> None:
            self.__dict__ = named(zeros if source is None else list(layout.unpack(source)))

        def packed(self) -> bytes:
            """The bytes of the record with these values."""
            return layout.pack(*spread(self))

    return Plain


def as_record(kind: type[Record], values: Any) -> Record:
    """The record of that kind with the values of a plain twin."""
    return kind.from_buffer_copy(values.packed())


def _spread(name: str, shape: list[int]) -> str:
    """The numbers of a field one after another."""
    if len(shape) < 2:
        return f"*{name}" if shape else name
    return ", ".join(_spread(f"{name}[{k}]", shape[1:]) for k in range(shape[0]))


def _place(start: int, shape: list[int]) -> str:
    """Where a field is among the values of a record: a number, or a list of numbers or of such lists."""
    if not shape:
        return f"values[{start}]"
    if len(shape) == 1:
        return f"values[{start}:{start + shape[0]}]"
    step = prod(shape[1:])
    return f"[{', '.join(_place(start + k * step, shape[1:]) for k in range(shape[0]))}]"

"""Columns of a table made from arrays of numbers: nothing here goes through games one by one."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from meadhall.lab.data import arrow


def numbers(values: Any, kind: str) -> Any:
    """Whole numbers of a kind, such as uint8."""
    return arrow().array(np.ascontiguousarray(values, dtype=kind))


def names(words: Sequence[str], places: Any) -> Any:
    """Words by their number; null for a number below 0."""
    places = np.ascontiguousarray(places, dtype=np.int8)
    missing = places < 0
    indices = arrow().array(places, mask=missing if missing.any() else None)
    return arrow().DictionaryArray.from_arrays(indices, arrow().array(words, arrow().string()))


def lists(values: Any, ends: Any) -> Any:
    """A list in each row, the values of all rows lying one after another; `ends` says where each one's end."""
    offsets = np.zeros(len(ends) + 1, np.int32)
    offsets[1:] = ends
    return arrow().ListArray.from_arrays(arrow().array(offsets), values)


def even_lists(values: Any, length: int) -> Any:
    """Lists of the same length."""
    return lists(values, np.arange(1, len(values) // length + 1) * length)


def name_lists(words: Sequence[str], places: Any, present: Any) -> Any:
    """A list of words in each row: those of a matrix of numbers that are present."""
    return lists(names(words, places[present]), np.cumsum(present.sum(axis=1)))


def struct(fields: Mapping[str, Any]) -> Any:
    """Several columns as one."""
    return arrow().StructArray.from_arrays(list(fields.values()), list(fields))

"""Checks that the headers of both games' records share."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from meadhall.faults import RecordFault, listing, show


def check_keys(where: str, value: Any, known: Collection[str], required: Collection[str] = ()) -> None:
    """An object with no key but the known ones, and all the required ones."""
    if not isinstance(value, Mapping):
        raise RecordFault(f"{where} must be an object, not {show(value)}")
    for key in value:
        if key not in known:
            raise RecordFault(f"{where} has an unknown key {show(key)}; known are {listing(known)}")
    for key in required:
        if key not in value:
            raise RecordFault(f"{where} lacks {show(key)}")


def check_flag(where: str, value: Any) -> None:
    """True or false."""
    if not isinstance(value, bool):
        raise RecordFault(f"{where} must be true or false, not {show(value)}")


def check_one_of(where: str, value: Any, names: Collection[str]) -> None:
    """One of a few names."""
    if not isinstance(value, str) or value not in names:
        raise RecordFault(f"{where} must be one of {listing(names, 20)}, not {show(value)}")


def check_names(where: str, value: Any, names: Collection[str]) -> None:
    """A list of known names, none twice."""
    check_list(where, value)
    for name in value:
        check_one_of(f"each of {where}", name, names)
    for name in value:
        if value.count(name) > 1:
            raise RecordFault(f"{where} names {name} twice")


def check_list(where: str, value: Any, length: int | None = None, of: str = "entries") -> None:
    """A list, of a certain length if one is given."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise RecordFault(f"{where} must be a list, not {show(value)}")
    if length is not None and len(value) != length:
        raise RecordFault(f"{where} must hold {length} {of}, not {len(value)}")

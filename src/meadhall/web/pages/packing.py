"""A record in an address: small enough to be sent on, so that nothing that people bring need be kept."""

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from typing import Any

import msgspec

from meadhall.faults import RecordFault
from meadhall.match import Match

LONGEST = 4000  # characters: addresses above some 8000 are cut or refused on the way
MOST = 2000  # choices, which take a second to look through; a long game has three hundred
LARGEST = 128 * 1024  # bytes of the record in it


def pack(record: str | bytes) -> str:
    """A record, checked to its end, as a part of an address; a RecordFault says what is wrong with it."""
    if not record.strip():
        raise RecordFault("there is nothing in it; a record is one JSON object")
    whole: Any = Match.from_record(record).record()
    _check_length(len(whole["choices"]))
    whole.pop("meta", None)  # notes of any kind, which no replay shows
    packed = urlsafe_b64encode(zlib.compress(msgspec.json.encode(whole), 9)).rstrip(b"=").decode()
    if len(packed) > LONGEST:
        raise RecordFault("it is longer than fits into an address; use `meadhall replay`")
    return packed


def opened(text: str) -> Match:
    """The match of the record in an address."""
    match = Match.from_record(unpack(text))
    _check_length(len(match.record()["choices"]))
    return match


def _check_length(choices: int) -> None:
    if choices > MOST:
        raise RecordFault(f"{choices} choices are more than the {MOST} that are shown here; use `meadhall replay`")


def unpack(text: str) -> bytes:
    """The record in an address, not yet checked."""
    try:
        if len(text) > LONGEST or not text.isascii():
            raise RecordFault("the address is too long, or holds what no address of a record holds")
        packed = zlib.decompressobj()
        record = packed.decompress(urlsafe_b64decode(text + "=" * (-len(text) % 4)), LARGEST)
        if not packed.eof:
            raise RecordFault("the address holds a part of a record; copy all of it")
    except (Error, zlib.error):
        raise RecordFault("the address does not hold a record; copy all of it") from None
    return record

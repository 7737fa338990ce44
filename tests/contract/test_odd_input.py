"""Programs give odd things too: they get a fault of ours, never a bare error, and nothing changes."""

from typing import Any

import pytest

from meadhall import MalformedChoice, Match, RecordFault


def test_a_record_handed_out_cannot_change_the_match() -> None:
    match = Match.new("goths", seed=1)
    match.record()["setup"]["objectives"].reverse()
    match.record()["choices"].append(["ostrogoth-king", "order:vulture/recruiter"])
    assert Match.from_record(match.record()).position() == match.position()


@pytest.mark.parametrize("choice", [None, 1.5, True, [], b"act:axe", object()])
def test_a_choice_that_is_neither_name_nor_number_is_malformed(choice: Any) -> None:
    match = Match.new("goths", seed=1)
    with pytest.raises(MalformedChoice, match="a choice is a name or a number, not "):
        match.commit("ostrogoth-king", choice)
    assert match.waiting == ("ostrogoth-king",)


def test_a_deeply_nested_object_is_refused_like_deeply_nested_text() -> None:
    nested: list[Any] = []
    for _ in range(100_000):
        nested = [nested]
    record = Match.new("goths", seed=1).record() | {"rules": {"king_deck": nested}}
    with pytest.raises(RecordFault, match="nested too deeply"):
        Match.from_record(record)


SEEDS = [10**5000, -(10**5000), "\ud800", "", "Ragnarök", 0, -1]


@pytest.mark.parametrize(
    "seed", SEEDS, ids=["huge", "minus huge", "half a character", "empty", "text", "zero", "minus one"]
)
def test_any_whole_number_or_text_is_a_seed(seed: int | str) -> None:
    one, other = (Match.new("romans", {"players": ["gold", "red"]}, seed) for _ in range(2))
    assert one.position() == other.position()

"""Sample games by an implementation that shares no code with this one: every state the same, every fault found."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from meadhall.faults import RecordFault
from meadhall.match import Match

DATA = Path(__file__).parent / "data"


def samples(name: str) -> Iterator[Any]:
    """One test for each line of a file."""
    for number, line in enumerate((DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines(), 1):
        sample = json.loads(line)
        why = f": {sample['why']}" if "why" in sample else ""
        yield pytest.param(sample, id=f"{name} {number}{why}")


@pytest.mark.parametrize("sample", [*samples("goths"), *samples("romans")])
def test_every_state_of_a_sample_game_is_reproduced_exactly(sample: dict[str, Any]) -> None:
    record, states = sample["record"], sample["states"]
    match = Match.from_record(record | {"choices": []})
    reached = [match.position()]
    for index, entry in enumerate(record["choices"]):
        match.replay_choice(entry, index)
        reached.append(match.position())
    assert reached == states
    assert json.dumps(reached) == json.dumps(states), "the same text: keys in order, numbers and booleans as such"
    assert Match.from_record(json.dumps(record)).position() == states[-1]
    assert match.record() == record


@pytest.mark.parametrize("sample", [*samples("bad-goths"), *samples("bad-romans")])
def test_every_bad_sample_is_refused_at_its_choice(sample: dict[str, Any]) -> None:
    for given in (sample["record"], json.dumps(sample["record"]), json.dumps(sample["record"]).encode()):
        with pytest.raises(RecordFault) as refused:
            Match.from_record(given)
        assert refused.value.index == sample["index"]
        assert ("choice " in str(refused.value)[:7]) == (sample["index"] is not None)


def test_there_are_as_many_samples_as_were_given() -> None:
    counts = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in DATA.glob("*.jsonl")}
    assert counts == {"goths.jsonl": 60, "romans.jsonl": 60, "bad-goths.jsonl": 30, "bad-romans.jsonl": 30}

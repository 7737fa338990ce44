"""Illegal choices in a record: at every kind of decision, the message names the choice, the seat and what was legal."""

from functools import cache
from random import Random
from typing import Any, NamedTuple

import pytest

from meadhall.faults import RecordFault
from meadhall.games.goths.state import CHOICES
from meadhall.games.goths.state import Phase as GothsPhase
from meadhall.games.romans.state import CLANS, FORTS, WARRIORS
from meadhall.games.romans.state import Phase as RomansPhase
from meadhall.match import Match
from tests.variants import GOTHS, ROMANS, at_random, random_game, variant_named

# Every kind of decision with choices that belong to it; one that is not legal where it is asked is tried.
GOTHS_KINDS: dict[str, tuple[set[int], list[str]]] = {
    "first order": ({GothsPhase.FIRST_ORDER}, [c for c in CHOICES if c.startswith("order:")]),
    "second order": ({GothsPhase.SECOND_ORDER}, [c for c in CHOICES if c.startswith("order:")]),
    "act of a lone ruler": ({GothsPhase.ACTS}, [c for c in CHOICES if c.startswith("act:")]),
    "act": ({GothsPhase.ACTS}, ["order:barbarian/vulture"]),
    "look": ({GothsPhase.LOOK}, [c for c in CHOICES if c.startswith("look:")]),
    "enter": ({GothsPhase.ENTER}, [c for c in CHOICES if c.startswith("enter:")]),
    "build or disperse": ({GothsPhase.TOKEN}, ["act:barricade"]),
}
ROMANS_KINDS: dict[str, tuple[set[int], list[str]]] = {
    "plan": ({RomansPhase.PLAN}, ["plan:axx,axx,axx,axx,axx,axx"]),
    "charm": ({RomansPhase.CHARM}, [f"charm:{clan}" for clan in CLANS]),
    "take": ({RomansPhase.TAKE}, [f"take:{place}" for place in range(1, 7)]),
    "keep axx": ({RomansPhase.KEEP_AXX}, ["keep:weakest"]),
    "keep weakest": ({RomansPhase.KEEP_WEAKEST}, ["leave:axx"]),
    "discard for horsie": ({RomansPhase.AFTER}, [f"discard:{warrior}" for warrior in WARRIORS]),
    "reorder": ({RomansPhase.AFTER}, ["reorder:zvord,axx", "reorder:zvord", "reorder:axx,axx,axx"]),
    "discard for signal": ({RomansPhase.SIGNAL}, [f"discard:{warrior}" for warrior in WARRIORS]),
    "pay": ({RomansPhase.TAX}, [f"pay:{fort}" for fort in FORTS]),
}


class Trial(NamedTuple):
    """A record that waits for this seat's choice, and a choice that it does not have."""

    record: dict[str, Any]
    seat: str
    illegal: str
    legal: str


def in_words(pending: Any) -> str:
    """What `pending` offers, as messages say it."""
    if isinstance(pending, list):
        return ", ".join(pending)
    verb = "plan" if len(pending["arrange"]) == 7 else "reorder"
    return f"{verb}: with {pending['take']} of {','.join(pending['arrange'])} in any order"


def asks(kind: str, pending: Any) -> bool:
    """Horsie and zvord are asked at the same time: which of them is it?"""
    if kind == "reorder":
        return isinstance(pending, dict)
    return not kind.startswith("discard") or isinstance(pending, list)


@cache
def trial(kind: str) -> Trial:
    """The first such position in some random games."""
    phases, candidates = (GOTHS_KINDS | ROMANS_KINDS)[kind]
    for variant in GOTHS if kind in GOTHS_KINDS else ROMANS:
        for seed in range(30):
            match = variant.deal(seed)
            for _ in at_random(match, Random(seed)):
                if match.state.phase not in phases:
                    continue
                for seat, pending in match.position()["pending"].items():
                    illegal = [choice for choice in candidates if choice not in pending]
                    if illegal and asks(kind, pending):
                        return Trial(match.record(), seat, illegal[0], in_words(pending))
    raise AssertionError(f"no such position: {kind}")


def refusal(record: dict[str, Any], *choices: Any) -> RecordFault:
    with pytest.raises(RecordFault) as refused:
        Match.from_record(record | {"choices": [*record["choices"], *choices]})
    return refused.value


@pytest.mark.parametrize("kind", [*GOTHS_KINDS, *ROMANS_KINDS])
def test_an_illegal_choice_is_refused_with_its_index_its_seat_and_what_was_legal(kind: str) -> None:
    record, seat, illegal, legal = trial(kind)
    index = len(record["choices"])
    fault = refusal(record, [seat, illegal])
    assert fault.index == index
    assert str(fault) == f'choice {index}: {seat} cannot choose "{illegal}"; legal here: {legal}'


@pytest.mark.parametrize("kind", [*GOTHS_KINDS, *ROMANS_KINDS])
def test_a_malformed_choice_is_refused_with_its_index_its_seat_and_what_was_legal(kind: str) -> None:
    record, seat, _, legal = trial(kind)
    index = len(record["choices"])
    for text in ("", "Build", "take:one"):
        fault = refusal(record, [seat, text])
        assert fault.index == index
        assert str(fault).startswith(f'choice {index}: {seat}: "{text}" is not a choice of this game; ')
        assert str(fault).endswith(f"; legal here: {legal}")


@pytest.mark.parametrize("kind", [*GOTHS_KINDS, *ROMANS_KINDS])
def test_a_choice_that_is_no_pair_or_of_no_seat_is_refused_with_what_was_legal(kind: str) -> None:
    record, seat, _, legal = trial(kind)
    index = len(record["choices"])
    for entry in (None, 7, "build", [], [seat], [seat, None], [seat, 3], [seat, "build", "build"], {"seat": seat}):
        fault = refusal(record, entry)
        assert fault.index == index
        assert str(fault).startswith(f"choice {index}: must be a pair [seat, choice] of texts, not ")
        assert f"{seat} ({legal})" in str(fault)
    for stranger in ("", "spectator", "Gold", seat.upper()):
        fault = refusal(record, [stranger, "build"])
        assert fault.index == index
        assert str(fault).startswith(f'choice {index}: there is no seat "{stranger}" in this game, only ')
        assert f"{seat} ({legal})" in str(fault)


ASKED_ALONE = ("second order", "look", "enter", "build or disperse", "charm", "take", "keep axx", "pay")


@pytest.mark.parametrize("kind", ASKED_ALONE)
def test_a_choice_of_a_seat_that_owes_none_is_refused_with_who_owes_one(kind: str) -> None:
    record, seat, _, legal = trial(kind)
    index = len(record["choices"])
    match = Match.from_record(record)
    (other, *_) = [other for other in match.seats if other != seat]
    fault = refusal(record, [other, match.choices(seat)[0]])
    assert fault.index == index
    chosen = f'choice {index}: {other} cannot choose "{match.choices(seat)[0]}"'
    assert str(fault) == f"{chosen}; waiting for {seat} ({legal})"


@pytest.mark.parametrize("name", ["goths, base", "goths, seven turns", "romans, two", "romans, solo with one"])
def test_a_choice_after_the_end_is_refused(name: str) -> None:
    record = random_game(variant_named(name), 2).record()
    seat, choice = record["choices"][-1]
    fault = refusal(record, [seat, choice])
    assert fault.index == len(record["choices"])
    assert str(fault) == f'choice {fault.index}: {seat} cannot choose "{choice}"; the game is over'


def test_only_the_first_bad_choice_is_named() -> None:
    record, seat, illegal, _ = trial("look")
    fault = refusal(record, [seat, illegal], None, ["nobody", ""])
    assert fault.index == len(record["choices"])


# Hands that the record does not hold


def up_to_round(number: int) -> dict[str, Any]:
    """A record up to the last choice of a round, and the first plan of the next one with it."""
    match = variant_named("romans, two").deal(4)
    for _ in at_random(match, Random(4)):
        if match.position()["round"] == number:
            break
    return match.record()


def with_hands(record: dict[str, Any], rounds: int) -> dict[str, Any]:
    return record | {"setup": record["setup"] | {"hands": record["setup"]["hands"][:rounds]}}


@pytest.mark.parametrize("number", [2, 3])
def test_a_round_begun_without_hands_is_a_fault_outside_the_choices(number: int) -> None:
    record = up_to_round(number)
    fault = refusal(with_hands(record, number - 1))
    assert fault.index is None
    assert str(fault) == f"setup.hands lacks round {number}, which the choices reach"
    assert Match.from_record(with_hands(record, number)).position()["round"] == number


@pytest.mark.parametrize("bad", [["gold", "take:9"], None, ["blue", "take:1"]])
def test_hands_that_lack_go_before_a_bad_choice_after_them_but_not_before_one_that_comes_first(bad: Any) -> None:
    record = with_hands(up_to_round(2), 1)
    fault = refusal(record, bad)
    assert (fault.index, str(fault)) == (None, "setup.hands lacks round 2, which the choices reach")
    first = record | {"choices": [bad, *record["choices"]]}
    assert refusal(first).index == 0


def test_a_record_of_a_first_round_needs_no_later_hands() -> None:
    record = up_to_round(2)
    record["choices"].pop()
    assert Match.from_record(with_hands(record, 1)).position() == Match.from_record(record).position()

"""Choices that are refused: what names nothing is malformed, what may not be done now is illegal."""

import pytest

from meadhall.faults import ChoiceFault, Fault, IllegalChoice, MalformedChoice
from meadhall.match import Match
from tests.variants import FOUR, random_game, variant_named

GOTHS_FORMS = "order:CHARACTER/BLUFF, act:ACTION, look:objective-N, look:fog, enter:objective-N, build, disperse"
ROMANS_FORMS = (
    "plan:W,W,W,W,W,W, charm:CLAN, take:N, keep:axx, leave:axx, keep:weakest, leave:weakest, discard:W, "
    "reorder:W,..., pay:FORT"
)


def refusal(match: Match, seat: str, choice: str | int, kind: type[ChoiceFault]) -> str:
    before = bytes(match.state)
    with pytest.raises(ChoiceFault) as refused:
        match.commit(seat, choice)
    assert type(refused.value) is kind
    assert bytes(match.state) == before
    return str(refused.value)


NO_GOTHS_CHOICE = (
    *("", "order", "order:", "order:barbarian", "order:barbarian/barbarian", "Order:barbarian/vulture"),
    *(" build", "build ", "act:ADVANCE", "look:objective-4", "look:objective-01", "enter:fog", "disperse:"),
    *("\ud800", "a" * 99),
)
NO_ROMANS_CHOICE = (
    *("", "plan", "plan:", "plan:axx,,axx", "plan:axx,axx,axx,axx,axx,roman", "charm:", "charm:blue"),
    *("take:0", "take:7", "take:1.0", "keep:filchy", "leave:", "discard:roman", "pay:tax", "pay:ordinary-2"),
    *("reorder:", "reorder:Axx"),
)


@pytest.mark.parametrize("text", NO_GOTHS_CHOICE)
def test_what_names_no_choice_of_goths_is_malformed_and_the_forms_are_named(text: str) -> None:
    message = refusal(variant_named("goths, fog").deal(1), "ostrogoth-king", text, MalformedChoice)
    assert message.endswith(f" is not a choice of this game; choices are written {GOTHS_FORMS}")
    assert message.isascii()
    assert len(message) < 250


@pytest.mark.parametrize("text", NO_ROMANS_CHOICE)
def test_what_names_no_choice_of_romans_is_malformed_and_the_forms_are_named(text: str) -> None:
    message = refusal(variant_named("romans, two").deal(1), "gold", text, MalformedChoice)
    assert message.endswith(f" is not a choice of this game; choices are written {ROMANS_FORMS}")


@pytest.mark.parametrize(("warriors", "count"), [("axx", 1), ("axx,axx,axx,axx,axx", 5), ("axx," * 6 + "axx", 7)])
def test_a_plan_of_other_than_six_warriors_is_malformed(warriors: str, count: int) -> None:
    message = refusal(variant_named("romans, two").deal(1), "gold", f"plan:{warriors}", MalformedChoice)
    assert message.endswith(f": a plan names 6 warriors, not {count}")


def test_an_illegal_choice_is_refused_with_what_would_be_legal() -> None:
    match = variant_named("goths, base").deal(1)
    legal = ", ".join(sorted(match.choices("ostrogoth-king")))
    message = refusal(match, "ostrogoth-king", "act:axe", IllegalChoice)
    assert message == f'ostrogoth-king cannot choose "act:axe"; legal here: {legal}'
    message = refusal(match, "ostrogoth-king", "order:barbarian/recruiter", IllegalChoice)
    assert message == f'ostrogoth-king cannot choose "order:barbarian/recruiter"; legal here: {legal}'
    message = refusal(match, "ostrogoth-king", 12, IllegalChoice)
    assert message == f'ostrogoth-king cannot choose "number 12"; legal here: {legal}'


def test_a_seat_out_of_turn_is_told_so() -> None:
    match = variant_named("goths, base").deal(1)
    message = refusal(match, "visigoth-king", "order:barbarian/vulture", IllegalChoice)
    assert message == 'visigoth-king cannot choose "order:barbarian/vulture"; it owes no choice now'


def test_after_the_end_the_game_is_over() -> None:
    match = random_game(variant_named("romans, two"), 1)
    assert refusal(match, "gold", "take:1", IllegalChoice) == 'gold cannot choose "take:1"; the game is over'


def test_a_plan_that_the_hand_does_not_hold_is_illegal_and_the_hand_is_named() -> None:
    match = Match.new("romans", {"players": FOUR[:2]}, 1)
    hand = match.view("gold").json()["clans"]["gold"]["hand"]
    message = refusal(match, "gold", "plan:axx,axx,axx,axx,axx,axx", IllegalChoice)
    assert message == (
        f'gold cannot choose "plan:axx,axx,axx,axx,axx,axx"; legal here: plan: with 6 of {",".join(hand)} in any order'
    )


def test_a_charm_of_a_clan_that_is_not_in_play_is_illegal_not_malformed() -> None:
    assert "legal here: plan:" in refusal(variant_named("romans, two").deal(1), "gold", "charm:red", IllegalChoice)


def test_a_seat_that_does_not_exist_is_refused_with_those_that_do() -> None:
    match = variant_named("goths, base").deal(1)
    for seat in ("ostrogoth", "spectator", "", "Visigoth-King", "\ud800"):
        message = refusal(match, seat, "build", IllegalChoice)
        assert "in this game, only ostrogoth-king, ostrogoth-warchief, visigoth-king, visigoth-warchief" in message
        assert message.isascii()


def test_a_view_for_a_seat_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(Fault, match='no seat "red" in this game; the seats are gold, green, spectator'):
        variant_named("romans, two").deal(1).view("red")


def test_malformed_and_illegal_are_different_errors_of_one_kind() -> None:
    assert not issubclass(MalformedChoice, IllegalChoice)
    assert not issubclass(IllegalChoice, MalformedChoice)
    assert issubclass(MalformedChoice, ChoiceFault)
    assert issubclass(IllegalChoice, ChoiceFault)
    assert issubclass(ChoiceFault, Fault)

"""Nothing is ever lost or made: units, King cards, warriors and forts add up at every step of random games."""

from collections import Counter
from random import Random

import pytest

from meadhall.games.game import Event
from meadhall.games.goths.state import CARDS, Phase
from tests.variants import GOTHS, ROMANS, Variant, at_random

CLANS = ("ostrogoth", "visigoth")
NINE = Counter(qween=1, druhid=1, zvord=1, axx=1, archr=1, filchy=1, horsie=1, charriott=2)


def units_after(events: list[Event], clan: str) -> int:
    """Two at the start, and what was recruited and lost since."""
    units = 2
    for event in events:
        if event.args.get("clan") == clan:
            units += event.code == "recruited"
            units -= int(event.args["units"] or 0) if event.code == "lost" else 0
    return units


@pytest.mark.parametrize("variant", GOTHS, ids=str)
def test_units_come_from_the_reserve_of_three_and_go_back_to_it(variant: Variant) -> None:
    for seed in range(10):
        match = variant.deal(seed)
        units = [2, 2]
        for _ in at_random(match, Random(seed)):
            now = list(match.state.units)
            assert all(0 <= left <= 3 for left in now)
            assert all(-2 <= after - before <= 1 for before, after in zip(units, now, strict=True))
            units = now
        assert units == [units_after(match.events(), clan) for clan in CLANS]
        assert units == [match.position()["clans"][clan]["units"] for clan in CLANS]


@pytest.mark.parametrize("variant", GOTHS, ids=str)
def test_G4_6_the_eight_king_cards_are_in_hand_face_up_or_just_played_and_never_more_than_six_face_up(
    variant: Variant,
) -> None:
    most = 0
    for seed in range(6):
        match = variant.deal(seed)
        deck = {f"{character}/{bluff}" for character, bluff in match.rules["king_deck"]}
        for _ in at_random(match, Random(seed), 200):
            now = match.position()
            for number, clan in enumerate(CLANS):
                hand = {card for k, card in enumerate(CARDS) if match.state.hand[number] >> k & 1}
                face_up, played = now["clans"][clan]["face_up"], match.state.order[number]
                assert len(face_up) == len(set(face_up)) <= 6
                assert not hand & set(face_up)
                assert hand.union(face_up, [CARDS[played]] if played >= 0 else []) == deck
                if match.state.phase <= Phase.ACTS:  # later the card played is face up, or back, or on its way back
                    assert len(hand) + len(face_up) + (now["backs"][clan] is not None) == 8
                most = max(most, len(face_up))
    assert most >= 3, "six is rare at random"


@pytest.mark.parametrize("variant", ROMANS, ids=str)
def test_every_clan_has_its_nine_warriors_in_one_place_each(variant: Variant) -> None:
    for seed in range(10):
        match = variant.deal(seed)
        for _ in at_random(match, Random(seed)):
            now = match.position()
            for clan, state in now["clans"].items():
                aside = [] if state["aside"] is None else [state["aside"]]
                held = Counter([*state["hand"], *state["hidden"], *aside, *state["face_up"], *state["discarded"]])
                assert held == Counter(match.header.setup["hands"][now["round"] - 1][clan])
                assert (NINE - held).total() == (2 if clan in match.seats else 3)


@pytest.mark.parametrize("variant", ROMANS, ids=str)
def test_every_fort_of_the_deck_is_in_one_place(variant: Variant) -> None:
    for seed in range(10):
        match = variant.deal(seed)
        for _ in at_random(match, Random(seed)):
            now = match.position()
            held = [fort for state in now["clans"].values() for fort in state["forts"]]
            to_come = match.header.setup["forts"][6 * now["round"] :]
            everywhere = [*now["wall"], *held, *now["discarded_forts"], *to_come]
            assert Counter(everywhere) == Counter(match.rules["fort_deck"])
            assert len(now["wall"]) <= 7 - now["turn"]

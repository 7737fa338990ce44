"""A world redealt from a view: the seat sees the same in it, and it holds nothing but the view and the dice."""

from collections.abc import Iterator
from random import Random

import pytest

from meadhall.faults import Fault
from meadhall.match import SPECTATOR, Match, View
from tests.secrets.lived import moment
from tests.secrets.test_the_proof import field_bytes
from tests.secrets.worlds import another_world
from tests.variants import VARIANTS, Variant, at_random, random_game, variant_named

LENGTHS = {"goths": (0, 3, 42, 83, 400), "romans": (0, 1, 6, 13, 24, 100)}
# What a redealt world must settle; choices that others may have sealed are owed anew instead.
DEALT_FIELDS = {
    "goths": {"hand", "order", "objectives", "token"},
    "romans": {"deals", "hand", "line", "options", "aside", "draw_pile"},
}
OPTION_FIELDS = {
    "goths": ("turn_limit", "deck", "lone", "fog_anywhere"),
    "romans": ("players", "clans", "original", "replaces", "fort_deck"),
}


def views(variant: Variant) -> Iterator[tuple[Match, View]]:
    """Every seat's and a spectator's view of some moments of random games."""
    for seed, length in enumerate(LENGTHS[variant.game]):
        match = random_game(variant, seed, length)
        for seat in (*match.seats, SPECTATOR):
            yield match, match.view(seat)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_a_seat_sees_the_same_in_a_world_redealt_from_its_view(variant: Variant) -> None:
    dice = Random(1)
    for match, view in views(variant):
        seat = view.seat or SPECTATOR
        redealt = view.redeal(dice)
        assert moment(redealt, seat, (), None) == moment(match, seat, (), None)
        assert redealt.seats == match.seats
        assert redealt.outcome == match.outcome


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_the_world_depends_on_the_view_and_the_dice_alone(variant: Variant) -> None:
    random = Random(f"{variant}")
    for match, view in views(variant):
        seat = view.seat or SPECTATOR
        other = Match.from_record(another_world(match.record(), seat, random))
        mine, theirs = Random(1), Random(1)
        assert bytes(view.redeal(mine).state) == bytes(other.view(seat).redeal(theirs).state)
        assert mine.getstate() == theirs.getstate()


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_redealing_does_not_touch_the_view_nor_the_match(variant: Variant) -> None:
    for match, view in views(variant):
        before, seen = bytes(match.state), bytes(view.state)
        for _ in at_random(view.redeal(Random(3)), Random(3), 10):
            pass
        assert bytes(match.state) == before
        assert bytes(view.state) == seen


@pytest.mark.parametrize("game", ["goths", "romans"])
def test_every_secret_varies_from_one_redealt_world_to_the_next(game: str) -> None:
    variant = variant_named("goths, fog" if game == "goths" else "romans, two and two")
    for field in DEALT_FIELDS[game]:
        assert any(
            len({field_bytes(view.redeal(dice).state, field) for _ in range(10)}) > 1
            for _, view in views(variant)
            for dice in [Random(field)]
        ), f"{field} is always the same"


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_a_redealt_match_can_be_played_to_the_end(variant: Variant) -> None:
    for k, (_, view) in enumerate(views(variant)):
        redealt = view.redeal(Random(k))
        for _ in at_random(redealt, Random(k)):
            pass
        assert redealt.outcome is not None


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_the_options_of_the_game_survive_a_redeal(variant: Variant) -> None:
    blank = variant.deal(0).game.blank(variant.deal(0).rules)
    for match, view in views(variant):
        redealt = view.redeal(Random(5))
        assert redealt.rules == match.rules
        for field in OPTION_FIELDS[variant.game]:
            assert field_bytes(redealt.state, field) == field_bytes(blank, field)


def test_a_redealt_match_has_no_record() -> None:
    redealt = random_game(VARIANTS[0], 1, 5).view(SPECTATOR).redeal(Random(1))
    with pytest.raises(Fault, match="has no record"):
        redealt.record()

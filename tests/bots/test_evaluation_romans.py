"""What hard thinks of a position in Romans: numbers that make sense, and a reason that fits them."""

import json
from random import Random

import pytest

from meadhall.bots import caveat, evaluate
from meadhall.bots.romans.solved import solved_values
from meadhall.match import Match
from tests.rules.romans_positions import clash
from tests.variants import FORT_DECK, FOUR, ROMANS, Variant, random_game


@pytest.mark.parametrize("variant", ROMANS, ids=str)
def test_chances_are_chances_and_the_best_choice_comes_first(variant: Variant) -> None:
    for length in (0, len(variant.rules["players"]) + 1):
        match = random_game(variant, 2, length)
        view = match.view(match.waiting[0])
        found = evaluate(view)
        wins = [each.win for each in found.choices]
        assert all(0.0 <= win <= 1.0 for win in wins)
        assert wins == sorted(wins, reverse=True)
        assert sum(each.weight for each in found.choices) == pytest.approx(1.0)
        assert found.win == pytest.approx(wins[0], abs=0.05)
        assert len(found.choices) == min(20, len(view.choices))
        assert {each.choice for each in found.choices} <= {*view.choices}
        assert found.why.key.startswith("romans.why.")
        json.dumps(found.json())


def test_the_same_view_gets_the_same_evaluation_in_every_world() -> None:
    match = random_game(ROMANS[2], 3, 9)
    seat = match.waiting[0]
    redealt = match.view(seat).redeal(Random("evaluated"))
    assert evaluate(redealt.view(seat)) == evaluate(match.view(seat))


def test_equal_players_at_the_start_have_equal_chances() -> None:
    for players in (2, 4):
        wins = [evaluate(Match.new("romans", {"players": FOUR[:players]}, deal).view("gold")).win for deal in range(6)]
        # Hard expects to do better than its fair share, as it thinks about what the others do.
        assert 1 / players - 0.1 < sum(wins) / len(wins) < 1 / players + 0.3


def test_a_lead_is_worth_having() -> None:
    clans = {"gold": "axx", "green": "druhid"}
    wins = [
        evaluate(clash("interpreted", "ordinary-1 ordinary-6", forts=forts, **clans).match.view("gold")).win
        for forts in ({"green": "tax-8 ordinary-6"}, {}, {"gold": "tax-8 ordinary-5"})
    ]
    assert wins[0] < 0.1 < wins[1] <= wins[2] == 1.0


def test_a_third_legion_is_sure_to_win_and_said_so() -> None:
    clans = {"gold": "charriott > druhid", "green": "archr"}
    held = {"gold": "legion-1 legion-2"}
    found = evaluate(clash("interpreted", "ordinary-1 legion-3 ordinary-6", forts=held, **clans).match.view("gold"))
    assert (found.best, found.choices[0].win, found.why.key) == ("take:2", 1.0, "romans.why.third-legion")


def test_a_charm_is_explained_by_who_takes_the_fort() -> None:
    table = clash("interpreted", "ordinary-6", gold="qween", green="horsie", violet="druhid")
    why = evaluate(table.match.view("gold")).why
    assert why.key == "romans.why.charm-takes"
    assert why.args | {"win": 0} == {"clan": "green", "warrior": "horsie", "fort": "ordinary-6", "win": 0}
    clans = {"gold": "qween", "green": "archr > charriott", "violet": "filchy > horsie"}
    table = clash("interpreted", "legion-3 ordinary-6", forts={"green": "legion-1 legion-2"}, **clans)
    assert evaluate(table.match.view("gold")).why.key in ("romans.why.charm-stops", "romans.why.charm-takes")


def test_a_plan_is_explained_by_a_fort_of_the_wall() -> None:
    for deal in range(4):
        view = Match.new("romans", {"players": FOUR[:2]}, deal).view("gold")
        why = evaluate(view).why
        if why.key == "romans.why.plan":
            assert why.args["fort"] in view.json()["wall"]
        assert 0 < int(why.args["chance"]) <= 100


def test_choices_that_make_no_difference_are_called_even() -> None:
    held = {"gold": "ordinary-6 ordinary-6 ordinary-5", "green": "ordinary-1"}
    table = clash("interpreted", "ordinary-1", forts=held, gold="axx", green="druhid")
    assert evaluate(table.match.view("gold")).why.key == "romans.why.even"


def test_rules_the_table_was_not_made_for_are_named() -> None:
    assert solved_values() is not None
    two = {"players": FOUR[:2]}
    found = {
        key: caveat("hard", "romans", two | rules)
        for key, rules in {
            None: {},
            "romans.caveat.deck": {"fort_deck": FORT_DECK},
            "romans.caveat.original": {"original_rules": True},
            "romans.caveat.qween": {"qween": "replaces"},
        }.items()
    }
    assert {key: why and why.key for key, why in found.items()} == {key: key for key in found}
    assert caveat("hard", "romans", {"players": FOUR[:1], "neutrals": FOUR[1:3]}) is None
    assert caveat("medium", "romans", two | {"original_rules": True}) is None
    match = Match.new("romans", two | {"qween": "replaces"}, 1)
    assert evaluate(match.view("gold")).caveat == "romans.caveat.qween"


def test_judging_leaves_the_dice_of_others_and_the_view_alone() -> None:
    view = Match.new("romans", {"players": FOUR[:2]}, 1).view("gold")
    before, dice = bytes(view.state), Random(1).getstate()
    evaluate(view)
    assert bytes(view.state) == before
    assert Random(1).getstate() == dice

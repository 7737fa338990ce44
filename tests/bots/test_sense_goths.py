"""Easy in Goths: the obvious thing is done, whatever the dice say."""

from random import Random

import pytest

from tests.bots.playing import answers, played
from tests.rules.goths_positions import CARDS, CLANS, position
from tests.table import Table
from tests.variants import GOTHS, Variant

EXPOSED = {"place": "terrain-2", "units": 2}


def ordered(table: Table, card: str, other: str) -> Table:
    """Both kings have played; the Ostrogoths hold the initiative."""
    return table.choose(("ostrogoth-king", f"order:{card}"), ("visigoth-king", f"order:{other}"))


def acted(table: Table, card: str, action: str) -> Table:
    """The Ostrogoths carry out an action, the Visigoths misunderstand each other."""
    ordered(table, card, "recruiter/vulture")
    return table.choose(("ostrogoth-warchief", f"act:{action}"), ("visigoth-warchief", "act:load"))


def test_a_king_with_a_loaded_catapult_orders_it_and_the_warchief_fires() -> None:
    table = position("interpreted", ostrogoth={"catapult": "active"}, visigoth=EXPOSED)
    cards = answers(table.match, "ostrogoth-king")
    assert all(card.startswith("order:catapult/") for card in cards)
    ordered(table, next(iter(cards)).removeprefix("order:"), "barbarian/vulture")
    assert set(answers(table.match, "ostrogoth-warchief")) == {"act:fire"}


def test_nobody_fires_at_a_barricade() -> None:
    shelter = EXPOSED | {"barricades": ("terrain-2",)}
    for card in CARDS:
        table = position("interpreted", ostrogoth={"catapult": "active"}, visigoth=shelter)
        ordered(table, card, "barbarian/vulture")
        assert "act:fire" not in answers(table.match, "ostrogoth-warchief")


def test_a_threatened_army_is_saved_by_sabotage() -> None:
    table = position("interpreted", ostrogoth=EXPOSED, visigoth={"catapult": "active"})
    assert all(card.startswith("order:vulture/") for card in answers(table.match, "ostrogoth-king"))
    ordered(table, "vulture/recruiter", "catapult/barbarian")
    assert set(answers(table.match, "ostrogoth-warchief")) == {"act:sabotage"}


def test_a_back_that_shows_no_catapult_threatens_no_stone() -> None:
    table = position("interpreted", ostrogoth=EXPOSED, visigoth={"catapult": "active"})
    ordered(table, "barbarian/vulture", "barbarian/vulture")
    assert "act:sabotage" not in answers(table.match, "ostrogoth-warchief")


def test_a_king_prefers_the_back_that_can_mean_one_thing_only() -> None:
    table = position("interpreted", ostrogoth={"face_up": ("recruiter/catapult",)})
    cards = answers(table.match, "ostrogoth-king", range(80))
    assert cards["order:catapult/recruiter"] > 0
    assert cards["order:catapult/barbarian"] == 0


def test_a_warchief_trusts_a_face_up_card_rather_than_a_guess_of_equal_use() -> None:
    table = position("interpreted", ostrogoth={"face_up": ("catapult/recruiter",)})
    ordered(table, "barbarian/vulture", "barbarian/vulture")
    assert answers(table.match, "ostrogoth-warchief").most_common(1)[0][0] == "act:load"


@pytest.mark.parametrize("card", CARDS)
def test_a_warchief_never_does_what_can_have_no_effect_if_something_useful_gets_through(card: str) -> None:
    table = position(
        "interpreted",
        ostrogoth={"place": "terrain-2", "units": 3, "catapult": "active", "barricades": ("terrain-2",)},
        visigoth={"place": "terrain-2", "units": 3},
    )
    ordered(table, card, "barbarian/vulture")
    pointless = {"act:sabotage", "act:recruit", "act:load", "act:barricade", "act:rats"}
    chosen = set(answers(table.match, "ostrogoth-warchief"))
    assert not chosen & pointless
    assert all(act.split(":")[1] in ("reconnoitre", "fire", "advance", "axe") for act in chosen)


def test_a_warchief_enters_the_objective_he_has_seen_to_be_the_queen() -> None:
    knows = {"place": "terrain-3", "units": 3, "seen": ("objective-3",)}
    table = position("interpreted", ostrogoth=knows)
    ordered(table, "barbarian/vulture", "recruiter/vulture")
    assert set(answers(table.match, "ostrogoth-warchief")) == {"act:advance"}
    table.choose(("ostrogoth-warchief", "act:advance"), ("visigoth-warchief", "act:load"))
    assert set(answers(table.match, "ostrogoth-warchief")) == {"enter:objective-3"}


def test_two_known_objectives_tell_where_the_queen_is() -> None:
    knows = {"place": "terrain-3", "units": 3, "seen": ("objective-1", "objective-2")}
    table = acted(position("interpreted", ostrogoth=knows), "barbarian/vulture", "advance")
    assert set(answers(table.match, "ostrogoth-warchief")) == {"enter:objective-3"}


def test_a_known_trap_is_avoided_and_the_others_are_all_the_same() -> None:
    knows = {"place": "terrain-3", "units": 3, "seen": ("objective-1",)}
    table = acted(position("interpreted", ostrogoth=knows), "barbarian/vulture", "advance")
    assert set(answers(table.match, "ostrogoth-warchief")) == {"enter:objective-2", "enter:objective-3"}


def test_a_king_sends_a_warchief_who_must_know_the_way() -> None:
    knows = {"place": "terrain-3", "units": 3, "seen": ("objective-1", "objective-2")}
    table = position("interpreted", ostrogoth=knows)
    assert all(card.startswith("order:barbarian/") for card in answers(table.match, "ostrogoth-king"))


def test_a_warchief_looks_at_what_he_does_not_know() -> None:
    table = acted(position("interpreted", ostrogoth={"seen": ("objective-2",)}), "vulture/recruiter", "reconnoitre")
    assert set(answers(table.match, "ostrogoth-warchief")) == {"look:objective-1", "look:objective-3"}


def test_a_warchief_who_knows_the_objectives_looks_at_his_token() -> None:
    knows = {"seen": ("objective-1", "objective-2")}
    table = position("interpreted", fog=("gusts", "pea-soup"), ostrogoth=knows)
    acted(table, "vulture/recruiter", "reconnoitre")
    assert set(answers(table.match, "ostrogoth-warchief")) == {"look:fog"}


@pytest.mark.parametrize("option", ["same-card", "anywhere"])
def test_a_token_is_dispersed_where_it_hurts_and_a_barricade_stands(option: str) -> None:
    army = {"place": "terrain-3", "barricades": ("terrain-3",), "fog": "revealed"}
    rules = {"fog_discard": option}
    table = position("interpreted", rules, fog=("boar-shortage", "gusts"), ostrogoth=army)
    acted(table, "barbarian/vulture", "barricade")
    assert set(answers(table.match, "ostrogoth-warchief")) == {"disperse"}


def test_an_action_that_the_token_forbids_is_not_chosen() -> None:
    army = {"place": "terrain-3", "units": 2, "fog": "revealed"}
    table = position("interpreted", fog=("boar-shortage", "gusts"), ostrogoth=army)
    ordered(table, "catapult/recruiter", "barbarian/vulture")
    assert set(answers(table.match, "ostrogoth-warchief")) == {"act:recruit"}


LONE = [variant for variant in GOTHS if "lone_rulers" in variant.rules]


@pytest.mark.parametrize("variant", LONE, ids=str)
def test_a_lone_ruler_never_misreads_his_own_order(variant: Variant) -> None:
    for seed in range(8):
        match = played(variant.deal(seed), ["easy"] * 4, Random(seed))
        failed = {event.args["clan"] for event in match.events() if event.code == "misread"}
        assert not failed & set(variant.rules["lone_rulers"])


def test_partners_understand_each_other_nearly_always_without_any_convention() -> None:
    codes = [
        event.code
        for seed in range(25)
        for event in played(GOTHS[0].deal(seed), ["easy"] * 4, Random(seed)).events()
        if event.code in ("understood", "misread") and event.args["clan"] in CLANS
    ]
    assert codes.count("understood") / len(codes) >= 0.95

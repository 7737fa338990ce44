"""Goths: the variant Fog of War (G8)."""

import json
from collections import Counter
from typing import Any

import pytest

from meadhall.faults import RecordFault
from meadhall.match import Match
from tests.rules.goths_positions import (
    CARDS,
    CLANS,
    EVERYBODY,
    board,
    enemy_of,
    hand,
    position,
    refuses,
    turn,
    who_can_tell,
)
from tests.table import Table

TOKENS = ("pea-soup", "reduced-numbers", "boar-shortage", "gusts")
EMPTY_RECORD = {"format": "meadhall/1", "game": "goths", "choices": []}
LOOK_ALL = ["look:objective-1", "look:objective-2", "look:objective-3"]

# What each token forbids its clan, and where the enemy stands for that action to do something.
FORBIDDEN = [
    pytest.param("pea-soup", "reconnoitre", {}, id="pea-soup"),
    pytest.param("reduced-numbers", "recruit", {}, id="reduced-numbers"),
    pytest.param("boar-shortage", "load", {}, id="boar-shortage"),
    pytest.param("gusts", "axe", {"place": "terrain-2"}, id="gusts"),
]


def tokens(clan: str, token: str) -> tuple[str, str]:
    """Both clans' tokens, this one for that clan."""
    other = next(another for another in TOKENS if another != token)
    return (token, other) if clan == "ostrogoth" else (other, token)


def foggy(speed: str, token: str, ostrogoth: dict[str, Any], rules: Any = None, **visigoth: Any) -> Table:
    """The Ostrogoths with a revealed token on terrain-3, unless their position says otherwise."""
    army = {"place": "terrain-3", "fog": "revealed"} | ostrogoth
    return position(speed, rules, fog=tokens("ostrogoth", token), ostrogoth=army, visigoth=visigoth)


# Set-up and reveal


def test_G8_1_each_clan_gets_one_of_the_four_tokens_at_random() -> None:
    setups = [Match.new("goths", {"fog_of_war": True}, seed).header.setup["fog"] for seed in range(1200)]
    pairs = Counter((setup["ostrogoth"], setup["visigoth"]) for setup in setups)
    assert set(pairs) == {(one, other) for one in TOKENS for other in TOKENS if one != other}
    assert all(65 <= count <= 135 for count in pairs.values())


def test_G8_1_tokens_lie_face_down_at_first_and_only_in_the_variant(speed: str) -> None:
    table = position(speed, fog=("gusts", "pea-soup"))
    assert table.clan("ostrogoth")["fog"] == {"token": "gusts", "state": "hidden"}
    assert table.clan("visigoth")["fog"] == {"token": "pea-soup", "state": "hidden"}
    assert position(speed).clan("ostrogoth")["fog"] is None


def test_G8_1_nobody_sees_the_tokens_left_out(speed: str) -> None:
    table = position(
        speed, fog=("gusts", "pea-soup"), ostrogoth={"place": "terrain-2"}, visigoth={"place": "terrain-2"}
    )
    turn(table, "look:fog", ostrogoth="reconnoitre", visigoth="advance")
    for text in (table.position, *(table.match.view(seat).json() for seat in EVERYBODY)):
        assert "reduced-numbers" not in json.dumps(text)
        assert "boar-shortage" not in json.dumps(text)


@pytest.mark.parametrize(
    ("rules", "fog", "message"),
    [
        ({"fog_of_war": True}, {"ostrogoth": "gusts", "visigoth": "gusts"}, "cannot have the same token"),
        ({"fog_of_war": True}, {"ostrogoth": "gusts"}, 'setup.fog lacks "visigoth"'),
        (
            {"fog_of_war": True},
            {"ostrogoth": "gusts", "visigoth": "rain"},
            "setup.fog.visigoth must be one of",
        ),
        ({}, {"ostrogoth": "gusts", "visigoth": "pea-soup"}, "setup.fog is only for games with"),
    ],
)
def test_G8_1_other_tokens_are_refused(rules: Any, fog: Any, message: str) -> None:
    setup = {"objectives": ["trap", "plains", "queen"], "fog": fog}
    with pytest.raises(RecordFault) as refusal:
        Match.from_record(EMPTY_RECORD | {"rules": rules, "setup": setup})
    assert message in str(refusal.value)


@pytest.mark.parametrize("clan", CLANS)
def test_G8_2_token_is_revealed_when_its_own_army_moves_onto_terrain_3(speed: str, clan: str) -> None:
    table = position(speed, fog=tokens(clan, "gusts"), **{clan: {"place": "terrain-1"}})
    turn(table, ostrogoth="advance", visigoth="advance")
    assert [table.clan(name)["fog"]["state"] for name in CLANS] == ["hidden", "hidden"]
    turn(table, **{clan: "advance"})
    assert table.clan(clan)["fog"] == {"token": "gusts", "state": "revealed"}
    assert table.clan(enemy_of(clan))["fog"]["state"] == "hidden"
    for seat in EVERYBODY:
        assert table.match.view(seat).json()["clans"][clan]["fog"]["token"] == "gusts"


@pytest.mark.parametrize(("token", "action", "enemy"), FORBIDDEN)
@pytest.mark.parametrize("fog", ["hidden", "discarded"])
def test_G8_2_token_has_no_effect_before_its_reveal_or_after_its_discard(
    speed: str, token: str, action: str, enemy: Any, fog: str
) -> None:
    table = foggy(speed, token, {"place": "terrain-2", "fog": fog}, **enemy)
    before = board(table)
    answers = ["look:objective-1"] if action == "reconnoitre" else []
    assert board(turn(table, *answers, ostrogoth=action)) != before


@pytest.mark.parametrize(("token", "action", "enemy"), FORBIDDEN)
def test_G8_2_token_affects_its_clan_wherever_the_army_goes(speed: str, token: str, action: str, enemy: Any) -> None:
    table = foggy(speed, token, {"place": "objective-2"}, **enemy)
    before = board(table)
    assert board(turn(table, ostrogoth=action)) == before


@pytest.mark.parametrize(("token", "action", "enemy"), FORBIDDEN)
def test_G8_2_token_does_not_affect_the_other_clan(speed: str, token: str, action: str, enemy: Any) -> None:
    table = foggy(speed, token, {"place": "terrain-3"})
    before = board(table)
    answers = ["look:objective-1"] if action == "reconnoitre" else []
    assert board(turn(table, *answers, visigoth=action)) != before


# Looking at a token and dispersing it


@pytest.mark.parametrize("clan", CLANS)
def test_G8_3_reconnoitre_may_look_at_the_own_token_instead(speed: str, clan: str) -> None:
    table = turn(position(speed, fog=tokens(clan, "gusts")), **{clan: "reconnoitre"})
    assert table.options(f"{clan}-warchief") == ["look:fog", *LOOK_ALL]
    table.choose((f"{clan}-warchief", "look:fog"))
    assert table.position["seen"] == {f"{clan}-warchief": ["fog"], f"{enemy_of(clan)}-warchief": []}
    assert table.match.view(f"{clan}-warchief").json()["clans"][clan]["fog"]["token"] == "gusts"


@pytest.mark.parametrize("fog", ["revealed", "discarded"])
def test_G8_3_a_token_no_longer_face_down_cannot_be_looked_at(speed: str, fog: str) -> None:
    table = turn(foggy(speed, "gusts", {"fog": fog}), ostrogoth="reconnoitre")
    assert table.options("ostrogoth-warchief") == LOOK_ALL
    assert refuses(table, "ostrogoth-warchief", "look:fog")


def test_G8_3_with_one_objective_face_down_the_token_is_still_a_choice(speed: str) -> None:
    table = position(speed, fog=("gusts", "pea-soup"), revealed=("objective-1", "objective-2"))
    turn(table, ostrogoth="reconnoitre")
    assert table.options("ostrogoth-warchief") == ["look:fog", "look:objective-3"]


def test_G8_3_everybody_sees_that_he_looked_at_the_token_he_alone_what_it_is(speed: str) -> None:
    tables = [position(speed, fog=(token, "pea-soup")) for token in ("gusts", "boar-shortage")]
    assert who_can_tell(*tables) == set()
    for table in tables:
        turn(table, "look:fog", ostrogoth="reconnoitre")
    assert who_can_tell(*tables) == {"ostrogoth-warchief"}
    elsewhere = turn(position(speed, fog=("gusts", "pea-soup")), "look:objective-1", ostrogoth="reconnoitre")
    assert who_can_tell(tables[0], elsewhere) == EVERYBODY


def test_G8_4_barricade_on_terrain_3_asks_build_or_disperse(speed: str) -> None:
    table = turn(foggy(speed, "gusts", {}), ostrogoth="barricade")
    assert table.position["pending"] == {"ostrogoth-warchief": ["build", "disperse"]}


@pytest.mark.parametrize(
    ("choice", "barricades", "state"), [("build", ["terrain-3"], "revealed"), ("disperse", [], "discarded")]
)
def test_G8_4_warchief_builds_or_discards_the_token_not_both(
    speed: str, choice: str, barricades: list[str], state: str
) -> None:
    table = turn(foggy(speed, "gusts", {}), choice, ostrogoth="barricade")
    assert table.clan("ostrogoth")["barricades"] == barricades
    assert table.clan("ostrogoth")["fog"] == {"token": "gusts", "state": state}


def test_G8_4_discarding_ends_the_tokens_effect(speed: str) -> None:
    table = turn(foggy(speed, "reduced-numbers", {}), "disperse", ostrogoth="barricade")
    assert turn(table, ostrogoth="recruit").clan("ostrogoth")["units"] == 3


def test_G8_4_choice_is_offered_also_where_the_barricade_stands(speed: str) -> None:
    table = turn(foggy(speed, "gusts", {"barricades": ["terrain-3"]}), ostrogoth="barricade")
    assert table.options("ostrogoth-warchief") == ["build", "disperse"]
    before = board(table)
    table.choose(("ostrogoth-warchief", "build"))
    assert board(table) == before
    assert hand(table, "ostrogoth") == list(CARDS)


@pytest.mark.parametrize(
    ("place", "same_card", "anywhere"),
    [
        ("terrain-3", True, True),
        ("objective-1", False, True),
        ("objective-2", False, True),
        ("objective-3", False, True),
    ],
)
def test_G8_4_army_must_stand_on_the_tokens_card_or_anywhere_by_rule_option(
    speed: str, place: str, same_card: bool, anywhere: bool
) -> None:
    for rules, asked in (({}, same_card), ({"fog_discard": "anywhere"}, anywhere)):
        table = turn(foggy(speed, "gusts", {"place": place}, rules), ostrogoth="barricade")
        assert (table.options("ostrogoth-warchief") == ["build", "disperse"]) == asked
        assert table.position["turn"] == (1 if asked else 2)


def test_G8_4_same_card_is_the_default_and_other_words_are_refused() -> None:
    assert Match.new("goths", {"fog_of_war": True}).rules["fog_discard"] == "same-card"
    with pytest.raises(RecordFault, match=r"rules\.fog_discard must be one of same-card, anywhere"):
        Match.new("goths", {"fog_of_war": True, "fog_discard": "nowhere"})


def test_G8_4_building_on_an_objective_has_no_effect_even_when_offered(speed: str) -> None:
    table = foggy(speed, "gusts", {"place": "objective-2"}, {"fog_discard": "anywhere"})
    before = board(table)
    assert board(turn(table, "build", ostrogoth="barricade")) == before
    turn(table, "disperse", ostrogoth="barricade")
    assert table.clan("ostrogoth")["fog"]["state"] == "discarded"


@pytest.mark.parametrize("discard", ["same-card", "anywhere"])
@pytest.mark.parametrize(("place", "fog"), [("terrain-2", "hidden"), ("terrain-3", "discarded")])
def test_G8_4_a_token_not_revealed_or_already_discarded_is_not_asked_about(
    speed: str, place: str, fog: str, discard: str
) -> None:
    table = foggy(speed, "gusts", {"place": place, "fog": fog}, {"fog_discard": discard})
    turn(table, ostrogoth="barricade")
    assert table.position["turn"] == 2
    assert table.clan("ostrogoth")["barricades"] == [place]
    assert table.clan("ostrogoth")["fog"]["state"] == fog


# The four tokens


def test_G8_5_pea_soup_reconnoitre_has_no_effect(speed: str) -> None:
    table = turn(foggy(speed, "pea-soup", {}), ostrogoth="reconnoitre")
    assert table.position["turn"] == 2
    assert table.position["seen"]["ostrogoth-warchief"] == []


def test_G8_6_reduced_numbers_recruit_has_no_effect(speed: str) -> None:
    table = turn(foggy(speed, "reduced-numbers", {"units": 1}), ostrogoth="recruit")
    assert table.clan("ostrogoth")["units"] == 1


@pytest.mark.parametrize("clan", CLANS)
def test_G8_7_boar_shortage_makes_the_catapult_inactive_when_revealed(speed: str, clan: str) -> None:
    armies = {name: {"place": "terrain-2", "catapult": "active"} for name in CLANS}
    table = turn(position(speed, fog=tokens(clan, "boar-shortage"), **armies), **{clan: "advance"})
    assert table.clan(clan)["catapult"] == "inactive"
    assert table.clan(enemy_of(clan))["catapult"] == "active"


def test_G8_7_no_other_token_touches_the_catapult_when_revealed(speed: str) -> None:
    army = {"place": "terrain-2", "catapult": "active"}
    for token in ("pea-soup", "reduced-numbers", "gusts"):
        table = position(speed, fog=tokens("ostrogoth", token), ostrogoth=army)
        assert turn(table, ostrogoth="advance").clan("ostrogoth")["catapult"] == "active"


def test_G8_7_load_has_no_effect_while_boars_are_short(speed: str) -> None:
    table = turn(foggy(speed, "boar-shortage", {}), ostrogoth="load")
    assert table.clan("ostrogoth")["catapult"] == "inactive"


def test_G8_7_after_the_discard_the_catapult_stays_inactive_until_loaded(speed: str) -> None:
    table = turn(foggy(speed, "boar-shortage", {}), "disperse", ostrogoth="barricade")
    assert table.clan("ostrogoth")["catapult"] == "inactive"
    assert turn(table, ostrogoth="load").clan("ostrogoth")["catapult"] == "active"


def test_G8_8_gusts_axe_has_no_effect_for_that_clan(speed: str) -> None:
    table = foggy(speed, "gusts", {}, place="terrain-2")
    turn(table, ostrogoth="axe", visigoth="axe")
    assert [table.clan(clan)["units"] for clan in CLANS] == [1, 2]


@pytest.mark.parametrize(("token", "action", "enemy"), FORBIDDEN)
def test_G8_9_cards_return_after_an_action_a_token_forbids(speed: str, token: str, action: str, enemy: Any) -> None:
    up = "barbarian/catapult" if action != "axe" else "vulture/barbarian"
    table = turn(foggy(speed, token, {"face_up": [up]}, **enemy), ostrogoth=action)
    assert table.clan("ostrogoth")["face_up"] == []
    assert hand(table, "ostrogoth") == list(CARDS)

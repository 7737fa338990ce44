"""The form for hosting: what it offers, what it asks for, and what it says when something is wrong."""

from itertools import product
from typing import Any

import pytest

from meadhall.bots import LEVELS
from meadhall.faults import Fault
from meadhall.games.game import GAMES, game_named
from meadhall.match import Match
from meadhall.web.game import GameForm, form_of
from meadhall.web.pages import host as forms
from meadhall.words import words
from meadhall.words.languages import LANGUAGES
from tests.web.lobbies import GOTHS_SEATS

EN = words("en")
OWN_KINGS = """game = "goths"
cards = [
    ["vulture", "recruiter"], ["vulture", "catapult"], ["recruiter", "vulture"], ["recruiter", "barbarian"],
    ["catapult", "barbarian"], ["catapult", "vulture"], ["barbarian", "catapult"], ["barbarian", "recruiter"],
]
"""


def wanted(**fields: str) -> forms.Wanted:
    return forms.parse({name.replace("_", "-"): value for name, value in fields.items()}, EN)


def fault(**fields: str) -> str:
    with pytest.raises(Fault) as raised:
        wanted(**fields)
    return str(raised.value)


@pytest.mark.parametrize("game", GAMES)
def test_a_form_sent_as_it_is_shown_opens_a_table_of_the_usual_game(game: str) -> None:
    blank = forms.blank(game)
    posted = {"game": game, **blank.values, **{f"seat-{seat}": blank.role(seat) for seat in blank.seats}}
    table = forms.parse(posted, EN)
    assert table.game == game
    assert list(table.seats) == list(game_named(game).seats(game_named(game).check_rules(table.rules)))
    assert sorted(set(table.seats.values())) == ["me", "open"]
    assert set(table.rules) <= {"players"}
    assert (table.name, table.public) == ("", False)


def test_an_unknown_game_gets_the_first_form() -> None:
    assert forms.blank("chess").game == "goths"


def test_every_option_of_goths_reaches_the_rules() -> None:
    table = wanted(
        game="goths",
        seat_ostrogoth_king="me",
        seat_ostrogoth_warchief="device",
        seat_visigoth_king="easy",
        seat_visigoth_warchief="open",
        fog_of_war="on",
        fog_discard="anywhere",
        lone_visigoth="on",
        turn_limit=" 12 ",
        deck=OWN_KINGS,
        name="  Ann   of the Hall ",
        public="on",
    )
    rules: dict[str, Any] = dict(table.rules)
    assert rules.pop("king_deck")[1] == ["vulture", "catapult"]
    assert rules == {"fog_of_war": True, "fog_discard": "anywhere", "lone_rulers": ["visigoth"], "turn_limit": 12}
    assert table.seats == {
        "ostrogoth-king": "me",
        "ostrogoth-warchief": "me",
        "visigoth-king": "easy",
        "visigoth-warchief": "easy",  # a lone ruler is one and the same
    }
    assert (table.name, table.public) == ("Ann of the Hall", True)
    Match.new("goths", table.rules, 1)


def test_every_option_of_romans_reaches_the_rules() -> None:
    own = forms.deck_text("romans").replace('"ordinary-4"', '"ordinary-6"')
    table = wanted(
        game="romans",
        seat_gold="neutral",
        seat_green="random",
        seat_violet="me",
        seat_red="nobody",
        original_rules="on",
        qween="replaces",
        deck=own.replace("\n", "\r\n"),
    )
    rules: dict[str, Any] = dict(table.rules)
    assert rules.pop("fort_deck").count("ordinary-6") == 3
    assert rules == {
        "players": ["green", "violet"],
        "neutrals": ["gold"],
        "original_rules": True,
        "qween": "replaces",
    }
    assert table.seats == {"green": "random", "violet": "me"}
    Match.new("romans", table.rules, 1)


def test_where_fog_is_dispersed_does_not_matter_without_fog() -> None:
    assert wanted(game="goths", fog_discard="anywhere").rules == {}


def test_the_deck_as_it_was_shown_is_no_deck_of_ones_own() -> None:
    shown = forms.deck_text("goths")
    assert wanted(game="goths", deck=shown.replace("\n", "\r\n") + "\r\n").rules == {}
    assert wanted(game="goths", deck=f"# mine\n{shown}").rules == {}
    assert wanted(game="goths", deck="  ").rules == {}
    assert not forms.blank("goths").own_deck
    assert "#" not in shown


def test_bots_may_be_of_any_level_and_only_romans_stay_away() -> None:
    assert forms.blank("goths").roles() == ("me", "device", "open", *LEVELS)
    assert forms.blank("romans").roles(("deep",)) == ("me", "device", "open", "deep", "nobody", "neutral")
    table = forms.parse({"game": "goths", "seat-visigoth-king": "deep"}, EN, ("deep",))
    assert table.seats["visigoth-king"] == "deep"


@pytest.mark.parametrize("game", GAMES)
def test_a_game_without_fields_of_its_own_gets_a_form_for_its_seats(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = GameForm(game)
    monkeypatch.setattr(forms, "form_of", GameForm)
    seats = game_named(game).seats(game_named(game).check_rules(game_named(game).usual_rules))
    table = forms.parse({"game": game, f"seat-{seats[0]}": "me"}, EN)
    assert table.rules == game_named(game).usual_rules
    assert table.seats == {seats[0]: "me"} | dict.fromkeys(seats[1:], "open")
    assert forms.blank(game).roles(()) == ("me", "device", "open")
    now = plain.play_now(plain.answers({"level": "anything"}, EN))
    assert (*now.mine, *now.others) == seats
    assert set(now.others.values()) <= set(LEVELS)


# Play now


def every_answer(game: str) -> list[dict[str, str]]:
    """Each combination of answers to what Play now asks."""
    asked = form_of(game).questions
    return [
        dict(zip([each.name for each in asked], given, strict=True))
        for given in product(*[each.answers for each in asked])
    ]


@pytest.mark.parametrize("game", GAMES)
def test_whatever_one_answers_play_now_opens_a_full_table_with_a_seat_of_ones_own(game: str) -> None:
    tables = []
    for given in every_answer(game):
        now = form_of(game).play_now(form_of(game).answers(given, EN))
        seats = game_named(game).seats(game_named(game).check_rules(now.rules))
        assert sorted((*now.mine, *now.others)) == sorted(seats)
        assert now.mine
        assert set(now.others.values()) <= set(LEVELS)
        Match.new(game, now.rules, 1)
        tables.append(now)
    assert all(tables.count(each) == 1 for each in tables), "two answers mean the same"


def test_who_does_not_care_gets_a_gentle_game() -> None:
    goths = form_of("goths").play_now(form_of("goths").answers({}, EN))
    assert (goths.rules, goths.mine) == ({}, ("ostrogoth-warchief",))
    assert goths.others == {"ostrogoth-king": "easy", "visigoth-king": "random", "visigoth-warchief": "easy"}
    romans = form_of("romans").play_now(form_of("romans").answers({"level": ""}, EN))
    assert romans.rules == {"players": ["gold", "green", "red"]}
    assert (romans.mine, romans.others) == (("gold",), {"green": "easy", "red": "easy"})


def test_a_king_a_warchief_and_one_who_is_both() -> None:
    form = form_of("goths")
    king = form.play_now({"seat": "king", "level": "medium"})
    assert (king.mine, king.others["ostrogoth-warchief"]) == (("ostrogoth-king",), "medium")
    both = form.play_now({"seat": "both", "level": "hard"})
    assert both.rules == {"lone_rulers": ["ostrogoth"]}
    assert both.mine == ("ostrogoth-king", "ostrogoth-warchief")
    assert both.others == {"visigoth-king": "hard", "visigoth-warchief": "hard"}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_no_answer_to_a_question_is_told_with_those_that_are(game: str, lang: str) -> None:
    for question in form_of(game).questions:
        with pytest.raises(Fault) as raised:
            form_of(game).answers({question.name: "x"}, words(lang))
        assert words(lang).say(question.label) in str(raised.value)
        assert all(words(lang).say(key) in str(raised.value) for key in question.answers.values())


# Presets and names


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("declared", [True, False], ids=["the game's own", "of a game that declares none"])
def test_a_preset_fills_in_a_form_that_opens_a_table(
    game: str, declared: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not declared:
        monkeypatch.setattr(forms, "form_of", GameForm)
    presets = forms.blank(game).presets
    assert {"bots", "device"} <= {preset.name for preset in presets}
    for preset in presets:
        form = forms.blank(game, preset.name)
        assert form.preset == preset.name
        table = forms.parse({"game": game, **form.values}, EN)
        assert "me" in table.seats.values()
        roles = {form.role(seat) for seat in form.seats} - {"nobody"}
        expected = {"bots": set(LEVELS), "device": {"device"}}.get(preset.name, {"open"})
        assert roles - {"me"}
        assert roles - {"me"} <= expected
    assert forms.blank(game, "nonsense").values == forms.blank(game).values


def test_two_who_rule_a_clan_each_sit_on_both_its_seats() -> None:
    table = forms.parse({"game": "goths", **forms.blank("goths", "two").values}, EN)
    assert table.rules == {"lone_rulers": ["ostrogoth", "visigoth"]}
    assert list(table.seats.values()) == ["me", "me", "open", "open"]


def test_a_form_that_was_changed_is_no_preset_any_more() -> None:
    values = forms.blank("romans", "device").values
    assert forms.HostForm("romans", {**values, "seat-violet": "device"}).preset == ""


def test_people_at_one_device_have_names_of_their_own() -> None:
    table = wanted(
        game="goths",
        name=" Anna ",
        seat_ostrogoth_king="device",
        seat_ostrogoth_warchief="me",
        seat_visigoth_king="device",
        seat_visigoth_warchief="easy",
        name_ostrogoth_king=" Ben  of Kent ",
        name_visigoth_king="Carl",
        name_visigoth_warchief="nobody sees this",
        lone_visigoth="on",
    )
    assert table.names == {
        "ostrogoth-king": "Ben of Kent",
        "ostrogoth-warchief": "Anna",
        "visigoth-king": "Carl",
        "visigoth-warchief": "Carl",  # a lone ruler is one and the same
    }
    assert "Up to 24 letters" in fault(game="romans", seat_green="device", name_green="x" * 25)


def test_a_field_sent_several_times_counts_once() -> None:
    assert forms.parse({"game": ["romans", "goths"], "name": ["A", "B"], "public": []}, EN) == forms.Wanted(
        "goths", {}, dict.fromkeys(GOTHS_SEATS, "open"), "B", False, False
    )


def test_a_form_with_a_fault_keeps_what_was_filled_in() -> None:
    again = forms.refill({"game": "romans", "seat-gold": "nobody", "name": "Odo", "deck": "x"})
    assert (again.game, again.role("gold"), again.role("green"), again.value("name")) == (
        "romans",
        "nobody",
        "open",
        "Odo",
    )
    assert again.own_deck
    assert not again.on("public")
    assert forms.refill({"game": "chess"}).game == "goths"


NOBODY = {"seat_gold": "nobody", "seat_green": "nobody", "seat_violet": "nobody", "seat_red": "nobody"}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"game": "chess"}, "Goths Save the Queen, Romans Go Home!"),
        ({"game": "goths", "name": "x" * 25}, "Up to 24 letters"),
        ({"game": "goths", "name": "a\x07b"}, "odd signs"),
        ({"game": "goths", "seat_visigoth_king": "neutral"}, "King of the Visigoths"),
        ({"game": "romans", "seat_red": "genius"}, "Red"),
        ({"game": "goths", "fog_of_war": "on", "fog_discard": "nowhere"}, "from its own card or from anywhere"),
        ({"game": "goths", "turn_limit": "0"}, "from 1 to 9999"),
        ({"game": "goths", "turn_limit": "-3"}, "from 1 to 9999"),
        ({"game": "goths", "turn_limit": "99999"}, "from 1 to 9999"),
        ({"game": "goths", "turn_limit": "²"}, "from 1 to 9999"),
        ({"game": "romans", **NOBODY}, "at least one clan"),
        ({"game": "romans", **NOBODY, "seat_gold": "me"}, "a second clan, or a neutral one"),
        ({"game": "romans", **dict.fromkeys(NOBODY, "neutral"), "seat_gold": "me"}, "Two at most"),
        ({"game": "romans", "qween": "vanishes"}, "counts too or it does not"),
        ({"game": "goths", "deck": 'game = "goths"\ncards = ['}, "quotation marks"),
        ({"game": "goths", "deck": 'game = "goths"\ncards = [vulture]'}, "line 2"),
        ({"game": "goths", "deck": 'game = "romans"\nforts = []'}, 'game = "goths", and cards = [...]'),
        ({"game": "romans", "deck": 'game = "romans"'}, "forts = [...]"),
        ({"game": "goths", "deck": f"cards = {'[' * 5000}"}, "its end is missing"),
        ({"game": "goths", "deck": f"cards = {'9' * 5000}"}, "its end is missing"),
        ({"game": "goths", "deck": "cards = []"}, "eight King cards"),
        ({"game": "goths", "deck": "cards = 1979-05-27"}, "eight King cards"),
        ({"game": "romans", "deck": 'forts = ["legion-9"]'}, "eighteen forts"),
    ],
)
def test_a_fault_says_what_would_be_right(fields: dict[str, str], said: str) -> None:
    assert said in fault(**fields)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_fault_is_told_in_the_readers_language(lang: str) -> None:
    with pytest.raises(Fault) as raised:
        forms.parse({"game": "goths", "turn-limit": "many"}, words(lang))
    assert str(raised.value) == words(lang).say("ui.host.fault.turn-limit", most=9999)

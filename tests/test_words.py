"""The words: four whole catalogues, a sentence for everything that can happen, no secret in a story."""

import random
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from babel.messages.pofile import read_po

import meadhall
from meadhall.faults import Fault
from meadhall.games.game import Event, Outcome, game_named
from meadhall.games.goths import state as goths
from meadhall.games.romans import state as romans
from meadhall.match import SPECTATOR, Match
from meadhall.words import Words, catalogues, words
from meadhall.words.languages import LANGUAGES

CLANS = {"players": ["gold", "green", "violet", "red"]}
VARIANTS: list[tuple[str, dict[str, Any]]] = [
    ("goths", {"turn_limit": 30}),
    ("goths", {"fog_of_war": True}),
    ("goths", {"fog_of_war": True, "fog_discard": "anywhere", "lone_rulers": ["visigoth"]}),
    ("goths", {"lone_rulers": ["ostrogoth", "visigoth"], "turn_limit": 3}),
    ("romans", {"players": ["gold", "green"]}),
    ("romans", CLANS),
    ("romans", {"players": ["red", "gold"], "neutrals": ["violet"], "qween": "replaces"}),
    ("romans", {"players": ["green"], "neutrals": ["red", "gold"], "original_rules": True}),
]
# Where a vocabulary holds more than an event can carry: the values that the rules do use.
CARRIED: dict[tuple[str, str], tuple[str, ...]] = {
    ("ordered", "back"): tuple(
        sorted({"+".join(sorted(c.split("/"), key=goths.CHARACTERS.index)) for c in goths.CARDS})
    ),
    ("no-effect", "why"): (
        "catapult-already-inactive",
        "army-full",
        "catapult-already-active",
        "catapult-not-loaded",
        "barricade-stands",
        "no-barricade-side",
        "token-forbids",
    ),
    ("entered", "sight"): goths.SIGHTS[:3],
    ("turned-up", "sight"): goths.SIGHTS[:3],
    ("lost", "cause"): ("fire", "advance", "axe", "rats"),
    ("protected", "why"): ("forest", "barricade", "no-barricade"),
    ("attacked", "action"): ("axe", "rats"),
    ("won", "by"): ("queen", "elimination", "points", "legions"),
    ("kept", "why"): ("axx", "unwary"),
    ("discarded", "why"): ("horsie", "signal"),
}
NAMED: dict[str, dict[str, tuple[str, ...]]] = {
    "goths": {
        "clan": goths.CLANS,
        "character": goths.CHARACTERS,
        "card": goths.CARDS,
        "action": goths.ACTIONS,
        "place": goths.PLACES,
        "sight": goths.SIGHTS,
        "objective": goths.OBJECTIVES,
        "token": goths.TOKENS,
        "fog": goths.TOKEN_STATES[1:],
        "catapult": ("active", "inactive"),
        "chance": tuple(chance.name.lower() for chance in goths.Chance),
        "effect": goths.ACTIONS,
    },
    "romans": {
        "clan": romans.CLANS,
        "warrior": romans.WARRIORS,
        "fort": romans.FORTS,
        "short-fort": romans.FORTS,
        "effect": (*romans.WARRIORS, "unwary", "signal", "tax", "legion"),
        "brief": romans.WARRIORS,
    },
}
SEATS = {"goths": goths.SEATS, "romans": romans.CLANS}
CHOICES = {
    "goths": goths.CHOICES,
    "romans": (
        "plan:axx,qween,druhid,zvord,charriott,charriott",
        "reorder:horsie,axx",
        *(f"charm:{clan}" for clan in romans.CLANS),
        *(f"take:{place}" for place in range(1, 7)),
        "keep:axx",
        "leave:axx",
        "keep:weakest",
        "leave:weakest",
        *(f"discard:{warrior}" for warrior in romans.WARRIORS),
        *(f"pay:{fort}" for fort in romans.FORTS),
    ),
}
POINTS = {"gold": 12, "green": -1}
OUTCOMES: dict[str, list[dict[str, Any]]] = {
    "goths": [
        *({"winner": clan, "by": by} for clan in goths.CLANS for by in ("queen", "elimination")),
        {"winner": None, "by": "turn-limit"},
    ],
    "romans": [
        {"winners": ["gold"], "by": "points", "points": POINTS},
        {"winners": ["green"], "by": "legions", "points": POINTS},
        {"winners": ["gold", "green"], "by": "points", "points": POINTS},
    ],
}
RANKED = {"gold": 1, "green": 2}
ENDED: dict[str, list[Outcome]] = {
    "goths": [
        *(Outcome((clan,), by, {}, {}) for clan in goths.CLANS for by in ("queen", "elimination")),
        Outcome((), "turn-limit", {}, {}),
    ],
    "romans": [
        Outcome(("gold",), "points", {}, {"points": POINTS}, RANKED),
        Outcome(("green",), "legions", {}, {"points": POINTS}, RANKED),
        Outcome(("gold", "green"), "points", {}, {"points": {"gold": 9, "green": 9}}, {"gold": 1, "green": 1}),
        Outcome(("gold",), "points", {}, {"points": {"gold": 9, "green": 9}}, RANKED),
        Outcome(("gold",), "points", {}, {"points": {"gold": 9, "green": 2, "red": 12}}, RANKED),
    ],
}
# Words that are the same in English and in another language.
SAME = {
    "fr": {
        "goths.action.barricade",
        "goths.action.rats",
        "goths.action.reconnoitre",
        "goths.action.sabotage",
        "goths.catapult.active",
        "goths.catapult.inactive",
        "goths.clan.ostrogoth",
        "goths.place.terrain-1",
        "goths.place.terrain-2",
        "goths.place.terrain-3",
        "romans.clan.violet",
        "romans.fort-count",
        "romans.the-clan.violet",
        "goths.label.barricade",
        "romans.label.forts",
        "ui.initiative",
        "ui.points",
    },
    "de": {
        "romans.clan.gold",
        "romans.event.score",
        "romans.the-clan.gold",
        "romans.label.forts",
        "ui.initiative",
        "romans.label.neutral",
        "goths.label.reserve",
    },
    "es": {"romans.label.neutral", "goths.chance.no"},
}
SAME_EVERYWHERE = re.compile(r"(goths|romans)\.title|romans\.warrior\..*")
LEFT_OVER = re.compile(r"[{}]|\b(goths|romans|ui)\.[a-z]|\bNone\b")
SOURCES = Path(meadhall.__file__).parent


def every_event(game: str) -> Iterator[Event]:
    """Each event of a game with each combination of what it can carry."""
    rules = game_named(game).check_rules(CLANS if game == "romans" else {})
    for told in game_named(game).events.values():
        values: list[Any] = []
        for name, kind in told.args:
            if name == "thing":
                values.append(range(3))
            elif kind is None:
                values.append((1, 2))
            else:
                vocabulary = game_named(game).vocabulary(rules, kind)
                carried = CARRIED.get((told.code, name), vocabulary)
                values.append([value for value in carried if value in vocabulary])
        for args in product(*values):
            yield Event(told.code, dict(zip((name for name, _ in told.args), args, strict=True)), "X1", None)


def play(game: str, rules: dict[str, Any], seed: int) -> Match:
    """A whole game of random choices."""
    match, dice = Match.new(game, rules, seed), random.Random(seed)
    while match.outcome is None:
        seat = dice.choice(match.waiting)
        match.commit(seat, dice.choice(match.choice_ids(seat)))
    return match


def placeholders(text: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(text) if field is not None}


def event(code: str, clause: str = "R4.5", **args: str | int) -> Event:
    return Event(code, args, clause, None)


def marked_as_same(lang: str) -> set[str]:
    """The keys whose translators say, with the comment "same", that the word is the English one."""
    marked = set()
    for path in catalogues(lang):
        with path.open("rb") as file:
            marked |= {message.id for message in read_po(file) if "same" in message.user_comments}
    return marked


# The catalogues


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_language_has_the_keys_and_placeholders_of_english(lang: str) -> None:
    english, other = words("en").messages, words(lang).messages
    assert set(other) == set(english)
    for key, forms in english.items():
        assert [placeholders(text) for text in other[key]] == [placeholders(text) for text in forms], key
        assert all(text.strip() == text and text for text in other[key]), key


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_two_catalogues_say_the_same_key(lang: str) -> None:
    keys: list[str] = []
    for path in catalogues(lang):
        with path.open("rb") as file:
            keys += [message.id if isinstance(message.id, str) else message.id[0] for message in read_po(file)]
    keys = [key for key in keys if key]
    assert sorted(keys) == sorted(set(keys))


@pytest.mark.parametrize("lang", SAME)
def test_nothing_is_left_in_english(lang: str) -> None:
    untranslated = {
        key
        for key, forms in words("en").messages.items()
        if words(lang).messages[key] == forms
        and not SAME_EVERYWHERE.fullmatch(key)
        and re.search(r"[a-z]", re.sub(r"\{\w+\}", "", forms[0]))
    }
    assert untranslated == SAME[lang] | marked_as_same(lang)


def test_french_punctuation_does_not_start_a_line() -> None:
    for key, forms in words("fr").messages.items():
        for text in forms if key != "romans.title" else ():
            assert not re.search(r"[^\xa0][:;!?»]|«[^\xa0]", text), (key, text)


class Spy(dict[str, Any]):
    """Messages that remember which of them were said."""

    def __init__(self, messages: Any) -> None:
        super().__init__(messages)
        self.said: set[str] = set()

    def __getitem__(self, key: str) -> Any:
        self.said.add(key)
        return super().__getitem__(key)


def test_every_message_is_said_somewhere() -> None:
    spy = Spy(words("en").messages)
    spoken = Words("en", spy, words("en").plural)
    for game in ("goths", "romans"):
        spoken.title(game)
        for each in every_event(game):
            spoken.event(game, each)
        spoken.story(game, every_event(game))
        for choice in CHOICES[game]:
            spoken.choice(game, choice)
        for outcome in OUTCOMES[game]:
            spoken.outcome(game, outcome)
        for ended in ENDED[game]:
            spoken.reason(game, ended)
            if ended.winners:
                spoken.victory(game, ended.winners)
        for seat in SEATS[game]:
            spoken.seat(game, seat)
        for kind, values in NAMED[game].items():
            for value in values:
                spoken.name(game, kind, value)
    sources = (path for path in SOURCES.rglob("*") if path.suffix in (".py", ".html"))
    source = "".join(path.read_text(encoding="utf-8") for path in sources)
    literal = set(re.findall(r"""["']((?:goths|romans|ui|cli)\.[a-z.-]+)["']""", source))
    assert literal <= set(spy), "keys in the source that no catalogue has"
    assert set(spy) - spy.said - literal == set(), "keys that nothing says"


def test_an_unknown_language_is_refused_by_name() -> None:
    with pytest.raises(Fault) as fault:
        words("tlh")
    assert str(fault.value) == (
        'there are no words in the language "tlh"; '
        "the languages are en (English), fr (Français), de (Deutsch), es (Español)"
    )


def test_plurals_go_by_the_language() -> None:
    assert [words("en").say("ui.points", n=n) for n in (0, 1, 2, -1)] == [
        "0 points",
        "1 point",
        "2 points",
        "-1 point",
    ]
    assert [words("fr").say("ui.points", n=n) for n in (0, 1, 2, -2)] == [
        "0 point",
        "1 point",
        "2 points",
        "-2 points",
    ]


# A sentence for everything


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", SEATS)
def test_every_event_has_a_sentence(game: str, lang: str) -> None:
    for each in every_event(game):
        sentence = words(lang).event(game, each)
        assert not LEFT_OVER.search(sentence), sentence
        assert re.match(r"[¡«„]?\xa0?[A-ZÀ-Ý0-9]", sentence), sentence
        assert sentence.endswith((".", "!")), sentence


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", SEATS)
def test_every_choice_seat_outcome_and_piece_has_a_name(game: str, lang: str) -> None:
    said = words(lang)
    labels = [said.choice(game, choice) for choice in CHOICES[game]]
    seats = [said.seat(game, seat) for seat in SEATS[game]] + [said.seat(game, "spectator")]
    ends = [said.outcome(game, outcome) for outcome in OUTCOMES[game]]
    for text in (*labels, *seats, *ends):
        assert not LEFT_OVER.search(text), text
        assert re.match(r"[¡A-ZÀ-Ý]", text), text
    for names in (labels, seats, ends):
        assert len(set(names)) == len(names)
    for kind, values in NAMED[game].items():
        pieces = [said.name(game, kind, value) for value in values]
        assert not any(LEFT_OVER.search(piece) for piece in pieces)
        assert kind in ("short-fort",) or len(set(pieces)) == len(pieces)


def test_labels_and_names_in_english() -> None:
    english = words("en")
    assert english.seat("goths", "ostrogoth-king") == "King of the Ostrogoths"
    assert english.seat("romans", "gold") == "Gold"
    assert english.choice("goths", "order:barbarian/vulture") == "King card: barbarian (bluff: vulture)"
    assert english.choice("goths", "act:axe") == "Axe (8)"
    assert english.choice("goths", "look:fog") == "Look at the fog token of your clan"
    assert english.choice("romans", "reorder:axx,qween") == "New order: Axx, Qween"
    assert english.name("goths", "back", "vulture+recruiter") == "vulture or recruiter"
    shared = {"winners": ["gold", "green"], "by": "points", "points": POINTS}
    assert english.outcome("romans", shared) == "They share the victory: Gold, Green. Points: Gold 12, Green -1."


def test_the_reason_picks_the_sentence_even_where_a_warrior_has_its_name() -> None:
    english = words("en")
    for_signal = event("discarded", clan="gold", warrior="horsie", why="signal")
    assert english.event("romans", for_signal) == "Because of the Signal Fort, Gold discards: Horsie."
    for_unwary = event("kept", clan="gold", warrior="axx", why="unwary")
    assert english.event("romans", for_unwary) == "Thanks to the Unwary Fort, Gold keeps the weakest warrior: Axx."


def test_what_a_warchief_saw_is_an_objective_or_a_token() -> None:
    english = words("en")
    card = event("saw", clan="visigoth", sight="objective-2", thing=0)
    token = event("saw", clan="visigoth", sight="fog", thing=3)
    assert english.event("goths", card) == "Secret: the warchief of the Visigoths sees the trap on Objective 2."
    assert english.event("goths", token) == "Secret: the warchief of the Visigoths sees the fog token: Gusts."


def test_equal_numbers_go_by_the_initiative() -> None:
    both = event("first", clan="visigoth", action="rats", later="rats")
    sentence = "Both clans chose Rats (9). The Visigoths go first, because they hold the initiative."
    assert words("en").event("goths", both) == sentence


# Stories


def term(clan: str, warrior: str, counts: str = "counts", owner: str = "") -> Event:
    return event("term", clan=clan, warrior=warrior, owner=owner or clan, counts=counts, points=0)


def charm(total: int, qween: str) -> list[Event]:
    """Gold's qween charms the second of violet's two charriotts."""
    return [
        event("turn", turn=4, fort="legion-2"),
        event("charmed", clan="gold", target="violet", warrior="charriott"),
        term("gold", "axx"),
        term("gold", "qween", qween),
        term("gold", "charriott", "got", "violet"),
        term("violet", "charriott"),
        term("violet", "charriott", "away"),
        event("total", clan="gold", total=total, barred="free"),
        event("total", clan="violet", total=9, barred="free"),
    ]


def test_a_sum_shows_every_term_and_whom_the_qween_charmed() -> None:
    assert words("en").story("romans", charm(14, "counts"))[2:] == [
        "  Gold: Axx 4 + Qween 1 + Charriott 9 (charmed, a warrior of Violet) = 14. [R4.5]",
        "  Violet: Charriott 9 = 9, without Charriott 9 (charmed by a rival). [R4.5]",
    ]


def test_a_qween_that_replaces_is_shown_as_not_counting() -> None:
    gold = words("en").story("romans", charm(13, "silent"))[2]
    assert gold.startswith("  Gold: Axx 4 + Charriott 9 (charmed, a warrior of Violet) = 13, ")
    assert gold.endswith("without Qween 1 (she charms instead). [R4.5]")


def test_a_sum_is_told_as_the_rules_told_it_and_never_added_up_again() -> None:
    told = [term("red", "axx"), event("total", clan="red", total=99, barred="free")]
    assert words("en").story("romans", told) == ["  Red: Axx 4 = 99. [R4.5]"]


def test_a_barred_sum_and_an_empty_one() -> None:
    told = [
        term("red", "filchy"),
        event("total", "R4.6", clan="red", total=6, barred="barred"),
        event("total", clan="green", total=0, barred="free"),
    ]
    assert words("en").story("romans", told) == [
        "  Red: Filchy 6 = 6. But Filchy keeps this clan from capturing. [R4.6]",
        "  Green: 0. [R4.5]",
    ]


def test_a_story_gathers_what_belongs_together() -> None:
    forts = ("ordinary-1", "legion-2", "tax-8")
    hand = ("axx", "qween", "axx")
    told = [
        event("round", round=2),
        *(event("fort-drawn", "R3.1", fort=fort, place=k) for k, fort in enumerate(forts, 1)),
        *(event("dealt", "R3.2", clan="gold", warrior=warrior) for warrior in hand),
        *(event("laid", "R3.2", clan="gold", warrior=warrior, place=k) for k, warrior in enumerate(hand, 1)),
        event("planned", "R3.2", clan="gold"),
        event("planned", "R3.2", clan="red"),
        event("turn", turn=1, fort="ordinary-1"),
        event("shown", "R4.1", clan="gold", warrior="axx"),
        event("shown", "R4.1", clan="red", warrior="charriott"),
    ]
    assert words("en").story("romans", told) == [
        "Round 2.",
        "  The Wall, from left to right: 1-fort, legion fort -2, tax fort 8. [R3.1]",
        "  Secret: Gold draws Axx, Qween, Axx. [R3.2]",
        "  Secret: Gold lays face down, from left to right: Axx, Qween, Axx. [R3.2]",
        "  The plans are ready: Gold, Red. [R3.2]",
        "Turn 1. The fight is for the Ordinary Fort (1).",
        "  Everybody reveals: Gold Axx 4, Red Charriott 9. [R4.1]",
    ]


def test_a_game_without_words_of_its_own_goes_by_its_names() -> None:
    english = words("en")
    assert english.title("pennies") == "pennies"
    assert english.name("pennies", "coin", "heads") == "heads"
    assert english.seat("pennies", "even") == "even"
    assert english.seat("pennies", "spectator") == english.say("ui.spectator")
    assert english.choice("pennies", "show:heads") == "show:heads"
    assert english.outcome("pennies", {"winner": "odd"}) == "winner=odd"
    shown = event("shown", "P1.1", seat="even", coin="heads")
    assert english.story("pennies", [shown]) == ["  shown seat=even coin=heads [P1.1]"]


def test_a_sealed_choice_is_told_until_it_is_opened() -> None:
    sealed = event("sealed", "G3.4", clan="visigoth", action="fire")
    opened = event("revealed", "G4.1", clan="visigoth", card="catapult/barbarian", action="fire")
    assert words("en").story("goths", [sealed]) == ["  Secret: the warchief of the Visigoths chooses Fire (5). [G3.4]"]
    assert words("en").story("goths", [sealed, opened]) == [
        "  The Visigoths turn up their cards. King: catapult (bluff: barbarian). Warchief: Fire (5). [G4.1]"
    ]


@pytest.mark.parametrize(("game", "rules"), VARIANTS)
def test_whole_games_can_be_told_to_everyone_and_nobody_hears_a_secret(game: str, rules: dict[str, Any]) -> None:
    for seed in range(2):
        match = play(game, rules, seed)
        everything = match.full_events()
        for lang in LANGUAGES:
            for line in words(lang).story(game, everything):
                assert not LEFT_OVER.search(line), line
                assert re.search(r" \[[GR]\d+\.\d+\]$", line) if line.startswith("  ") else line.endswith("."), line
            assert not LEFT_OVER.search(words(lang).outcome(game, match.outcome.record))
        for seat in (SPECTATOR, *match.seats):
            secrets = set(words("fr").story(game, [each for each in everything if not each.seen_by(seat)]))
            secrets |= {words("fr").event(game, each) for each in everything if not each.seen_by(seat)}
            story = words("fr").story(game, match.events(seat))
            assert not secrets & {*story, *(line.strip().rpartition(" [")[0] for line in story)}
            own = [each for each in match.events(seat) if not each.seen_by(SPECTATOR) and each.code != "sealed"]
            assert any("Secret" in line for line in story) == bool(own)


def test_why_a_game_is_over_is_true_of_every_way_to_win() -> None:
    said = [words("en").reason("romans", ended) for ended in ENDED["romans"]]
    assert said == [
        "Gold has the most points in forts: 12.",
        "Green holds three Legion Forts. That wins at once.",
        "Gold and Green have 9 points each, and equal forts.",
        "Gold and Green have 9 points each. Gold has more forts, or better ones.",
        "Gold has the most points of all players: 9. Neutral clans cannot win.",
    ]
    assert words("en").reason("goths", Outcome(("visigoth",), "elimination", {}, {})) == (
        "The army of the Ostrogoths has no unit left."
    )
    assert words("fr").victory("romans", ["gold", "red"]).endswith("ont gagné")
    assert words("fr").victory("romans", ["gold"]).endswith("a gagné")

"""OpenSpiel finds both games as it wants games to be, and nobody learns there what a seat may not know."""

import copy
import json
import pickle
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from math import isclose
from pathlib import Path
from random import Random
from typing import Any

import pyspiel
import pytest

from meadhall.envs import openspiel, spiel_romans
from meadhall.envs.spiel_play import Ruleset, replayed
from meadhall.games.game import GAMES, game_named
from meadhall.match import Match
from tests.secrets.worlds import NINE, another_world, without_sealed_choices
from tests.variants import FORT_DECK, KING_DECK

ROOT = Path(__file__).parent.parent.parent
VARIANTS = (
    "meadhall_goths(turn_limit=6)",
    "meadhall_goths(fog_of_war=True,fog_discard=anywhere,lone_rulers=visigoth,turn_limit=20)",
    f"meadhall_goths(king_deck={'+'.join(map('/'.join, KING_DECK))},lone_rulers=visigoth+ostrogoth,turn_limit=5)",
    "meadhall_romans(one_by_one=True)",
    "meadhall_romans(players=red+gold+green,neutrals=violet,one_by_one=True,qween=replaces)",
    "meadhall_romans(players=violet,neutrals=red,original_rules=True,one_by_one=True)",
    f"meadhall_romans(players=gold+green+violet+red,fort_deck={'+'.join(FORT_DECK)},one_by_one=True)",
    "meadhall_romans(players=gold+green+red)",
)
every_variant = pytest.mark.parametrize("text", VARIANTS)


def at_random(text: str, seed: int) -> Iterator[Any]:
    """Every state of a random game after the deal, one object that moves on."""
    random = Random(f"{text} {seed}")
    state = pyspiel.load_game(text).new_initial_state()
    while True:
        if not state.is_chance_node():
            yield state
        if state.is_terminal():
            return
        state.apply_action(random.choice(state.legal_actions()))


def some_states(text: str, seed: int, every: int) -> Iterator[Any]:
    for number, state in enumerate(at_random(text, seed)):
        if number % every == seed % every:
            yield state


def players(state: Any) -> range:
    return range(state.num_players())


def known(state: Any) -> list[str]:
    return [state.information_state_string(player) for player in players(state)]


# What OpenSpiel asks of a game


@pytest.mark.parametrize("name", GAMES)
def test_every_option_is_a_parameter(name: str) -> None:
    game = game_named(name)
    specified = pyspiel.load_game(f"meadhall_{name}").get_type().parameter_specification
    assert set(specified) == {option.name for option in game.options} | ({"one_by_one"} & set(specified))
    assert ("one_by_one" in specified) == (name == "romans")
    assert pyspiel.load_game(f"meadhall_{name}").ruleset.rules == game.check_rules(game.smallest_rules | game.stalls)


@every_variant
def test_openspiels_own_test_of_random_play(text: str) -> None:
    game = pyspiel.load_game(text)
    pyspiel.random_sim_test(game, 1 if "one_by_one" not in text and "romans" in text else 2, True, False)


@every_variant
def test_a_game_is_found_again_by_its_string(text: str) -> None:
    game = pyspiel.load_game(text)
    again = pyspiel.load_game(str(game))
    assert again == game
    assert again.ruleset.rules == game.ruleset.rules
    assert pickle.loads(pickle.dumps(game)) == game
    assert game.num_players() == len(game.ruleset.seats)
    assert game.observation_tensor_size() == game.layout.size


def test_lists_and_decks_are_read_however_they_are_written() -> None:
    plain = pyspiel.load_game("meadhall_romans(players=gold+red)")
    for written in ("gold,red", "gold, red", "gold red"):
        assert pyspiel.load_game("meadhall_romans", {"players": written}) == plain
    own = pyspiel.load_game("meadhall_romans", {"fort_deck": json.dumps(FORT_DECK)})
    assert own.ruleset.rules["fort_deck"] == FORT_DECK
    own = pyspiel.load_game("meadhall_goths", {"king_deck": json.dumps(KING_DECK)})
    assert own.ruleset.rules["king_deck"] == KING_DECK
    assert pyspiel.load_game(str(own)).ruleset.rules == own.ruleset.rules


@pytest.mark.parametrize(
    ("game", "parameters", "message"),
    [
        ("goths", {"turn_limit": 0}, "turn_limit must be from 1 to"),
        ("goths", {"turn_limit": 2**31 - 1}, "turn_limit must be from 1 to"),
        ("goths", {"fog_discard": "nowhere"}, "must be one of same-card, anywhere"),
        ("goths", {"lone_rulers": "huns"}, "must be one of ostrogoth, visigoth"),
        ("goths", {"king_deck": "barbarian/vulture"}, r"must hold 8 cards \[character, bluff\], not 1"),
        ("goths", {"king_deck": "[1"}, "neither cards joined by . nor JSON"),
        ("goths", {"fog": True}, "Available parameters are: fog_discard"),
        ("romans", {"players": ""}, "must name one to four clans"),
        ("romans", {"players": "gold+gold"}, "names gold twice"),
        ("romans", {"players": "gold"}, "needs at least one neutral clan"),
        ("romans", {"players": 3}, "Expected type: kString"),
        ("romans", {"fort_deck": "tax-8"}, "must hold 18 forts, not 1"),
    ],
)
def test_what_makes_no_sense_is_said(game: str, parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(pyspiel.SpielError, match=message):
        pyspiel.load_game(f"meadhall_{game}", parameters)


def test_what_is_promised_is_what_there_is() -> None:
    for text in VARIANTS:
        game = pyspiel.load_game(text)
        kind = game.get_type()
        assert not kind.provides_information_state_tensor
        assert kind.provides_information_state_string
        assert kind.provides_observation_string
        assert kind.provides_observation_tensor
        alone = "players=violet" in text
        assert kind.utility == (kind.Utility.GENERAL_SUM if alone else kind.Utility.ZERO_SUM)
        assert game.utility_sum() == (None if alone else 0)
        assert (game.max_utility(), game.min_utility()) == (
            1,
            -1 / max(1, game.num_players() - 1) if "romans" in text else -1,
        )
    with pytest.raises(ValueError, match="no parameters"):
        game.make_py_observer(None, {"size": 3})


# Chance


def deals(ruleset: Ruleset, dealt: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], float]]:
    """Every deal and how likely it is."""
    outcomes = ruleset.own.outcomes(ruleset.rules, dealt)
    if not outcomes:
        yield dealt, 1.0
    for outcome, chance in outcomes:
        for whole, rest in deals(ruleset, (*dealt, outcome)):
            yield whole, chance * rest


def test_every_deal_of_goths_is_as_likely_as_any_other() -> None:
    for rules, count in (({"turn_limit": 1}, 6), ({"turn_limit": 1, "fog_of_war": True}, 72)):
        ruleset = Ruleset("goths", rules)
        found = list(deals(ruleset))
        assert len({json.dumps(ruleset.own.setup_of(ruleset.rules, dealt)) for dealt, _ in found}) == count
        assert all(isclose(chance, 1 / count) for _, chance in found)


def test_romans_hands_are_as_likely_as_seven_of_nine_are() -> None:
    assert len(spiel_romans.HANDS) == 29
    assert isclose(sum(chance for _, chance in spiel_romans.HAND_CHANCES), 1)
    two_charriotts = [k for k, hand in enumerate(spiel_romans.HANDS) if hand.count(7) == 2]
    assert isclose(sum(spiel_romans.HAND_CHANCES[k][1] for k in two_charriotts), 21 / 36)


@every_variant
def test_what_is_dealt_is_a_set_up_that_records_can_hold(text: str) -> None:
    random = Random(text)
    for _ in range(5):
        state = pyspiel.load_game(text).new_initial_state()
        nodes = 0
        while state.is_chance_node():
            assert isclose(sum(chance for _, chance in state.chance_outcomes()), 1)
            assert len(state.chance_outcomes()) <= state.get_game().max_chance_outcomes()
            assert known(state) == [f"{seat}\n" for seat in state.play.seats]
            state.apply_action(random.choice(state.legal_actions()))
            nodes += 1
        ruleset = state.play.ruleset
        assert nodes == state.get_game().max_chance_nodes_in_history()
        ruleset.game.check_setup(ruleset.rules, state.play.setup)
        assert (
            tuple(ruleset.own.dealt_of(ruleset.rules, state.play.setup)) == state.play.dealt == tuple(state.history())
        )


def test_the_forts_come_in_any_order() -> None:
    """The first fort of a deck is as likely as it is frequent, and the last one too, which is not drawn but left."""
    random, last = Random(1), Counter[str]()
    game = pyspiel.load_game("meadhall_romans")
    first = game.new_initial_state().chance_outcomes()
    counts = Counter(game.ruleset.rules["fort_deck"])
    assert dict(first) == pytest.approx(
        {k: counts[fort] / 18 for k, fort in enumerate(game.ruleset.numbers.FORTS) if counts[fort]}
    )
    for _ in range(300):
        dealt: list[int] = []
        while len(dealt) < 17:
            outcomes, chances = zip(*spiel_romans.outcomes(game.ruleset.rules, dealt), strict=True)
            dealt += random.choices(outcomes, chances)
        hands = [0] * (spiel_romans.chance_nodes(game.ruleset.rules) - 17)
        last[spiel_romans.setup_of(game.ruleset.rules, [*dealt, *hands])["forts"][-1]] += 1
    assert set(last) == set(counts)


# What a seat knows


@every_variant
def test_a_seat_remembers_all_and_learns_nothing_while_others_seal(text: str) -> None:
    before: tuple[list[str], int] | None = None
    for state in at_random(text, 2):
        now = known(state)
        if before is not None:
            told, actor = before
            assert all(later.startswith(earlier) for earlier, later in zip(told, now, strict=True))
            assert now[actor] != told[actor]
            if state.play.told[-1].choice < 0 or not any(event[-1] == -1 for event in state.play.told[-1].events):
                lone = state.play.game.played_together(state.play.rules, state.play.seats[actor])
                others = [player for player in players(state) if state.play.seats[player] not in lone]
                assert all(now[player] == told[player] for player in others)
        before = now, state.current_player()


@pytest.mark.parametrize("text", VARIANTS[:4])
def test_whoever_knows_the_same_sees_and_may_do_the_same(text: str) -> None:
    """An information state says all: two states in which it is the same look the same to that seat."""
    found: dict[str, tuple[Any, ...]] = {}
    met_again = 0
    random = Random(text)
    for seed in range(3):
        for state in some_states(text, seed, 9):
            for player in players(state):
                for _ in range(2):
                    other = state.resample_from_infostate(player, random.random)
                    acts = other.current_player() == player
                    seen = (
                        other.observation_string(player),
                        tuple(other.observation_tensor(player)),
                        tuple(other.legal_actions()) if acts else (),
                        tuple(other.action_to_string(player, action) for action in other.legal_actions())
                        if acts
                        else (),
                    )
                    key = f"{acts}{other.information_state_string(player)}"
                    met_again += key in found
                    assert found.setdefault(key, seen) == seen
    assert met_again > 20


@every_variant
def test_observations_are_those_of_the_match_and_of_the_vectorised_environment(text: str) -> None:
    for state in some_states(text, 4, 9):
        match, play = state.match(), state.play
        assert match.position()["clans"] == play.game.describe(play.rules, play.state)["clans"]
        assert bytes(match.state) == bytes(play.state)
        for player, seat in enumerate(play.seats):
            out = [0] * play.ruleset.numbers.SIZE
            slot = play.slot if player == play.seat else play.ruleset.empty
            play.ruleset.numbers.observe(match.view(seat).plain, player, slot, out)
            assert state.observation_tensor(player) == out
            shown = dict(line.split(": ", 1) for line in state.observation_string(player).splitlines()[1:])
            assert {key: json.loads(value) for key, value in shown.items() if key != "placed"} == match.view(
                seat
            ).json()
            told = [f"{event.code} " for event in match.events(seat)]
            heard = [line for line in state.information_state_string(player).splitlines()[1:] if line[0] != ">"]
            assert len(heard) == len(told)
            assert all(f"{line} ".startswith(code) for line, code in zip(heard, told, strict=True))


def test_only_who_places_his_warriors_sees_them() -> None:
    for state in at_random("meadhall_romans(one_by_one=True)", 1):
        if state.play.slot.count == 3:
            break
    play = state.play
    assert "placed: " in state.observation_string(0)
    assert state.information_state_string(0).count("> place:") == 3
    assert "place" not in state.information_state_string(1).replace(" place=", "")
    assert "placed" not in state.observation_string(1)
    laid = slice(play.ruleset.numbers.PLACED, play.ruleset.numbers.ASIDE)
    assert sum(state.observation_tensor(0)[laid]) == 3
    assert sum(state.observation_tensor(1)[laid]) == 0


@every_variant
def test_a_seat_knows_the_same_in_every_other_world(text: str) -> None:
    """The worlds are those that the proof of secrecy makes, of which our own code knows nothing."""
    game = pyspiel.load_game(text)
    random = Random(text)
    for state in some_states(text, 3, 13):
        record: Any = state.record()
        whole = openspiel.state_of(game, record)
        for player, seat in enumerate(state.play.seats):
            for make in (another_world, without_sealed_choices):
                other = make(copy.deepcopy(record), seat, random)
                while "hands" in other["setup"] and len(other["setup"]["hands"]) < 3:
                    count = {clan: len(hand) for clan, hand in other["setup"]["hands"][0].items()}
                    other["setup"]["hands"].append({clan: random.sample(NINE, n) for clan, n in count.items()})
                if make is without_sealed_choices and not in_order(game, other):
                    continue
                there = openspiel.state_of(game, other)
                assert there.information_state_string(player) == whole.information_state_string(player)
                assert there.observation_string(player) == whole.observation_string(player)
                assert there.observation_tensor(player) == whole.observation_tensor(player)
                if make is another_world:  # so what is drawn for the seat is the same in both
                    one, two = (each.resample_from_infostate(player, lambda: 0.3) for each in (whole, there))
                    assert one.history() == two.history()


def in_order(game: Any, record: Any) -> bool:
    """Could the seats have chosen in order so far?"""
    try:
        openspiel.state_of(game, record)
    except ValueError:
        return False
    return True


# Other pasts


@every_variant
def test_a_state_can_be_drawn_anew_from_what_a_seat_knows(text: str) -> None:
    """As OpenSpiel tests it in C++."""
    random = Random(text)
    differ = drawn = 0
    for state in some_states(text, 1, 8):
        for player in players(state):
            other = state.resample_from_infostate(player, random.random)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.observation_tensor(player) == state.observation_tensor(player)
            assert other.current_player() == state.current_player()
            assert len(other.history()) == len(state.history())
            differ += other.history() != state.history()
            drawn += 1
    assert differ > drawn / 2


def test_pasts_are_drawn_as_likely_as_they_are() -> None:
    random = Random(5)
    state = next(at_random("meadhall_goths(turn_limit=3)", 1))
    orders = Counter(state.resample_from_infostate(1, random.random).history()[0] for _ in range(600))
    assert len(orders) == 6
    assert min(orders.values()) > 60
    state = next(at_random("meadhall_romans", 1))
    held = Counter[bool]()
    for _ in range(300):
        other = state.resample_from_infostate(0, random.random)
        held[other.play.setup["hands"][0]["green"].count("charriott") == 2] += 1
    assert 0.48 < held[True] / 300 < 0.69  # 21 of 36


def test_drawing_anew_works_at_the_end_and_before_the_deal_too() -> None:
    for text in (VARIANTS[1], VARIANTS[3]):
        first = pyspiel.load_game(text).new_initial_state()
        assert first.resample_from_infostate(0, Random(1).random).history() == []
        *_, last = at_random(text, 6)
        for player in players(last):
            other = last.resample_from_infostate(player, pyspiel.UniformProbabilitySampler(0.0, 1.0))
            assert other.information_state_string(player) == last.information_state_string(player)
            assert other.returns() == last.returns()


# States


@every_variant
def test_copies_go_their_own_way(text: str) -> None:
    for state in some_states(text, 7, 12):
        game = state.get_game()
        copies = (
            state.clone(),
            copy.deepcopy(state),
            pickle.loads(pickle.dumps(state)),
            game.deserialize_state(state.serialize()),
            pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1],
        )
        shown, told = str(state), known(state)
        for twin in copies:
            assert (str(twin), known(twin), twin.history()) == (shown, told, state.history())
            if not twin.is_terminal():
                twin.apply_action(twin.legal_actions()[-1])
        assert (str(state), known(state)) == (shown, told)
        assert str(replayed(state.play.ruleset, state.history())) == shown


@every_variant
def test_a_game_in_openspiel_is_the_game_at_the_table(text: str) -> None:
    *_, state = at_random(text, 8)
    match = state.match()
    outcome = match.outcome
    assert outcome is not None
    assert state.returns() == [outcome.returns[seat] for seat in match.seats] == state.rewards()
    again = openspiel.state_of(state.get_game(), match.record())
    assert again.history() == state.history()
    assert state.get_game().new_initial_state(json.dumps(match.record())).history() == state.history()
    assert not state.legal_actions()
    with pytest.raises(ValueError, match="the game is over"):
        state.play.apply(0)


def test_names_read_aloud() -> None:
    goths = next(at_random("meadhall_goths", 1))
    assert goths.action_to_string(0, goths.string_to_action("order:barbarian/vulture")) == "order:barbarian/vulture"
    romans = next(at_random("meadhall_romans(players=gold+green)", 1))
    plan = romans.action_to_string(0, romans.legal_actions()[0])
    assert plan == "plan:" + ",".join(romans.play.setup["hands"][0]["gold"][:6])
    assert romans.action_to_string(0, 5160) == "charm:gold"
    assert romans.action_to_string(1, 17).startswith("plan:")
    assert romans.action_to_string(0, 5050) == "reorder:10"
    fresh = pyspiel.load_game("meadhall_romans(players=gold,neutrals=red)").new_initial_state()
    names = []
    while fresh.is_chance_node():
        names.append(fresh.action_to_string(-1, fresh.legal_actions()[0]))
        fresh.apply_action(fresh.legal_actions()[0])
    assert names[16:20] == [
        "fort:ordinary-6",
        "gold:qween,druhid,zvord,axx,archr,filchy,horsie",
        "red:qween",
        "red:druhid",
    ]
    assert "fort:unwary-2" in str(pyspiel.load_game("meadhall_romans").new_initial_state().child(0))


def test_what_may_not_be_done_is_refused_and_nothing_happens() -> None:
    state = next(at_random("meadhall_romans(one_by_one=True)", 1))
    missing = next(k for k in range(8) if k not in state.legal_actions())
    shown = str(state)
    for wrong in (missing, 40, -1, 10**6):
        with pytest.raises(ValueError, match=rf"gold may not take action {wrong}; legal are \["):
            state.play.apply(wrong)
    assert str(state) == shown
    with pytest.raises(ValueError, match="chance cannot deal 11 here"):
        pyspiel.load_game("meadhall_romans").new_initial_state().play.apply(11)


def test_records_of_other_games_are_refused() -> None:
    game = pyspiel.load_game("meadhall_goths(turn_limit=3)")
    with pytest.raises(ValueError, match="by other rules than meadhall_goths"):
        openspiel.state_of(game, Match.new("goths", {"turn_limit": 4}).record())
    with pytest.raises(ValueError, match="by other rules"):
        openspiel.state_of(game, Match.new("romans").record())
    match = Match.new("romans")
    match.commit("green", match.choices("green")[3])
    with pytest.raises(ValueError, match="seats choose in order"):
        openspiel.state_of(pyspiel.load_game("meadhall_romans"), match.record())
    with pytest.raises(ValueError, match="no record before all is dealt"):
        game.new_initial_state().record()


def test_bots_of_openspiel_can_play() -> None:
    for text in (VARIANTS[1], VARIANTS[3]):
        state = pyspiel.load_game(text).new_initial_state()
        bots = [pyspiel.make_uniform_random_bot(player, 3) for player in players(state)]
        assert sum(pyspiel.evaluate_bots(state, bots, 4)) == pytest.approx(0)


# Playthroughs, as OpenSpiel keeps them of its own games: `python -m tests.envs.test_openspiel` writes them anew

PLAYTHROUGHS = {
    "goths": "meadhall_goths(turn_limit=1)",
    "goths_fog_lone": "meadhall_goths(fog_of_war=True,lone_rulers=visigoth,turn_limit=1)",
    "romans_solo": "meadhall_romans(neutrals=red,one_by_one=True,players=gold)",
}


def playthrough(name: str, actions: list[int] | None = None) -> str:
    from open_spiel.python.algorithms import generate_playthrough

    return str(generate_playthrough.playthrough(PLAYTHROUGHS[name], actions, seed=3))


def kept(name: str) -> Path:
    return Path(__file__).parent / "playthroughs" / f"meadhall_{name}.txt"


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_a_playthrough_is_what_it_was(name: str) -> None:
    text = kept(name).read_text(encoding="utf-8")
    actions = [int(line.removeprefix("action: ")) for line in text.splitlines() if line.startswith("action: ")]
    for was, now in zip(text.splitlines(), playthrough(name, actions).splitlines(), strict=True):
        assert now == was


# Beside it


def test_without_openspiel_one_is_told_what_to_install() -> None:
    code = "import sys; sys.modules['pyspiel'] = None; import meadhall.envs.openspiel"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert 'ImportError: OpenSpiel is not installed: pip install "meadhall[envs]"' in done.stderr


def test_the_example_runs() -> None:
    command = [sys.executable, ROOT / "examples" / "openspiel_games.py", "--quick"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("external-sampling MCCFR") == 2
    assert done.stdout.count("IS-MCTS") == 2
    assert done.stderr == ""


if __name__ == "__main__":
    for each in PLAYTHROUGHS:
        kept(each).write_text(playthrough(each), encoding="utf-8")

"""Medium and hard in Goths: smaller versions of long measurements (docs/bots.md), with room for chance.

Medium beat easy 9 times in 10 and hard beat medium more often still; of the orders of a hard pair nearly all got
through, of those between hard and people it has never met more than 9 in 10.
"""

from random import Random

import pytest

from meadhall.bots import caveat, choose, evaluate
from meadhall.bots.evaluation import Evaluation
from meadhall.bots.goths.because import because
from meadhall.games.game import game_named
from meadhall.games.goths.rules import next_seat
from meadhall.games.goths.state import ACTION_CHARACTER, ACTIONS, CHARACTERS, SEATS, Action, Phase
from meadhall.match import Match, View
from tests.variants import GOTHS, KING_DECK, random_game


def tournament(
    ours: tuple[str, str], theirs: tuple[str, str], deals: int, limit: int = 120
) -> tuple[float, float, int]:
    """The share of games our pair wins, each deal played from both sides; of our orders that get through; draws."""
    game = game_named("goths")
    rules = game.check_rules({"turn_limit": limit})
    won = orders = through = 0.0
    draws = 0
    for deal in range(deals):
        for side in range(2):
            bots = (*ours, *theirs) if side == 0 else (*theirs, *ours)
            s, dice = game.start(rules, game.deal(rules, f"strong {deal}")), Random(f"{deal} {side}")
            s.log = None
            past: tuple[bytes, ...] = ()
            while s.phase != Phase.OVER:
                seat, revealing = next_seat(s), s.phase == Phase.ACTS
                view = View(game, rules, SEATS[seat], game.reveal(s, seat), past=past)
                choice = game.choice_id(rules, s, seat, choose(bots[seat], view, dice))
                turned = game.remembered(s, seat, choice)
                past = past if turned is None else (*past, turned)
                game.commit(s, seat, choice)
                if revealing and s.phase != Phase.ACTS:
                    orders += 1
                    through += s.through[side]
            won += 0.5 if s.winner == 2 else s.winner == side
            draws += s.winner == 2
    return won / (2 * deals), through / orders, draws


def test_medium_beats_easy() -> None:
    assert tournament(("medium", "medium"), ("easy", "easy"), 25)[0] >= 0.78


def test_hard_beats_medium() -> None:
    assert tournament(("hard", "hard"), ("medium", "medium"), 12)[0] >= 0.8


def test_a_hard_pair_understands_itself_and_hardly_ever_stalls() -> None:
    _, through, draws = tournament(("hard", "hard"), ("hard", "hard"), 12, limit=200)
    assert through >= 0.97
    assert draws <= 1


STRANGERS = [("easy", 0.97), ("medium", 0.95), ("novice-bold", 0.88), ("novice-careful", 0.92), ("novice-simple", 0.88)]


@pytest.mark.parametrize(("partner", "least"), STRANGERS)
def test_a_hard_king_is_understood_by_strangers(partner: str, least: float) -> None:
    assert tournament(("hard", partner), ("easy", "easy"), 12)[1] >= least


@pytest.mark.parametrize(("partner", "least"), STRANGERS)
def test_a_hard_warchief_understands_strangers(partner: str, least: float) -> None:
    assert tournament((partner, "hard"), ("easy", "easy"), 12)[1] >= least


def test_hard_says_where_its_table_does_not_fit() -> None:
    game = game_named("goths")
    assert caveat("hard", "goths", game.check_rules({})) is None
    for rules, key in (
        ({"fog_of_war": True}, "goths.caveat.fog"),
        ({"lone_rulers": ["visigoth"]}, "goths.caveat.lone"),
        ({"turn_limit": 20}, "goths.caveat.limit"),
        ({"king_deck": KING_DECK}, "goths.caveat.deck"),
    ):
        found = caveat("hard", "goths", game.check_rules(rules))
        assert found is not None
        assert found.key == key
    assert caveat("hard", "goths", game.check_rules({"turn_limit": 200})) is None
    assert caveat("medium", "goths", game.check_rules({"fog_of_war": True})) is None


# What it thinks


def test_the_queen_next_door_is_fetched_and_the_warchief_knows_that_he_is_meant_to() -> None:
    match = Match.new("goths", {}, 1)
    s = match.state
    queen = list(s.objectives).index(2)
    elsewhere = [k for k in range(3) if k != queen]
    s.place[0], s.revealed = 3 + elsewhere[0], 7 & ~(1 << queen)
    evaluated = evaluate(match.view("ostrogoth-king"))
    assert evaluated.best.startswith("order:barbarian/")
    assert evaluated.win > 0.9
    assert evaluated.why.key == "goths.why.order"
    assert isinstance(evaluated.why.args["through"], int)
    assert evaluated.why.args["through"] > 80
    match.commit("ostrogoth-king", evaluated.best)
    match.commit("visigoth-king", "order:barbarian/catapult")
    warchief = evaluate(match.view("ostrogoth-warchief"))
    assert warchief.best == "act:advance"
    own = [each for each in warchief.readings if each.clan == "ostrogoth"]
    assert own[0].card == evaluated.best.removeprefix("order:")
    assert sum(each.chance for each in own) == pytest.approx(1.0)


def test_a_warchief_who_has_seen_the_queen_goes_to_her() -> None:
    match = Match.new("goths", {}, 1)
    s = match.state
    queen = list(s.objectives).index(2)
    s.place[0], s.seen[0] = 2, 1 << queen
    match.commit("ostrogoth-king", "order:barbarian/catapult")
    match.commit("visigoth-king", "order:barbarian/catapult")
    assert evaluate(match.view("ostrogoth-warchief")).best == "act:advance"
    match.commit("ostrogoth-warchief", "act:advance")
    match.commit("visigoth-warchief", "act:rats")
    evaluated = evaluate(match.view("ostrogoth-warchief"))
    assert evaluated.best == f"enter:objective-{queen + 1}"
    assert evaluated.why.key == "goths.why.enter-queen"


def test_an_evaluation_gives_every_choice_a_chance_and_weights_that_add_up() -> None:
    for variant in GOTHS:
        for seed, length in ((1, 0), (2, 5), (3, 9), (4, 14)):
            match = random_game(variant, seed, length)
            for seat in match.waiting:
                evaluated = evaluate(match.view(seat))
                assert {each.choice for each in evaluated.choices} == set(match.view(seat).choices)
                assert sum(each.weight for each in evaluated.choices) == pytest.approx(1.0, abs=1e-4)
                assert evaluated.json()["best"] == evaluated.best


def test_what_is_said_to_help_most_has_the_highest_chance_and_every_chance_is_one() -> None:
    for seed in range(4):
        match, dice = Match.new("goths", {"turn_limit": 40}, f"hints {seed}"), Random(seed)
        while match.waiting and match.state.turn < 12:
            view = match.view(match.waiting[0])
            evaluated = evaluate(view)
            assert evaluated.win == max(each.win for each in evaluated.choices)
            assert all(0.0 <= each.win <= 1.0 for each in evaluated.choices)
            match.commit(view.seat, choose("easy", view, dice))


def advice(place: tuple[int, int], **fields: tuple[int, int]) -> Evaluation:
    """What a warchief is told whose king has surely meant something else than what would help him."""
    match = Match.new("goths", {}, 1)
    s = match.state
    for name, pair in (("place", place), *fields.items()):
        for clan in range(2):
            getattr(s, name)[clan] = pair[clan]
    match.commit("ostrogoth-king", "order:barbarian/vulture")
    match.commit("visigoth-king", "order:catapult/recruiter")
    return evaluate(match.view("ostrogoth-warchief"))


@pytest.mark.parametrize("units", [(1, 2), (2, 2), (1, 1), (3, 1)])
@pytest.mark.parametrize("catapult", [(0, 0), (1, 0), (0, 1)])
@pytest.mark.parametrize("place", [(0, 0), (1, 0), (0, 1)])
def test_no_warchief_is_told_to_do_what_cannot_get_through(
    place: tuple[int, int], catapult: tuple[int, int], units: tuple[int, int]
) -> None:
    told = advice(place, catapult=catapult, units=units)
    own = {each.card.partition("/")[0]: each.chance for each in told.readings if each.clan == "ostrogoth"}
    meant = {name: own.get(CHARACTERS[ACTION_CHARACTER[act]], 0.0) for act, name in enumerate(ACTIONS)}
    assert meant[told.best.removeprefix("act:")] >= 0.15
    assert told.win == max(each.win for each in told.choices)


def because_of(act: int, place: int, catapult: bool, built: int = 0) -> str:
    """Why the Ostrogoths would do this to Visigoths on a place, with these barricades of theirs."""
    match = Match.new("goths", {}, 1)
    match.state.place[1], match.state.barricades[1], match.state.catapult[0] = place, built, catapult
    return because(match.view("ostrogoth-king"), act)


def test_what_comes_late_in_a_turn_is_good_for_what_the_enemies_do_before_it() -> None:
    assert because_of(Action.LOAD, 0, True) == "goths.because.load-again"
    assert because_of(Action.AXE, 0, False) == "goths.because.axe-step"
    assert because_of(Action.AXE, 1, False, built=2) == "goths.because.axe-step"
    assert because_of(Action.AXE, 1, False) == "goths.because.axe"
    assert because_of(Action.RATS, 1, False) == "goths.because.rats-built"
    assert because_of(Action.RATS, 1, False, built=2) == "goths.because.rats"


def test_a_pair_that_pays_for_going_round_comes_to_an_end() -> None:
    for seed in range(3):
        match, dice = Match.new("goths", {"turn_limit": 200}, f"round {seed}"), Random(seed)
        while match.waiting:
            view = match.view(match.waiting[0])
            match.commit(view.seat, choose("hard", view, dice))
        assert match.state.turn < 100


def test_every_turn_that_is_over_is_remembered_with_its_four_cards_and_a_redealt_match_remembers_it_too() -> None:
    match, dice = Match.new("goths", {}, 5), Random(5)
    while match.state.turn < 4:
        match.commit(match.waiting[0], choose("easy", match.view(match.waiting[0]), dice))
    view = match.view("ostrogoth-king")
    turns = [game_named("goths").state_type.from_buffer_copy(each) for each in view.past]
    assert [int(s.turn) for s in turns] == [1, 2, 3]
    assert all(s.order[clan] >= 0 and s.act[clan] >= 0 for s in turns for clan in range(2))
    assert all(s.objectives[k] < 0 or s.revealed >> k & 1 for s in turns for k in range(3))
    assert view.redeal(1).view("ostrogoth-king").past == view.past

"""All worlds a seat cannot rule out are equally likely: redealt often and counted, against all of them written out."""

from collections import Counter
from collections.abc import Callable, Hashable
from itertools import combinations, permutations, product
from math import sqrt
from random import Random
from typing import Any

import pytest

from meadhall.games.romans.state import FORTS, WARRIORS
from meadhall.games.romans.view import names
from meadhall.match import SPECTATOR, Match, View
from tests.secrets.worlds import NINE, TOKENS
from tests.variants import random_game, variant_named

CLANS = ("ostrogoth", "visigoth")
Weights = Counter[Any]


def count(view: View, redeals: int, look: Callable[[Match], Hashable]) -> Weights:
    """What is found in so many worlds."""
    dice = Random("chances")
    return Counter(look(view.redeal(dice)) for _ in range(redeals))


def fits(counts: Weights, worlds: Weights) -> bool:
    """A chi-square test; the limit is passed by chance less than once in two thousand times."""
    if not counts.keys() <= worlds.keys():
        return False
    share, freedom = counts.total() / worlds.total(), len(worlds) - 1
    chi_square = sum((counts[key] - share * weight) ** 2 / (share * weight) for key, weight in worlds.items())
    return chi_square <= freedom + 5 * sqrt(2 * freedom) + 5


def test_the_chi_square_test_refuses_what_is_not_there_and_wrong_weights() -> None:
    even = Counter(a=500, b=500)
    assert fits(even, Counter(a=1, b=1))
    assert fits(Counter(a=667, b=333), Counter(a=2, b=1))
    assert not fits(even, Counter(a=2, b=1))
    assert not fits(Counter(a=1000), Counter(a=1, b=1))
    assert not fits(even, Counter(a=1))


# Goths


def goths_worlds(view: View) -> Weights:
    """Every arrangement of the unknown objectives, tokens and King cards that the view allows."""
    seen = view.json()
    cards, tokens = cards_and_tokens(seen)
    return Counter(
        product(
            filled(cards, ("trap", "plains", "queen")),
            filled(tokens, TOKENS),
            *(king_cards(view, seen, clan) for clan in CLANS),
        )
    )


def cards_and_tokens(seen: dict[str, Any]) -> tuple[list[str | None], list[str | None]]:
    fog = [seen["clans"][clan]["fog"] for clan in CLANS]
    return [objective["card"] for objective in seen["objectives"]], [t["token"] if t else "none" for t in fog]


def filled(things: list[str | None], pool: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Every way to put things from the pool, none twice, where something is unknown."""
    ways = permutations([thing for thing in pool if thing not in things], things.count(None))
    return [tuple(thing or next(left) for thing in things) for left in map(iter, ways)]


def king_cards(view: View, seen: dict[str, Any], clan: str) -> list[str | None]:
    """The cards that may lie face down before a king: with that back, and not face up."""
    if seen["backs"][clan] is None:
        return [None]
    if view.seat == f"{clan}-king":
        return [seen["own"]]
    return [
        f"order:{character}/{bluff}"
        for character, bluff in view.rules["king_deck"]
        if sorted((character, bluff)) == seen["backs"][clan]
        and f"{character}/{bluff}" not in seen["clans"][clan]["face_up"]
    ]


def goths_secrets(match: Match) -> Hashable:
    cards, tokens = cards_and_tokens(match.position())
    return (tuple(cards), tuple(tokens), *(match.view(f"{clan}-king").json()["own"] for clan in CLANS))


@pytest.mark.parametrize(
    ("name", "seed", "choices", "seat", "worlds"),
    [
        ("goths, base", 1, 0, SPECTATOR, 6),  # three objectives
        ("goths, base", 1, 43, "ostrogoth-warchief", 2),  # two: which is the queen?
        ("goths, base", 2, 45, "ostrogoth-warchief", 2),
        ("goths, base", 1, 1, "ostrogoth-warchief", 6 * 2),  # and the King card behind a back
        ("goths, base", 1, 2, "visigoth-king", 6 * 2),  # his own he knows
        ("goths, base", 1, 2, SPECTATOR, 6 * 2 * 2),
        ("goths, base", 2, 22, "ostrogoth-king", 6 * 2),
        ("goths, base", 2, 22, "visigoth-king", 6 * 1),  # the other card with that back lies face up
        ("goths, own deck", 3, 2, "ostrogoth-king", 6 * 1),  # no other card has that back
        ("goths, own deck", 3, 2, "visigoth-king", 6 * 2),
        ("goths, fog", 1, 0, "visigoth-king", 6 * 12),  # two of four tokens
        ("goths, fog", 1, 2, "ostrogoth-king", 6 * 12 * 2),
        ("goths, fog", 1, 80, SPECTATOR, 6 * 3 * 2),  # one token is revealed
        ("goths, fog", 1, 80, "visigoth-warchief", 2 * 2),
    ],
)
def test_all_deals_of_goths_that_a_seat_cannot_rule_out_are_equally_likely(
    name: str, seed: int, choices: int, seat: str, worlds: int
) -> None:
    view = random_game(variant_named(name), seed, choices).view(seat)
    expected = goths_worlds(view)
    assert len(expected) == worlds, "the case has the unknowns it is meant to have"
    assert set(expected.values()) == {1}
    assert fits(count(view, 100 + 25 * worlds, goths_secrets), expected)


# Romans


def unseen(view: View, clan: str) -> list[str]:
    """The warriors a clan has not shown this round, the second charriott too."""
    state, left = view.json()["clans"][clan], list(NINE)
    for warrior in (*state["face_up"], *state["discarded"]):
        left.remove(warrior)
    return left


def rivals(view: View) -> list[str]:
    return [clan for clan in view.json()["clans"] if clan != view.seat]


def hidden_row(match: Match, clan: str) -> tuple[str, ...]:
    """What a clan hides, left to right, and the one it put aside."""
    state = match.position()["clans"][clan]
    return (*state["hidden"], *([state["aside"]] if state["aside"] else []))


@pytest.mark.parametrize(
    ("name", "seed", "choices", "seat", "shown"),
    [
        ("romans, two", 1, 2, "gold", 2),
        ("romans, two", 2, 2, SPECTATOR, 1),
        ("romans, three", 2, 6, "violet", 5),
        ("romans, two and two", 1, 2, "red", 4),
        ("romans, four, own deck", 1, 8, "green", 3),
    ],
)
def test_a_rival_shows_any_of_his_unseen_warriors_next_a_charriott_twice_as_likely_while_both_are_unseen(
    name: str, seed: int, choices: int, seat: str, shown: int
) -> None:
    view = random_game(variant_named(name), seed, choices).view(seat)
    assert view.state.shown == shown
    clans = rivals(view)
    found = [Counter[Any]() for _ in clans]
    for worlds, times in count(view, 1200, lambda m: tuple(hidden_row(m, clan)[0] for clan in clans)).items():
        for counter, warrior in zip(found, worlds, strict=True):
            counter[warrior] += times
    for clan, counter in zip(clans, found, strict=True):
        assert fits(counter, Counter(unseen(view, clan)))


@pytest.mark.parametrize("seat", ["red", "violet", "green", SPECTATOR])
def test_all_lines_that_a_rival_may_have_laid_are_equally_likely(seat: str) -> None:
    view = random_game(variant_named("romans, three"), 0, 6).view(seat)
    assert view.state.shown == 4
    rival = rivals(view)[0]
    lines = Counter(permutations(unseen(view, rival), 3))  # two hidden, one aside, two not drawn
    assert fits(count(view, 1500, lambda match: hidden_row(match, rival)), lines)


def test_two_rivals_warriors_have_nothing_to_do_with_each_other() -> None:
    view = random_game(variant_named("romans, two and two"), 1, 2).view("red")
    gold, green, _ = rivals(view)
    both = Counter(product(unseen(view, gold), unseen(view, green)))
    assert fits(count(view, 1500, lambda m: (hidden_row(m, gold)[0], hidden_row(m, green)[0])), both)


def test_a_charriott_is_not_as_likely_as_any_other_kind() -> None:
    """The test above can tell: the same counts do not fit if the second charriott is forgotten."""
    view = random_game(variant_named("romans, two"), 2, 2).view("gold")
    assert unseen(view, "green").count("charriott") == 2
    counts = count(view, 1200, lambda match: hidden_row(match, "green")[0])
    assert not fits(counts, Counter(set(unseen(view, "green"))))


def test_a_rivals_hand_is_any_seven_of_nine_in_any_order() -> None:
    view = variant_named("romans, two").deal(1).view("gold")
    counts = count(view, 1500, lambda match: tuple(match.position()["clans"]["green"]["hand"]))
    hands, firsts = Counter[Any](), Counter[Any]()
    for hand, times in counts.items():
        hands[tuple(sorted(hand))] += times
        firsts[hand[0]] += times
    assert fits(hands, Counter(tuple(sorted(hand)) for hand in combinations(NINE, 7)))
    assert fits(firsts, Counter(NINE))


@pytest.mark.parametrize(("clan", "drawn"), [("gold", 7), ("red", 7), ("green", 6)])
def test_hands_to_come_are_dealt_anew_the_seats_own_too(clan: str, drawn: int) -> None:
    match = random_game(variant_named("romans, two and two"), 1, 2)
    number = ("gold", "red", "green", "violet").index(clan)

    def hand(world: Match) -> tuple[str | None, ...]:
        return tuple(names(WARRIORS, world.state.deals[2][number], 0, drawn))

    counts = count(match.view("gold"), 1500, hand)
    hands, lasts = Counter[Any](), Counter[Any]()
    for row, times in counts.items():
        hands[tuple(sorted(row))] += times
        lasts[row[-1]] += times
    assert fits(hands, Counter(tuple(sorted(hand)) for hand in combinations(NINE, drawn)))
    assert fits(lasts, Counter(NINE))


def test_the_forts_to_come_stand_in_any_order() -> None:
    """Six forts of few kinds are left, so that all their orders can be counted."""
    match = random_game(variant_named("romans, four, own deck"), 0, 14)
    left = match.header.setup["forts"][12:]
    orders = Counter(permutations(left))
    assert match.state.round == 2
    assert 50 < len(orders) < 100
    for seat in ("gold", SPECTATOR):
        counts = count(match.view(seat), 2000, lambda m: tuple(FORTS[fort] for fort in m.state.draw_pile[12:]))
        assert fits(counts, orders)


@pytest.mark.parametrize("place", [6, 7, 11, 12, 17])
def test_any_fort_not_seen_yet_may_come_at_any_place(place: int) -> None:
    match = variant_named("romans, two").deal(3)
    counts = count(match.view("gold"), 1000, lambda m: FORTS[m.state.draw_pile[place]])
    assert fits(counts, Counter(match.header.setup["forts"][6:]))

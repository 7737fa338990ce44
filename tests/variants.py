"""The rule variants that whole games are tested over, and games of them played at random."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from meadhall.match import Match

# Some backs of this deck belong to two cards, others to one, which then is no secret (G1.3).
KING_DECK = [
    ["vulture", "recruiter"],
    ["vulture", "catapult"],
    ["recruiter", "vulture"],
    ["recruiter", "barbarian"],
    ["catapult", "barbarian"],
    ["catapult", "recruiter"],
    ["barbarian", "vulture"],
    ["barbarian", "catapult"],
]
# Nearly every capture asks something (R1.2 wants four legions).
FORT_DECK = [
    *["tax-8"] * 4,
    *["signal-4"] * 5,
    *["unwary-2"] * 5,
    *["legion-1", "legion-1", "legion-2", "legion-3"],
]
FOUR = ["gold", "green", "violet", "red"]


@dataclass(frozen=True)
class Variant:
    """A game with some of its options set."""

    name: str
    game: str
    rules: dict[str, Any] = field(hash=False)

    def __str__(self) -> str:
        return self.name

    def deal(self, seed: int | str) -> Match:
        return Match.new(self.game, self.rules, seed)


GOTHS = tuple(
    Variant(f"goths, {name}", "goths", rules)
    for name, rules in (
        ("base", {}),
        ("fog", {"fog_of_war": True}),
        ("fog anywhere", {"fog_of_war": True, "fog_discard": "anywhere"}),
        ("lone ostrogoth", {"lone_rulers": ["ostrogoth"]}),
        ("lone both with fog", {"lone_rulers": ["visigoth", "ostrogoth"], "fog_of_war": True}),
        ("seven turns", {"turn_limit": 7}),
        ("own deck", {"king_deck": KING_DECK}),
        (
            "lone visigoth, own deck, fog anywhere, twenty turns",
            {
                "lone_rulers": ["visigoth"],
                "king_deck": KING_DECK,
                "fog_of_war": True,
                "fog_discard": "anywhere",
                "turn_limit": 20,
            },
        ),
    )
)
ROMANS = tuple(
    Variant(f"romans, {name}", "romans", rules)
    for name, rules in (
        ("two", {"players": ["gold", "green"]}),
        ("three", {"players": ["red", "violet", "green"]}),
        ("four", {"players": FOUR}),
        ("solo with one", {"players": ["violet"], "neutrals": ["gold"]}),
        ("solo with two", {"players": ["green"], "neutrals": ["red", "gold"]}),
        ("two and two", {"players": ["gold", "red"], "neutrals": ["green", "violet"]}),
        ("three, original", {"players": FOUR[:3], "original_rules": True}),
        ("four, qween replaces", {"players": FOUR[::-1], "qween": "replaces"}),
        ("four, own deck", {"players": FOUR, "fort_deck": FORT_DECK}),
        (
            "three and one, original, qween replaces, own deck",
            {
                "players": ["red", "gold", "green"],
                "neutrals": ["violet"],
                "original_rules": True,
                "qween": "replaces",
                "fort_deck": FORT_DECK,
            },
        ),
    )
)
VARIANTS = (*GOTHS, *ROMANS)


def variant_named(name: str) -> Variant:
    return next(variant for variant in VARIANTS if variant.name == name)


def random_choice(match: Match, seat: str, random: Random) -> str:
    """One of the seat's legal choices, each equally likely; no list of 5,040 plans is made for it."""
    options = match.game.pending(match.rules, match.state, match.seats.index(seat))
    if isinstance(options, list):
        return str(random.choice(options))
    verb = "plan" if options["take"] < len(options["arrange"]) else "reorder"
    return f"{verb}:" + ",".join(random.sample(options["arrange"], options["take"]))


def at_random(match: Match, random: Random, most: int | None = None) -> Iterator[tuple[str, str]]:
    """Play legal choices at random up to the end, stopping after each: the seat and what it chose."""
    made = 0
    while match.waiting and (most is None or made < most):
        seat = random.choice(match.waiting)
        choice = random_choice(match, seat, random)
        match.commit(seat, choice)
        made += 1
        yield seat, choice


def random_game(variant: Variant, seed: int, most: int | None = None) -> Match:
    """A match played at random to the end, or until so many choices have been made."""
    match = variant.deal(seed)
    for _ in at_random(match, Random(f"{variant} {seed}"), most):
        pass
    return match


class Case(NamedTuple):
    """A position reached by chance, written so that a failing test can be tried again."""

    variant: Variant
    seed: int
    choices: int

    def match(self) -> Match:
        return random_game(self.variant, self.seed, self.choices)


def cases(variants: tuple[Variant, ...] = VARIANTS, most: int = 150) -> st.SearchStrategy[Case]:
    """Any position of any game of the variants, within so many choices."""
    return st.builds(Case, st.sampled_from(variants), st.integers(0, 2**32 - 1), st.integers(0, most))


def tried(examples: int) -> settings:
    """The same examples on every run, as slow as they like."""
    return settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )

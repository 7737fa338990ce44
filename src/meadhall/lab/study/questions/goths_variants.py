"""How much fog, lone rulers and what the rulebooks leave open change Goths."""

from typing import Any

from meadhall.games.goths.state import CLANS, DRAW, Ending
from meadhall.lab.study.estimates import Estimate, mean, ratio, share
from meadhall.lab.study.goths import score
from meadhall.lab.study.report import Section, number, percent, points
from meadhall.lab.study.studies import Games, Study
from meadhall.lab.study.variants import CAVEAT, Comparison, Metric, Variant

# The usual deck has four backs, each on two cards (G1.3). Here some belong to one card, which nobody can misread.
FIVE_BACKS = ["vulture/recruiter", "vulture/barbarian", "recruiter/vulture", "recruiter/catapult"]
FIVE_BACKS += ["catapult/recruiter", "catapult/vulture", "barbarian/catapult", "barbarian/vulture"]
SIX_BACKS = ["vulture/recruiter", "vulture/catapult", "recruiter/vulture", "recruiter/barbarian"]
SIX_BACKS += ["catapult/barbarian", "catapult/recruiter", "barbarian/catapult", "barbarian/vulture"]


def _deck(cards: list[str]) -> dict[str, Any]:
    return {"king_deck": [card.split("/") for card in cards]}


VARIANTS = (
    Variant("standard", "as usual", {}),
    Variant("fog", "fog of war", {"fog_of_war": True}, "standard"),
    Variant("fog-anywhere", "fog, dispersed anywhere", {"fog_of_war": True, "fog_discard": "anywhere"}, "fog"),
    Variant("lone", "one person a clan", {"lone_rulers": list(CLANS)}, "standard"),
    Variant("five-backs", "a deck with five backs", _deck(FIVE_BACKS), "standard"),
    Variant("six-backs", "a deck with six backs", _deck(SIX_BACKS), "standard"),
)


def _through(columns: Any) -> Estimate | None:
    return ratio(sum(columns[f"through_{clan}"] for clan in CLANS), 2 * columns["orders"])


def _begins(columns: Any) -> Estimate:
    return share(score(columns, 0))


def _skill(columns: Any) -> Estimate:
    return share(score(columns, columns["way"]))


METRICS = (
    Metric("Orders that get through", "Of all orders.", _through, percent, points, "orders through"),
    Metric(
        "How long a game is",
        "In turns, 200 at most.",
        lambda columns: mean(columns["turns"]),
        number,
        "{:+.1f}".format,
        "turns",
    ),
    Metric(
        "Games that are drawn",
        "Nobody had won after 200 turns.",
        lambda columns: share(columns["winner"] == DRAW),
        percent,
        points,
        "drawn",
    ),
    Metric(
        "Games that the queen decides",
        "The others end when an army is eliminated, or are drawn.",
        lambda columns: share(columns["ending"] == Ending.QUEEN),
        percent,
        points,
        "ended by the queen",
    ),
    Metric(
        "The score of the clan that begins",
        "50 % if the first initiative does not matter.",
        _begins,
        percent,
        points,
        "score of the clan that begins",
    ),
)
COMPARISON = Comparison("goths", VARIANTS, METRICS, _skill)


def _answered(games: Games) -> tuple[list[str], list[Section]]:
    lines = ["Among hard players, in percentage points and turns, beside the rules that each is a variant of:"]
    return [*lines, *COMPARISON.answer(games, "hard"), CAVEAT], list(COMPARISON.sections(games))


STUDY = Study(
    "goths-variants", "Goths: how much do fog and the undocumented choices change?", COMPARISON.samples, _answered
)

"""Which orders get lost: by the back of the card, by what was meant, and by who gives and who reads them."""

from typing import Any

from meadhall.bots import LEVELS
from meadhall.games.goths.names import VOCABULARY
from meadhall.games.goths.state import CARD_BACK, CARDS, CHARACTERS
from meadhall.lab.study.estimates import Estimate, ratio
from meadhall.lab.study.goths import card_column
from meadhall.lab.study.report import Section, percent, with_interval
from meadhall.lab.study.samples import COUPLES, PLAIN, against, by_level
from meadhall.lab.study.sections import field
from meadhall.lab.study.studies import Games, Study, sample_of

FEW = 40  # orders: of fewer, nothing is said
PEOPLE = "novice"  # models of casual people
READERS = (*LEVELS, PEOPLE)
THINKERS = ("easy", "medium", "hard", PEOPLE)
PAIRS = [*by_level("goths", "standard", {}, compiled=False), against("goths", "standard", {}, PEOPLE, PEOPLE, PLAIN)]
MIXED = {
    (king, warchief): against("goths", "standard", {}, f"{king}+{warchief}", f"{king}+{warchief}", COUPLES)
    for king in THINKERS
    for warchief in THINKERS
    if king != warchief
}
SAMPLES = [*PAIRS, *MIXED.values()]


def _lost(columns: Any, cards: list[str]) -> Estimate | None:
    """The share of orders by these cards that did not get through."""
    given = sum(columns[card_column("given", card)] for card in cards)
    if given.sum() < FEW:
        return None
    return ratio(given - sum(columns[card_column("through", card)] for card in cards), given)


def _backs(games: Games) -> dict[str, list[str]]:
    """The cards that were played, by their backs."""
    columns = games[PAIRS[0].name]
    found: dict[str, list[str]] = {}
    for card, back in zip(CARDS, CARD_BACK, strict=True):
        if columns[card_column("given", card)].any():
            found.setdefault(VOCABULARY["back"][back].replace("+", " or "), []).append(card)
    return found


def _answer(games: Games) -> list[str]:
    lines = []
    for reader in READERS:
        columns = games[sample_of(PAIRS, reader).name]
        overall = _lost(columns, list(CARDS))
        backs = [(back, lost) for back, cards in _backs(games).items() if (lost := _lost(columns, cards)) is not None]
        if overall is None or not backs:
            continue
        worst = max(backs, key=lambda each: each[1].value)
        line = f"Among {reader} partners {with_interval(overall, percent)} of orders get lost"
        most = f", most of all those whose back says {worst[0]}: {percent(worst[1].value)}"
        lines.append(line + (most if worst[1].low > max(overall.high, 0.001) else "") + ".")
    return lines


def _by_back(games: Games) -> Section:
    backs = _backs(games)
    return field(
        "By back and by level",
        [
            "Every back stands for two cards, and a warchief has to guess which one his king means. King and "
            "warchief are of the same level. The novices are models of casual people, of several temperaments. "
            "(Fewer than 40 orders: nothing is shown.)"
        ],
        "The share of orders that got lost, by back and level.",
        *("back", list(backs), READERS),
        lambda back, reader: _lost(games[sample_of(PAIRS, reader).name], backs[back]),
    )


def _by_card(games: Games) -> Section:
    cards = [card for listed in _backs(games).values() for card in listed]
    named = {"{} (bluff {})".format(*card.split("/")): card for card in cards}
    return field(
        "By what was meant",
        ["The same for every card: what it orders, and what else its back could mean."],
        "The share of orders that got lost, by card and level.",
        *("card", list(named), READERS),
        lambda name, reader: _lost(games[sample_of(PAIRS, reader).name], [named[name]]),
    )


def _by_couple(games: Games) -> Section:
    def lost(king: str, warchief: str) -> Estimate | None:
        sample = sample_of(PAIRS, king) if king == warchief else MIXED[king, warchief]
        return _lost(games[sample.name], list(CARDS))

    return field(
        "By who gives them and who reads them",
        ["A row is a king, a column his warchief. Both clans have such a couple."],
        "The share of orders that got lost, by king and warchief.",
        *("king", THINKERS, THINKERS, lost),
        label=lambda king: f"king {king}",
    )


def _instead(games: Games) -> Section:
    columns = games[sample_of(PAIRS, PEOPLE).name]

    def done(meant: str, did: str) -> Estimate | None:
        orders = sum(columns[f"meant_{meant}_did_{each}"] for each in CHARACTERS)
        return ratio(columns[f"meant_{meant}_did_{did}"], orders)

    return field(
        "What was done instead",
        ["Novices: a row is what the king meant, a column what his warchief did."],
        "What novices did, by what was meant.",
        *("meant", CHARACTERS, CHARACTERS, done),
        label=lambda meant: f"meant {meant}",
    )


def _answered(games: Games) -> tuple[list[str], list[Section]]:
    return _answer(games), [_by_back(games), _by_card(games), _by_couple(games), _instead(games)]


STUDY = Study("orders", "Goths: which orders get lost?", SAMPLES, _answered)

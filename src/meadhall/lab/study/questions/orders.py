"""Which orders get lost: by the back of the card, by what was meant, and by who gives and who reads them."""

from typing import Any

from meadhall.bots import LEVELS
from meadhall.games.goths.names import VOCABULARY
from meadhall.games.goths.state import CARD_BACK, CARDS, CHARACTERS
from meadhall.lab.study import figures
from meadhall.lab.study.estimates import Estimate, ratio
from meadhall.lab.study.goths import card_column
from meadhall.lab.study.report import Cell, Section, Table, percent, with_interval
from meadhall.lab.study.samples import COUPLES, PLAIN, against, by_level
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
    lost = {
        (back, reader): _lost(games[sample_of(PAIRS, reader).name], cards)
        for back, cards in backs.items()
        for reader in READERS
    }
    return Section(
        "By back and by level",
        [
            "Every back stands for two cards, and a warchief has to guess which one his king means. King and "
            "warchief are of the same level. The novices are models of casual people, of several temperaments. "
            "(Fewer than 40 orders: nothing is shown.)"
        ],
        Table(("back", *READERS), [(back, [lost[back, reader] for reader in READERS]) for back in backs]),
        figures.heat(list(backs), READERS, [[_value(lost[back, reader]) for reader in READERS] for back in backs]),
        "The share of orders that got lost, by back and level.",
    )


def _value(estimate: Estimate | None) -> float | None:
    return None if estimate is None else estimate.value


def _by_card(games: Games) -> Section:
    cards = [card for listed in _backs(games).values() for card in listed]
    lost = {(card, reader): _lost(games[sample_of(PAIRS, reader).name], [card]) for card in cards for reader in READERS}
    names = {card: "{} (bluff {})".format(*card.split("/")) for card in cards}
    return Section(
        "By what was meant",
        ["The same for every card: what it orders, and what else its back could mean."],
        Table(("card", *READERS), [(names[card], [lost[card, reader] for reader in READERS]) for card in cards]),
        figures.heat(
            [names[card] for card in cards],
            READERS,
            [[_value(lost[card, reader]) for reader in READERS] for card in cards],
        ),
        "The share of orders that got lost, by card and level.",
    )


def _by_couple(games: Games) -> Section:
    lost = {}
    for king in THINKERS:
        for warchief in THINKERS:
            sample = sample_of(PAIRS, king) if king == warchief else MIXED[king, warchief]
            lost[king, warchief] = _lost(games[sample.name], list(CARDS))
    return Section(
        "By who gives them and who reads them",
        ["A row is a king, a column his warchief. Both clans have such a couple."],
        Table(("king", *THINKERS), [(king, [lost[king, chief] for chief in THINKERS]) for king in THINKERS]),
        figures.heat(
            [f"king {king}" for king in THINKERS],
            THINKERS,
            [[_value(lost[king, chief]) for chief in THINKERS] for king in THINKERS],
        ),
        "The share of orders that got lost, by king and warchief.",
    )


def _instead(games: Games) -> Section:
    columns = games[sample_of(PAIRS, PEOPLE).name]
    rows: list[tuple[str, list[Cell]]] = []
    for meant in CHARACTERS:
        orders = sum(columns[f"meant_{meant}_did_{did}"] for did in CHARACTERS)
        rows.append((meant, [ratio(columns[f"meant_{meant}_did_{did}"], orders) for did in CHARACTERS]))
    values = [[_value(cell) if isinstance(cell, Estimate) else None for cell in cells] for _, cells in rows]
    return Section(
        "What was done instead",
        ["Novices: a row is what the king meant, a column what his warchief did."],
        Table(("meant", *CHARACTERS), rows),
        figures.heat([f"meant {meant}" for meant in CHARACTERS], CHARACTERS, values),
        "What novices did, by what was meant.",
    )


def _answered(games: Games) -> tuple[list[str], list[Section]]:
    return _answer(games), [_by_back(games), _by_card(games), _by_couple(games), _instead(games)]


STUDY = Study("orders", "Goths: which orders get lost?", SAMPLES, _answered)

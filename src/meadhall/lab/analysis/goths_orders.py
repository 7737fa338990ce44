"""Goths, meant and read: what each King card meant, what its back could have meant, what the warchief made of it."""

from meadhall.bots.evaluation import Reason
from meadhall.bots.percent import percent
from meadhall.games.goths.rules import back_of, chance, character_of
from meadhall.games.goths.state import ACTIONS, CARD_CHARACTER, CARDS, CHARACTERS, CLANS, Chance, GothsState
from meadhall.lab.analysis.goths_chances import Turn
from meadhall.lab.analysis.goths_found import Order, Pair, Reading

CLEAR = 0.6  # a card this likely is what a back says


def order_of(turn: Turn, number: int, clan: int, cards: tuple[int, int], act: int, beat: int) -> Order:
    """What became of the order of a clan in a turn whose four cards are known."""
    start = turn.start
    card, backs = cards[clan], (back_of(cards[0]), back_of(cards[1]))
    lone = bool(start.lone[clan])
    chances = turn.readings(clan, backs, card if lone else None)
    through = turn.gets_through(clan, card, act)
    by_face_up = through and CARD_CHARACTER[card] != character_of(act)
    face_up = tuple(CARDS[start.face_up[clan][k]] for k in range(start.face_up_count[clan]))
    misread_by = "" if through else _misread_by(turn, clan, card, act, chances)
    return Order(
        turn=number,
        clan=CLANS[clan],
        beat=beat,
        lone=lone,
        face_up=face_up,
        back=_halves(backs[clan]),
        readings=tuple(Reading(CARDS[each], chances[each]) for each in sorted(chances, key=lambda k: -chances[k])),
        meant=CARDS[card],
        action=ACTIONS[act],
        character_read=CHARACTERS[character_of(act)],
        understood=through,
        by_face_up=by_face_up,
        likely=turn.understanding(cards, clan),
        misread_by=misread_by,
        why=_why(turn, clan, card, act, chances, through, misread_by),
    )


def _halves(back: int) -> tuple[str, str]:
    one, other = (name for k, name in enumerate(CHARACTERS) if back >> k & 1)
    return one, other


def _misread_by(turn: Turn, clan: int, card: int, act: int, chances: dict[int, float]) -> str:
    """Whose doing a failed order was, by how clear the back was."""
    if turn.start.lone[clan] or not _could_get_through(turn.start, clan, act, chances):
        return "warchief"
    likely = chances.get(card, 0.0)
    return "warchief" if likely >= CLEAR else "king" if likely <= 1.0 - CLEAR else "nobody"


def _could_get_through(s: GothsState, clan: int, act: int, chances: dict[int, float]) -> bool:
    """Could this action have got through, as far as the warchief knew?"""
    character = character_of(act)
    return chance(s, clan, character) == Chance.SURELY or any(CARD_CHARACTER[card] == character for card in chances)


def _why(
    turn: Turn, clan: int, card: int, act: int, chances: dict[int, float], through: bool, misread_by: str
) -> Reason:
    """How the order went, in one sentence."""
    meant, read = CARD_CHARACTER[card], character_of(act)
    likely = chances.get(card, 0.0)
    args: dict[str, str | int | float] = {
        "character_meant": CHARACTERS[meant],
        "character_read": CHARACTERS[read],
        "action": ACTIONS[act],
        "percent": percent(likely),
        "percent_other": percent(1.0 - likely),
    }
    if turn.start.lone[clan]:
        return Reason("goths.analysis.read.lone" if through else "goths.analysis.read.lone-failed", args)
    if through and meant != read:
        return Reason("goths.analysis.read.face-up", args)
    if through and len(chances) == 1:
        return Reason("goths.analysis.read.only", args)
    if through and likely >= CLEAR:
        return Reason("goths.analysis.read.clear", args)
    if through:
        bold = likely <= 1.0 - CLEAR
        return Reason("goths.analysis.read.bold" if bold else "goths.analysis.read.even", args)
    if not _could_get_through(turn.start, clan, act, chances):
        return Reason("goths.analysis.misread.never", args)
    if misread_by == "warchief":
        return Reason("goths.analysis.misread.warchief", args)
    return Reason("goths.analysis.misread.king" if misread_by == "king" else "goths.analysis.misread.nobody", args)


def pairs_of(orders: tuple[Order, ...]) -> tuple[Pair, ...]:
    """Each clan's orders, counted."""
    found = []
    for clan in CLANS:
        own = [order for order in orders if order.clan == clan]
        understood, likely = sum(order.understood for order in own), sum(order.likely for order in own)
        found.append(Pair(clan, any(order.lone for order in own), len(own), understood, likely))
    return tuple(found)

"""Goths, the level `hard`: plays by a table of chances made from the rules, and by what everybody can reason out."""

from random import Random
from typing import Any

from meadhall.bots.evaluation import Judgement, Reading, Valued, Why
from meadhall.bots.goths import medium as medium_goths
from meadhall.bots.goths.belief import Reckoning, Style, reckon, turn_of
from meadhall.bots.goths.choosing import pick, weigh
from meadhall.bots.goths.easy import face_up_characters
from meadhall.bots.goths.equilibrium import Manner
from meadhall.bots.goths.outcomes import estimates
from meadhall.bots.goths.people import plain_warchief
from meadhall.bots.goths.positions import ORDERS, worlds_with
from meadhall.bots.goths.values import chances, table_fault
from meadhall.engine.layout import UNKNOWN
from meadhall.games.goths.options import check_rules
from meadhall.games.goths.rules import character_of
from meadhall.games.goths.state import (
    ACT,
    ACTIONS,
    CARD_CHARACTER,
    CARDS,
    CHARACTERS,
    CHOICES,
    CLANS,
    ENTER,
    LOOK,
    PLACES,
    SIGHTS,
    Objective,
    Phase,
)
from meadhall.match import View

MANNER = Manner(rounds=48)
COMPANY, READING, TRUST = 0.6, 0.5, 0.5
BY_TABLE = Style(chances, MANNER, COMPANY, READING, TRUST, met=medium_goths.STYLE)
BY_ESTIMATE = Style(estimates, MANNER, COMPANY, READING, TRUST)
# A turn limit this far off does not change how to play.
FAR = 100
LIKELY = 0.6


def style() -> Style:
    """How it thinks; without a table that fits the rules source, by estimates."""
    return BY_TABLE if table_fault() is None else BY_ESTIMATE


def choose(view: View, dice: Random) -> str:
    """The choice of a hard bot, whichever decision of the game it is."""
    return pick(view, style(), dice)


def caveat(rules: dict[str, Any]) -> Why | None:
    """What the table does not know of in these rules."""
    if table_fault() is not None:
        return Why("goths.caveat.no-table", {})
    if rules["king_deck"] != check_rules({})["king_deck"]:
        return Why("goths.caveat.deck", {})
    if rules["fog_of_war"]:
        return Why("goths.caveat.fog", {})
    if rules["lone_rulers"]:
        return Why("goths.caveat.lone", {})
    limit = rules["turn_limit"]
    return Why("goths.caveat.limit", {}) if limit is not None and limit < FAR else None


# For people


def judge(view: View) -> Judgement:
    """The numbers behind the choice."""
    weighed = weigh(view, style())
    found = reckon(turn_of(view, style()), view, style()) if view.state.phase == Phase.ACTS else None

    def rank(each: Valued) -> tuple[float, bool, float, str]:
        # An action that cannot get through is no alternative, however little it loses.
        futile = found is not None and found.through[CHOICES.index(each.choice) - ACT] == 0.0
        return -each.weight, futile, -each.win, each.choice

    choices = sorted((Valued(name, win, weight) for name, (weight, win) in weighed.items()), key=rank)
    why: Why
    readings: tuple[Reading, ...] = ()
    best = choices[0]
    if len(choices) == 1:
        why = Why("goths.why.only", {})
    elif view.state.phase <= Phase.SECOND_ORDER:
        why = _why_card(view, choices)
    elif found is not None:
        why, readings = _why_act(view, choices, found), _readings(view, found)
    else:
        why = _why_small(view, choices)
    return Judgement(str(view.seat), best.win, tuple(choices), why, readings, _caveat_key(view))


def _caveat_key(view: View) -> str | None:
    found = caveat(view.rules)
    return None if found is None else found.key


def percent(share: float) -> int:
    """A chance as a whole number out of a hundred; only what is certain is 0 or 100."""
    return round(100 * share) if share in (0.0, 1.0) else min(99, max(1, round(100 * share)))


def _numbers(choices: list[Valued], other: Valued) -> dict[str, str | int | float]:
    return {"win": percent(choices[0].win), "other": other.choice, "other_win": percent(other.win)}


def _why_card(view: View, choices: list[Valued]) -> Why:
    """The character that helps most, and how surely it is understood."""
    s, clan = view.state, view.number >> 1
    card = CHOICES.index(choices[0].choice)
    character = CARD_CHARACTER[card]
    different = (each for each in choices if CARD_CHARACTER[CHOICES.index(each.choice)] != character)
    numbers = _numbers(choices, next(different, choices[1])) | {"character": CHARACTERS[character]}
    if s.lone[clan]:
        return Why("goths.why.order-lone", numbers)
    return Why("goths.why.order", numbers | {"through": percent(understood(view, card))})


def understood(view: View, card: int) -> float:
    """How likely the warchief is to understand this card, whether he reasons it all out or goes by common sense."""
    turn = turn_of(view, style())
    s, clan, answer = view.state, view.number >> 1, turn.answer
    back, _ = turn.backs.place(card)
    if clan == turn.first:
        likely = answer.king_b[0, back].sum(axis=1)  # what the other king may show
        chief = (answer.chief_a[0, back, :, 0] * likely[:, None]).sum(axis=0) / likely.sum()
    else:
        chief = answer.chief_b[0, turn.backs.bits.index(int(s.back[turn.first])), back, 0]
    sure = face_up_characters(s, clan) | 1 << CARD_CHARACTER[card]
    goes = [sure >> character_of(act) & 1 for act in range(9)]
    plain = plain_warchief(view)[back]
    mixed = (COMPANY * float(one) + (1.0 - COMPANY) * float(other) for one, other in zip(plain, chief, strict=True))
    return sum(share for share, through in zip(mixed, goes, strict=True) if through)


def _why_act(view: View, choices: list[Valued], found: Reckoning) -> Why:
    """What the king most likely means, or what is sure whatever he means."""
    s, clan = view.state, view.number >> 1
    act = CHOICES.index(choices[0].choice) - ACT
    numbers = _numbers(choices, choices[1]) | {"action": ACTIONS[act]}
    if s.order[clan] != UNKNOWN:
        return Why("goths.why.act-lone", numbers)
    if face_up_characters(s, clan) >> character_of(act) & 1:
        return Why("goths.why.act-sure", numbers)
    through = percent(float(found.through[act]))
    if found.through[act] < LIKELY:
        return Why("goths.why.act-gamble", numbers | {"chance": through})
    return Why("goths.why.act", numbers | {"character": CHARACTERS[character_of(act)], "chance": through})


def _readings(view: View, found: Reckoning) -> tuple[Reading, ...]:
    """What both face-down King cards could be."""
    clan = view.number >> 1
    own = [Reading(CLANS[clan], CARDS[card], odds) for card, odds in zip(found.cards, found.chances, strict=True)]
    foe = [Reading(CLANS[1 - clan], CARDS[card], odds) for card, odds in found.foe]
    return tuple(sorted(own, key=lambda each: -each.chance) + sorted(foe, key=lambda each: -each.chance))


def _why_small(view: View, choices: list[Valued]) -> Why:
    """Why to look there, to go there, or to be rid of the fog."""
    s, best = view.state, CHOICES.index(choices[0].choice)
    win = percent(choices[0].win)
    if s.phase == Phase.LOOK:
        sight = SIGHTS[best - LOOK]
        return (
            Why("goths.why.look-token", {"win": win})
            if sight == "fog"
            else Why("goths.why.look", {"sight": sight, "win": win})
        )
    if s.phase == Phase.ENTER:
        door = best - ENTER
        cards = [ORDERS[number][door] for number in worlds_with(s.objectives)]
        if set(cards) == {Objective.QUEEN}:
            return Why("goths.why.enter-queen", {"place": PLACES[3 + door]})
        queen, trap = (percent(cards.count(each) / len(cards)) for each in (Objective.QUEEN, Objective.TRAP))
        return Why("goths.why.enter", {"place": PLACES[3 + door], "queen": queen, "trap": trap, "win": win})
    return Why("goths.why.token", {"win": win, "other_win": percent(choices[1].win)})

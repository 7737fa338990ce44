"""Heuristic worths of the actions and King cards of Goths, from what a seat knows; `easy` maximises them.

A worth is from 0 (no effect) to about 100 (wins). Both partners compute it in the same way from what they know, and
so do most people, which is all the convention there is.
"""

from meadhall.bots.goths.cards import face_up_characters
from meadhall.bots.goths.objectives import OBJECTIVE_ORDERS, objectives_seen, possible_orders
from meadhall.engine.layout import UNKNOWN
from meadhall.games.goths.rules import (
    back_of,
    behind_barricade,
    character_of,
    forbidden_by,
    may_disperse,
    open_objectives,
)
from meadhall.games.goths.state import CARD_CHARACTER, Action, Fog, GothsState, Objective, Token

WIN = 100.0
CATAPULT = character_of(Action.FIRE)
# An order without effect that gets through still beats one that does not: the King cards come back (G4.5).
SMALL_WORTH = 0.1
# The exponent by which a warchief believes that his king meant the character of more worth, and a king that he does.
READING_SHARPNESS = 3
# What was done on the turn before counts for less: else two such pairs undo each other's work for ever.
REPEATED = 0.55


# Actions


def action_worths(s: GothsState, clan: int) -> list[float]:
    """The worth of each of the nine actions, as far as this view can tell."""
    foe = 1 - clan
    worths = [0.0] * 9
    worths[Action.RECONNOITRE] = reconnoitre_worth(s, clan)
    worths[Action.SABOTAGE] = sabotage_worth(s, clan)
    worths[Action.RECRUIT] = recruit_worth(s, clan)
    if not s.catapult[clan] and not is_forbidden(s, clan, Action.LOAD):
        worths[Action.LOAD] = 14.0 if behind_barricade(s, foe) else 34.0
    worths[Action.FIRE] = fire_worth(s, clan)
    worths[Action.BARRICADE] = build_worth(s, clan)
    if may_disperse(s, clan):
        worths[Action.BARRICADE] = max(worths[Action.BARRICADE], disperse_worth(s, clan))
    worths[Action.ADVANCE] = advance_worth(s, clan)
    blow = 75.0 if s.units[foe] == 1 else 40.0 if s.units[foe] == 2 else 28.0  # the enemy may recruit first
    if behind_barricade(s, foe):
        worths[Action.RATS] = blow
    elif s.place[foe] > 0 and not is_forbidden(s, clan, Action.AXE):
        worths[Action.AXE] = blow
    last = int(s.last_act[clan])
    if last != UNKNOWN and s.lone[clan]:  # G9.1: he may not do it again
        worths[last] = 0.0
    elif last not in (UNKNOWN, Action.ADVANCE):
        worths[last] *= REPEATED
    return worths


def is_forbidden(s: GothsState, clan: int, action: int) -> bool:
    """Does the clan's revealed token forbid this action? (G8.2, G8.5 to G8.8)"""
    return bool(s.fog[clan] == Fog.REVEALED and forbidden_by(int(s.token[clan])) == action)


def fire_threatens(s: GothsState, clan: int) -> bool:
    """Can the enemy's catapult hit this army on this turn, as far as the backs show?"""
    foe = 1 - clan
    if not s.catapult[foe] or behind_barricade(s, clan):
        return False
    orders = int(s.back[foe]) | face_up_characters(s, foe)
    return s.back[foe] == 0 or orders >> CATAPULT & 1 != 0


def reconnoitre_worth(s: GothsState, clan: int) -> float:
    """Two known objectives tell the third; the nearer the army, the more it matters."""
    if is_forbidden(s, clan, Action.RECONNOITRE):
        return 0.0
    return 0.0 if objectives_seen(s, clan) >= 2 else 14.0 + 14.0 * min(int(s.place[clan]), 2)


def fire_worth(s: GothsState, clan: int) -> float:
    """Wins against two units, unless the enemy's own stone comes first (G5.2)."""
    foe = 1 - clan
    if not s.catapult[clan] or behind_barricade(s, foe):
        return 0.0
    if fire_threatens(s, clan) and s.units[clan] <= 2 and s.initiative == foe:
        return 30.0
    return WIN if s.units[foe] <= 2 else 55.0


def sabotage_worth(s: GothsState, clan: int) -> float:
    """Stops a loaded catapult before it fires: 2 comes before 5 (G5.1)."""
    if not s.catapult[1 - clan]:
        return 0.0
    if behind_barricade(s, clan):
        return 14.0
    if not fire_threatens(s, clan):
        return 30.0
    return 90.0 if s.units[clan] <= 2 else 45.0


def recruit_worth(s: GothsState, clan: int) -> float:
    """A third unit outlives a stone from the catapult: 3 comes before 5 (G5.1)."""
    if s.units[clan] == 3 or is_forbidden(s, clan, Action.RECRUIT):
        return 0.0
    if s.units[clan] == 1:
        return 55.0
    return 65.0 if fire_threatens(s, clan) else 26.0


def build_worth(s: GothsState, clan: int) -> float:
    """Shelter from the catapult from the next turn on, unless rats are all the enemy needs."""
    if s.place[clan] > 2 or behind_barricade(s, clan):
        return 0.0
    return 34.0 if s.catapult[1 - clan] else 22.0


def disperse_worth(s: GothsState, clan: int) -> float:
    """As much as the action that the token forbids would be worth."""
    if s.token[clan] == Token.PEA_SOUP:
        return 3.0 if objectives_seen(s, clan) >= 2 else 15.0
    if s.token[clan] == Token.REDUCED_NUMBERS:
        return 8.0 if s.units[clan] == 3 else 26.0
    return 30.0 if s.token[clan] == Token.BOAR_SHORTAGE else 15.0


def advance_worth(s: GothsState, clan: int) -> float:
    """A step along the column, or the expected worth of what lies in the centre; it grows with the turns."""
    impatience = 1.5 * min(int(s.turn), 60)
    if s.place[clan] < 2:
        return 28.0 + impatience - (8.0 if behind_barricade(s, clan) else 0.0)
    orders = possible_orders(s.objectives)
    looked = int(s.seen[clan]) | int(s.revealed)
    total = 0.0
    for number in orders:  # a king does not know what his warchief saw, but that he saw it (G10.1)
        known = [card if looked >> k & 1 else UNKNOWN for k, card in enumerate(OBJECTIVE_ORDERS[number])]
        total += max(objective_worths(s, clan, known).values())
    return max(0.0, total / len(orders) + impatience)


# Objectives


def objective_worths(s: GothsState, clan: int, known: list[int]) -> dict[int, float]:
    """The expected worth of moving onto each open objective for a warchief who knows these cards (G6.7)."""
    orders = [OBJECTIVE_ORDERS[number] for number in possible_orders(known)]
    trap = -WIN if s.units[clan] == 1 else -30.0 if s.units[clan] == 2 else -20.0
    worth = {Objective.TRAP: trap, Objective.PLAINS: 5.0, Objective.QUEEN: WIN}
    cards = open_objectives(s, clan)
    return {k: sum(worth[Objective(order[k])] for order in orders) / len(orders) for k in range(3) if cards >> k & 1}


# King cards


def card_worth(s: GothsState, clan: int, card: int, worths: list[float]) -> float:
    """The expected worth of playing this card, if the warchief reads its back by `chances_through`."""
    through = face_up_characters(s, clan) | (1 << CARD_CHARACTER[card])
    if s.lone[clan]:  # G9.1: he will know the card, so he does the best it allows
        return max(worths[act] if through >> character_of(act) & 1 else 0.0 for act in range(9))
    alike = [other for other in range(12) if int(s.hand[clan]) >> other & 1 and back_of(other) == back_of(card)]
    chances = chances_through(s, clan, alike, worths)
    weights = [(worths[act] * chances[character_of(act)]) ** READING_SHARPNESS for act in range(9)]
    carried_out = sum(weights[act] * worths[act] for act in range(9) if through >> character_of(act) & 1)
    return carried_out / (sum(weights) or 1.0)


def chances_through(s: GothsState, clan: int, cards: list[int], worths: list[float]) -> list[float]:
    """For each character the chance that an order of his gets through, given that one of these cards was played."""
    meant = [0.0] * 4
    for card in cards:
        character = CARD_CHARACTER[card]
        best = max(worths[act] for act in range(9) if character_of(act) == character)
        meant[character] = (best + SMALL_WORTH) ** READING_SHARPNESS
    total = sum(meant)
    face_up = face_up_characters(s, clan)
    return [1.0 if face_up >> character & 1 else meant[character] / total for character in range(4)]

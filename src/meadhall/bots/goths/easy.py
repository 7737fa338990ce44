"""Goths, the level `easy`: a king who means what helps most now, a warchief who guesses what his king meant.

Every action gets a worth from 0 (pointless) to about 100 (wins). Both partners reckon it in the same way
from what they know, and so do most people, which is all the convention there is.
"""

from itertools import permutations
from random import Random

from meadhall.engine.bits import count_bits
from meadhall.engine.layout import UNKNOWN
from meadhall.games.goths.rules import back_of, behind_barricade, character_of, legal, open_objectives, sights
from meadhall.games.goths.state import (
    ACT,
    BUILD,
    CARD_CHARACTER,
    CHOICES,
    DISPERSE,
    ENTER,
    LOOK,
    Action,
    Fog,
    GothsState,
    Objective,
    Phase,
    Token,
)
from meadhall.games.goths.view import cards_with_back
from meadhall.match import View

WIN = 100.0
CATAPULT = character_of(Action.FIRE)
OBJECTIVE_ORDERS = tuple(permutations(range(3)))
# A pointless order that gets through still beats one that does not: the King cards come back (G4.5).
POINTLESS = 0.1
# How sure a reader is that a king means the more useful of two characters, and a king that he is read so.
SENSE = 3
WHIM = 0.2
# What was done on the turn before is less tempting: else two sensible pairs undo each other's work for ever.
TIRED = 0.55


def choose(view: View, dice: Random) -> str:
    """The choice of an easy bot, whichever decision of the game it is."""
    s, clan = view.state, view.number >> 1
    if s.phase <= Phase.SECOND_ORDER:
        return CHOICES[king_card(s, clan, dice)]
    if s.phase == Phase.ACTS:
        return CHOICES[ACT + action(s, clan, dice)]
    if s.phase == Phase.LOOK:
        return CHOICES[LOOK + sight(s, clan, dice)]
    if s.phase == Phase.ENTER:
        return CHOICES[ENTER + objective(s, clan, dice)]
    return CHOICES[DISPERSE if worth_of_dispersing(s, clan) > worth_of_building(s, clan) else BUILD]


# Orders


def king_card(s: GothsState, clan: int, dice: Random) -> int:
    """The card whose back will be read as the character that helps most."""
    hand = [card for card in range(12) if int(s.hand[clan]) >> card & 1]
    worths = worth_of_actions(s, clan)
    # A whim for a character, hardly one for a card: of a character's two backs the plainer one is played.
    moods = [whim(dice) for _ in range(4)]
    cards = {
        card: worth_of_card(s, clan, card, worths) * moods[CARD_CHARACTER[card]] + 0.1 * dice.random() for card in hand
    }
    return max(hand, key=lambda card: cards[card])


def worth_of_card(s: GothsState, clan: int, card: int, worths: list[float]) -> float:
    """What may come of playing this card, by how a sensible warchief reads its back."""
    through = face_up_characters(s, clan) | (1 << CARD_CHARACTER[card])
    if s.lone[clan]:  # G9.1: he will know the card, so he does the best it allows
        return max(worths[act] if through >> character_of(act) & 1 else 0.0 for act in range(9))
    alike = [other for other in range(12) if int(s.hand[clan]) >> other & 1 and back_of(other) == back_of(card)]
    chances = reading(s, clan, alike, worths)
    tempting = [(worths[act] * chances[character_of(act)]) ** SENSE for act in range(9)]
    carried_out = sum(tempting[act] * worths[act] for act in range(9) if through >> character_of(act) & 1)
    return carried_out / (sum(tempting) or 1.0)


def action(s: GothsState, clan: int, dice: Random) -> int:
    """The action that is worth most, weighed by the chance that the order gets through (G4.1)."""
    worths, options = worth_of_actions(s, clan), legal(s, 2 * clan + 1)
    if s.order[clan] != UNKNOWN:  # a lone ruler knows his own card (G10.4)
        cards = [int(s.order[clan])]
    else:
        bits = cards_with_back(s, clan)
        cards = [card for card in range(12) if bits >> card & 1]
    chances = reading(s, clan, cards, worths)
    scores = {
        act: (worths[act] + POINTLESS) * chances[character_of(act)] * whim(dice)
        for act in range(9)
        if options >> (ACT + act) & 1
    }
    return max(scores, key=lambda act: scores[act])


def reading(s: GothsState, clan: int, cards: list[int], worths: list[float]) -> list[float]:
    """For each character the chance that an order of his gets through, if one of these cards was played."""
    meant = [0.0] * 4
    for card in cards:
        character = CARD_CHARACTER[card]
        best = max(worths[act] for act in range(9) if character_of(act) == character)
        meant[character] = (best + POINTLESS) ** SENSE
    everything = sum(meant)
    sure = face_up_characters(s, clan)
    return [1.0 if sure >> character & 1 else meant[character] / everything for character in range(4)]


def face_up_characters(s: GothsState, clan: int) -> int:
    """The characters of the clan's face-up King cards, a bit for each: they are sure to get through (G4.1)."""
    bits = 0
    for k in range(s.face_up_count[clan]):
        bits |= 1 << CARD_CHARACTER[s.face_up[clan][k]]
    return bits


def whim(dice: Random) -> float:
    """A factor near 1; it never makes a pointless thing look useful."""
    return 1.0 + WHIM * (2.0 * dice.random() - 1.0)


# What actions are worth


def worth_of_actions(s: GothsState, clan: int) -> list[float]:
    """How much each of the nine actions helps now, as far as this view can tell."""
    foe = 1 - clan
    worths = [0.0] * 9
    worths[Action.RECONNOITRE] = worth_of_looking(s, clan)
    worths[Action.SABOTAGE] = worth_of_sabotage(s, clan)
    worths[Action.RECRUIT] = worth_of_recruiting(s, clan)
    if not s.catapult[clan] and not hampered(s, clan, Token.BOAR_SHORTAGE):
        worths[Action.LOAD] = 14.0 if behind_barricade(s, foe) else 34.0
    worths[Action.FIRE] = worth_of_firing(s, clan)
    worths[Action.BARRICADE] = worth_of_building(s, clan)
    if may_disperse(s, clan):
        worths[Action.BARRICADE] = max(worths[Action.BARRICADE], worth_of_dispersing(s, clan))
    worths[Action.ADVANCE] = worth_of_advancing(s, clan)
    blow = 75.0 if s.units[foe] == 1 else 40.0 if s.units[foe] == 2 else 28.0  # the enemy may recruit first
    if behind_barricade(s, foe):
        worths[Action.RATS] = blow
    elif s.place[foe] > 0 and not hampered(s, clan, Token.GUSTS):
        worths[Action.AXE] = blow
    last = int(s.last_act[clan])
    if last != UNKNOWN and s.lone[clan]:  # G9.1: he may not do it again
        worths[last] = 0.0
    elif last not in (UNKNOWN, Action.ADVANCE):
        worths[last] *= TIRED
    return worths


def hampered(s: GothsState, clan: int, token: int) -> bool:
    """Does the clan's revealed token forbid what it forbids? (G8.2)"""
    return bool(s.fog[clan] == Fog.REVEALED and s.token[clan] == token)


def fire_threatens(s: GothsState, clan: int) -> bool:
    """Can the enemy's catapult hit this army on this turn, as far as the backs tell?"""
    foe = 1 - clan
    if not s.catapult[foe] or behind_barricade(s, clan):
        return False
    orders = int(s.back[foe]) | face_up_characters(s, foe)
    return s.back[foe] == 0 or orders >> CATAPULT & 1 != 0


def worth_of_looking(s: GothsState, clan: int) -> float:
    """Two known objectives tell the third; the nearer the army, the more it matters."""
    if hampered(s, clan, Token.PEA_SOUP):
        return 0.0
    known = count_bits((int(s.seen[clan]) | int(s.revealed)) & 7)
    return 0.0 if known >= 2 else 14.0 + 14.0 * min(int(s.place[clan]), 2)


def worth_of_firing(s: GothsState, clan: int) -> float:
    """Wins against two units, unless the enemy's own stone comes first (G5.2)."""
    foe = 1 - clan
    if not s.catapult[clan] or behind_barricade(s, foe):
        return 0.0
    if fire_threatens(s, clan) and s.units[clan] <= 2 and s.initiative == foe:
        return 30.0
    return WIN if s.units[foe] <= 2 else 55.0


def worth_of_sabotage(s: GothsState, clan: int) -> float:
    """Stops a loaded catapult before it fires: 2 comes before 5 (G5.1)."""
    if not s.catapult[1 - clan]:
        return 0.0
    if behind_barricade(s, clan):
        return 14.0
    if not fire_threatens(s, clan):
        return 30.0
    return 90.0 if s.units[clan] <= 2 else 45.0


def worth_of_recruiting(s: GothsState, clan: int) -> float:
    """A third unit outlives a stone from the catapult: 3 comes before 5 (G5.1)."""
    if s.units[clan] == 3 or hampered(s, clan, Token.REDUCED_NUMBERS):
        return 0.0
    if s.units[clan] == 1:
        return 55.0
    return 65.0 if fire_threatens(s, clan) else 26.0


def worth_of_building(s: GothsState, clan: int) -> float:
    """Shelter from the catapult from the next turn on, unless rats are all the enemy needs."""
    if s.place[clan] > 2 or behind_barricade(s, clan):
        return 0.0
    return 34.0 if s.catapult[1 - clan] else 22.0


def may_disperse(s: GothsState, clan: int) -> bool:
    """Would a barricade order let the warchief discard his token instead? (G8.4)"""
    place = int(s.place[clan])
    return bool(s.fog[clan] == Fog.REVEALED and (place == 2 or (s.fog_anywhere and place > 2)))


def worth_of_dispersing(s: GothsState, clan: int) -> float:
    """As much as what the token forbids would be of use."""
    if s.token[clan] == Token.PEA_SOUP:
        return 3.0 if count_bits((int(s.seen[clan]) | int(s.revealed)) & 7) >= 2 else 15.0
    if s.token[clan] == Token.REDUCED_NUMBERS:
        return 8.0 if s.units[clan] == 3 else 26.0
    return 30.0 if s.token[clan] == Token.BOAR_SHORTAGE else 15.0


def worth_of_advancing(s: GothsState, clan: int) -> float:
    """A step along the column, or the odds of what lies in the centre; nobody waits for ever."""
    impatience = 1.5 * min(int(s.turn), 60)
    if s.place[clan] < 2:
        return 28.0 + impatience - (8.0 if behind_barricade(s, clan) else 0.0)
    worlds = possible_worlds(s)
    looked = int(s.seen[clan]) | int(s.revealed)
    total = 0.0
    for world in worlds:  # a king does not know what his warchief saw, but that he saw it (G10.1)
        told = [world[k] if looked >> k & 1 else UNKNOWN for k in range(3)]
        total += max(worths_of_objectives(s, clan, told).values())
    return max(0.0, total / len(worlds) + impatience)


# In the centre


def possible_worlds(s: GothsState, known: list[int] | None = None) -> list[tuple[int, ...]]:
    """The orders of the three Objective cards that fit what is known, by default what this view knows."""
    cards = list(s.objectives) if known is None else known
    return [
        order
        for order in OBJECTIVE_ORDERS
        if all(card in (UNKNOWN, here) for card, here in zip(cards, order, strict=True))
    ]


def worths_of_objectives(s: GothsState, clan: int, known: list[int]) -> dict[int, float]:
    """What moving onto each open objective is worth to a warchief who knows these cards (G6.7)."""
    worlds = possible_worlds(s, known)
    trap = -WIN if s.units[clan] == 1 else -30.0 if s.units[clan] == 2 else -20.0
    worth = {Objective.TRAP: trap, Objective.PLAINS: 5.0, Objective.QUEEN: WIN}
    cards = open_objectives(s, clan)
    return {k: sum(worth[Objective(world[k])] for world in worlds) / len(worlds) for k in range(3) if cards >> k & 1}


def objective(s: GothsState, clan: int, dice: Random) -> int:
    """Where to go: the queen if he knows her, never a trap he knows of if there is another way."""
    worths = worths_of_objectives(s, clan, list(s.objectives))
    return dice.choice([place for place, worth in worths.items() if worth == max(worths.values())])


def sight(s: GothsState, clan: int, dice: Random) -> int:
    """What to look at: an objective that is still a riddle, else the own token, else anything."""
    things = sights(s, clan)
    new = [k for k in range(4) if things >> k & 1 and not int(s.seen[clan]) >> k & 1]
    riddles = [k for k in new if k < 3 and len({world[k] for world in possible_worlds(s)}) > 1]
    return dice.choice(riddles or [k for k in new if k == 3] or [k for k in range(4) if things >> k & 1])

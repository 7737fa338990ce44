"""Goths, as casual people play it: likes and dislikes of the moment, from 0 to 10, and a guess at the partner's.

Nothing here is shared with the levels, so that getting on with these people is no private arrangement.
"""

from random import Random

from meadhall.bots.novice import Temperament
from meadhall.engine.layout import UNKNOWN
from meadhall.games.goths.rules import behind_barricade, legal, open_objectives, sights
from meadhall.games.goths.state import (
    ACT,
    ACTION_CHARACTER,
    BUILD,
    CARD_BACK,
    CARD_BLUFF,
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
from meadhall.match import View

ATTACKS = (Action.LOAD, Action.FIRE, Action.ADVANCE, Action.AXE, Action.RATS)
SENSIBLE = Temperament()  # what one expects of a partner one does not know
# What people half remember of the token on their army: it spoils this action.
SPOILT = {
    Token.PEA_SOUP: Action.RECONNOITRE,
    Token.REDUCED_NUMBERS: Action.RECRUIT,
    Token.BOAR_SHORTAGE: Action.LOAD,
    Token.GUSTS: Action.AXE,
}
GAMBLE = 0.8  # what a guess loses beside a card that lies face up


def choose(person: Temperament, view: View, dice: Random) -> str:
    """What this person does, whichever decision of the game it is."""
    s, clan = view.state, view.number >> 1
    distracted = dice.random() < person.vague
    if s.phase <= Phase.SECOND_ORDER:
        return CHOICES[king_card(person, s, clan, distracted, dice)]
    if s.phase == Phase.ACTS:
        return CHOICES[ACT + action(person, s, clan, distracted, dice)]
    if s.phase == Phase.LOOK:
        return CHOICES[LOOK + sight(person, s, clan, distracted, dice)]
    if s.phase == Phase.ENTER:
        return CHOICES[ENTER + objective(s, clan, distracted, dice)]
    return CHOICES[DISPERSE if wants_to_disperse(person, s, clan, distracted, dice) else BUILD]


# The king


def king_card(person: Temperament, s: GothsState, clan: int, distracted: bool, dice: Random) -> int:
    """He knows what he wants done; then, if he thinks of his partner, the back that says so more plainly."""
    hand = [card for card in range(12) if int(s.hand[clan]) >> card & 1]
    if distracted:
        return dice.choice(hand)
    wanted = best_of_each(swayed(likings(person, s, clan), person, dice))
    character = max({CARD_CHARACTER[card] for card in hand}, key=lambda one: wanted[one])
    cards = [card for card in hand if CARD_CHARACTER[card] == character]
    if not person.thinks_of_partner or s.lone[clan]:
        return dice.choice(cards)
    misread = best_of_each(swayed(likings(SENSIBLE, s, clan), person, dice))
    # A bluff none of whose cards is left in the hand cannot be what he meant.
    return min(cards, key=lambda card: misread[CARD_BLUFF[card]] if could_be_bluff(card, hand) else -1.0)


def could_be_bluff(card: int, hand: list[int]) -> bool:
    """Does the hand hold another card with the same back?"""
    return any(other != card and CARD_BACK[other] == CARD_BACK[card] for other in hand)


# The warchief


def action(person: Temperament, s: GothsState, clan: int, distracted: bool, dice: Random) -> int:
    """He asks what his king may have meant, or, being simple, what he himself would like of what he sees."""
    allowed = [act for act in range(9) if legal(s, 2 * clan + 1) >> (ACT + act) & 1]
    shown, sure = characters_on_the_back(s, clan), face_up(s, clan)
    fitting = [act for act in allowed if ACTION_CHARACTER[act] in shown | sure] or allowed
    likes = swayed(likings(person, s, clan), person, dice)
    if distracted:  # anything that fits and is not plainly pointless
        return dice.choice([act for act in fitting if likes[act] > 0.0] or fitting)
    if not person.thinks_of_partner:
        on_the_back = [act for act in fitting if ACTION_CHARACTER[act] in shown]
        if any(likes[act] > 0.0 for act in on_the_back):
            fitting = on_the_back
        return max(fitting, key=lambda act: likes[act])
    meant = best_of_each(swayed(likings(SENSIBLE, s, clan), person, dice))
    total = sum(0.3 + meant[character] for character in shown)
    chances = {character: (0.3 + meant[character]) / total for character in shown}
    best = max(shown, key=lambda character: chances[character])

    def promise(act: int) -> float:
        character = ACTION_CHARACTER[act]
        if character in sure or len(shown) == 1:
            return 0.2 + likes[act]
        # People make up their minds what the card is, then act on it.
        return (0.2 + likes[act]) * (GAMBLE if character == best else 0.4 * chances[character])

    return max(fitting, key=promise)


def characters_on_the_back(s: GothsState, clan: int) -> set[int]:
    """The characters the card just played can be; a lone ruler knows his (G10.4)."""
    if s.order[clan] != UNKNOWN:
        return {CARD_CHARACTER[s.order[clan]]}
    held = int(s.hand[clan])
    return {CARD_CHARACTER[card] for card in range(12) if held >> card & 1 and CARD_BACK[card] == s.back[clan]}


def face_up(s: GothsState, clan: int) -> set[int]:
    """The characters of failed orders, which are sure to be carried out (G4.1)."""
    return {CARD_CHARACTER[s.face_up[clan][k]] for k in range(s.face_up_count[clan])}


# Likes and dislikes


def swayed(likes: list[float], person: Temperament, dice: Random) -> list[float]:
    """The likings of one moment; what is pointless stays so."""
    return [max(0.1, like + dice.gauss(0.0, person.noise)) if like > 0.0 else 0.0 for like in likes]


def best_of_each(likes: list[float]) -> list[float]:
    """For each character the most liked of his actions."""
    best = [0.0] * 4
    for act, like in enumerate(likes):
        best[ACTION_CHARACTER[act]] = max(best[ACTION_CHARACTER[act]], like)
    return best


def likings(person: Temperament, s: GothsState, clan: int) -> list[float]:
    """How much this person would like each action done now."""
    foe = 1 - clan
    likes = [0.0] * 9
    sheltered, in_danger = behind_barricade(s, clan), bool(s.catapult[foe]) and not behind_barricade(s, clan)
    foe_sheltered = behind_barricade(s, foe)
    likes[Action.RECONNOITRE] = liking_to_scout(s, clan)
    if s.catapult[foe]:
        likes[Action.SABOTAGE] = 2.0 if not in_danger else 8.5 if s.units[clan] < 3 else 6.0
    if s.units[clan] < 3:
        likes[Action.RECRUIT] = (6.0 if s.units[clan] == 1 else 3.5) + (1.5 if in_danger else 0.0)
    if s.catapult[clan]:
        likes[Action.FIRE] = 0.0 if foe_sheltered else 9.5 if s.units[foe] < 3 else 6.5
    else:
        likes[Action.LOAD] = 2.5 if foe_sheltered else 4.5
    if s.place[clan] < 3 and not sheltered:
        likes[Action.BARRICADE] = 4.5 if in_danger else 2.5
    likes[Action.ADVANCE] = liking_to_advance(s, clan)
    blow = (0.0, 8.5, 5.5, 4.0)[s.units[foe]]
    if foe_sheltered:
        likes[Action.RATS] = blow
    elif s.place[foe] != 0:  # G6.8: a forest hides them
        likes[Action.AXE] = blow
    if s.fog[clan] == Fog.REVEALED:
        likes[SPOILT[Token(s.token[clan])]] = 0.0
        if s.place[clan] == 2:  # G8.4: a barbarian could rid them of it
            likes[Action.BARRICADE] = max(likes[Action.BARRICADE], 3.0)
    if s.lone[clan] and s.last_act[clan] != UNKNOWN:  # G9.1
        likes[s.last_act[clan]] = 0.0
    return [like * (person.attack if act in ATTACKS else person.shelter) for act, like in enumerate(likes)]


def liking_to_scout(s: GothsState, clan: int) -> float:
    """Curiosity grows on the way to the centre, and ends when all is known."""
    told = told_apart(s, clan)
    return 0.0 if told >= 2 else 3.0 + 0.8 * min(int(s.place[clan]), 2) - told


def told_apart(s: GothsState, clan: int) -> int:
    """How many of the objectives the clan's warchief has seen or all can see."""
    return ((int(s.seen[clan]) | int(s.revealed)) & 7).bit_count()


def liking_to_advance(s: GothsState, clan: int) -> float:
    """A step is a step; at the edge it matters whether the way is known. Everybody gets impatient in the end."""
    impatience = 0.08 * s.turn
    place = int(s.place[clan])
    if place < 2:
        return 4.0 + impatience - (1.5 if behind_barricade(s, clan) and s.catapult[1 - clan] else 0.0)
    if Objective.QUEEN in list(s.objectives):
        queen = list(s.objectives).index(Objective.QUEEN)
        return 10.0 if open_objectives(s, clan) >> queen & 1 else 1.0
    told = told_apart(s, clan)
    if told >= 2:
        return 9.5
    fear = (0.0, 4.0, 2.0, 0.5)[s.units[clan]]
    return max(0.5, 4.0 + 1.5 * told - fear + impatience)


# The small choices


def known_objectives(s: GothsState) -> list[int]:
    """The three objectives, the last one told by the two others."""
    cards = list(s.objectives)
    if cards.count(UNKNOWN) == 1:
        cards[cards.index(UNKNOWN)] = 3 - sum(card for card in cards if card != UNKNOWN)
    return cards


def objective(s: GothsState, clan: int, distracted: bool, dice: Random) -> int:
    """To the queen if he knows where she is; else not into a trap he knows of."""
    ways = [k for k in range(3) if open_objectives(s, clan) >> k & 1]
    cards = known_objectives(s)
    for k in ways:
        if cards[k] == Objective.QUEEN:
            return k
    unknown = [k for k in ways if cards[k] == UNKNOWN]
    safe = [k for k in ways if cards[k] != Objective.TRAP]
    return dice.choice(ways if distracted else unknown or safe or ways)


def sight(person: Temperament, s: GothsState, clan: int, distracted: bool, dice: Random) -> int:
    """Something he has not seen; careful people look at their own token too."""
    things = [k for k in range(4) if sights(s, clan) >> k & 1]
    new = [k for k in things if not int(s.seen[clan]) >> k & 1]
    if distracted or not new:
        return dice.choice(things)
    if 3 in new and dice.random() < 0.25 * person.shelter:
        return 3
    return dice.choice([k for k in new if k < 3] or new)


def wants_to_disperse(person: Temperament, s: GothsState, clan: int, distracted: bool, dice: Random) -> bool:
    """A barricade if a stone may come, else away with the token (G8.4)."""
    if distracted:
        return dice.random() < 0.5
    if s.place[clan] > 2 or behind_barricade(s, clan):
        return True
    shelter = person.shelter * (6.0 if s.catapult[1 - clan] else 2.5)
    return 4.0 + dice.gauss(0.0, person.noise) > shelter

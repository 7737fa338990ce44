"""A model of casual people in Goths: noisy preferences among actions, from 0 to 10, and a guess at the partner's.

It shares no code with the levels, so that how well they get on with it says something about strangers.
"""

from random import Random

from meadhall.bots.novice import Temperament
from meadhall.engine.layout import UNKNOWN
from meadhall.games.goths.rules import behind_barricade, forbidden_by, legal, open_objectives, sights
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
)
from meadhall.match import View

ATTACKS = (Action.LOAD, Action.FIRE, Action.ADVANCE, Action.AXE, Action.RATS)
AVERAGE = Temperament()  # what people expect of a partner they do not know
GUESS = 0.8  # the factor for a guess beside a card that lies face up


def choose(person: Temperament, view: View, rng: Random) -> str:
    """The choice of this person, whichever decision of the game it is."""
    s, clan = view.state, view.number >> 1
    distracted = rng.random() < person.vague
    if s.phase <= Phase.SECOND_ORDER:
        return CHOICES[king_card(person, s, clan, distracted, rng)]
    if s.phase == Phase.ACTS:
        return CHOICES[ACT + action(person, s, clan, distracted, rng)]
    if s.phase == Phase.LOOK:
        return CHOICES[LOOK + sight(person, s, clan, distracted, rng)]
    if s.phase == Phase.ENTER:
        return CHOICES[ENTER + objective(s, clan, distracted, rng)]
    return CHOICES[DISPERSE if wants_to_disperse(person, s, clan, distracted, rng) else BUILD]


# The king


def king_card(person: Temperament, s: GothsState, clan: int, distracted: bool, rng: Random) -> int:
    """A card of the character he prefers; if he thinks of his partner, the one less likely to be misread."""
    hand = [card for card in range(12) if int(s.hand[clan]) >> card & 1]
    if distracted:
        return rng.choice(hand)
    wanted = best_by_character(with_noise(preferences(person, s, clan), person, rng))
    character = max({CARD_CHARACTER[card] for card in hand}, key=lambda one: wanted[one])
    cards = [card for card in hand if CARD_CHARACTER[card] == character]
    if not person.thinks_of_partner or s.lone[clan]:
        return rng.choice(cards)
    misread = best_by_character(with_noise(preferences(AVERAGE, s, clan), person, rng))
    # A bluff none of whose cards is left in the hand cannot be what he meant.
    return min(cards, key=lambda card: misread[CARD_BLUFF[card]] if could_be_bluff(card, hand) else -1.0)


def could_be_bluff(card: int, hand: list[int]) -> bool:
    """Does the hand hold another card with the same back?"""
    return any(other != card and CARD_BACK[other] == CARD_BACK[card] for other in hand)


# The warchief


def action(person: Temperament, s: GothsState, clan: int, distracted: bool, rng: Random) -> int:
    """The action he prefers given what his king may have meant; if he is simple, of those on the back."""
    allowed = [act for act in range(9) if legal(s, 2 * clan + 1) >> (ACT + act) & 1]
    shown, sure = characters_on_the_back(s, clan), face_up(s, clan)
    fitting = [act for act in allowed if ACTION_CHARACTER[act] in shown | sure] or allowed
    preferred = with_noise(preferences(person, s, clan), person, rng)
    if distracted:  # anything that fits and is not plainly pointless
        return rng.choice([act for act in fitting if preferred[act] > 0.0] or fitting)
    if not person.thinks_of_partner:
        on_the_back = [act for act in fitting if ACTION_CHARACTER[act] in shown]
        if any(preferred[act] > 0.0 for act in on_the_back):
            fitting = on_the_back
        return max(fitting, key=lambda act: preferred[act])
    meant = best_by_character(with_noise(preferences(AVERAGE, s, clan), person, rng))
    total = sum(0.3 + meant[character] for character in shown)
    chances = {character: (0.3 + meant[character]) / total for character in shown}
    best = max(shown, key=lambda character: chances[character])

    def expected(act: int) -> float:
        character = ACTION_CHARACTER[act]
        if character in sure or len(shown) == 1:
            return 0.2 + preferred[act]
        # People make up their minds what the card is, then act on it.
        return (0.2 + preferred[act]) * (GUESS if character == best else 0.4 * chances[character])

    return max(fitting, key=expected)


def characters_on_the_back(s: GothsState, clan: int) -> set[int]:
    """The characters the card just played can be; a lone ruler knows his (G10.4)."""
    if s.order[clan] != UNKNOWN:
        return {CARD_CHARACTER[s.order[clan]]}
    held = int(s.hand[clan])
    return {CARD_CHARACTER[card] for card in range(12) if held >> card & 1 and CARD_BACK[card] == s.back[clan]}


def face_up(s: GothsState, clan: int) -> set[int]:
    """The characters of failed orders, whose orders get through (G4.1)."""
    return {CARD_CHARACTER[s.face_up[clan][k]] for k in range(s.face_up_count[clan])}


# Preferences


def with_noise(preferred: list[float], person: Temperament, rng: Random) -> list[float]:
    """The preferences of one moment; what is worth nothing stays so."""
    return [max(0.1, value + rng.gauss(0.0, person.noise)) if value > 0.0 else 0.0 for value in preferred]


def best_by_character(preferred: list[float]) -> list[float]:
    """For each character the value of his most preferred action."""
    best = [0.0] * 4
    for act, value in enumerate(preferred):
        best[ACTION_CHARACTER[act]] = max(best[ACTION_CHARACTER[act]], value)
    return best


def preferences(person: Temperament, s: GothsState, clan: int) -> list[float]:
    """The value of each action to this person, without noise."""
    foe = 1 - clan
    preferred = [0.0] * 9
    sheltered, in_danger = behind_barricade(s, clan), bool(s.catapult[foe]) and not behind_barricade(s, clan)
    foe_sheltered = behind_barricade(s, foe)
    preferred[Action.RECONNOITRE] = scouting_preference(s, clan)
    if s.catapult[foe]:
        preferred[Action.SABOTAGE] = 2.0 if not in_danger else 8.5 if s.units[clan] < 3 else 6.0
    if s.units[clan] < 3:
        preferred[Action.RECRUIT] = (6.0 if s.units[clan] == 1 else 3.5) + (1.5 if in_danger else 0.0)
    if s.catapult[clan]:
        preferred[Action.FIRE] = 0.0 if foe_sheltered else 9.5 if s.units[foe] < 3 else 6.5
    else:
        preferred[Action.LOAD] = 2.5 if foe_sheltered else 4.5
    if s.place[clan] < 3 and not sheltered:
        preferred[Action.BARRICADE] = 4.5 if in_danger else 2.5
    preferred[Action.ADVANCE] = advance_preference(s, clan)
    hit = (0.0, 8.5, 5.5, 4.0)[s.units[foe]]
    if foe_sheltered:
        preferred[Action.RATS] = hit
    elif s.place[foe] != 0:  # G6.8: a forest hides them
        preferred[Action.AXE] = hit
    if s.fog[clan] == Fog.REVEALED:
        preferred[forbidden_by(int(s.token[clan]))] = 0.0
        if s.place[clan] == 2:  # G8.4: a barbarian could rid them of it
            preferred[Action.BARRICADE] = max(preferred[Action.BARRICADE], 3.0)
    if s.lone[clan] and s.last_act[clan] != UNKNOWN:  # G9.1
        preferred[s.last_act[clan]] = 0.0
    return [value * (person.attack if act in ATTACKS else person.shelter) for act, value in enumerate(preferred)]


def scouting_preference(s: GothsState, clan: int) -> float:
    """Grows on the way to the centre, and is nothing when all is known."""
    known = objectives_known(s, clan)
    return 0.0 if known >= 2 else 3.0 + 0.8 * min(int(s.place[clan]), 2) - known


def objectives_known(s: GothsState, clan: int) -> int:
    """How many of the objectives the clan's warchief has seen or all can see."""
    return ((int(s.seen[clan]) | int(s.revealed)) & 7).bit_count()


def advance_preference(s: GothsState, clan: int) -> float:
    """Grows with the turns; before the centre it depends on what is known of the objectives."""
    impatience = 0.08 * s.turn
    place = int(s.place[clan])
    if place < 2:
        return 4.0 + impatience - (1.5 if behind_barricade(s, clan) and s.catapult[1 - clan] else 0.0)
    if Objective.QUEEN in list(s.objectives):
        queen = list(s.objectives).index(Objective.QUEEN)
        return 10.0 if open_objectives(s, clan) >> queen & 1 else 1.0
    known = objectives_known(s, clan)
    if known >= 2:
        return 9.5
    fear = (0.0, 4.0, 2.0, 0.5)[s.units[clan]]
    return max(0.5, 4.0 + 1.5 * known - fear + impatience)


# Choices within a turn


def known_objectives(s: GothsState) -> list[int]:
    """The three objectives, the last one deduced from the two others."""
    cards = list(s.objectives)
    if cards.count(UNKNOWN) == 1:
        cards[cards.index(UNKNOWN)] = 3 - sum(card for card in cards if card != UNKNOWN)
    return cards


def objective(s: GothsState, clan: int, distracted: bool, rng: Random) -> int:
    """To the queen if he knows where she is; else not into a trap he knows of."""
    ways = [k for k in range(3) if open_objectives(s, clan) >> k & 1]
    cards = known_objectives(s)
    for k in ways:
        if cards[k] == Objective.QUEEN:
            return k
    unknown = [k for k in ways if cards[k] == UNKNOWN]
    safe = [k for k in ways if cards[k] != Objective.TRAP]
    return rng.choice(ways if distracted else unknown or safe or ways)


def sight(person: Temperament, s: GothsState, clan: int, distracted: bool, rng: Random) -> int:
    """Something he has not seen; careful people look at their own token too."""
    things = [k for k in range(4) if sights(s, clan) >> k & 1]
    new = [k for k in things if not int(s.seen[clan]) >> k & 1]
    if distracted or not new:
        return rng.choice(things)
    if 3 in new and rng.random() < 0.25 * person.shelter:
        return 3
    return rng.choice([k for k in new if k < 3] or new)


def wants_to_disperse(person: Temperament, s: GothsState, clan: int, distracted: bool, rng: Random) -> bool:
    """Disperse the token, unless a barricade is needed against the catapult (G8.4)."""
    if distracted:
        return rng.random() < 0.5
    if s.place[clan] > 2 or behind_barricade(s, clan):
        return True
    shelter = person.shelter * (6.0 if s.catapult[1 - clan] else 2.5)
    return 4.0 + rng.gauss(0.0, person.noise) > shelter

"""Goths Save the Queen: the rules, clause by clause, as plain functions over one record.

They run as they stand at the table and compiled in simulation; `s` is the position, `clan` is 0 or 1,
a seat is 2 * clan for a king and 2 * clan + 1 for a warchief, and a choice is its number in CHOICES.
"""

from meadhall.engine.layout import UNKNOWN, emit
from meadhall.games.goths.state import (
    ACT,
    ACTION_CHARACTERS,
    BUILD,
    CARD_BACKS,
    DISPERSE,
    DRAW,
    ENTER,
    FORBIDDEN_ACTIONS,
    LOOK,
    NOBODY,
    Action,
    Chance,
    Ending,
    EventCode,
    Fog,
    GothsState,
    Objective,
    Phase,
    Token,
    Why,
)

ALL_ACTS = 0x1FF << ACT
SHOT = 2  # units that a catapult hits (G6.5)


# Pieces (G1)


def clan_of(seat: int) -> int:
    """The clan of a seat; `& 1` tells the compiler that it is 0 or 1, which spares a check at every use."""
    return (seat >> 1) & 1


def back_of(card: int) -> int:
    """The two characters on a King card's back, a bit for each (G1.2)."""
    return (CARD_BACKS >> (4 * card)) & 15


def character_of(action: int) -> int:
    """The character an action belongs to (G6.1 to G6.9)."""
    return (ACTION_CHARACTERS >> (4 * action)) & 15


def own_seats(s: GothsState, clan: int, role: int) -> int:
    """The audience of a secret: one seat's bit, or both of a lone ruler's (G10.4)."""
    return 3 << (2 * clan) if s.lone[clan] else 1 << (2 * clan + role)


# How play goes on


def owes(s: GothsState, seat: int) -> bool:
    """Must this seat choose before play goes on?"""
    clan = clan_of(seat)
    king = seat & 1 == 0
    if s.phase == Phase.FIRST_ORDER:  # G3.2
        return king and clan == s.initiative
    if s.phase == Phase.SECOND_ORDER:  # G3.3
        return king and clan != s.initiative
    if s.phase == Phase.ACTS:  # G3.4
        return not king and s.act[clan] == UNKNOWN
    if s.phase == Phase.RESOLVE or s.phase == Phase.OVER:
        return False
    return not king and clan == acting(s)


def next_seat(s: GothsState) -> int:
    """The first seat that owes a choice, -1 at the end."""
    if s.phase == Phase.FIRST_ORDER:
        return 2 * int(s.initiative)
    if s.phase == Phase.SECOND_ORDER:
        return 2 - 2 * int(s.initiative)
    if s.phase == Phase.ACTS:
        return 1 if s.act[0] == UNKNOWN else 3
    if s.phase == Phase.OVER:
        return UNKNOWN
    return 2 * acting(s) + 1


def acting(s: GothsState) -> int:
    """The clan whose action is being carried out."""
    return (int(s.first) ^ int(s.resolved)) & 1


def legal(s: GothsState, seat: int) -> int:
    """What the seat may choose now, a bit for each of CHOICES; a sealed action may still be changed."""
    clan = clan_of(seat)
    if s.phase == Phase.ACTS:
        if seat & 1 == 0:
            return 0
        if s.lone[clan] and s.last_act[clan] != UNKNOWN:  # G9.1
            return ALL_ACTS & ~(1 << (ACT + int(s.last_act[clan])))
        return ALL_ACTS
    if not owes(s, seat):
        return 0
    if s.phase == Phase.LOOK:
        return sights(s, clan) << LOOK
    if s.phase == Phase.ENTER:
        return open_objectives(s, clan) << ENTER
    if s.phase == Phase.TOKEN:  # G8.4
        return (1 << BUILD) | (1 << DISPERSE)
    return int(s.hand[clan])


def commit(s: GothsState, seat: int, choice: int) -> None:
    """Take a seat's choice; when it was the last one owed, the table moves on."""
    if choice < 0 or choice > DISPERSE or (legal(s, seat) >> choice) & 1 == 0:
        raise ValueError("that choice is not legal here")
    clan = clan_of(seat)
    if s.phase <= Phase.SECOND_ORDER:
        play_king_card(s, clan, choice)
    elif s.phase == Phase.ACTS:
        s.act[clan] = choice - ACT
        emit(s, EventCode.SEALED, clan, choice - ACT, to=own_seats(s, clan, 1))
        if s.act[0] != UNKNOWN and s.act[1] != UNKNOWN:
            reveal_cards(s)
    else:
        s.phase = Phase.RESOLVE
        if choice < ENTER:
            look(s, clan, choice - LOOK)
        elif choice < BUILD:
            enter(s, clan, choice - ENTER)
        elif choice == BUILD:
            build(s, clan)
        else:
            disperse(s, clan)
        finish_action(s, clan)
        resolve(s)


# Set-up (G2)


def set_up(s: GothsState) -> None:
    """The position before turn 1; objectives, tokens, deck and options are in place already."""
    s.turn = 1
    s.initiative = 0  # G2.2
    s.winner = NOBODY
    s.by = UNKNOWN
    s.first = 0
    s.resolved = 0
    s.revealed = 0
    for clan in range(2):
        s.place[clan] = 0  # G2.1
        s.units[clan] = 2  # G2.1
        s.catapult[clan] = False  # G2.1
        s.barricades[clan] = 0
        s.hand[clan] = s.deck
        s.face_up_count[clan] = 0
        for k in range(8):
            s.face_up[clan][k] = UNKNOWN
        s.order[clan] = UNKNOWN
        s.back[clan] = 0
        s.act[clan] = UNKNOWN
        s.last_act[clan] = UNKNOWN
        s.through[clan] = False
        s.seen[clan] = 0
    s.phase = Phase.FIRST_ORDER
    emit(s, EventCode.TURN, 1, 0)


# Orders (G3)


def play_king_card(s: GothsState, clan: int, card: int) -> None:
    """Put a King card face down: all see its back, the king alone its front (G3.2, G3.3, G10.2)."""
    s.order[clan] = card
    s.back[clan] = back_of(card)
    s.hand[clan] = int(s.hand[clan]) & ~(1 << card)
    phase = s.phase
    s.phase = Phase.SECOND_ORDER if phase == Phase.FIRST_ORDER else Phase.ACTS
    emit(s, EventCode.ORDERED, clan, s.back[clan], phase)
    emit(s, EventCode.ORDER_FRONT, clan, card, to=own_seats(s, clan, 0))


# The reveal (G4)


def reveal_cards(s: GothsState) -> None:
    """Turn all four cards (G4.1), lay out failed orders (G4.3) and find who acts first (G5.1, G5.2)."""
    s.phase = Phase.RESOLVE
    s.resolved = 0
    for clan in range(2):
        s.through[clan] = understood(s, clan)
        s.back[clan] = 0
        s.last_act[clan] = s.act[clan]  # G4.4, G9.1
    leader = int(s.initiative) & 1
    emit(s, EventCode.REVEALED, leader, s.order[leader], s.act[leader])
    emit(s, EventCode.REVEALED, 1 - leader, s.order[1 - leader], s.act[1 - leader])
    read_order(s, leader)
    read_order(s, 1 - leader)
    s.first = resolves_first(s)
    if s.through[0] and s.through[1]:
        emit(s, EventCode.FIRST, s.first, s.act[s.first], s.act[1 - s.first])
    resolve(s)


def understood(s: GothsState, clan: int) -> bool:
    """Has the clan communicated: does the action fit the card played or one lying face up? (G4.1)"""
    return chance(s, clan, character_of(int(s.act[clan]))) == Chance.SURELY


def chance(s: GothsState, clan: int, character: int) -> int:
    """Whether a character's orders get through this turn, as Chance: over a state, or over what a view knows (G4.1).

    A card that is out of the hand lies on the table, face up or just played; in a view a card whose front is unknown
    is still counted among the hand, and may be either of the two characters on its back.
    """
    on_the_table = int(s.deck) & ~int(s.hand[clan])
    if (on_the_table >> (3 * character)) & 7 != 0:
        return Chance.SURELY
    if s.order[clan] == UNKNOWN and (int(s.back[clan]) >> character) & 1:
        return Chance.PERHAPS
    return Chance.NO


def read_order(s: GothsState, clan: int) -> None:
    """Report whether a clan has communicated; a failed order's card stays, face up (G4.3)."""
    if s.through[clan]:
        by_face_up = int(s.order[clan]) // 3 != character_of(int(s.act[clan]))
        emit(s, EventCode.UNDERSTOOD, clan, s.act[clan], by_face_up)
    else:
        s.face_up[clan][s.face_up_count[clan] & 7] = s.order[clan]
        s.face_up_count[clan] += 1
        emit(s, EventCode.MISREAD, clan, s.order[clan], s.act[clan])


# Order of resolution (G5)


def resolves_first(s: GothsState) -> int:
    """The clan whose action comes first: the lower number (G5.1), of equals the clan with the initiative (G5.2)."""
    leader = int(s.initiative) & 1
    return 1 - leader if s.act[1 - leader] < s.act[leader] else leader


def resolve(s: GothsState) -> None:
    """Carry out what is left of the turn, until someone must choose or the turn is over."""
    while s.phase != Phase.OVER and s.resolved < 2:
        clan = acting(s)
        if s.through[clan] and carry_out(s, clan):
            return
        finish_action(s, clan)
    if s.phase != Phase.OVER:
        end_turn(s)


def finish_action(s: GothsState, clan: int) -> None:
    """After a clan's own action its king takes all his King cards back (G4.2, G4.5), unless all is over (G5.3)."""
    if s.phase == Phase.OVER:
        return
    s.resolved += 1
    if s.through[clan]:
        s.hand[clan] = s.deck
        for k in range(8):
            s.face_up[clan][k] = UNKNOWN
        s.face_up_count[clan] = 0
        emit(s, EventCode.CARDS_BACK, clan)


def end_turn(s: GothsState) -> None:
    """The next turn (G3.1), or a draw at the turn limit (G9.3)."""
    for clan in range(2):
        s.order[clan] = UNKNOWN
        s.act[clan] = UNKNOWN
    if s.turn_limit != 0 and s.turn >= s.turn_limit:
        finish(s, DRAW, Ending.TURN_LIMIT)
        return
    s.turn += 1
    s.initiative = 1 - s.initiative  # G3.1
    s.phase = Phase.FIRST_ORDER
    emit(s, EventCode.TURN, s.turn, s.initiative)


# The nine actions (G6) and the tokens that hamper them (G8)


def carry_out(s: GothsState, clan: int) -> bool:
    """Carry out the clan's action; true if its warchief must choose something first."""
    act = s.act[clan]
    if token_forbids(s, clan):
        without_effect(s, clan, Why.TOKEN_FORBIDS)  # G8.9
        return False
    if act == Action.RECONNOITRE:
        return reconnoitre(s, clan)
    if act == Action.SABOTAGE:
        sabotage(s, clan)
    elif act == Action.RECRUIT:
        recruit(s, clan)
    elif act == Action.LOAD:
        load(s, clan)
    elif act == Action.FIRE:
        fire(s, clan)
    elif act == Action.BARRICADE:
        return barricade(s, clan)
    elif act == Action.ADVANCE:
        return advance(s, clan)
    elif act == Action.AXE:
        axe(s, clan)
    else:
        rats(s, clan)
    return False


def without_effect(s: GothsState, clan: int, why: int) -> None:
    """The action counts as carried out all the same (G4.5, G8.9)."""
    emit(s, EventCode.NO_EFFECT, clan, s.act[clan], why)


def forbidden_by(token: int) -> int:
    """The action that a token forbids (G8.5 to G8.8)."""
    return (FORBIDDEN_ACTIONS >> (4 * token)) & 15


def token_forbids(s: GothsState, clan: int) -> bool:
    """Does the clan's token, revealed and not yet discarded, forbid its action? (G8.2, G8.5 to G8.8)"""
    return s.fog[clan] == Fog.REVEALED and forbidden_by(int(s.token[clan])) == s.act[clan]


def reconnoitre(s: GothsState, clan: int) -> bool:
    """Look at a face-down card (G6.1, G8.3); asked only if there is more than one thing to look at."""
    things = sights(s, clan)
    if things & (things - 1) != 0:
        s.phase = Phase.LOOK
        return True
    for sight in range(4):
        if (things >> sight) & 1:
            look(s, clan, sight)
    return False


def sights(s: GothsState, clan: int) -> int:
    """What the clan's warchief may look at: face-down objectives (G6.1), his own hidden token (G8.3)."""
    things = 7 & ~int(s.revealed)
    if s.fog[clan] == Fog.HIDDEN:
        things |= 8
    return things


def look(s: GothsState, clan: int, sight: int) -> None:
    """All see where the warchief looks; he alone sees what is there (G6.1, G10.3)."""
    s.seen[clan] = int(s.seen[clan]) | (1 << sight)
    emit(s, EventCode.LOOKED, clan, sight)
    if sight == 3:
        emit(s, EventCode.SAW_TOKEN, clan, sight, s.token[clan], to=own_seats(s, clan, 1))
    else:
        emit(s, EventCode.SAW_CARD, clan, sight, s.objectives[sight], to=own_seats(s, clan, 1))


def sabotage(s: GothsState, clan: int) -> None:
    """The enemy catapult becomes inactive (G6.2)."""
    if s.catapult[1 - clan]:
        s.catapult[1 - clan] = False
        emit(s, EventCode.SABOTAGED, clan, 1 - clan)
    else:
        without_effect(s, clan, Why.CATAPULT_ALREADY_INACTIVE)


def recruit(s: GothsState, clan: int) -> None:
    """A unit from the reserve joins the army (G6.3)."""
    if s.units[clan] < 3:
        s.units[clan] += 1
        emit(s, EventCode.RECRUITED, clan, s.units[clan])
    else:
        without_effect(s, clan, Why.ARMY_FULL)


def load(s: GothsState, clan: int) -> None:
    """The clan's own catapult becomes active (G6.4)."""
    if s.catapult[clan]:
        without_effect(s, clan, Why.CATAPULT_ALREADY_ACTIVE)
    else:
        s.catapult[clan] = True
        emit(s, EventCode.LOADED, clan)


def fire(s: GothsState, clan: int) -> None:
    """Spend the catapult: two enemy units, unless behind a barricade (G6.5)."""
    if not s.catapult[clan]:
        without_effect(s, clan, Why.CATAPULT_NOT_LOADED)
        return
    s.catapult[clan] = False
    emit(s, EventCode.FIRED, clan, 1 - clan)
    if behind_barricade(s, 1 - clan):
        emit(s, EventCode.PROTECTED, 1 - clan, Why.BARRICADE, Action.FIRE)
    else:
        lose_units(s, 1 - clan, SHOT, Action.FIRE)


def in_the_open(s: GothsState, clan: int) -> int:
    """How many units a shot would cost this army now: none if no catapult is loaded, or behind a barricade (G6.5)."""
    if not s.catapult[1 - clan] or behind_barricade(s, clan):
        return 0
    return min(SHOT, int(s.units[clan]))


def barricade(s: GothsState, clan: int) -> bool:
    """Build (G6.6), or, where its token lies revealed, choose between building and dispersing it (G8.4)."""
    if may_disperse(s, clan):
        s.phase = Phase.TOKEN
        return True
    build(s, clan)
    return False


def may_disperse(s: GothsState, clan: int) -> bool:
    """May the warchief discard his revealed token where the army stands? (G8.4)"""
    place = s.place[clan]
    return s.fog[clan] == Fog.REVEALED and (place == 2 or (place > 2 and s.fog_anywhere))


def build(s: GothsState, clan: int) -> None:
    """Turn the Terrain card under the army to its barricade side (G6.6)."""
    if s.place[clan] > 2:
        without_effect(s, clan, Why.NO_BARRICADE_SIDE)
    elif behind_barricade(s, clan):
        without_effect(s, clan, Why.BARRICADE_STANDS)
    else:
        s.barricades[clan] = int(s.barricades[clan]) | (1 << int(s.place[clan]))
        emit(s, EventCode.BARRICADED, clan, s.place[clan])


def disperse(s: GothsState, clan: int) -> None:
    """Discard the clan's token, which ends its effect (G8.4)."""
    s.fog[clan] = Fog.DISCARDED
    emit(s, EventCode.DISPERSED, clan, s.token[clan])


def advance(s: GothsState, clan: int) -> bool:
    """One card toward the centre; from terrain-3 on, the warchief chooses an objective (G6.7)."""
    if s.place[clan] < 2:
        s.place[clan] += 1
        emit(s, EventCode.ADVANCED, clan, s.place[clan])
        if s.place[clan] == 2 and s.fog[clan] == Fog.HIDDEN:
            reveal_token(s, clan)
        return False
    cards = open_objectives(s, clan)
    if cards & (cards - 1) != 0:
        s.phase = Phase.ENTER
        return True
    for objective in range(3):
        if (cards >> objective) & 1:
            enter(s, clan, objective)
    return False


def open_objectives(s: GothsState, clan: int) -> int:
    """The Objective cards the army may move onto: not its own, not the enemy's (G6.7)."""
    cards = 7
    for army in range(2):
        if s.place[army] > 2:
            cards &= ~(1 << (int(s.place[army]) - 3))
    return cards


def reveal_token(s: GothsState, clan: int) -> None:
    """The token on terrain-3 is turned up for all (G8.2)."""
    s.fog[clan] = Fog.REVEALED
    emit(s, EventCode.TOKEN_REVEALED, clan, s.token[clan])
    if s.token[clan] == Token.BOAR_SHORTAGE and s.catapult[clan]:  # G8.7
        s.catapult[clan] = False
        emit(s, EventCode.BOARS_GONE, clan)


def enter(s: GothsState, clan: int, objective: int) -> None:
    """Move onto an Objective card, turn it up and meet what is there (G6.7)."""
    s.place[clan] = 3 + objective
    emit(s, EventCode.ENTERED, clan, objective)
    if (int(s.revealed) >> objective) & 1 == 0:
        s.revealed = int(s.revealed) | (1 << objective)
        emit(s, EventCode.TURNED_UP, clan, objective, s.objectives[objective])
    if s.objectives[objective] == Objective.QUEEN:
        finish(s, clan, Ending.QUEEN)  # G7.1
    elif s.objectives[objective] == Objective.TRAP:
        lose_units(s, clan, 1, Action.ADVANCE)


def axe(s: GothsState, clan: int) -> None:
    """One enemy unit, unless in a forest or behind a barricade (G6.8)."""
    emit(s, EventCode.ATTACKED, clan, Action.AXE)
    if behind_barricade(s, 1 - clan):
        emit(s, EventCode.PROTECTED, 1 - clan, Why.BARRICADE, Action.AXE)
    elif s.place[1 - clan] == 0:
        emit(s, EventCode.PROTECTED, 1 - clan, Why.FOREST, Action.AXE)
    else:
        lose_units(s, 1 - clan, 1, Action.AXE)


def rats(s: GothsState, clan: int) -> None:
    """One enemy unit, if it is behind a barricade (G6.9)."""
    emit(s, EventCode.ATTACKED, clan, Action.RATS)
    if behind_barricade(s, 1 - clan):
        lose_units(s, 1 - clan, 1, Action.RATS)
    else:
        emit(s, EventCode.PROTECTED, 1 - clan, Why.NO_BARRICADE, Action.RATS)


def behind_barricade(s: GothsState, clan: int) -> bool:
    """Does the army stand on a Terrain card turned to its barricade side?"""
    return s.place[clan] < 3 and (int(s.barricades[clan]) >> int(s.place[clan])) & 1 != 0


def lose_units(s: GothsState, clan: int, units: int, cause: int) -> None:
    """Units go back to the reserve (G6.10); a clan with none left has lost (G7.2)."""
    lost = min(units, int(s.units[clan]))
    s.units[clan] -= lost
    emit(s, EventCode.LOST, clan, lost, cause)
    if s.units[clan] == 0:
        finish(s, 1 - clan, Ending.ELIMINATION)


# The end (G7)


def finish(s: GothsState, winner: int, by: int) -> None:
    """The game is over and nothing changes any more (G5.3)."""
    s.winner = winner
    s.by = by
    s.phase = Phase.OVER
    if winner == DRAW:
        emit(s, EventCode.DRAWN, s.turn)
    else:
        emit(s, EventCode.WON, winner, by)

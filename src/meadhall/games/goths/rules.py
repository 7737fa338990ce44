"""Goths Save the Queen: the rules, clause by clause, as plain functions over one record.

They run as they stand at the table and compiled in simulation; `s` is the position, `clan` is 0 or 1,
a seat is 2 * clan for a king and 2 * clan + 1 for a warchief, and a choice is its number in CHOICES.
"""

from meadhall.dice import roll
from meadhall.fields import UNKNOWN, tell
from meadhall.games.goths.actions import (
    build,
    carry_out,
    disperse,
    enter,
    finish,
    look,
    open_objectives,
    own_seats,
    sights,
)
from meadhall.games.goths.state import (
    ACT,
    ACTION_CHARACTERS,
    BUILD,
    CARD_BACKS,
    DISPERSE,
    DRAW,
    ENTER,
    LOOK,
    NOBODY,
    Ending,
    Fog,
    GothsState,
    Phase,
    Told,
)

ALL_ACTS = 0x1FF << ACT


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
    tell(s, Told.TURN, 1, 0)


def deal(s: GothsState, dice: list[int], fog: bool) -> None:
    """Shuffle the objectives (G1.6) and draw two of the four tokens (G8.1)."""
    s.objectives[0] = roll(dice, 3)
    s.objectives[1] = (s.objectives[0] + 1 + roll(dice, 2)) % 3
    s.objectives[2] = 3 - s.objectives[0] - s.objectives[1]
    for clan in range(2):
        s.token[clan] = UNKNOWN
        s.fog[clan] = Fog.NONE
    if fog:
        s.token[0] = roll(dice, 4)
        s.token[1] = (s.token[0] + 1 + roll(dice, 3)) % 4
        s.fog[0] = Fog.HIDDEN
        s.fog[1] = Fog.HIDDEN


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
    if s.phase == Phase.OVER:
        return False
    return not king and clan == acting(s)


def clan_of(seat: int) -> int:
    """The clan of a seat; `& 1` tells the compiler that it is 0 or 1, which spares a check at every use."""
    return (seat >> 1) & 1


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
        tell(s, Told.SEALED, clan, choice - ACT, 0, own_seats(s, clan, 1))
        if s.act[0] != UNKNOWN and s.act[1] != UNKNOWN:
            reveal_cards(s)
    else:
        if s.phase == Phase.LOOK:
            look(s, clan, choice - LOOK)
        elif s.phase == Phase.ENTER:
            enter(s, clan, choice - ENTER)
        elif choice == BUILD:
            build(s, clan)
        else:
            disperse(s, clan)
        finish_action(s, clan)
        resolve(s)


def back_of(card: int) -> int:
    """The two characters on a King card's back, a bit for each (G1.2)."""
    return (CARD_BACKS >> (4 * card)) & 15


def character_of(action: int) -> int:
    """The character an action belongs to (G6.1 to G6.9)."""
    return (ACTION_CHARACTERS >> (4 * action)) & 15


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


def play_king_card(s: GothsState, clan: int, card: int) -> None:
    """Put a King card face down: all see its back, the king alone its front (G3.2, G3.3, G10.2)."""
    s.order[clan] = card
    s.back[clan] = back_of(card)
    s.hand[clan] = int(s.hand[clan]) & ~(1 << card)
    tell(s, Told.ORDERED, clan, s.back[clan], s.phase)
    tell(s, Told.ORDER_FRONT, clan, card, 0, own_seats(s, clan, 0))
    s.phase = Phase.SECOND_ORDER if s.phase == Phase.FIRST_ORDER else Phase.ACTS


def understood(s: GothsState, clan: int) -> bool:
    """Has the clan communicated: does the action fit the card played or one lying face up? (G4.1)"""
    on_the_table = int(s.deck) & ~int(s.hand[clan])
    return (on_the_table >> (3 * character_of(int(s.act[clan])))) & 7 != 0


def reveal_cards(s: GothsState) -> None:
    """Turn all four cards (G4.1), lay out failed orders (G4.3) and find who acts first (G5.1, G5.2)."""
    for clan in range(2):
        s.through[clan] = understood(s, clan)
    tell_reveal(s)
    for clan in range(2):
        if not s.through[clan]:  # G4.3
            s.face_up[clan][s.face_up_count[clan] & 7] = s.order[clan]
            s.face_up_count[clan] += 1
        s.back[clan] = 0
        s.last_act[clan] = s.act[clan]  # G4.4, G9.1
    leader = int(s.initiative) & 1
    # G5.1: the lower number resolves first; G5.2: of equals, the clan with the initiative.
    s.first = 1 - leader if s.act[1 - leader] < s.act[leader] else leader
    if s.through[0] and s.through[1]:
        tell(s, Told.FIRST, s.first, s.act[s.first], s.act[1 - s.first])
    s.resolved = 0
    resolve(s)


def tell_reveal(s: GothsState) -> None:
    """Report what the cards showed, the clan with the initiative first."""
    for k in range(2):
        clan = (int(s.initiative) + k) & 1
        tell(s, Told.REVEALED, clan, s.order[clan], s.act[clan])
        if s.through[clan]:
            by_face_up = int(s.order[clan]) // 3 != character_of(int(s.act[clan]))
            tell(s, Told.UNDERSTOOD, clan, s.act[clan], by_face_up)
        else:
            tell(s, Told.MISREAD, clan, s.order[clan], s.act[clan])


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
        tell(s, Told.CARDS_BACK, clan)


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
    tell(s, Told.TURN, s.turn, s.initiative)

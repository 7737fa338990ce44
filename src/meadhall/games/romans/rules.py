"""Romans Go Home!: the rules, clause by clause, as plain functions over one record.

They run as they stand at the table and compiled in simulation; `s` is the position, a clan is 0 to 3 in
the order of the table, players first, and a choice is its number (see state.py).
"""

from meadhall.fields import UNKNOWN, tell
from meadhall.games.romans.choices import allowed
from meadhall.games.romans.state import CHARM, KEEP_AXX, KEEP_WEAKEST, PAY, TAKE, Phase, RomansState, Told
from meadhall.games.romans.steps import (
    ask_horsie_and_zvord,
    ask_signal_discards,
    ask_tax,
    ask_to_keep_axx,
    ask_to_keep_weakest,
    ask_which_fort,
    ask_whom_to_charm,
    charm,
    end_turn,
    fight,
    horsie_and_zvord,
    lay_plans,
    pay_tax,
    reveal_warriors,
    send_away,
    signal_fire,
    take_fort,
)


def commit(s: RomansState, clan: int, choice: int) -> None:
    """Seal a choice; when it was the last one owed, all take effect together (R6.3) and play goes on."""
    if not allowed(s, clan, choice):
        raise ValueError("that choice is not legal here")
    s.sealed[clan] = choice
    tell(s, Told.SEALED, clan, choice, 0, 1 << clan)
    s.owed = int(s.owed) & ~(1 << clan)
    if s.owed != 0:
        return
    s.asked = 0
    take_effect(s, choice)
    for other in range(4):
        s.sealed[other] = UNKNOWN
        s.options[other] = 0
    while s.asked == 0 and s.phase != Phase.OVER:
        take_steps(s)


def take_effect(s: RomansState, choice: int) -> None:
    """The question is answered: do what was chosen and name the next step."""
    if s.phase == Phase.PLAN:
        lay_plans(s)
    elif s.phase == Phase.CHARM:
        charm(s, choice - CHARM)
    elif s.phase == Phase.TAKE:
        take_fort(s, choice - TAKE)
    elif s.phase == Phase.KEEP_AXX:
        s.kept_axx = choice == KEEP_AXX
        s.phase = Phase.KEEP_WEAKEST
    elif s.phase == Phase.KEEP_WEAKEST:
        s.kept_weakest = choice == KEEP_WEAKEST
        s.phase = Phase.SEND_AWAY
    elif s.phase == Phase.AFTER:
        horsie_and_zvord(s)
    elif s.phase == Phase.SIGNAL:
        signal_fire(s)
    else:
        pay_tax(s, choice - PAY)


def take_steps(s: RomansState) -> None:
    """Go through the steps of a turn in the order of R6.1: each asks what must be asked, or names the next."""
    if s.phase == Phase.REVEAL:
        reveal_warriors(s)
    if s.phase == Phase.CHARM:
        ask_whom_to_charm(s)
    if s.phase == Phase.FIGHT:
        fight(s)
    if s.phase == Phase.TAKE:
        ask_which_fort(s)
    if s.phase == Phase.KEEP_AXX:
        ask_to_keep_axx(s)
    if s.phase == Phase.KEEP_WEAKEST:
        ask_to_keep_weakest(s)
    if s.phase == Phase.SEND_AWAY:
        send_away(s)
    if s.phase == Phase.AFTER:
        ask_horsie_and_zvord(s)
    if s.phase == Phase.SIGNAL:
        ask_signal_discards(s)
    if s.phase == Phase.TAX:
        ask_tax(s)
    if s.phase == Phase.END_TURN:
        end_turn(s)

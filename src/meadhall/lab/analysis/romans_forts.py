"""Romans: what each fort was worth."""

import numpy as np

from meadhall.bots.romans.rollout import play_round
from meadhall.engine.layout import UNKNOWN
from meadhall.games.romans import rules
from meadhall.games.romans.names import VALUES
from meadhall.games.romans.state import (
    FORTS,
    Ending,
    Phase,
    RomansState,
)
from meadhall.lab.analysis.romans_found import FortWorth
from meadhall.lab.analysis.romans_past import Past, Played


def forts_found(past: Past, played: Played, wall: tuple[str, ...]) -> tuple[FortWorth, ...]:
    """The forts of a round in the order of the Wall as it was laid."""
    fates: dict[int, tuple[int, str]] = {}
    paid, turn = set(), 0
    for event in played.events:
        if event.code == "turn":
            turn = int(event.args["turn"] or 0)
        elif event.code in ("captured", "fort-discarded"):
            fates[int(event.args["laid"] or 0)] = turn, str(event.args.get("clan", ""))
        elif event.code == "paid" and event.args["round"] == played.number:
            paid.add(int(event.args["laid"] or 0))
    found = []
    for laid, fort in enumerate(wall, start=1):
        turn, captor = fates.get(laid, (0, ""))
        worth, side = _worth(past, played.over, fort, captor if laid not in paid else "", turn)
        found.append(FortWorth(fort, laid, turn, captor, VALUES[fort], worth, side, laid in paid))
    return tuple(found)


def _worth(past: Past, over: RomansState, name: str, captor: str, turn: int) -> tuple[float, str]:
    """By how much holding a fort changes whose chance to win: its captor's, or that of whom it would help most."""
    fort, holder = FORTS.index(name), past.clans.index(captor) if captor else UNKNOWN
    if turn == 0:
        return 0.0, ""
    nobody = _without(past, over, fort, holder) if holder != UNKNOWN else _reopened(over)
    alone = past.wins(nobody)
    if holder != UNKNOWN and holder < len(past.sides):
        return past.wins(over)[holder] - alone[holder], captor
    gains = [past.wins(_with(nobody, fort, clan))[clan] - alone[clan] for clan in range(len(past.sides))]
    most = int(np.argmax(gains))
    return gains[most], past.sides[most]


def _reopened(over: RomansState) -> RomansState:
    """The end of a round before its winners, if it was the last, are found."""
    state = over.copy()
    if state.by != Ending.LEGIONS:
        state.phase = Phase.END_TURN
    return state


def _without(past: Past, over: RomansState, fort: int, holder: int) -> RomansState:
    """The end of a round if a clan had lost a fort; if that won the game by legions, the round is played on."""
    state = _reopened(over)
    won = state.phase == Phase.OVER and state.winners >> holder & 1 and rules.is_legion(fort)
    phase, state.captor = state.phase, holder
    rules.pay_tax(state, fort)
    state.phase = phase
    if won:
        state.winners, state.by, state.prize, state.turn, state.phase = 0, UNKNOWN, UNKNOWN, 0, Phase.SEND_AWAY
        state.kept_axx = state.kept_weakest = False
        rules.take_steps(state)
        play_round(state)
    return state


def _with(lost: RomansState, fort: int, clan: int) -> RomansState:
    """The end of a round if a clan had taken a fort that was lost."""
    state = lost.copy()
    if state.phase == Phase.OVER:
        return state
    place = max(k for k in range(state.lost_count) if state.lost_forts[k] == fort)
    kept = [state.lost_forts[k] for k in range(state.lost_count) if k != place]
    for k in range(18):
        state.lost_forts[k] = kept[k] if k < len(kept) else UNKNOWN
    state.lost_count = len(kept)
    state.wall, state.wall_count, state.captor = fort, 1, clan
    rules.take_fort(state, 0)
    if state.phase != Phase.OVER:
        state.phase = Phase.END_TURN
    return state

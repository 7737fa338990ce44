"""What positions of Goths are worth to a warchief under a stranger, a king who is one of `partners.py`.

A warchief who knows how such people order does as well as that lets him against enemies who are such people too. Value
iteration over the public positions, as in the solver, but nothing has to be learnt: against known policies the best
choice of a turn follows at once. What the enemies' backs would tell is left out: it would make too much of a model.
"""

from collections.abc import Sequence

import numpy as np

from meadhall.bots.goths.cards import ACTION_CHARACTERS, backs_of
from meadhall.bots.goths.equilibrium import Floats
from meadhall.bots.goths.partners import partner_king, partner_warchief
from meadhall.bots.goths.positions import DRAWN, LOST, NO_ACTION, POSITIONS, WON
from meadhall.bots.goths.public import GAME, RULES
from meadhall.bots.goths.values import COMPANY_DISCOUNT
from meadhall.engine.layout import UNKNOWN
from meadhall.games.goths.state import SEATS, Phase
from meadhall.lab.shards import Workers, in_order
from meadhall.lab.solve.goths_positions import set_up_position, start_turn
from meadhall.lab.solve.goths_transitions import Transitions, blank_state
from meadhall.match import View

SLIP = 0.15  # how often anybody does something else
PRECISION = 1e-4
PART = 300  # positions looked at at a time

Conduct = tuple[Floats, Floats]  # of a clan: [position, back, 2] of its king, [position, back, action] of its warchief


def company_values(transitions: Transitions, workers: Workers) -> Floats:
    """[have the enemies the initiative?, position]: a warchief's chances under a stranger."""
    positions = transitions.positions.tolist()
    spans = [positions[first : first + PART] for first in range(0, len(positions), PART)]
    parts = [part for _, part in in_order(lambda span: workers.submit(conducts_of, span), spans, workers.ahead)]
    kings, chiefs = (np.concatenate([part[k] for part in parts], axis=1) for k in range(2))
    conducts = [(_slipping(kings[clan], (1, 2)), _slipping(chiefs[clan], (2,))) for clan in range(2)]
    values, change = np.full((2, POSITIONS), 0.5, np.float32), 1.0
    while change > PRECISION:
        new = np.array([_turn(transitions, conducts, values, first) for first in range(2)])
        change = float(np.abs(new - values[:, positions]).max())
        values[:, positions] = new
    return values


def conducts_of(positions: Sequence[int]) -> tuple[Floats, Floats]:
    """What people do in some positions: [clan, position, back, 2] of kings and [.., 9] of warchiefs."""
    kings: list[list[Floats]] = [[], []]
    chiefs: list[list[Floats]] = [[], []]
    s = blank_state()
    for number in positions:
        start_turn(s)
        orders = set_up_position(s, number)
        s.phase = Phase.FIRST_ORDER
        for k in range(3):
            s.objectives[k] = orders[0][k] if int(s.revealed) >> k & 1 else UNKNOWN
        for clan in range(2):
            s.hand[clan] = s.deck
        for clan in range(2):
            view = View(GAME, RULES, SEATS[2 * clan], GAME.reveal(s.copy(), UNKNOWN))
            kings[clan].append(partner_king(view))
            chiefs[clan].append(partner_warchief(view))
    return np.array(kings, np.float32), np.array(chiefs, np.float32)


def _slipping(policy: Floats, axes: tuple[int, ...]) -> Floats:
    """A policy of somebody who does something else now and then."""
    choices = np.prod([policy.shape[axis] for axis in axes])
    found: Floats = ((1.0 - SLIP) * policy + SLIP / choices).astype(np.float32)
    return found


def _through() -> Floats:
    """[back, card, action]: does the order get through?"""
    backs = backs_of(int(blank_state().deck))
    found: Floats = (backs.characters[:, :, None] == ACTION_CHARACTERS).astype(np.float32)
    return found


def _outcomes(conduct: Conduct) -> Floats:
    """[position, outcome]: how often a clan brings about each outcome."""
    acts = np.einsum("pbc,pba,bca->pa", *conduct, _through(), optimize=True)
    found: Floats = np.concatenate([acts, 1.0 - acts.sum(axis=1, keepdims=True)], axis=1)
    return found


def _turn(transitions: Transitions, conducts: list[Conduct], values: Floats, enemies_first: int) -> Floats:
    """The values of all positions after the best answers of one more turn."""
    after = np.full(POSITIONS + 3, 0.5, np.float32)
    after[:POSITIONS] += COMPANY_DISCOUNT * (values[1 - enemies_first] - 0.5)  # the initiative passes (G3.1)
    after[WON], after[LOST], after[DRAWN] = (0.0, 1.0, 0.5) if enemies_first else (1.0, 0.0, 0.5)
    pairs = np.add.reduceat(transitions.chances * after[transitions.successors], transitions.starts[:-1])
    pairs = pairs.reshape(-1, NO_ACTION + 1, NO_ACTION + 1)
    if enemies_first:
        pairs = pairs.swapaxes(1, 2)
    worth = np.einsum("pxo,po->px", pairs, _outcomes(conducts[1 - enemies_first]))[:, None]
    king, through = conducts[enemies_first][0], _through()
    # He sees the back and does what is best, whichever card his king may have meant.
    meant, shown = np.einsum("pbc,bca->pba", king, through), king.sum(axis=2, keepdims=True)
    acts = meant * worth[..., :NO_ACTION] + (shown - meant) * worth[..., NO_ACTION:]
    found: Floats = acts.max(axis=2).sum(axis=1)
    return found

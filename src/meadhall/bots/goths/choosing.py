"""Goths: from what a style of thinking makes of a turn to one choice, whichever decision it is."""

from random import Random

import numpy as np

from meadhall.bots.goths.belief import (
    Style,
    Turn,
    allowed_acts,
    card_weights,
    inclined,
    reckon,
    turn_of,
)
from meadhall.bots.goths.easy import face_up_characters
from meadhall.bots.goths.equilibrium import sharpened
from meadhall.bots.goths.outcomes import ends_of
from meadhall.bots.goths.positions import ORDERS, answer_the_rest, worlds_with
from meadhall.games.goths.rules import commit
from meadhall.games.goths.state import ACT, CHOICES, Phase
from meadhall.match import View


def weigh(view: View, style: Style) -> dict[str, tuple[float, float]]:
    """Every choice with how often it would be made (adding up to 1) and the chance to win after it."""
    s = view.state
    if s.phase <= Phase.SECOND_ORDER:
        return _weigh_cards(view, style, turn_of(view, style))
    if s.phase == Phase.ACTS:
        return _weigh_acts(view, style, turn_of(view, style))
    return _weigh_small(view, style)


def pick(view: View, style: Style, dice: Random) -> str:
    """One of the choices, as often as the style makes it."""
    options = weigh(view, style)
    names = sorted(options)
    return dice.choices(names, [options[name][0] for name in names])[0]


def _weigh_cards(view: View, style: Style, turn: Turn) -> dict[str, tuple[float, float]]:
    weights, chances = card_weights(turn, view, style)
    strong = sharpened(weights, style.manner.sharpness, (0, 1))
    hand = int(view.state.hand[view.number >> 1])
    found = {}
    for (back, which), card in np.ndenumerate(turn.backs.cards):
        if card >= 0 and hand >> int(card) & 1:
            found[CHOICES[card]] = (float(strong[back, which]), float(chances[back, which]))
    return found


def _weigh_acts(view: View, style: Style, turn: Turn) -> dict[str, tuple[float, float]]:
    found = reckon(turn, view, style)
    acts = allowed_acts(view)
    allowed = np.zeros(9, bool)
    allowed[acts] = True
    # He wants to understand his king, beside what it gains.
    weights = inclined(found.promise + style.trust * found.through, found.weights, allowed)
    strong = sharpened(weights, style.manner.sharpness, (0,))
    return {CHOICES[ACT + act]: (float(strong[act]), float(found.promise[act])) for act in acts}


def _weigh_small(view: View, style: Style) -> dict[str, tuple[float, float]]:
    """Where to look, where to go, whether to disperse the fog: what the turn leads to, by what this seat knows."""
    s, seat = view.state, view.number
    worlds = [ORDERS[n] for n in worlds_with(s.objectives)]
    chances = {}
    for choice in view.choice_ids:
        mean = 0.0
        for world in worlds:
            after = s.copy()
            for k in range(3):
                after.objectives[k] = world[k]
            commit(after, seat, choice)
            answer_the_rest(after, world)
            cases = [(face_up_characters(after, clan),) for clan in range(2)]
            mean += float(style.evaluation(ends_of([after]), cases[0], cases[1])[0, 0, 0]) / len(worlds)
        chances[CHOICES[choice]] = mean if seat >> 1 == 0 else 1.0 - mean
    best = max(chances.values())
    ties = [name for name, chance in chances.items() if chance > best - 1e-6]
    return {name: (1.0 / len(ties) if name in ties else 0.0, chance) for name, chance in chances.items()}

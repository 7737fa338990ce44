"""What an action would do in a position of Goths, as the key of a sentence: the reason that a hint gives first."""

from meadhall.bots.goths.heuristics import is_forbidden
from meadhall.bots.goths.objectives import objectives_seen
from meadhall.games.goths.rules import behind_barricade
from meadhall.games.goths.state import Action, GothsState, Objective
from meadhall.match import View

IDLE = "goths.because.idle"


def because(view: View, act: int) -> str:
    """The key of a sentence that says what this action does for the seat's clan."""
    s, clan = view.state, view.number >> 1
    if is_forbidden(s, clan, act):
        return IDLE
    if act in (Action.FIRE, Action.AXE, Action.RATS):
        return _attack(s, clan, act)
    if act in (Action.ADVANCE, Action.RECONNOITRE):
        return _way_to_the_queen(s, clan, act)
    return _preparation(s, clan, act)


def _attack(s: GothsState, clan: int, act: int) -> str:
    foe = 1 - clan
    sheltered, units = behind_barricade(s, foe), int(s.units[foe])
    if act == Action.FIRE:
        if not s.catapult[clan] or sheltered:
            return IDLE
        return "goths.because.fire-last" if units <= 2 else "goths.because.fire"
    # Barricade is 6 and advance 7: the axe (8) and the rats (9) find what those have just done (G5.1).
    if act == Action.AXE and (sheltered or s.place[foe] == 0):
        return "goths.because.axe-step"
    if act == Action.RATS and not sheltered:
        return "goths.because.rats-built" if s.place[foe] <= 2 else IDLE
    if act == Action.RATS:
        return "goths.because.rats-last" if units == 1 else "goths.because.rats"
    return "goths.because.axe-last" if units == 1 else "goths.because.axe"


def _way_to_the_queen(s: GothsState, clan: int, act: int) -> str:
    knows = objectives_seen(s, clan) >= 2
    if act == Action.RECONNOITRE:
        return IDLE if knows else "goths.because.reconnoitre"
    if s.place[clan] < 2:
        return "goths.because.advance"
    sees_her = Objective.QUEEN in list(s.objectives)
    return "goths.because.advance-queen" if knows or sees_her else "goths.because.advance-centre"


def _preparation(s: GothsState, clan: int, act: int) -> str:
    foe = 1 - clan
    in_the_open, aimed = not behind_barricade(s, clan), bool(s.catapult[foe])
    if act == Action.SABOTAGE:
        if not aimed:
            return IDLE
        return "goths.because.sabotage-open" if in_the_open else "goths.because.sabotage"
    if act == Action.RECRUIT:
        if s.units[clan] == 3:
            return IDLE
        return (
            "goths.because.recruit-aimed" if aimed and in_the_open and s.units[clan] == 2 else "goths.because.recruit"
        )
    if act == Action.LOAD:
        if s.catapult[clan]:
            return "goths.because.load-again"  # sabotage is 2, load is 4 (G5.1)
        return "goths.because.load" if behind_barricade(s, foe) else "goths.because.load-open"
    if s.place[clan] > 2 or not in_the_open:
        return IDLE
    return "goths.because.barricade-aimed" if aimed else "goths.because.barricade"

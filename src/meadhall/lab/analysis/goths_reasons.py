"""Goths: why one choice was better than another, in one sentence, by what the seat knew when it chose."""

from meadhall.bots.evaluation import Reason
from meadhall.bots.goths.objectives import OBJECTIVE_ORDERS, possible_orders
from meadhall.bots.percent import percent
from meadhall.games.goths.rules import chance, character_of
from meadhall.games.goths.state import (
    ACT,
    ACTIONS,
    CARD_CHARACTER,
    CHARACTERS,
    CHOICES,
    ENTER,
    LOOK,
    PLACES,
    SIGHTS,
    Chance,
    GothsState,
    Objective,
    Phase,
)
from meadhall.lab.analysis.goths_chances import Turn
from meadhall.match import View

Args = dict[str, str | int | float]
CLEARER = 0.1  # so much more likely to be understood is worth saying


def why(turn: Turn, view: View, chosen: str, better: str) -> Reason:
    """Why `better` was better than what was chosen, or that nothing was."""
    phase = view.state.phase
    one, other = CHOICES.index(chosen), CHOICES.index(better)
    if phase <= Phase.SECOND_ORDER:
        return _why_card(turn, view, one, other)
    if phase == Phase.ACTS:
        return _why_action(turn, view, one - ACT, other - ACT)
    if phase == Phase.LOOK:
        return _why_look(view, one - LOOK, other - LOOK)
    if phase == Phase.ENTER:
        return _why_enter(view, one - ENTER, other - ENTER)
    return Reason("goths.analysis.token.good" if one == other else "goths.analysis.token.other", {})


def _why_card(turn: Turn, view: View, chosen: int, better: int) -> Reason:
    """A king's card: by its character, and by how surely it is understood."""
    clan = view.number >> 1
    args: Args = {
        "character": CHARACTERS[CARD_CHARACTER[chosen]],
        "character_better": CHARACTERS[CARD_CHARACTER[better]],
    }
    if chosen == better:
        return Reason("goths.analysis.order.good", args)
    args["action_better"] = ACTIONS[turn.action_for(view, better)]
    same = CARD_CHARACTER[chosen] == CARD_CHARACTER[better]
    if turn.start.lone[clan]:
        return Reason("goths.analysis.order.hidden" if same else "goths.analysis.order.other", args)
    through, best = (turn.understood_of(view, card) for card in (chosen, better))
    args |= {"percent": percent(through), "percent_better": percent(best)}
    if same:
        clearer = percent(best) > percent(through) + 2
        return Reason("goths.analysis.order.same" if clearer else "goths.analysis.order.hidden", args)
    if best >= through + CLEARER:
        return Reason("goths.analysis.order.clearer", args)
    return Reason("goths.analysis.order.other", args)


def _why_action(turn: Turn, view: View, chosen: int, better: int) -> Reason:
    """A warchief's card: by what his king could have meant."""
    s, clan = view.state, view.number >> 1
    args: Args = {
        "action": ACTIONS[chosen],
        "action_better": ACTIONS[better],
        "character": CHARACTERS[character_of(chosen)],
        "character_better": CHARACTERS[character_of(better)],
    }
    if chosen == better:
        return Reason("goths.analysis.act.good", args)
    if turn.start.lone[clan]:
        return Reason("goths.analysis.act.other", args)
    backs = int(s.back[0]), int(s.back[1])
    through, best = (_through(turn, clan, backs, act) for act in (chosen, better))
    args |= {"percent": percent(through), "percent_better": percent(best)}
    if character_of(chosen) == character_of(better):
        return Reason("goths.analysis.act.other", args)
    if through == 0.0:
        return Reason("goths.analysis.act.never", args)
    if best >= through + CLEARER and chance(turn.start, clan, character_of(better)) == Chance.SURELY:
        return Reason("goths.analysis.act.face-up", args)
    if best >= through + CLEARER:
        return Reason("goths.analysis.act.meant", args)
    return Reason("goths.analysis.act.risk" if best <= through - CLEARER else "goths.analysis.act.other", args)


def _through(turn: Turn, clan: int, backs: tuple[int, int], act: int) -> float:
    """How likely an action was to get through, to a sensible warchief."""
    return sum(likely for card, likely in turn.readings(clan, backs).items() if turn.gets_through(clan, card, act))


def _why_look(view: View, chosen: int, better: int) -> Reason:
    s, clan = view.state, view.number >> 1
    args: Args = {"sight": SIGHTS[chosen], "sight_better": SIGHTS[better]}
    if chosen == better:
        return Reason("goths.analysis.look.good", args)
    known = int(s.seen[clan]) >> chosen & 1
    return Reason("goths.analysis.look.known" if known else "goths.analysis.look.other", args)


def _why_enter(view: View, chosen: int, better: int) -> Reason:
    s = view.state
    args: Args = {"place": PLACES[3 + chosen], "place_better": PLACES[3 + better]}
    if knows(s, better) == Objective.QUEEN:
        return Reason("goths.analysis.enter.right" if chosen == better else "goths.analysis.enter.queen", args)
    if chosen == better:
        return Reason("goths.analysis.enter.good", args)
    if knows(s, chosen) == Objective.TRAP:
        return Reason("goths.analysis.enter.trap", args)
    return Reason("goths.analysis.enter.other", args)


def knows(s: GothsState, door: int) -> int | None:
    """What a view knows to lie on an Objective card, be it that the two others are known."""
    cards = {OBJECTIVE_ORDERS[number][door] for number in possible_orders(s.objectives)}
    return cards.pop() if len(cards) == 1 else None

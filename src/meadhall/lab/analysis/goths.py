"""The analysis of a game of Goths: chances beat by beat, every choice beside a better one, what was meant and read.

The curve knows all that lies face down and all that was sealed; whoever is still to choose is taken to choose sensibly
by what he knows (`goths_chances.py`). So it moves only when somebody chooses: with a King card, by how its back will be
read; with a Warchief card, by what the two will do; with a look or a step onto an objective, by what lies there. A
choice is judged by what its seat knew (`worth_of_choices`), never by what came out.
"""

from collections.abc import Callable

from meadhall.engine.layout import UNKNOWN
from meadhall.games.goths.state import ACT, CHOICES, GothsState, Phase
from meadhall.lab.analysis.goths_chances import Both, Turn, Turns, expected, worth_of_choices
from meadhall.lab.analysis.goths_found import Detail, Order
from meadhall.lab.analysis.goths_orders import order_of, pairs_of
from meadhall.lab.analysis.goths_reasons import why
from meadhall.lab.analysis.goths_turns import Step, turning_points
from meadhall.lab.analysis.report import Decision, Found, Point
from meadhall.match import Match

__all__ = ["Detail", "found"]

AS_GOOD = 0.01  # a difference in chances that is none


def found(match: Match, progress: Callable[[float], None]) -> Found:
    """The analysis of a finished game."""
    timeline = match.opened_timeline()
    choices = match.record()["choices"]
    turns = Turns(match.rules)
    game = Match(match.header)
    start = game.state.copy()
    chance = turns.at(start).chance()
    curve = [Point(beat, (chance, 1.0 - chance)) for beat in range(len(timeline[0]))]
    decisions: list[Decision] = []
    orders: list[Order] = []
    steps: list[Step] = []
    for number, (seat, choice) in enumerate(choices):
        progress(number / len(choices))
        before, view, turn = game.state.copy(), game.view(seat), turns.at(start)
        beat = len(curve)
        decision = None
        if len(view.choice_ids) > 1:
            decision = len(decisions)
            decisions.append(_decision(turns, start, turn, number, beat, seat, choice, game))
        events = game.commit(seat, choice)
        s = game.state
        if before.phase == Phase.ACTS and s.phase != Phase.ACTS:
            cards = int(before.order[0]), int(before.order[1])
            acts = [int(before.act[clan]) for clan in range(2)]
            acts[view.number >> 1] = CHOICES.index(choice) - ACT
            orders += [
                order_of(turn, int(before.turn), clan, cards, acts[clan], beat) for clan in (turn.first, 1 - turn.first)
            ]
        if s.phase == Phase.FIRST_ORDER:
            start = s.copy()
        after = _chance(turns.at(start), s)
        curve += [Point(len(curve) + k, (after, 1.0 - after)) for k in range(len(timeline[number + 1]))]
        steps.append(Step(number, beat, seat, choice, before, s.copy(), tuple(events), chance, after, decision))
        chance = after
    progress(1.0)
    told = tuple(orders)
    return Found(
        curve=tuple(curve),
        decisions=tuple(decisions),
        turning_points=turning_points(steps, decisions, told),
        detail=Detail(told, pairs_of(told)),
    )


def _chance(turn: Turn, s: GothsState) -> float:
    """The Ostrogoths' chance to win, whatever the table waits for."""
    if s.phase > Phase.ACTS:
        return expected(s)
    return turn.chance(_chosen(s.order), _chosen(s.act))


def _chosen(both: list[int]) -> Both:
    ours, theirs = (None if each == UNKNOWN else int(each) for each in both)
    return ours, theirs


def _decision(
    turns: Turns, start: GothsState, turn: Turn, number: int, beat: int, seat: str, chosen: str, game: Match
) -> Decision:
    """A choice beside the best one, by what the seat knew."""
    view = game.view(seat)
    worth = worth_of_choices(turns, start, view)
    best = max(worth, key=lambda each: worth[each])
    better = chosen if worth[chosen] >= worth[best] - AS_GOOD else best
    return Decision(
        choice=number,
        beat=beat,
        chapter=str(int(start.turn)),
        seat=seat,
        chosen=chosen,
        better=better,
        win=worth[chosen],
        best=worth[better],
        why=why(turn, view, chosen, better),
    )

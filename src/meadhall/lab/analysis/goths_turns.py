"""Goths: where a game turned, by whose doing, in one sentence."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from meadhall.bots.evaluation import Reason
from meadhall.games.game import Event
from meadhall.games.goths.state import CLANS, GothsState, Phase
from meadhall.lab.analysis.goths_found import Order
from meadhall.lab.analysis.report import Decision, TurningPoint

POINTS = 6  # at most
SWING = 0.08  # of a turn, at least
STEP = 0.05  # of the choice that moved most in it, at least
BLAMED = 0.03  # a choice that fell short by so much is to blame


@dataclass(frozen=True)
class Step:
    """One choice and what it did to the Ostrogoths' chance."""

    choice: int
    beat: int
    seat: str
    chosen: str
    before: GothsState
    after: GothsState
    events: tuple[Event, ...]
    chance: float
    then: float
    decision: int | None

    @property
    def clan(self) -> str:
        """Whose choice it was."""
        return self.seat.partition("-")[0]

    @property
    def rise(self) -> float:
        """By how much the chances of whoever chose rose."""
        rise = self.then - self.chance
        return rise if self.clan == CLANS[0] else -rise


@dataclass(frozen=True)
class Context:
    """The turn in which a choice was made: its orders by clan, all its events, and the decisions of the game."""

    orders: Mapping[str, Order]
    events: tuple[Event, ...]
    decisions: Sequence[Decision]
    king: int | None  # the decision of the king of whoever chose

    def fell_short(self, decision: int | None) -> bool:
        """Was something clearly better, by what the seat knew?"""
        return decision is not None and self.decisions[decision].lost >= BLAMED

    def to_blame(self, decision: int | None) -> int | None:
        """The decision, if it is to blame."""
        return decision if self.fell_short(decision) else None


Told = tuple[str, dict[str, str], int | None]  # the key of the sentence, its arguments, the decision to blame


def turning_points(
    steps: Sequence[Step], decisions: Sequence[Decision], orders: Sequence[Order]
) -> tuple[TurningPoint, ...]:
    """The choices that moved most in those parts of turns after which the game stood most unlike before."""
    turns: defaultdict[int, list[Step]] = defaultdict(list)
    for step in steps:
        turns[int(step.before.turn)].append(step)
    parts = [part for turn in turns.values() for part in _parts(turn)]
    found = []
    for part in sorted(parts, key=lambda each: -abs(_swing(each)))[:POINTS]:
        up = _swing(part) > 0
        step = max(part, key=lambda each: (each.then - each.chance) * (1 if up else -1))
        if abs(_swing(part)) < SWING or abs(step.rise) < STEP:
            continue
        turn = int(step.before.turn)
        king = [each.decision for each in turns[turn] if each.seat == f"{step.clan}-king"]
        context = Context(
            {order.clan: order for order in orders if order.turn == turn},
            tuple(event for each in turns[turn] for event in each.events),
            decisions,
            king[0],
        )
        key, args, blamed = _told(step, context)
        side = CLANS[0] if up else CLANS[1]
        reason = Reason(key, {"clan": step.clan, **args})
        found.append(TurningPoint(step.beat, side, abs(step.then - step.chance), reason, blamed))
    return tuple(sorted(found, key=lambda each: each.beat))


def _parts(turn: list[Step]) -> list[list[Step]]:
    """A turn in parts: the four cards, and each choice within the actions, where luck has a say."""
    cards = [step for step in turn if step.before.phase <= Phase.ACTS]
    return [cards, *([step] for step in turn if step.before.phase > Phase.ACTS)]


def _swing(part: list[Step]) -> float:
    return part[-1].then - part[0].chance


def _told(step: Step, context: Context) -> Told:
    """What happened, and the decision to blame: that of whoever chose, or of his king."""
    # A card that wins is the end already when it is sealed.
    known = context.events if step.rise > 0 else step.events
    won = next((event for event in known if event.code == "won"), None)
    if won is not None and (won in step.events or won.args["clan"] == step.clan):
        return _won(step, context, won)
    if step.before.phase <= Phase.SECOND_ORDER:
        return _card(step, context)
    if step.before.phase == Phase.ACTS:
        return _action(step, context)
    blamed = context.to_blame(step.decision) if step.rise < 0 else None
    if step.before.phase == Phase.LOOK:
        saw = [event.args["thing"] for event in step.events if event.code == "saw"]
        if "queen" in saw:
            return "goths.analysis.turn.saw-queen", {}, blamed
        return "goths.analysis.turn.looked" if step.rise > 0 else "goths.analysis.turn.saw-other", {}, blamed
    if step.before.phase == Phase.ENTER:
        trapped = any(event.code == "lost" and event.args["clan"] == step.clan for event in step.events)
        place = step.chosen.partition(":")[2]
        return "goths.analysis.turn.trap" if trapped else "goths.analysis.turn.entered", {"place": place}, blamed
    return "goths.analysis.turn.fog", {}, blamed


def _won(step: Step, context: Context, won: Event) -> Told:
    """The end: by whom, and whether the loser could have known better."""
    winner = str(won.args["clan"])
    loser = CLANS[1 - CLANS.index(winner)]
    blamed = context.to_blame(step.decision) if step.clan == loser else None
    if won.args["by"] == "queen":
        return "goths.analysis.turn.queen", {"clan": winner}, blamed
    return "goths.analysis.turn.elimination", {"clan": winner, "clan_loser": loser}, blamed


def _card(step: Step, context: Context) -> Told:
    """A King card."""
    character = step.chosen.partition(":")[2].partition("/")[0]
    if step.rise > 0:
        return "goths.analysis.turn.order-right", {"character": character}, None
    if not context.fell_short(step.decision) or step.decision is None:
        return "goths.analysis.turn.order-unlucky", {"character": character}, None
    better = context.decisions[step.decision].better.partition(":")[2].partition("/")[0]
    if better == character:
        return "goths.analysis.turn.order-card", {"character": character}, step.decision
    return "goths.analysis.turn.order-worse", {"character": character, "character_better": better}, step.decision


def _action(step: Step, context: Context) -> Told:
    """A Warchief card."""
    order = context.orders[step.clan]
    action = {"action": order.action, "character_meant": order.meant.partition("/")[0]}
    if not order.understood:
        if step.rise > 0:
            return "goths.analysis.turn.lost-luckily", action, None
        if order.lone:
            return "goths.analysis.turn.lone-failed", action, context.to_blame(step.decision)
        keys = {
            "king": "goths.analysis.turn.misread-king",
            "warchief": "goths.analysis.turn.misread-warchief",
            "nobody": "goths.analysis.turn.misread-nobody",
        }
        # A back that looks like something else is its king's doing, and one that can be either is nobody's.
        blamed = {"king": context.king, "warchief": step.decision, "nobody": None}[order.misread_by]
        return keys[order.misread_by], action, context.to_blame(blamed)
    if step.rise > 0:
        enemy = CLANS[1 - CLANS.index(step.clan)]
        hit = any(
            event.code == "lost" and event.args["clan"] == enemy and event.args["cause"] == order.action
            for event in context.events
        )
        if hit:
            return "goths.analysis.turn.hit", action | {"clan_enemy": enemy}, None
        if order.lone:
            return "goths.analysis.turn.lone-right", action, None
        return "goths.analysis.turn.face-up" if order.by_face_up else "goths.analysis.turn.understood", action, None
    if context.fell_short(step.decision) and step.decision is not None:
        better = context.decisions[step.decision].better.partition(":")[2]
        return "goths.analysis.turn.act-worse", action | {"action_better": better}, step.decision
    return "goths.analysis.turn.act-unlucky", action, None

"""What `hard` says of a position of Goths: every choice with its chance, the best first, and why, in words first.

The choices are in the order of their chances, so what is said to help most does; what cannot get through comes last.
"""

from dataclasses import dataclass

from meadhall.bots.evaluation import Evaluation, Reading, Reason, Valued
from meadhall.bots.goths.because import because
from meadhall.bots.goths.belief import solved_turn, warchief_belief
from meadhall.bots.goths.cards import ACTION_CHARACTERS, face_up_characters
from meadhall.bots.goths.caveats import caveat
from meadhall.bots.goths.equilibrium import Floats
from meadhall.bots.goths.objectives import OBJECTIVE_ORDERS, possible_orders
from meadhall.bots.goths.policy import policy_at, strategy, thinks
from meadhall.bots.goths.recognition import beliefs
from meadhall.bots.goths.response import Thought, act_weights, card_acts, expected_warchief, meanings, think, understood
from meadhall.bots.percent import percent
from meadhall.engine.layout import UNKNOWN
from meadhall.games.goths.rules import character_of
from meadhall.games.goths.state import (
    ACT,
    ACTIONS,
    CARD_CHARACTER,
    CARDS,
    CHARACTERS,
    CHOICES,
    CLANS,
    ENTER,
    LOOK,
    PLACES,
    SIGHTS,
    Objective,
    Phase,
)
from meadhall.match import View

LIKELY = 0.6
UNLIKELY = 0.15  # what gets through less often is no advice, however little it loses
# How much more, of a chance to win, a choice must promise to be advised before another that is sure to get through.
GAMBLE = 0.03


@dataclass(frozen=True)
class Guess:
    """What a warchief makes of the backs: the chance of each action to get through, and of each card to lie there."""

    through: Floats
    readings: tuple[Reading, ...]


def evaluated(view: View) -> Evaluation:
    """The numbers behind a choice, and the reason for it."""
    guess = _guess(view) if view.state.phase == Phase.ACTS else None
    choices = _ranked(view, guess)
    why: Reason
    if len(choices) == 1:
        why = Reason("goths.why.only", {})
    elif view.state.phase <= Phase.SECOND_ORDER:
        why = _why_card(view, choices)
    elif guess is not None:
        why = _why_act(view, choices, guess)
    else:
        why = _why_within_turn(view, choices)
    found = caveat("hard", view.rules)
    readings = () if guess is None else guess.readings
    return Evaluation(
        str(view.seat), choices[0].win, tuple(choices), why, readings, None if found is None else found.key
    )


def _ranked(view: View, guess: Guess | None) -> list[Valued]:
    """All choices, the best first; none is said to be worth more than the best."""

    def through(name: str) -> float:
        return 1.0 if guess is None else float(guess.through[CHOICES.index(name) - ACT])

    def rank(each: Valued) -> tuple[bool, float, float, str]:
        chance = through(each.choice)
        return chance < UNLIKELY, -each.win - GAMBLE * chance, -each.weight, each.choice

    policy = policy_at(view, told=True)
    valued = sorted((Valued(name, min(max(win, 0.0), 1.0), weight) for name, (weight, win) in policy.items()), key=rank)
    best = valued[0].win
    return [each if each.win <= best else Valued(each.choice, best, each.weight) for each in valued]


# A king


def _why_card(view: View, choices: list[Valued]) -> Reason:
    """What the character is to do, and the chance that he is understood."""
    card = CHOICES.index(choices[0].choice)
    character = CARD_CHARACTER[card]
    different = (each for each in choices if CARD_CHARACTER[CHOICES.index(each.choice)] != character)
    other = next(different, choices[1])
    args: dict[str, str | int | float] = {"other": other.choice, "character": CHARACTERS[character]}
    if not thinks(view):
        return Reason("goths.why.order-lone", args)
    thought = think(view, beliefs(view), told=True)
    args["because"] = because(view, _meant_act(view, thought, card))
    return Reason(
        "goths.why.order",
        args | {"through": percent(min(float(understood(view, thought)[thought.backs.place(card)]), 1.0))},
    )


def _meant_act(view: View, thought: Thought, card: int) -> int:
    """The action that a king has in mind with a card: the best of its character, and likely to be taken for it."""
    back, which = thought.backs.place(card)
    acts, chief = card_acts(view, thought)[back, which], expected_warchief(view, thought)[back]
    own = [act for act in range(9) if ACTION_CHARACTERS[act] == CARD_CHARACTER[card]]
    taken = [act for act in own if chief[act] > 0.5 * max(chief[k] for k in own)]
    return max(taken or own, key=lambda act: float(acts[act]))


# A warchief


def _guess(view: View) -> Guess:
    clan = view.number >> 1
    if thinks(view):
        thought = think(view, beliefs(view), told=True)
        _, _, through = act_weights(view, thought)
        own, enemy = (meanings(view, thought, each) for each in (clan, 1 - clan))
    else:
        belief = warchief_belief(solved_turn(view, strategy()), view, strategy())
        through, own, enemy = belief.through, list(zip(belief.cards, belief.chances, strict=True)), list(belief.enemy)
    readings = []
    for each, cards in ((clan, own), (1 - clan, enemy)):
        likely = sorted(cards, key=lambda found: -found[1])
        readings += [Reading(CLANS[each], CARDS[card], chance) for card, chance in likely if card >= 0]
    return Guess(through, tuple(readings))


def _why_act(view: View, choices: list[Valued], guess: Guess) -> Reason:
    """What the action does, and what the king most likely means or what gets through whatever he means."""
    s, clan = view.state, view.number >> 1
    act = CHOICES.index(choices[0].choice) - ACT
    args: dict[str, str | int | float] = {"other": choices[1].choice, "action": ACTIONS[act]}
    args["because"] = because(view, act)
    if s.order[clan] != UNKNOWN:
        return Reason("goths.why.act-lone", args)
    if face_up_characters(s, clan) >> character_of(act) & 1:
        return Reason("goths.why.act-sure", args)
    through = percent(min(float(guess.through[act]), 1.0))
    if guess.through[act] < LIKELY:
        return Reason("goths.why.act-gamble", args | {"chance": through})
    return Reason("goths.why.act", args | {"character": CHARACTERS[character_of(act)], "chance": through})


# Within a turn


def _why_within_turn(view: View, choices: list[Valued]) -> Reason:
    """Why to look there, to go there, or to be rid of the fog."""
    s, best = view.state, CHOICES.index(choices[0].choice)
    win = percent(choices[0].win)
    if s.phase == Phase.LOOK:
        sight = SIGHTS[best - LOOK]
        return (
            Reason("goths.why.look-token", {"win": win})
            if sight == "fog"
            else Reason("goths.why.look", {"sight": sight, "win": win})
        )
    if s.phase == Phase.ENTER:
        door = best - ENTER
        cards = [OBJECTIVE_ORDERS[number][door] for number in possible_orders(s.objectives)]
        if set(cards) == {Objective.QUEEN}:
            return Reason("goths.why.enter-queen", {"place": PLACES[3 + door]})
        queen, trap = (percent(cards.count(each) / len(cards)) for each in (Objective.QUEEN, Objective.TRAP))
        return Reason("goths.why.enter", {"place": PLACES[3 + door], "queen": queen, "trap": trap, "win": win})
    return Reason("goths.why.token", {"win": win, "other_win": percent(choices[1].win)})

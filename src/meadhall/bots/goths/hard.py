"""Goths, the level `hard`: solves a turn as a game, and what comes after it by values solved from the rules."""

from random import Random

from meadhall.bots.evaluation import Evaluation, Reading, Reason, Valued
from meadhall.bots.goths import choosing, medium
from meadhall.bots.goths.belief import Belief, Strategy, solved_turn, warchief_belief
from meadhall.bots.goths.cards import face_up_characters
from meadhall.bots.goths.caveats import caveat
from meadhall.bots.goths.choosing import policy_of
from meadhall.bots.goths.equilibrium import Schedule
from meadhall.bots.goths.objectives import OBJECTIVE_ORDERS, possible_orders
from meadhall.bots.goths.outcomes import heuristic_values
from meadhall.bots.goths.partners import partner_warchief
from meadhall.bots.goths.values import solved_values
from meadhall.bots.percent import percent
from meadhall.bots.solved import fault
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

SCHEDULE = Schedule(iterations=48)
PARTNER_WARCHIEF, PARTNER_KING, UNDERSTANDING = 0.6, 0.5, 0.5
BY_SOLVED_VALUES = Strategy(
    solved_values, SCHEDULE, PARTNER_WARCHIEF, PARTNER_KING, UNDERSTANDING, other_king=medium.STRATEGY
)
BY_HEURISTIC = Strategy(heuristic_values, SCHEDULE, PARTNER_WARCHIEF, PARTNER_KING, UNDERSTANDING)
LIKELY = 0.6


def strategy() -> Strategy:
    """How it plays; without solved values that fit the rules, by the heuristic."""
    return BY_SOLVED_VALUES if fault("goths") is None else BY_HEURISTIC


def choose(view: View, rng: Random) -> str:
    """The choice of a hard bot, whichever decision of the game it is."""
    return choosing.choose(view, strategy(), rng)


# For hints and analysis


def evaluate(view: View) -> Evaluation:
    """The numbers behind the choice."""
    acting = view.state.phase == Phase.ACTS
    belief = warchief_belief(solved_turn(view, strategy()), view, strategy()) if acting else None

    def rank(each: Valued) -> tuple[float, bool, float, str]:
        # An action that cannot get through is no alternative, however little it loses.
        futile = belief is not None and belief.through[CHOICES.index(each.choice) - ACT] == 0.0
        return -each.weight, futile, -each.win, each.choice

    policy = policy_of(view, strategy())
    choices = sorted((Valued(name, win, weight) for name, (weight, win) in policy.items()), key=rank)
    why: Reason
    readings: tuple[Reading, ...] = ()
    best = choices[0]
    if len(choices) == 1:
        why = Reason("goths.why.only", {})
    elif view.state.phase <= Phase.SECOND_ORDER:
        why = _why_card(view, choices)
    elif belief is not None:
        why, readings = _why_act(view, choices, belief), _readings(view, belief)
    else:
        why = _why_within_turn(view, choices)
    return Evaluation(str(view.seat), best.win, tuple(choices), why, readings, _caveat_key(view))


def _caveat_key(view: View) -> str | None:
    found = caveat("hard", view.rules)
    return None if found is None else found.key


def _numbers(choices: list[Valued], other: Valued) -> dict[str, str | int | float]:
    return {"win": percent(choices[0].win), "other": other.choice, "other_win": percent(other.win)}


def _why_card(view: View, choices: list[Valued]) -> Reason:
    """The character that helps most, and the chance that it is understood."""
    s, clan = view.state, view.number >> 1
    card = CHOICES.index(choices[0].choice)
    character = CARD_CHARACTER[card]
    different = (each for each in choices if CARD_CHARACTER[CHOICES.index(each.choice)] != character)
    numbers = _numbers(choices, next(different, choices[1])) | {"character": CHARACTERS[character]}
    if s.lone[clan]:
        return Reason("goths.why.order-lone", numbers)
    return Reason("goths.why.order", numbers | {"through": percent(understood(view, card))})


def understood(view: View, card: int) -> float:
    """The chance that the warchief, of the equilibrium or of the model of partners, does what this card orders."""
    turn = solved_turn(view, strategy())
    s, clan, solution = view.state, view.number >> 1, turn.equilibrium
    back, _ = turn.backs.place(card)
    if clan == turn.first:
        likely = solution.king_b[0, back].sum(axis=1)  # what the other king may show
        chief = (solution.chief_a[0, back, :, 0] * likely[:, None]).sum(axis=0) / likely.sum()
    else:
        chief = solution.chief_b[0, turn.backs.bits.index(int(s.back[turn.first])), back, 0]
    characters = face_up_characters(s, clan) | 1 << CARD_CHARACTER[card]
    partner = partner_warchief(view)[back]
    mixed = [
        PARTNER_WARCHIEF * float(a) + (1.0 - PARTNER_WARCHIEF) * float(b) for a, b in zip(partner, chief, strict=True)
    ]
    return sum(share for act, share in enumerate(mixed) if characters >> character_of(act) & 1)


def _why_act(view: View, choices: list[Valued], belief: Belief) -> Reason:
    """What the king most likely means, or what gets through whatever he means."""
    s, clan = view.state, view.number >> 1
    act = CHOICES.index(choices[0].choice) - ACT
    numbers = _numbers(choices, choices[1]) | {"action": ACTIONS[act]}
    if s.order[clan] != UNKNOWN:
        return Reason("goths.why.act-lone", numbers)
    if face_up_characters(s, clan) >> character_of(act) & 1:
        return Reason("goths.why.act-sure", numbers)
    through = percent(float(belief.through[act]))
    if belief.through[act] < LIKELY:
        return Reason("goths.why.act-gamble", numbers | {"chance": through})
    return Reason("goths.why.act", numbers | {"character": CHARACTERS[character_of(act)], "chance": through})


def _readings(view: View, belief: Belief) -> tuple[Reading, ...]:
    """The belief about both face-down King cards."""
    clan = view.number >> 1
    own = [Reading(CLANS[clan], CARDS[card], chance) for card, chance in zip(belief.cards, belief.chances, strict=True)]
    enemy = [Reading(CLANS[1 - clan], CARDS[card], chance) for card, chance in belief.enemy]
    return tuple(sorted(own, key=lambda each: -each.chance) + sorted(enemy, key=lambda each: -each.chance))


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

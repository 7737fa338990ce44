"""The chances to win in a game of Goths that lies open: who wins if from here on all play sensibly by what they know?

The analysis knows every King card, sealed choice and objective; the players do not, and they choose by what they know.
So what a king's card is worth depends on how a sensible warchief reads its back, and a warchief who has seen the queen
is worth more than one who has seen the trap, though all others only know that he has looked. A sensible player chooses
like the level `hard`, but with less certainty: what is a little worse is chosen a little less often.
"""

from collections.abc import Callable, Iterator
from functools import cache, lru_cache, partial
from typing import Any, TypeVar

import numpy as np

from meadhall.bots.goths import hard
from meadhall.bots.goths.belief import (
    Belief,
    king_policy,
    legal_actions,
    softmax_with_prior,
    solved_turn,
    warchief_belief,
)
from meadhall.bots.goths.cards import backs_of, face_up_characters
from meadhall.bots.goths.objectives import OBJECTIVE_ORDERS, objectives_seen, possible_orders
from meadhall.bots.goths.outcomes import leaves_of
from meadhall.bots.goths.partners import partner_warchief
from meadhall.bots.goths.positions import known_to_warchief
from meadhall.bots.goths.values import DISCOUNT, solved_values
from meadhall.engine.layout import UNKNOWN
from meadhall.games.goths.game import GAME
from meadhall.games.goths.rules import acting, back_of, character_of, commit, legal, open_objectives, sights, understood
from meadhall.games.goths.state import (
    ACT,
    CARD_CHARACTER,
    CHOICES,
    DISPERSE,
    ENTER,
    LOOK,
    SEATS,
    GothsState,
    Objective,
    Phase,
)
from meadhall.match import View

# The exponent by which the preferences of `hard` are made those of a sensible player: 1 would be as sure as it is. This
# one foretells best what bots of all levels and models of people choose (1,250 choices of kings and of warchiefs).
CERTAINTY = 0.18
# How often a warchief does what people do who reason less (`partners.py`).
DISTRACTED = 0.1
# What bots infer from a back is a little too certain, measured by what the same kings meant.
CAUTION = 0.8
# How much better one look that found the queen is than one that all others think may have found her, as a part of how
# much better it would be if all knew that she was found: his king does not know what the warchief saw.
QUEEN_SEEN = 0.5
NEGLIGIBLE = 0.004  # choices less likely than this are left out
POSITIONS_KEPT = 50_000
ACTING = (Phase.LOOK, Phase.ENTER, Phase.TOKEN)

Rules = dict[str, Any]
Both = tuple[int | None, int | None]


def view_of(s: GothsState, seat: int, rules: Rules) -> View:
    """What a seat knows of a position."""
    return View(GAME, rules, SEATS[seat], GAME.reveal(s, seat))


# Between turns


def standing(s: GothsState) -> float:
    """The Ostrogoths' chance to win at the start of a turn or at the end, by what each warchief really knows.

    The solved values know how many objectives a warchief has looked at, not what he saw. Who saw the queen stands
    nearly like one who knows all three. The value for one look is the mean over what he may have seen, which gives that
    of having seen another card.
    """
    if s.phase == Phase.OVER:
        return (1.0, 0.0, 0.5)[s.winner]
    found = sum(weight * _by_public_knowledge(each) for each, weight in _by_what_they_saw(s))
    return between(found)


def between(chance: float) -> float:
    """A chance that was added up, without what rounding put beyond 0 or 1."""
    return min(max(chance, 0.0), 1.0)


def _by_what_they_saw(s: GothsState) -> Iterator[tuple[GothsState, float]]:
    """Positions, with weights, whose values by public knowledge make up the value of what the warchiefs saw."""
    mixtures: list[tuple[tuple[int, float], ...]] = []
    for clan in range(2):
        if s.revealed & 7 or objectives_seen(s, clan) != 1:
            mixtures.append(((int(s.seen[clan]), 1.0),))
            continue
        place = next(k for k in range(3) if int(s.seen[clan]) >> k & 1)
        all_seen = int(s.seen[clan]) | 7
        if s.objectives[place] == Objective.QUEEN:
            gain = QUEEN_SEEN
        else:
            gain = -QUEEN_SEEN / 2  # twice as likely to be seen
        mixtures.append(((int(s.seen[clan]), 1.0 - gain), (all_seen, gain)))
    for ours, weight in mixtures[0]:
        for theirs, other in mixtures[1]:
            each = s.copy()
            each.seen[0], each.seen[1] = ours, theirs
            yield each, weight * other


def _by_public_knowledge(s: GothsState) -> float:
    """The Ostrogoths' chance to win by what all know, and by the number of objectives that each warchief has seen."""
    known = s.copy()
    known.turn = 1
    for k in range(3):
        if not int(known.revealed) >> k & 1:
            known.objectives[k] = UNKNOWN
    return _value(bytes(known))


@lru_cache(maxsize=POSITIONS_KEPT)
def _value(state: bytes) -> float:
    """The value of a position to `hard`."""
    s = GothsState.from_buffer_copy(state)
    values = hard.strategy().value_function
    ours, theirs = (face_up_characters(s, clan) for clan in range(2))
    found = float(values(leaves_of([s]), (ours,), (theirs,))[0, 0, 0])
    if values is solved_values:  # which shrinks a lead so that nobody delays: that is no part of the chance
        found = between(0.5 + (found - 0.5) / DISCOUNT)
    return found


# Within a turn


class Turn:
    """A turn that starts at a position, and the chances of the Ostrogoths after whatever is chosen in it."""

    def __init__(self, start: GothsState, rules: Rules) -> None:
        self.start, self.rules = start, rules
        self.first = int(start.initiative)
        self.king = cache(self._king)
        self.warchief = cache(self._warchief)
        self.belief = cache(self._belief)
        self.gets_through = cache(self._gets_through)
        self._leading_to = cache(self._find_leading_to)
        self._after = cache(self._end)
        self._ordered = cache(self._with_orders)

    def chance(self, orders: Both = (None, None), acts: Both = (None, None)) -> float:
        """The Ostrogoths' chance to win, given the King cards and actions that have been chosen so far."""
        first, second = self.first, 1 - self.first
        total = 0.0
        for one, likely in _given(orders[first], partial(self.king, first, 0)).items():
            for other, also in _given(orders[second], partial(self.king, second, back_of(one))).items():
                total += likely * also * self._with_acts(_both(first, one, other), acts)
        return between(total)

    def understanding(self, cards: tuple[int, int], clan: int) -> float:
        """How likely a sensible warchief is to do what gets through, when these King cards lie there."""
        acts = self.warchief(clan, *self._seen_by(cards, clan))
        return sum(likely for act, likely in acts.items() if self._outcome(clan, cards[clan], act)[0])

    def understood_of(self, view: View, card: int) -> float:
        """How likely a king's card is to be understood, by what the king knows of the other king's card."""
        clan = view.number >> 1
        others = self._others(view, card)
        return sum(likely * self.understanding(_both(clan, card, other), clan) for other, likely in others.items())

    def action_for(self, view: View, card: int) -> int:
        """What a sensible warchief most likely does of what a king's card orders."""
        clan = view.number >> 1
        total = [0.0] * 9
        for other, likely in self._others(view, card).items():
            for act, also in self.warchief(clan, *self._seen_by(_both(clan, card, other), clan)).items():
                total[act] += likely * also
        return max((act for act in range(9) if character_of(act) == CARD_CHARACTER[card]), key=lambda act: total[act])

    def _others(self, view: View, card: int) -> dict[int, float]:
        """The other king's cards, as far as this king knows when he plays one of his own."""
        clan = view.number >> 1
        back = int(view.state.back[self.first])
        return self.king(1 - clan, back_of(card)) if clan == self.first else self.cards(1 - clan, back)

    def _with_acts(self, cards: tuple[int, int], acts: Both) -> float:
        mixed: list[dict[tuple[bool, int], float]] = []
        for clan in range(2):
            found: dict[tuple[bool, int], float] = {}
            policy = _given(acts[clan], partial(self.warchief, clan, *self._seen_by(cards, clan)))
            for act, likely in policy.items():
                outcome = self._outcome(clan, cards[clan], act)
                found[outcome] = found.get(outcome, 0.0) + likely
            mixed.append(found)
        return sum(
            one * other * self._after(ours, theirs)
            for ours, one in mixed[0].items()
            for theirs, other in mixed[1].items()
        )

    # What sensible players choose

    def cards(self, clan: int, back: int, first_back: int = 0) -> dict[int, float]:
        """How likely each card behind a back of this king is, from how kings choose."""
        policy = self.king(clan, 0 if clan == self.first else first_back)
        held = [card for card in range(12) if self.start.hand[clan] >> card & 1 and back_of(card) == back]
        return _likely({card: policy.get(card, 0.0) + NEGLIGIBLE for card in held})

    def readings(self, clan: int, backs: tuple[int, int], card: int | None = None) -> dict[int, float]:
        """How likely each card behind the back of his king is to a sensible warchief; a lone ruler knows his card."""
        belief, _ = self.belief(clan, backs, card)
        odds = {
            each: likely**CAUTION for each, likely in zip(belief.cards, belief.chances, strict=True) if likely > 0.0
        }
        return {each: weight / sum(odds.values()) for each, weight in odds.items()}

    def _king(self, clan: int, back: int) -> dict[int, float]:
        """How likely each card is, after this back of the other king, or none."""
        s = self.start.copy()
        if back:
            commit(s, 2 - 2 * clan, self._card_with(1 - clan, back))
        view = view_of(s, 2 * clan, self.rules)
        turn = solved_turn(view, hard.strategy())
        weights, _ = king_policy(turn, view, hard.strategy())
        held = int(s.hand[clan])
        odds = {
            int(card): float(weights[place]) ** CERTAINTY
            for place, card in np.ndenumerate(turn.backs.cards)
            if card >= 0 and held >> int(card) & 1
        }
        return _likely(odds)

    def _warchief(self, clan: int, backs: tuple[int, int], card: int | None) -> dict[int, float]:
        """How likely each action is at the sight of these backs; a lone ruler knows his card."""
        belief, view = self.belief(clan, backs, card)
        allowed = np.zeros(9, bool)
        allowed[legal_actions(view)] = True
        strategy = hard.strategy()
        weights = softmax_with_prior(belief.values + strategy.understanding * belief.through, belief.prior, allowed)
        policy = _likely({act: float(weights[act]) ** CERTAINTY for act in np.flatnonzero(allowed).tolist()})
        if card is not None:
            return policy
        back = backs_of(int(self.start.deck)).bits.index(backs[clan])
        people = partner_warchief(view)[back]
        return _likely(
            {act: (1.0 - DISTRACTED) * policy.get(act, 0.0) + DISTRACTED * float(people[act]) for act in range(9)}
        )

    def _belief(self, clan: int, backs: tuple[int, int], card: int | None) -> tuple[Belief, View]:
        """What a warchief makes of both backs."""
        cards = [card if clan == each and card is not None else self._card_with(each, backs[each]) for each in (0, 1)]
        view = view_of(self._ordered(cards[0], cards[1]), 2 * clan + 1, self.rules)
        return warchief_belief(solved_turn(view, hard.strategy()), view, hard.strategy()), view

    def _card_with(self, clan: int, back: int) -> int:
        return next(card for card in range(12) if self.start.hand[clan] >> card & 1 and back_of(card) == back)

    def _seen_by(self, cards: tuple[int, int], clan: int) -> tuple[tuple[int, int], int | None]:
        """What a warchief sees of the King cards: both backs, and his card if he rules alone (G10.4)."""
        return (back_of(cards[0]), back_of(cards[1])), cards[clan] if self.start.lone[clan] else None

    # What comes of it, by the rules

    def _with_orders(self, ours: int, theirs: int) -> GothsState:
        s = self.start.copy()
        cards = (ours, theirs)
        for clan in (self.first, 1 - self.first):
            commit(s, 2 * clan, cards[clan])
        return s

    def _outcome(self, clan: int, card: int, act: int) -> tuple[bool, int]:
        """Does the order get through, and then which action is carried out, else which card stays face up?"""
        through = self.gets_through(clan, card, act)
        return (True, act) if through else (False, card)

    def _gets_through(self, clan: int, card: int, act: int) -> bool:
        """Does the order get through if the warchief chooses this action? (G4.1)"""
        s = self.start.copy()
        s.hand[clan] = int(s.hand[clan]) & ~(1 << card)
        s.order[clan], s.act[clan] = card, act
        return understood(s, clan)

    def _end(self, ours: tuple[bool, int], theirs: tuple[bool, int]) -> float:
        """The chance after a pair of outcomes, by playing cards and actions that lead to it."""
        chosen = [self._leading_to(clan, outcome) for clan, outcome in enumerate((ours, theirs))]
        s = self._ordered(chosen[0][0], chosen[1][0]).copy()
        for clan, (_, act) in enumerate(chosen):
            commit(s, 2 * clan + 1, ACT + act)
        return expected(s)

    def _find_leading_to(self, clan: int, outcome: tuple[bool, int]) -> tuple[int, int]:
        """A card and an action that lead to an outcome."""
        cards = [card for card in range(12) if self.start.hand[clan] >> card & 1]
        acts = self._allowed(clan)
        return next((card, act) for card in cards for act in acts if self._outcome(clan, card, act) == outcome)

    def _allowed(self, clan: int) -> list[int]:
        """The actions that a warchief may choose this turn (G9.1)."""
        cards = [next(card for card in range(12) if self.start.hand[each] >> card & 1) for each in range(2)]
        options = legal(self._ordered(cards[0], cards[1]), 2 * clan + 1)
        return [act for act in range(9) if options >> (ACT + act) & 1]


class Turns:
    """The turns of a game, each worked out once."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._turns: dict[bytes, Turn] = {}

    def at(self, start: GothsState) -> Turn:
        """The turn that starts here, as if it were the first: bots grow impatient in a long game, and err by it.

        Objectives that nobody has seen may as well lie the other way round.
        """
        s = start.copy()
        if s.turn_limit:
            s.turn_limit -= s.turn - 1
        s.turn = 1
        unseen = [k for k in range(3) if not (int(s.seen[0]) | int(s.seen[1]) | int(s.revealed)) >> k & 1]
        for k, card in zip(unseen, sorted(int(s.objectives[k]) for k in unseen), strict=True):
            s.objectives[k] = card
        key = bytes(s)
        if key not in self._turns:
            self._turns[key] = Turn(s, self.rules)
        return self._turns[key]

    def possible(self, start: GothsState, view: View) -> list[Turn]:
        """The turn as it is in every order of the objectives that a seat thinks possible, all equally likely."""
        return [self.at(each) for each in worlds(start, view)]


def worlds(s: GothsState, view: View) -> list[GothsState]:
    """A position with the objectives in every order that a seat thinks possible; tokens it does not know stay so."""
    found = []
    for number in possible_orders(view.state.objectives):
        world = s.copy()
        for k in range(3):
            world.objectives[k] = OBJECTIVE_ORDERS[number][k]
        for clan in range(2):
            world.token[clan] = view.state.token[clan]
        found.append(world)
    return found


# What a choice is worth by what a seat knows


def worth_of_choices(turns: Turns, start: GothsState, view: View) -> dict[str, float]:
    """The chance to win with each choice of a seat, for its clan, by what it knows and sensible play of all others."""
    s, clan = view.state, view.number >> 1
    if s.phase <= Phase.SECOND_ORDER:
        found = _worth_of_cards(turns.possible(start, view), view)
    elif s.phase == Phase.ACTS:
        found = _worth_of_actions(turns.possible(start, view), view)
    else:
        found = _worth_within_turn(view)
    return {CHOICES[choice]: between(chance if clan == 0 else 1.0 - chance) for choice, chance in found.items()}


def _worth_of_cards(possible: list[Turn], view: View) -> dict[int, float]:
    """For a king: the Ostrogoths' chance after each of his cards."""
    s, clan = view.state, view.number >> 1
    found = {}
    for card in view.choice_ids:
        total = 0.0
        for turn in possible:
            if clan == turn.first:
                total += turn.chance(_both(clan, card, None))
            else:
                back = int(s.back[turn.first])
                total += sum(
                    likely * turn.chance(_both(clan, card, other))
                    for other, likely in turn.cards(1 - clan, back).items()
                )
        found[int(card)] = total / len(possible)
    return found


def _worth_of_actions(possible: list[Turn], view: View) -> dict[int, float]:
    """For a warchief: the Ostrogoths' chance after each of his actions, by what he makes of both backs."""
    s, clan = view.state, view.number >> 1
    backs = int(s.back[0]), int(s.back[1])
    found = {}
    for choice in view.choice_ids:
        total = 0.0
        for turn in possible:
            own = turn.readings(clan, backs, int(s.order[clan]) if turn.start.lone[clan] else None)
            for card, likely in own.items():
                for other, also in turn.cards(1 - clan, backs[1 - clan], backs[turn.first]).items():
                    acts = _both(clan, int(choice) - ACT, None)
                    total += likely * also * turn.chance(_both(clan, card, other), acts)
        found[int(choice)] = total / len(possible)
    return found


def _worth_within_turn(view: View) -> dict[int, float]:
    """For a warchief who looks, goes or chooses about his token: the Ostrogoths' chance after each choice."""
    possible = worlds(view.state, view)
    found = {}
    for choice in view.choice_ids:
        total = 0.0
        for world in possible:
            after = world.copy()
            commit(after, view.number, int(choice))
            total += expected(after)
        found[int(choice)] = total / len(possible)
    return found


T = TypeVar("T")


def _given(chosen: int | None, policy: Callable[[], dict[int, float]]) -> dict[int, float]:
    """What was chosen, or how likely each choice is."""
    return policy() if chosen is None else {chosen: 1.0}


def _both(clan: int, own: T, other: T) -> tuple[T, T]:
    return (own, other) if clan == 0 else (other, own)


def expected(s: GothsState) -> float:
    """The Ostrogoths' chance to win in the middle of the actions of a turn, or at its end."""
    return between(sum(likely * standing(each) for each, likely in ends(s)))


def ends(s: GothsState) -> Iterator[tuple[GothsState, float]]:
    """The positions after a turn whose actions are being carried out, by sensible choices of where to look and go."""
    if s.phase not in ACTING:
        yield s, 1.0
        return
    clan = acting(s)
    choices = _sensible(s, clan)
    for choice in choices:
        after = s.copy()
        commit(after, 2 * clan + 1, choice)
        for each, likely in ends(after):
            yield each, likely / len(choices)


def _sensible(s: GothsState, clan: int) -> list[int]:
    """The choices within a turn that are best by what the warchief knows, all alike to him."""
    if s.phase == Phase.LOOK:
        mine, theirs = int(s.seen[clan]), int(s.seen[1 - clan])
        things = [k for k in range(4) if sights(s, clan) >> k & 1]
        return [LOOK + k for k in _best(things, lambda k: (k != 3, not mine >> k & 1, not theirs >> k & 1))]
    if s.phase == Phase.ENTER:
        known = known_to_warchief(s, clan, tuple(s.objectives))
        orders = [OBJECTIVE_ORDERS[number] for number in possible_orders(known)]
        doors = [k for k in range(3) if open_objectives(s, clan) >> k & 1]

        def worth(door: int) -> tuple[int, ...]:
            cards = [order[door] for order in orders]
            return cards.count(Objective.QUEEN), -cards.count(Objective.TRAP)

        return [ENTER + k for k in _best(doors, worth)]
    return [DISPERSE]


def _best(things: list[int], worth: Callable[[int], tuple[int, ...]]) -> list[int]:
    highest = max(worth(each) for each in things)
    return [each for each in things if worth(each) == highest]


def _likely(odds: dict[int, float]) -> dict[int, float]:
    """The probabilities of some odds, without what is negligible."""
    total = sum(odds.values())
    kept = {each: weight for each, weight in odds.items() if weight >= NEGLIGIBLE * total}
    total = sum(kept.values())
    return {each: weight / total for each, weight in kept.items()}

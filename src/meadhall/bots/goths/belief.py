"""Goths: what everybody at the table can reason out about a turn, and what one seat makes of it.

What all can see leads everybody to the same answer (`goths_stage.py`), so partners understand each other.
Only then does a seat add what it alone knows: its own King card, what its warchief has looked at.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from meadhall.bots.goths.easy import face_up_characters
from meadhall.bots.goths.equilibrium import (
    ACTS,
    FAILED,
    OUTCOMES,
    Answer,
    Backs,
    Floats,
    Manner,
    backs_of,
    sharpened,
    side,
    solve,
)
from meadhall.bots.goths.outcomes import KEPT, Evaluation, worths
from meadhall.bots.goths.people import plain_king, plain_warchief
from meadhall.bots.goths.public import king_view, plainly, view_of_king, worths_to_seat
from meadhall.engine.layout import UNKNOWN
from meadhall.games.goths.rules import legal
from meadhall.games.goths.state import ACT, GothsState
from meadhall.match import View

# How much a difference in chances counts, and how much of what all expect stays in a seat's own view of them.
TILT = 0.02
HABIT = 0.05


@dataclass(frozen=True)
class Style:
    """How a level thinks: what it values, and how coolly it assumes that everybody chooses."""

    evaluation: Evaluation
    manner: Manner
    company: float  # how far, as king, it allows for a warchief of plain common sense who reasons less
    reading: float  # how far, as warchief, it reads its king as one of plain common sense
    trust: float  # what it is worth to be understood, beside the turn it saves
    met: "Style | None" = None  # another way of thinking that its king may have


@dataclass(frozen=True)
class Turn:
    """A turn as everybody can reason it out; the first clan of the answer is the one with the initiative."""

    backs: Backs
    first: int
    answer: Answer


def turn_of(view: View, style: Style) -> Turn:
    """What all can reason out about the turn that is being played."""
    s, _ = plainly(view)
    return Turn(backs_of(int(s.deck)), int(view.state.initiative), _answer(bytes(s), style))


@lru_cache(maxsize=KEPT)
def _answer(seen: bytes, style: Style) -> Answer:
    s = GothsState.from_buffer_copy(seen)
    backs = backs_of(int(s.deck))
    sides = []
    for clan in range(2):
        mine = side(backs, np.array([int(s.hand[clan])]), np.array([face_up_characters(s, clan)]), bool(s.lone[clan]))
        if s.lone[clan] and s.last_act[clan] != UNKNOWN:  # G9.1
            mine.allowed[0, int(s.last_act[clan])] = False
        sides.append(mine)
    return solve(worths(s, style.evaluation)[None], sides[0], sides[1], backs, style.manner)


# One seat


def card_weights(turn: Turn, view: View, style: Style) -> tuple[Floats, Floats]:
    """For a king: how often each card is played, and the chance to win after it, [back, 2]."""
    s, clan, answer = view.state, view.number >> 1, turn.answer
    if clan == turn.first:
        weights, chances = answer.king_a[0], answer.card_a[0]
        likely = answer.king_b[0].sum(axis=2)  # [i, j]
        acts = np.einsum("ijca,ij->ica", answer.act_a[0], likely)
    else:
        shown = turn.backs.bits.index(int(s.back[turn.first]))
        weights, chances = answer.king_b[0, shown], answer.card_b[0, shown]
        acts = answer.act_b[0, shown]
    if s.lone[clan] or style.company == 0.0:
        return weights, chances
    plain = plain_warchief(view)
    with_plain = np.einsum("ia,ica->ic", plain, acts)
    mixed: Floats = (1.0 - style.company) * chances + style.company * with_plain
    held = weights > 0
    sure = face_up_characters(s, clan)
    goes = (turn.backs.characters[:, :, None] == ACTS) | (sure >> ACTS & 1 == 1)
    understood = (plain[:, None, :] * goes).sum(axis=2)
    return inclined(mixed + style.trust * understood, weights, held), mixed


def inclined(chances: Floats, weights: Floats, allowed: npt.NDArray[np.bool_]) -> Floats:
    """How often each choice is made by somebody who has his own view of the chances; among equals as all expect it."""
    better = np.where(allowed, chances - chances[allowed].max(), -1.0)
    found: Floats = np.where(allowed, np.exp(better / TILT) * (weights + HABIT), 0.0).astype(np.float32)
    return found


@dataclass(frozen=True)
class Reckoning:
    """For a warchief: what his king's card may be, and what each action promises."""

    cards: tuple[int, ...]
    chances: tuple[float, ...]  # of each of them
    weights: Floats  # [action]: how often the answer plays it
    promise: Floats  # [action]: the chance to win, by what he knows himself
    through: Floats  # [action]: the chance that the order gets through
    foe: tuple[tuple[int, float], ...]  # the enemy's card: which, how likely


def reckon(turn: Turn, view: View, style: Style) -> Reckoning:
    """What a warchief makes of both backs."""
    s, clan, answer = view.state, view.number >> 1, turn.answer
    mine, foe = clan, 1 - clan
    i, j = (turn.backs.bits.index(int(s.back[each])) for each in (turn.first, 1 - turn.first))
    kings = {turn.first: answer.king_a[0, i], 1 - turn.first: answer.king_b[0, i, j]}
    own_back, foe_back = (i, j) if clan == turn.first else (j, i)
    own = _odds(turn.backs, own_back, kings[mine], int(s.hand[mine]) | _card_bit(s, mine))
    theirs = _odds(turn.backs, foe_back, kings[foe], int(s.hand[foe]))
    known = int(s.order[clan])
    if known != UNKNOWN:  # G10.4: a lone ruler knows his card
        own = [1.0 if card == known else 0.0 for card in turn.backs.cards[own_back]]
    acts = (answer.act_a if clan == turn.first else answer.act_b)[0, i, j]  # [c, a]
    weights = (answer.chief_a if clan == turn.first else answer.chief_b)[0, i, j]
    beliefs = np.array(own, np.float32)[:, None]
    promise = (acts * beliefs).sum(axis=0)
    if known == UNKNOWN and style.reading > 0.0:
        often = _any_kings_cards(bytes(king_view(view).state), clan, style)
        own = _odds(turn.backs, own_back, often[own_back], int(s.hand[mine]))
        promise = (acts * np.array(own, np.float32)[:, None]).sum(axis=0)
    if knows_more(s):
        promise = _privately(turn, view, style, (i, j), own, theirs)
    sure = face_up_characters(s, clan)
    through = np.array([_chance_through(turn.backs, own_back, own, sure, act) for act in range(9)], np.float32)
    cards = turn.backs.cards
    return Reckoning(
        tuple(int(card) for card in cards[own_back] if card >= 0),
        tuple(float(odds) for card, odds in zip(cards[own_back], own, strict=True) if card >= 0),
        (weights * beliefs).sum(axis=0),
        promise,
        through,
        tuple((int(card), float(odds)) for card, odds in zip(cards[foe_back], theirs, strict=True) if card >= 0),
    )


@lru_cache(maxsize=KEPT)
def _any_kings_cards(seen: bytes, clan: int, style: Style) -> Floats:
    """[back, 2]: how often each card is played by whoever this king may be, seeing this."""
    view = view_of_king(seen, clan)
    kinds = [style] if style.met is None else [style, style.met]
    found: Floats = style.reading * plain_king(view)
    for kind in kinds:
        weights, _ = card_weights(turn_of(view, kind), view, kind)
        found += (1.0 - style.reading) / len(kinds) * sharpened(weights, kind.manner.sharpness, (0, 1))
    return found


def _card_bit(s: GothsState, clan: int) -> int:
    return 0 if s.order[clan] == UNKNOWN else 1 << int(s.order[clan])


def _odds(backs: Backs, back: int, weights: Floats, hand: int) -> list[float]:
    """How likely each of the two cards behind a back is."""
    held = [card >= 0 and hand >> int(card) & 1 == 1 for card in backs.cards[back]]
    odds = [(float(w) + 1e-6) * h for w, h in zip(weights, held, strict=True)]
    return [each / (sum(odds) or 1.0) for each in odds]


def _chance_through(backs: Backs, back: int, odds: list[float], sure: int, act: int) -> float:
    character = int(ACTS[act])
    if sure >> character & 1:
        return 1.0
    return sum(o for o, c in zip(odds, backs.characters[back], strict=True) if c == character)


def knows_more(s: GothsState) -> bool:
    """Does this view know something of the objectives that not everybody does?"""
    return any(s.objectives[k] != UNKNOWN and not int(s.revealed) >> k & 1 for k in range(3))


def _privately(
    turn: Turn, view: View, style: Style, backs: tuple[int, int], own: list[float], theirs: list[float]
) -> Floats:
    """What each action promises to a warchief who has looked at objectives himself."""
    s, clan, (i, j) = view.state, view.number >> 1, backs
    worth = worths_to_seat(view, style.evaluation)
    is_first = clan == turn.first
    if not is_first:
        worth = 1.0 - worth.T
    chief = np.broadcast_to((turn.answer.chief_b if is_first else turn.answer.chief_a)[0, i, j], (2, 9))  # the enemy's
    foe_back, own_back = (j, i) if is_first else (i, j)
    sure = face_up_characters(s, 1 - clan)
    facing = np.zeros(OUTCOMES, np.float32)
    for card, odds in enumerate(theirs):
        failed = FAILED + int(turn.backs.characters[foe_back, card])
        for act in range(9):
            goes = ACTS[act] == turn.backs.characters[foe_back, card] or sure >> ACTS[act] & 1
            facing += odds * chief[card, act] * worth[:, act if goes else failed]
    mine_sure = face_up_characters(s, clan)
    promise = np.zeros(9, np.float32)
    for card, odds in enumerate(own):
        character = int(turn.backs.characters[own_back, card])
        for act in range(9):
            goes = ACTS[act] == character or mine_sure >> ACTS[act] & 1
            promise[act] += odds * facing[act if goes else FAILED + character]
    return promise


def allowed_acts(view: View) -> list[int]:
    """The actions a warchief may choose."""
    options = legal(view.state, view.number)
    return [act for act in range(9) if options >> (ACT + act) & 1]

"""Goths: what everybody at the table can reason out about a turn, and what one seat makes of it.

What all can see leads everybody to the same answer (`goths_stage.py`), so partners understand each other.
Only then does a seat add what it alone knows: its own King card, what its warchief has looked at.
"""

from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
import numpy.typing as npt

from meadhall.bots.easy_goths import POINTLESS, SENSE, reading, worth_of_actions, worth_of_card
from meadhall.bots.goths_ends import CALM, KEPT, LONG, Evaluation, face_up_characters, worths
from meadhall.bots.goths_ground import ORDERS, SEEN, riddle
from meadhall.bots.goths_stage import FAILED, OUTCOMES, Answer, Backs, Floats, Manner, backs_of, side, solve
from meadhall.fields import UNKNOWN
from meadhall.games.goths.rules import character_of, legal
from meadhall.games.goths.state import ACT, ACTION_CHARACTER, GothsState, Phase
from meadhall.match import View

# How clearly plain common sense prefers what is better, and how much a difference in chances counts.
PLAIN = 5
TILT = 0.02
HABIT = 0.05
# What a position says of each clan.
BY_CLAN = tuple(field[0] for field in GothsState._fields_ if getattr(field[1], "_length_", 0) == 2)


@dataclass(frozen=True)
class Style:
    """How a level thinks: what it values, and how coolly it assumes that everybody chooses."""

    evaluation: Evaluation
    manner: Manner
    company: float  # how far, as king, it allows for a warchief of plain common sense who reasons less
    reading: float  # how far, as warchief, it reads its king as one of plain common sense
    trust: float  # what it is worth to be understood, beside the turn it saves


@dataclass(frozen=True)
class Turn:
    """A turn as everybody can reason it out; the first clan of the answer is the one with the initiative."""

    backs: Backs
    first: int
    answer: Answer


def public(view: View) -> GothsState:
    """The position as a spectator saw it at the start of this turn, less what does not matter any more."""
    s: GothsState = view.game.reveal(view.state, -1)
    s.phase = Phase.FIRST_ORDER
    for clan in range(2):
        s.back[clan] = 0
        s.through[clan] = False
        s.barricades[clan] = int(s.barricades[clan]) & (1 << int(s.place[clan])) & 7
        if not s.lone[clan]:
            s.last_act[clan] = UNKNOWN
    near_the_end = s.turn_limit != 0 and s.turn + 1 >= s.turn_limit
    s.turn_limit = 1 if near_the_end else 0
    s.turn = 1 if near_the_end else min(LONG, int(s.turn) // CALM * CALM)
    s.first, s.resolved = 0, 0
    return s


def from_first(s: GothsState) -> GothsState:
    """The same position with the clans numbered so that clan 0 has the initiative."""
    if s.initiative == 0:
        return s
    other = s.copy()
    for name in BY_CLAN:
        mine, theirs = getattr(s, name)
        pair = getattr(other, name)
        pair[0], pair[1] = theirs, mine
    other.initiative = 0
    return other


def plainly(view: View) -> tuple[GothsState, tuple[int, ...]]:
    """The start of the turn as all saw it, in one way of writing for all that is alike; and where each objective went.

    Clan 0 has the initiative. While all objectives lie face down it does not matter which is which.
    """
    s = from_first(public(view))
    if s.revealed != 0:
        return s, ORDERS[0]
    looked = int(s.seen[0]) & 7, int(s.seen[1]) & 7
    canonical = SEEN[riddle(s, 0)]
    for clan in range(2):
        s.seen[clan] = (int(s.seen[clan]) & 8) | canonical[clan]
    return s, _renamed(looked, canonical)


@cache
def _renamed(looked: tuple[int, int], canonical: tuple[int, int]) -> tuple[int, ...]:
    """New places for the three objectives, so that who has looked at one of them has looked at the canonical one.

    Who has looked at two knows all three: for him any places will do.
    """
    alone = [
        (old.bit_length() - 1, new.bit_length() - 1)
        for old, new in zip(looked, canonical, strict=True)
        if new == 1 or new == 2
    ]
    return next(places for places in ORDERS if all(places[old] == new for old, new in alone))


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


def card_weights(turn: Turn, s: GothsState, clan: int, style: Style) -> tuple[Floats, Floats]:
    """For a king: how often each card is played, and the chance to win after it, [back, 2]."""
    answer = turn.answer
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
    plain = plain_warchief(s, clan, turn.backs)
    with_plain = np.einsum("ia,ica->ic", plain, acts)
    mixed: Floats = (1.0 - style.company) * chances + style.company * with_plain
    held = weights > 0
    sure = face_up_characters(s, clan)
    goes = (turn.backs.characters[:, :, None] == ACTS_CHARACTERS) | (sure >> ACTS_CHARACTERS & 1 == 1)
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
    common: Floats  # [action]: the chance to win, by what all know
    promise: Floats  # the same, by what he knows himself
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
    common = promise = (acts * beliefs).sum(axis=0)
    if known == UNKNOWN and style.reading > 0.0:
        plain = plain_king(s, clan, turn.backs, own_back)
        own = [(1.0 - style.reading) * mine + style.reading * other for mine, other in zip(own, plain, strict=True)]
        promise = (acts * np.array(own, np.float32)[:, None]).sum(axis=0)
    if knows_more(s, clan):
        promise = _privately(turn, view, style, (i, j), own, theirs)
    sure = face_up_characters(s, clan)
    through = np.array([_chance_through(turn.backs, own_back, own, sure, act) for act in range(9)], np.float32)
    cards = turn.backs.cards
    return Reckoning(
        tuple(int(card) for card in cards[own_back] if card >= 0),
        tuple(float(odds) for card, odds in zip(cards[own_back], own, strict=True) if card >= 0),
        (weights * beliefs).sum(axis=0),
        common,
        promise,
        through,
        tuple((int(card), float(odds)) for card, odds in zip(cards[foe_back], theirs, strict=True) if card >= 0),
    )


def plain_king(s: GothsState, clan: int, backs: Backs, back: int) -> list[float]:
    """How likely each of the two cards behind a back is, if the king goes by plain common sense."""
    worths = worth_of_actions(s, clan)
    odds = []
    wishes = []
    for card, character in zip(backs.cards[back], backs.characters[back], strict=True):
        held = card >= 0 and int(s.hand[clan]) >> int(card) & 1
        odds.append((worth_of_card(s, clan, int(card), worths) + 1e-3) ** PLAIN if held else 0.0)
        best = max(worths[act] for act in range(9) if character_of(act) == character)
        wishes.append((best + POINTLESS) ** SENSE if held else 0.0)
    # Some kings think about how a back will be read, some only of what they want.
    return [(one / sum(odds) + other / sum(wishes)) / 2 for one, other in zip(odds, wishes, strict=True)]


def plain_warchief(s: GothsState, clan: int, backs: Backs) -> Floats:
    """[back, action]: how often a warchief of plain common sense does each action when he sees this back."""
    worths, hand = worth_of_actions(s, clan), int(s.hand[clan])
    found = np.full((len(backs.bits), 9), 1.0 / 9, np.float32)
    for back, alike in enumerate(backs.cards.tolist()):
        cards = [card for card in alike if card >= 0 and hand >> card & 1]
        if cards:
            chances = reading(s, clan, cards, worths)
            found[back] = [((worths[act] + POINTLESS) * chances[ACTION_CHARACTER[act]]) ** PLAIN for act in range(9)]
    found /= found.sum(axis=1, keepdims=True)
    return found


def _card_bit(s: GothsState, clan: int) -> int:
    return 0 if s.order[clan] == UNKNOWN else 1 << int(s.order[clan])


def _odds(backs: Backs, back: int, weights: Floats, hand: int) -> list[float]:
    """How likely each of the two cards behind a back is."""
    held = [card >= 0 and hand >> int(card) & 1 == 1 for card in backs.cards[back]]
    odds = [(float(w) + 1e-6) * h for w, h in zip(weights, held, strict=True)]
    return [each / (sum(odds) or 1.0) for each in odds]


def _chance_through(backs: Backs, back: int, odds: list[float], sure: int, act: int) -> float:
    character = int(ACTS_CHARACTERS[act])
    if sure >> character & 1:
        return 1.0
    return sum(o for o, c in zip(odds, backs.characters[back], strict=True) if c == character)


ACTS_CHARACTERS: npt.NDArray[np.int64] = np.array((0, 0, 1, 2, 2, 3, 3, 3, 3))


def knows_more(s: GothsState, clan: int) -> bool:
    """Does this view know something of the objectives that not everybody does?"""
    return any(s.objectives[k] != UNKNOWN and not int(s.revealed) >> k & 1 for k in range(3))


def _privately(
    turn: Turn, view: View, style: Style, backs: tuple[int, int], own: list[float], theirs: list[float]
) -> Floats:
    """What each action promises to a warchief who has looked at objectives himself."""
    s, clan, (i, j) = view.state, view.number >> 1, backs
    worth = _sighted(view, style.evaluation)
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
            goes = ACTS_CHARACTERS[act] == turn.backs.characters[foe_back, card] or sure >> ACTS_CHARACTERS[act] & 1
            facing += odds * chief[card, act] * worth[:, act if goes else failed]
    mine_sure = face_up_characters(s, clan)
    promise = np.zeros(9, np.float32)
    for card, odds in enumerate(own):
        character = int(turn.backs.characters[own_back, card])
        for act in range(9):
            goes = ACTS_CHARACTERS[act] == character or mine_sure >> ACTS_CHARACTERS[act] & 1
            promise[act] += odds * facing[act if goes else FAILED + character]
    return promise


def _sighted(view: View, evaluation: Evaluation) -> Floats:
    """The worth of all outcomes of the turn, the objectives lying as this seat knows them."""
    s, places = plainly(view)
    known = [UNKNOWN] * 3
    for old, new in enumerate(places):
        known[new] = int(view.state.objectives[old])
    worlds = tuple(n for n, w in enumerate(ORDERS) if all(card in (UNKNOWN, w[k]) for k, card in enumerate(known)))
    return _own_worths(bytes(s), evaluation, worlds)


@lru_cache(maxsize=KEPT)
def _own_worths(seen: bytes, evaluation: Evaluation, worlds: tuple[int, ...]) -> Floats:
    return worths(GothsState.from_buffer_copy(seen), evaluation, worlds)


def allowed_acts(view: View) -> list[int]:
    """The actions a warchief may choose."""
    options = legal(view.state, view.number)
    return [act for act in range(9) if options >> (ACT + act) & 1]

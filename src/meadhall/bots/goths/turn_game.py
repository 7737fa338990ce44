"""One turn of Goths solved as a game by predictive regret matching+, compiled: two kings, then two warchiefs at once.

Each of the four seats keeps a positive regret for every choice and plays in proportion to what it expects the regrets
to be next, the last change being its forecast; the clans take turns to learn, and the average of what they played, late
rounds counting more, tends to an equilibrium. Nothing but public knowledge goes in, so all seats find the same one.

i, j index the backs of the first and the second clan, c, d the two cards that share a back. An outcome of an order is
one of the nine actions or, from 9 on, the failure of a card of one of the four characters. Each clan has payoffs of its
own, [outcome of the first clan, outcome of the second]: they need not add up to 1.
"""

from typing import Any

import numpy as np

TREMBLE = 0.00001  # how often a card is expected that would never be played: a back never shown still means something


def strategies(regrets: Any, change: Any, allowed: Any, played: Any) -> None:
    """[.., choice]: play in proportion to the regrets expected next; any allowed choice alike where there are none."""
    rows, choices = regrets.shape
    for row in range(rows):
        total = 0.0
        count = 0
        for k in range(choices):
            played[row, k] = 0.0
            if allowed[row, k]:
                played[row, k] = max(0.0, regrets[row, k] + change[row, k])
                total += played[row, k]
                count += 1
        for k in range(choices):
            if total > 0.0:
                played[row, k] /= total
            elif allowed[row, k]:
                played[row, k] = 1.0 / count


def learn(regrets: Any, change: Any, row: int, values: Any, allowed: Any, played: Any) -> None:
    """Regret matching+: add what each choice would have gained, and forget what is negative."""
    mean = 0.0
    for k in range(values.shape[0]):
        mean += played[row, k] * values[k]
    for k in range(values.shape[0]):
        if allowed[row, k]:
            change[row, k] = values[k] - mean
            regrets[row, k] = max(0.0, regrets[row, k] + change[row, k])


def outcome_payoffs(pay: Any, chief: Any, through: Any, failed: int, facing: Any) -> None:
    """facing[outcome of the other clan] when a clan's warchief plays so and its card lets these actions through."""
    fails = 1.0
    facing[:] = 0.0
    for act in range(9):
        if through[act] and chief[act] > 0.0:
            fails -= chief[act]
            for k in range(13):
                facing[k] += chief[act] * pay[act, k]
    if fails > 1e-9:
        for k in range(13):
            facing[k] += fails * pay[9 + failed, k]


def behind_back(king: Any, held: Any, back: int, card: int) -> float:
    """How likely this card is the one behind a back that the king has shown."""
    likely = king[2 * back + card] + TREMBLE
    other = king[2 * back + 1 - card] + TREMBLE if held[back, 1 - card] else 0.0
    return float(likely / (likely + other))


def facing_payoffs(pay: Any, rival: Any, back: int, row: int, chief: Any, facing: Any) -> None:
    """facing[card, outcome]: what one's own outcomes are worth against each card behind the rival's back."""
    characters, held, through, _, lone = rival
    for card in range(2):
        if held[back, card]:
            outcome_payoffs(
                pay, chief[2 * row + card * lone], through[back, card], characters[back, card], facing[card]
            )


def act_values(clan: Any, back: int, likely: Any, facing: Any, known: Any, acts: Any) -> None:
    """acts[card, action]: what each action is worth to a clan at a pair of backs, weighted by how often they meet.

    `likely[card]` says how often the rival shows each card there; `known` is what rivals are worth who do not learn.
    """
    characters, held, through, _, _ = clan
    for card in range(2):
        if held[back, card]:
            fail = 9 + characters[back, card]
            for act in range(9):
                k = act if through[back, card, act] else fail
                acts[card, act] = known[card, act] + likely[0] * facing[0, k] + likely[1] * facing[1, k]


def learn_acts(acts: Any, clan: Any, king: Any, back: int, row: int, chief: Any, both: Any, cards: Any) -> None:
    """A warchief learns at a pair of backs; what each card is worth with what he played is added to `cards`.

    `king` says how often the king plays each card; `chief` is what the warchief played, his regrets and their change.
    """
    _, held, _, allowed, lone = clan
    played, regrets, change = chief
    both[:] = 0.0
    for card in range(2):
        if held[back, card]:
            asked = 2 * row + card * lone
            likely = behind_back(king, held, back, card)
            for act in range(9):
                cards[2 * back + card] += played[asked, act] * acts[card, act]
                both[act] += likely * acts[card, act]
            if lone:
                learn(regrets, change, asked, acts[card], allowed, played)
    if not lone:
        learn(regrets, change, 2 * row, both, allowed, played)


def update_first(pay: Any, a: Any, b: Any, minds_a: Any, minds_b: Any, known: Any, share: float) -> float:
    """The first clan learns; gives its value of the turn. `pay` is [outcome of the second, outcome of the first]."""
    king, regrets, change, chief = minds_a
    rival_king, _, _, rival_chief = minds_b
    held, rival_held = a[1], b[1]
    n = held.shape[0]
    facing, acts, both, likely, cards = np.zeros((2, 13)), np.zeros((2, 9)), np.zeros(9), np.zeros(2), np.zeros(2 * n)
    learning = (1.0 - share) / (1.0 + TREMBLE * rival_held.sum())
    for i in range(n):
        for j in range(n):
            row = i * n + j
            facing_payoffs(pay, b, j, row, rival_chief[0], facing)
            for d in range(2):
                likely[d] = learning * (rival_king[i, 2 * j + d] + TREMBLE) if rival_held[j, d] else 0.0
            act_values(a, i, likely, facing, known[row], acts)
            learn_acts(acts, a, king[0], i, row, chief, both, cards)
    value = 0.0
    for k in range(2 * n):
        value += king[0, k] * cards[k]
    learn(regrets, change, 0, cards, held.reshape(1, 2 * n), king)
    return value


def update_second(pay: Any, a: Any, b: Any, minds_a: Any, minds_b: Any, known: Any, share: float) -> None:
    """The second clan learns. `pay` is [outcome of the first, outcome of the second]."""
    king, regrets, change, chief = minds_b
    rival_king, _, _, rival_chief = minds_a
    held, rival_held = b[1], a[1]
    n = held.shape[0]
    facing, acts, both, likely, cards = np.zeros((2, 13)), np.zeros((2, 9)), np.zeros(9), np.zeros(2), np.zeros(2 * n)
    rows = rows_of(held, n)
    for i in range(n):
        cards[:] = 0.0
        for c in range(2):
            likely[c] = (1.0 - share) * (rival_king[0, 2 * i + c] + TREMBLE) if rival_held[i, c] else 0.0
        for j in range(n):
            row = i * n + j
            facing_payoffs(pay, a, i, row, rival_chief[0], facing)
            act_values(b, j, likely, facing, known[row], acts)
            learn_acts(acts, b, king[i], j, row, chief, both, cards)
        learn(regrets, change, i, cards, rows, king)


def rows_of(held: Any, rows: int) -> Any:
    """[row, card]: the cards in a hand, once for each row."""
    found = np.zeros((rows, held.size), np.bool_)
    for row in range(rows):
        found[row] = held.reshape(held.size)
    return found


def play_rounds(
    pay_a: Any, pay_b: Any, a: Any, b: Any, rounds: int, before: int, regrets: Any, sums: Any, known: Any, given: Any
) -> float:
    """Some rounds of learning; regrets and sums of strategies go on from those before. Gives the first clan's value.

    `a` and `b` are what the clans may do: (characters, held, through, allowed, lone). Regrets and sums are one row for
    each turn solved: king a, king b, warchief a, warchief b one after the other.

    Some do not learn. `known` is (share[clan], acts): this share of a clan's rivals, and acts[row, card, action] what
    its answers are worth by them. `given` is (fixed, strategies): which of the four seats keep to these strategies.
    """
    n = a[1].shape[0]
    m = 2 * n
    ka, kb, ca = m, m + n * m, m + n * m + 2 * n * n * 9
    acts = (2 * n * n, 9)
    fixed, strategies_given = given
    played, change = strategies_given.copy(), np.zeros(regrets.shape[0])
    king_a, king_b = played[:ka].reshape(1, m), played[ka:kb].reshape(n, m)
    chief_a = (played[kb:ca].reshape(acts), regrets[kb:ca].reshape(acts), change[kb:ca].reshape(acts))
    chief_b = (played[ca:].reshape(acts), regrets[ca:].reshape(acts), change[ca:].reshape(acts))
    minds_a = (king_a, regrets[:ka].reshape(1, m), change[:ka].reshape(1, m), chief_a)
    minds_b = (king_b, regrets[ka:kb].reshape(n, m), change[ka:kb].reshape(n, m), chief_b)
    share, acts_known = known
    known_a, known_b = share[0] * acts_known, share[1] * acts_known
    against_b = pay_a.T.copy()
    play_strategies(b, minds_b, fixed[1], fixed[3])
    value, total = 0.0, 0.0
    for k in range(rounds):
        weight = float(before + k + 1) ** 2
        play_strategies(a, minds_a, fixed[0], fixed[2])
        found = update_first(against_b, a, b, minds_a, minds_b, known_a, share[0])
        play_strategies(a, minds_a, fixed[0], fixed[2])
        update_second(pay_b, a, b, minds_a, minds_b, known_b, share[1])
        play_strategies(b, minds_b, fixed[1], fixed[3])
        for x in range(kb):
            sums[x] += weight * played[x]
        add_acts(weight, a[4], b[4], king_a, king_b, played[kb:], sums[kb:])
        value += weight * found
        total += weight
    return value / total


def play_strategies(clan: Any, minds: Any, king_fixed: bool, chief_fixed: bool) -> None:
    """King and warchief of a clan play by what they have learnt, if they learn."""
    king, regrets, change, chief = minds
    if not king_fixed:
        strategies(regrets, change, rows_of(clan[1], king.shape[0]), king)
    if not chief_fixed:
        strategies(chief[1], chief[2], clan[3], chief[0])


def add_acts(weight: float, lone_a: int, lone_b: int, king_a: Any, king_b: Any, played: Any, sums: Any) -> None:
    """Add what both warchiefs played to their sums, as far as their kings have them asked."""
    n = king_b.shape[0]
    ca = 18 * n * n
    for row in range(n * n):
        for card in range(2):
            i, j = row // n, row % n
            asked_a = king_a[0, 2 * i + card] if lone_a else king_a[0, 2 * i] + king_a[0, 2 * i + 1]
            asked_b = king_b[i, 2 * j + card] if lone_b else king_b[i, 2 * j] + king_b[i, 2 * j + 1]
            for act in range(9):
                x = 9 * (2 * row + card) + act
                sums[x] += weight * (asked_a + TREMBLE) * played[x]
                sums[ca + x] += weight * (asked_b + TREMBLE) * played[ca + x]


def learn_turns(pays: Any, a: Any, b: Any, rounds: int, before: int, regrets: Any, sums: Any, values: Any) -> None:
    """Some rounds for each of many turns in which the clans' payoffs add up to 1; gives the first clan's values."""
    n = a[1].shape[0]
    known = (np.zeros(2), np.zeros((n * n, 2, 9)))
    given = (np.zeros(4, np.bool_), np.zeros(regrets.shape[1]))
    for turn in range(pays.shape[0]):
        pay = pays[turn].astype(np.float64)
        values[turn] = play_rounds(pay, 1.0 - pay, a, b, rounds, before, regrets[turn], sums[turn], known, given)

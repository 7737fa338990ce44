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


def update_first(
    pay: Any,
    characters: Any,
    held_a: Any,
    held_b: Any,
    through_a: Any,
    through_b: Any,
    king_a: Any,
    king_b: Any,
    chief_a: Any,
    chief_b: Any,
    allowed: Any,
    lone_a: int,
    lone_b: int,
    king_regrets: Any,
    chief_regrets: Any,
    king_change: Any,
    chief_change: Any,
) -> float:
    """The first clan learns; gives its value of the turn. `pay` is [outcome of the second, outcome of the first]."""
    n = characters.shape[0]
    facing = np.zeros((2, 13))
    acts = np.zeros((2, 9))
    both = np.zeros(9)
    cards = np.zeros(2 * n)
    trembling = 1.0 + TREMBLE * held_b.sum()
    for i in range(n):
        for j in range(n):
            row = i * n + j
            for d in range(2):
                if held_b[j, d]:
                    outcome_payoffs(pay, chief_b[2 * row + d * lone_b], through_b[j, d], characters[j, d], facing[d])
            acts[:] = 0.0
            for d in range(2):
                if held_b[j, d]:
                    likely = (king_b[i, 2 * j + d] + TREMBLE) / trembling
                    for c in range(2):
                        if held_a[i, c]:
                            fail = facing[d, 9 + characters[i, c]]
                            for act in range(9):
                                acts[c, act] += likely * (facing[d, act] if through_a[i, c, act] else fail)
            both[:] = 0.0
            for c in range(2):
                if held_a[i, c]:
                    chief = 2 * row + c * lone_a
                    likely = behind_back(king_a[0], held_a, i, c)
                    for act in range(9):
                        cards[2 * i + c] += chief_a[chief, act] * acts[c, act]
                        both[act] += likely * acts[c, act]
                    if lone_a:
                        learn(chief_regrets, chief_change, chief, acts[c], allowed, chief_a)
            if not lone_a:
                learn(chief_regrets, chief_change, 2 * row, both, allowed, chief_a)
    value = 0.0
    for k in range(2 * n):
        value += king_a[0, k] * cards[k]
    learn(king_regrets, king_change, 0, cards, held_a.reshape(1, 2 * n), king_a)
    return value


def update_second(
    pay: Any,
    characters: Any,
    held_a: Any,
    held_b: Any,
    through_a: Any,
    through_b: Any,
    king_a: Any,
    king_b: Any,
    chief_a: Any,
    chief_b: Any,
    allowed: Any,
    held_rows: Any,
    lone_a: int,
    lone_b: int,
    king_regrets: Any,
    chief_regrets: Any,
    king_change: Any,
    chief_change: Any,
) -> None:
    """The second clan learns. `pay` is [outcome of the first, outcome of the second]."""
    n = characters.shape[0]
    facing = np.zeros((2, 13))
    acts = np.zeros((2, 9))
    both = np.zeros(9)
    cards = np.zeros(2 * n)
    for i in range(n):
        cards[:] = 0.0
        for j in range(n):
            row = i * n + j
            acts[:] = 0.0
            for c in range(2):
                if held_a[i, c]:
                    outcome_payoffs(pay, chief_a[2 * row + c * lone_a], through_a[i, c], characters[i, c], facing[c])
                    likely = king_a[0, 2 * i + c] + TREMBLE
                    for d in range(2):
                        if held_b[j, d]:
                            fail = facing[c, 9 + characters[j, d]]
                            for act in range(9):
                                acts[d, act] += likely * (facing[c, act] if through_b[j, d, act] else fail)
            both[:] = 0.0
            for d in range(2):
                if held_b[j, d]:
                    chief = 2 * row + d * lone_b
                    likely = behind_back(king_b[i], held_b, j, d)
                    for act in range(9):
                        cards[2 * j + d] += chief_b[chief, act] * acts[d, act]
                        both[act] += likely * acts[d, act]
                    if lone_b:
                        learn(chief_regrets, chief_change, chief, acts[d], allowed, chief_b)
            if not lone_b:
                learn(chief_regrets, chief_change, 2 * row, both, allowed, chief_b)
        learn(king_regrets, king_change, i, cards, held_rows, king_b)


def play_rounds(
    pay_a: Any,
    pay_b: Any,
    characters: Any,
    held_a: Any,
    held_b: Any,
    through_a: Any,
    through_b: Any,
    allowed_a: Any,
    allowed_b: Any,
    lone_a: int,
    lone_b: int,
    rounds: int,
    before: int,
    regrets: Any,
    sums: Any,
) -> float:
    """Some rounds of learning; regrets and sums of strategies go on from those before. Gives the first clan's value.

    Both are one row for each turn solved: king a, king b, warchief a, warchief b one after the other.
    """
    n = characters.shape[0]
    m = 2 * n
    ka, kb, ca = m, m + n * m, m + n * m + 2 * n * n * 9
    played = np.zeros(regrets.shape[0])
    held_rows = np.zeros((n, m), np.bool_)
    for i in range(n):
        for j in range(n):
            for d in range(2):
                held_rows[i, 2 * j + d] = held_b[j, d]
    held_one = held_a.copy().reshape(1, m)
    king_a, king_b = played[:ka].reshape(1, m), played[ka:kb].reshape(n, m)
    chief_a, chief_b = played[kb:ca].reshape(2 * n * n, 9), played[ca:].reshape(2 * n * n, 9)
    r_king_a, r_king_b = regrets[:ka].reshape(1, m), regrets[ka:kb].reshape(n, m)
    r_chief_a, r_chief_b = regrets[kb:ca].reshape(2 * n * n, 9), regrets[ca:].reshape(2 * n * n, 9)
    change = np.zeros(regrets.shape[0])
    c_king_a, c_king_b = change[:ka].reshape(1, m), change[ka:kb].reshape(n, m)
    c_chief_a, c_chief_b = change[kb:ca].reshape(2 * n * n, 9), change[ca:].reshape(2 * n * n, 9)
    against_b = pay_a.T.copy()
    strategies(r_king_b, c_king_b, held_rows, king_b)
    strategies(r_chief_b, c_chief_b, allowed_b, chief_b)
    value, total = 0.0, 0.0
    for k in range(rounds):
        weight = float(before + k + 1) ** 2
        strategies(r_king_a, c_king_a, held_one, king_a)
        strategies(r_chief_a, c_chief_a, allowed_a, chief_a)
        found = update_first(
            against_b,
            characters,
            held_a,
            held_b,
            through_a,
            through_b,
            king_a,
            king_b,
            chief_a,
            chief_b,
            allowed_a,
            lone_a,
            lone_b,
            r_king_a,
            r_chief_a,
            c_king_a,
            c_chief_a,
        )
        strategies(r_king_a, c_king_a, held_one, king_a)
        strategies(r_chief_a, c_chief_a, allowed_a, chief_a)
        update_second(
            pay_b,
            characters,
            held_a,
            held_b,
            through_a,
            through_b,
            king_a,
            king_b,
            chief_a,
            chief_b,
            allowed_b,
            held_rows,
            lone_a,
            lone_b,
            r_king_b,
            r_chief_b,
            c_king_b,
            c_chief_b,
        )
        strategies(r_king_b, c_king_b, held_rows, king_b)
        strategies(r_chief_b, c_chief_b, allowed_b, chief_b)
        for x in range(kb):
            sums[x] += weight * played[x]
        # What a warchief plays counts as far as his king has him asked.
        for row in range(n * n):
            for card in range(2):
                i, j = row // n, row % n
                asked_a = king_a[0, 2 * i + card] if lone_a else king_a[0, 2 * i] + king_a[0, 2 * i + 1]
                asked_b = king_b[i, 2 * j + card] if lone_b else king_b[i, 2 * j] + king_b[i, 2 * j + 1]
                for act in range(9):
                    x = 9 * (2 * row + card) + act
                    sums[kb + x] += weight * (asked_a + TREMBLE) * played[kb + x]
                    sums[ca + x] += weight * (asked_b + TREMBLE) * played[ca + x]
        value += weight * found
        total += weight
    return value / total


def learn_turns(
    pays: Any,
    characters: Any,
    held_a: Any,
    held_b: Any,
    through_a: Any,
    through_b: Any,
    allowed: Any,
    lone_a: int,
    lone_b: int,
    rounds: int,
    before: int,
    regrets: Any,
    sums: Any,
    values: Any,
) -> None:
    """Some rounds for each of many turns in which the clans' payoffs add up to 1; gives the first clan's values."""
    for turn in range(pays.shape[0]):
        pay = pays[turn].astype(np.float64)
        values[turn] = play_rounds(
            pay,
            1.0 - pay,
            characters,
            held_a,
            held_b,
            through_a,
            through_b,
            allowed,
            allowed,
            lone_a,
            lone_b,
            rounds,
            before,
            regrets[turn],
            sums[turn],
        )

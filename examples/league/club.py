"""A club player of Goths: weighs each order against what the enemy will likely do this turn, and looks no further.

He knows that lower numbers come first, remembers what was looked at, and thinks of how a back will be read.
`meadhall arena goths --bots hard,examples/league/club.py`
"""

import math

import numpy as np

CHARACTERS = ("vulture", "recruiter", "catapult", "barbarian")
ACTIONS = ("reconnoitre", "sabotage", "recruit", "load", "fire", "barricade", "advance", "axe", "rats")
WHO = np.array([0, 0, 1, 2, 2, 3, 3, 3, 3])
NOTHING = 9
WIN = 6.0


class Army:
    """A clan as the club player sees it: units, place (3: on an objective), barricade, catapult, how much is known."""

    __slots__ = ("catapult", "known", "place", "queen", "units", "wall")

    def __init__(self, units, place, wall, catapult, known, queen):
        self.units, self.place, self.wall, self.catapult = units, place, wall, catapult
        self.known, self.queen = known, queen  # objectives known to its warchief; chance that a step is onto the queen

    def copy(self):
        return Army(self.units, self.place, self.wall, self.catapult, self.known, self.queen)


def act(me, foe, action):
    """What an action changes; the sum is what it wins (1) or loses (-1) at once, as a chance."""
    if action == 0:
        me.known = min(2, me.known + 1)
        me.queen = (1 / 3, 2 / 3, 1.0)[me.known]
    elif action == 1:
        foe.catapult = False
    elif action == 2:
        me.units = min(3, me.units + 1)
    elif action == 3:
        me.catapult = True
    elif action == 4 and me.catapult:
        me.catapult = False
        if not foe.wall:
            foe.units -= 2
    elif action == 5 and me.place < 3:
        me.wall = True
    elif action == 6:
        if me.place < 2:
            me.place += 1
            me.wall = False
        else:
            won = me.queen
            trap = (1 - won) / 2 if me.known < 2 else 0.0
            me.place, me.wall = 3, False
            me.queen = min(1.0, me.queen + 0.3)
            return won - (trap if me.units == 1 else 0.25 * trap)
    elif (action == 7 and foe.place > 0 and not foe.wall) or (action == 8 and foe.wall):
        foe.units -= 1
    return 0.0


def standing(me, foe):
    """How well an army stands, in log-odds."""
    score = (0.0, 0.0, 0.8, 1.4)[me.units] + 0.35 * me.place + 0.5 * me.wall
    if me.catapult:
        score += 0.35 if foe.wall else (1.5 if foe.units <= 2 else 0.9)
    score += (0.25, 0.35, 0.8, 1.0)[me.place] * me.known
    if me.place >= 2:
        score += 1.2 * me.queen * (me.queen > 0.9) + 0.3
    return score


def after(mine, theirs, first, a, b):
    """My log-odds after a turn of these two actions (NOTHING: the order failed)."""
    me, foe = mine.copy(), theirs.copy()
    i_begin = (a, 0 if first else 1) <= (b, 1 if first else 0)
    chance = 0.0
    for mover in (True, False) if i_begin else (False, True):
        won = act(me, foe, a) if mover else -act(foe, me, b)
        chance += won * (1.0 - abs(chance))
        if me.units <= 0:
            return -WIN * (1 - max(chance, 0.0)) + WIN * max(chance, 0.0)
        if foe.units <= 0:
            return WIN * (1 + min(chance, 0.0)) + WIN * min(chance, 0.0)
    level = standing(me, foe) - standing(foe, me) + (-0.25 if first else 0.25)
    return (1 - abs(chance)) * level + chance * WIN


def matrix(mine, theirs, first):
    """[my action or nothing, theirs]: my chance after the turn."""
    odds = [[after(mine, theirs, first, a, b) for b in range(10)] for a in range(10)]
    return 1.0 / (1.0 + np.exp(-np.array(odds)))


def weigh(chances, my_acts, their_acts, rounds=60):
    """How often each side should do what, by turns of answering each other."""
    mine, theirs = np.zeros(10), np.zeros(10)
    mine[my_acts] = 1.0 / len(my_acts)
    theirs[their_acts] = 1.0 / len(their_acts)
    for k in range(rounds):
        mine *= 1 - 1 / (k + 2)
        theirs *= 1 - 1 / (k + 2)
        mine[my_acts[int((chances @ theirs)[my_acts].argmax())]] += 1 / (k + 2)
        theirs[their_acts[int((mine @ chances)[their_acts].argmin())]] += 1 / (k + 2)
    return mine, theirs


def army(state, clan, mine):
    """The army of a clan, as far as this seat can tell."""
    place = min(int(state.place[clan]), 3)
    wall = place < 3 and bool(int(state.barricades[clan]) >> place & 1)
    looked = (int(state.seen[clan]) | int(state.revealed)) & 7
    known = min(2, looked.bit_count())
    queen = (1 / 3, 2 / 3, 1.0)[known]
    cards = [int(card) for card in state.objectives]
    if mine and 2 in cards:
        queen, known = 1.0, 2
    elif mine and known == 1 and any(card >= 0 for card in cards):
        queen = 0.5
    if place == 3 and known < 2:
        queen = 0.5
    return Army(int(state.units[clan]), place, wall, bool(state.catapult[clan]), known, queen)


def shown(state, clan):
    """The characters that may get through for a clan, as the table shows."""
    up = {int(state.face_up[clan][k]) // 3 for k in range(int(state.face_up_count[clan]))}
    back = int(state.back[clan])
    return {c for c in range(4) if back >> c & 1 or not back} | up, up


def choose(view, choices, rng):
    s, clan = view.state, view.number >> 1
    kind = choices[0].partition(":")[0]
    if kind == "look":
        fresh = [k for k in range(3) if f"look:objective-{k + 1}" in choices and not int(s.seen[clan]) >> k & 1]
        theirs = int(s.seen[1 - clan])
        return f"look:objective-{min(fresh, key=lambda k: theirs >> k & 1) + 1}" if fresh else rng.choice(choices)
    if kind == "enter":
        cards = [int(card) for card in s.objectives]
        worth = {2: 3.0, -1: 1.0, 1: 0.0, 0: -1.0}
        if cards.count(-1) == 1:
            cards[cards.index(-1)] = 3 - sum(card for card in cards if card >= 0)
        return max(choices, key=lambda name: (worth[cards[int(name[-1]) - 1]], rng.random()))
    if kind not in ("order", "act"):
        return choices[-1]
    mine, theirs = army(s, clan, view.number & 1 == 1), army(s, 1 - clan, False)
    chances = matrix(mine, theirs, s.initiative == clan)
    enemy, _ = shown(s, 1 - clan)
    their_acts = np.array([a for a in range(9) if WHO[a] in enemy])
    ours, up = shown(s, clan)
    if kind == "order":
        return order(s, clan, choices, chances, their_acts, up, rng)
    my_acts = np.array([a for a in range(9) if WHO[a] in ours])
    wish, their = weigh(chances, my_acts, their_acts)
    value = chances @ their
    names = [c for c in ours if c not in up]
    meant = {c: math.exp(25 * max(value[a] + 0.1 * wish[a] for a in range(9) if WHO[a] == c)) for c in names}
    held = {int(card) // 3 for card in range(12) if int(s.hand[clan]) >> card & 1}
    meant = {c: weight * (c in held) for c, weight in meant.items()}
    total = sum(meant.values()) or 1.0

    def worth(a):
        through = 1.0 if WHO[a] in up else meant.get(int(WHO[a]), 0.0) / total
        return through * (value[a] + 0.15 * wish[a]) + (1 - through) * (value[NOTHING] - 0.05)

    legal = [a for a in my_acts if f"act:{ACTIONS[a]}" in choices]
    return f"act:{ACTIONS[max(legal, key=worth)]}"


def order(s, clan, choices, chances, their_acts, up, rng):
    """The wish of the moment, on the back that is least likely to be misread."""
    wish, their = weigh(chances, np.arange(9), their_acts)
    value = chances @ their
    best = [max(value[a] + 0.1 * wish[a] for a in range(9) if WHO[a] == c) for c in range(4)]
    hand = [name.removeprefix("order:").split("/") for name in choices]

    def worth(card):
        character, bluff = (CHARACTERS.index(name) for name in card)
        twin = [card[1], card[0]] in hand
        odds = math.exp(25 * best[character])
        read = odds / (odds + math.exp(25 * best[bluff])) if twin else 1.0
        return read * (value_of(character) + 0.0) + (1 - read) * (value[NOTHING] - 0.05)

    def value_of(character):
        return max(value[a] + 0.3 * wish[a] for a in range(9) if WHO[a] == character)

    return "order:" + "/".join(max(hand, key=lambda card: (worth(card), rng.random())))

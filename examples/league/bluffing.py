"""A bluffing player of Goths: what he fears, he expects the enemy to fear, so he shows it and does something else.

As king he weighs what he wants done and which back frightens; as warchief he doubts the obvious a little.
"""

WHO = (0, 0, 1, 2, 2, 3, 3, 3, 3)
NAMES = ("vulture", "recruiter", "catapult", "barbarian")
ACTIONS = ("reconnoitre", "sabotage", "recruit", "load", "fire", "barricade", "advance", "axe", "rats")


def appetites(s, clan):
    """How much an army wants each action, from 0 to 10."""
    foe = 1 - clan
    place, there = min(int(s.place[clan]), 3), min(int(s.place[foe]), 3)
    walled = place < 3 and int(s.barricades[clan]) >> place & 1
    their_wall = there < 3 and int(s.barricades[foe]) >> there & 1
    seen = min(2, ((int(s.seen[clan]) | int(s.revealed)) & 7).bit_count())
    want = [0.0] * 9
    want[0] = (3.0, 2.5, 0.0)[seen] + 1.2 * place * (seen < 2)
    want[1] = 0.0 if not s.catapult[foe] else 1.5 if walled else 8.0
    want[2] = (0.0, 6.0, 4.0, 0.0)[int(s.units[clan])]
    want[3] = 0.0 if s.catapult[clan] else 2.0 if their_wall else 5.0
    want[4] = 0.0 if not s.catapult[clan] or their_wall else 9.5 if s.units[foe] < 3 else 6.0
    want[5] = 0.0 if walled or place == 3 else 5.0 if s.catapult[foe] else 2.0
    want[6] = 4.0 + 0.05 * int(s.turn) if place < 2 else (1.5, 3.5, 9.8)[seen]
    want[7] = 0.0 if their_wall or there == 0 else (0, 9.0, 5.5, 4.0)[int(s.units[foe])]
    want[8] = 0.0 if not their_wall else (0, 9.0, 5.5, 4.0)[int(s.units[foe])]
    return want


def choose(view, choices, rng):
    s, clan = view.state, view.number >> 1
    cards = [int(card) for card in s.objectives]
    if choices[0].startswith("look:"):
        new = [name for name in choices if name[-1].isdigit() and cards[int(name[-1]) - 1] < 0]
        return rng.choice(new or list(choices))
    if choices[0].startswith("enter:"):
        if cards.count(-1) == 1:
            cards[cards.index(-1)] = 3 - sum(card for card in cards if card >= 0)
        return max(choices, key=lambda name: ((1, 0, 3, 2)[cards[int(name[-1]) - 1]], rng.random()))
    if not choices[0].startswith(("order:", "act:")):
        return rng.choice(choices)
    mood = [want * rng.uniform(0.85, 1.15) for want in appetites(s, clan)]
    best = [max(mood[act] for act in range(9) if WHO[act] == who) for who in range(4)]
    if choices[0].startswith("order:"):
        fright = [max(want for act, want in enumerate(appetites(s, clan)) if WHO[act] == who) for who in range(4)]

        def worth(name):
            character, bluff = (NAMES.index(part) for part in name.removeprefix("order:").split("/"))
            afraid = 0.25 * fright[bluff] if fright[bluff] < best[character] else -1.0
            return best[character] + afraid

        return max(choices, key=worth)
    shown = int(s.back[clan])
    up = {int(s.face_up[clan][k]) // 3 for k in range(int(s.face_up_count[clan]))}
    fitting = [
        act for act in range(9) if (shown >> WHO[act] & 1 or WHO[act] in up) and f"act:{ACTIONS[act]}" in choices
    ]
    return f"act:{ACTIONS[max(fitting, key=lambda act: mood[act])]}" if fitting else rng.choice(choices)

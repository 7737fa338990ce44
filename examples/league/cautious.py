"""A cautious player of Goths: asks what the worst is that the enemy can do, and orders what leaves him least of it."""

ACTIONS = ("reconnoitre", "sabotage", "recruit", "load", "fire", "barricade", "advance", "axe", "rats")
WHO = ("vulture", "vulture", "recruiter", "catapult", "catapult", *["barbarian"] * 4)


def danger(units, place, walled, loaded):
    """How much of an army the enemy can take on his next turn; all of it counts double."""
    most = 0
    if walled:
        most = 1
    elif loaded:
        most = 2
    elif place > 0:
        most = 1
    return 2.0 * most if most >= units else 0.6 * most


def worths(s, clan):
    """What each action leaves: less danger to us, more to them, and a little for what it brings."""
    foe = 1 - clan
    sides = []
    for each in (clan, foe):
        place = min(int(s.place[each]), 3)
        walled = place < 3 and bool(int(s.barricades[each]) >> place & 1)
        sides.append([int(s.units[each]), place, walled, bool(s.catapult[each])])
    seen = min(2, ((int(s.seen[clan]) | int(s.revealed)) & 7).bit_count())
    found = []
    for act in ACTIONS:
        (units, place, walled, loaded), (theirs, there, their_wall, aimed) = (list(side) for side in sides)
        extra = 0.0
        if act == "reconnoitre":
            extra = 0.0 if seen == 2 else 0.35 + 0.2 * place
        elif act == "sabotage":
            aimed = False
        elif act == "recruit":
            units = min(3, units + 1)
        elif act == "load":
            loaded = True
        elif act == "fire" and loaded:
            loaded = False
            theirs -= 0 if their_wall else 2
        elif act == "barricade" and place < 3:
            walled = True
        elif act == "advance":
            if place < 2:
                place, walled, extra = place + 1, False, 0.9 + 0.01 * int(s.turn)
            else:
                extra = (-0.6 if units < 3 else 0.1, 0.6, 4.0)[seen] + 0.01 * int(s.turn)
        elif (act == "axe" and there > 0 and not their_wall) or (act == "rats" and their_wall):
            theirs -= 1
        gain = 8.0 if theirs <= 0 else 0.7 * (3 - theirs) + 0.4 * danger(theirs, there, their_wall, loaded)
        found.append(gain + extra + 0.7 * units - 1.3 * danger(units, place, walled, aimed))
    return found


def choose(view, choices, rng):
    s, clan = view.state, view.number >> 1
    if not choices[0].startswith(("order:", "act:")):
        return central(s, choices, rng)
    worth = worths(s, clan)
    best = {who: max(w for w, name in zip(worth, WHO, strict=True) if name == who) for who in set(WHO)}
    if choices[0].startswith("order:"):
        cards = [name.removeprefix("order:").split("/") for name in choices]
        # Of two cards of a character the one whose bluff nobody would want.
        return "order:" + "/".join(max(cards, key=lambda card: (best[card[0]], -best[card[1]], rng.random())))
    backs = int(s.back[clan])
    up = {int(s.face_up[clan][k]) // 3 for k in range(int(s.face_up_count[clan]))}
    names = ("vulture", "recruiter", "catapult", "barbarian")
    shown = [names[k] for k in range(4) if backs >> k & 1]
    meant = max(shown, key=lambda who: best[who])
    sure = {names[k] for k in up}
    fitting = [k for k, who in enumerate(WHO) if who == meant or who in sure]
    fitting = [k for k in fitting if f"act:{ACTIONS[k]}" in choices] or [ACTIONS.index(choices[0][4:])]
    return f"act:{ACTIONS[max(fitting, key=lambda k: worth[k])]}"


def central(s, choices, rng):
    """Into the queen's arms, or where no trap is known."""
    cards = [int(card) for card in s.objectives]
    if cards.count(-1) == 1:
        cards[cards.index(-1)] = 3 - sum(card for card in cards if card >= 0)
    if choices[0].startswith("look:"):
        new = [name for name in choices if name[-1].isdigit() and cards[int(name[-1]) - 1] < 0]
        return rng.choice(new or list(choices))
    if choices[0].startswith("enter:"):
        return max(choices, key=lambda name: ({2: 3, 1: 1, -1: 2, 0: 0}[cards[int(name[-1]) - 1]], rng.random()))
    return choices[-1]

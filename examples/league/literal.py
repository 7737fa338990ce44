"""A literal player of Goths: orders the first of a list of wishes, and takes a back for the first wish it shows."""

DOES = {"reconnoitre": "vulture", "sabotage": "vulture", "recruit": "recruiter", "load": "catapult", "fire": "catapult"}
DOES |= dict.fromkeys(("barricade", "advance", "axe", "rats"), "barbarian")


def wishes(table, clan, enemy):
    """What would help now, the best first."""
    mine, theirs = table["clans"][clan], table["clans"][enemy]
    here, there = mine["place"], theirs["place"]
    walled, their_wall = here in mine["barricades"], there in theirs["barricades"]
    if mine["catapult"] == "active" and not their_wall:
        yield "fire"
    if theirs["catapult"] == "active" and not walled:
        yield "sabotage"
    if theirs["units"] == 1:
        yield "rats" if their_wall else "axe"
    if here.startswith("objective") or len(table["seen"][f"{clan}-warchief"]) >= 2:
        yield "advance"
    if mine["units"] == 1:
        yield "recruit"
    if mine["catapult"] != "active":
        yield "load"
    if here == "terrain-3" and len(table["seen"][f"{clan}-warchief"]) < 2:
        yield "reconnoitre"
    if mine["units"] < 3:
        yield "recruit"
    if here != "terrain-3":
        yield "advance"
    yield "rats" if their_wall else "axe"
    yield "reconnoitre"
    yield "advance"


def choose(view, choices, rng):
    if not choices[0].startswith(("order:", "act:")):
        return central(view, choices, rng)
    table = view.json()
    clan, enemy = sorted(table["clans"], key=lambda name: not view.seat.startswith(name))
    shown = set(table["backs"][clan] or ()) | {card.split("/")[0] for card in table["clans"][clan]["face_up"]}
    for wish in wishes(table, clan, enemy):
        fitting = [name for name in choices if name.startswith(f"order:{DOES[wish]}/")]
        if fitting:
            return rng.choice(fitting)
        if f"act:{wish}" in choices and DOES[wish] in shown:
            return f"act:{wish}"
    return rng.choice(choices)


def central(view, choices, rng):
    """Look at what is new; enter the queen's card if it is known, and no trap that is."""
    known = [int(card) for card in view.state.objectives]
    if known.count(-1) == 1:
        known[known.index(-1)] = 3 - sum(card for card in known if card >= 0)
    numbered = [name for name in choices if name[-1].isdigit()]
    if choices[0].startswith("look:"):
        return next((name for name in numbered if known[int(name[-1]) - 1] < 0), rng.choice(choices))
    if choices[0].startswith("enter:"):
        return max(numbered, key=lambda name: ((-1, 0, 2, 1)[known[int(name[-1]) - 1]], rng.random()))
    return choices[-1]

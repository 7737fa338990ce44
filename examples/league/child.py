"""A child at Goths: two times in five anything at all, otherwise the loudest thing that is allowed."""

LOUD = ("fire", "advance", "axe", "rats", "load", "sabotage", "recruit", "reconnoitre", "barricade")
WHO = {"fire": 2, "load": 2, "axe": 3, "rats": 3, "advance": 3, "barricade": 3, "recruit": 1, "sabotage": 0}
WHO |= {"reconnoitre": 0}
NAMES = ("vulture", "recruiter", "catapult", "barbarian")


def useful(s, clan, act):
    """Would it do anything, as a child sees it?"""
    foe = 1 - clan
    there = int(s.place[foe])
    walled = there < 3 and bool(int(s.barricades[foe]) >> there & 1)
    if act in ("fire", "load"):
        return bool(s.catapult[clan]) == (act == "fire")
    if act in ("axe", "rats"):
        return walled == (act == "rats")
    if act == "sabotage":
        return bool(s.catapult[foe])
    return act != "recruit" or int(s.units[clan]) < 3


def choose(view, choices, rng):
    s, clan = view.state, view.number >> 1
    if rng.random() < 0.4 or not choices[0].startswith(("order:", "act:")):
        return rng.choice(choices)
    wanted = [act for act in LOUD if useful(s, clan, act)]
    if choices[0].startswith("order:"):
        for act in wanted:
            cards = [name for name in choices if name.startswith(f"order:{NAMES[WHO[act]]}/")]
            if cards:
                return rng.choice(cards)
    shown = int(s.back[clan])
    return next((f"act:{act}" for act in wanted if shown >> WHO[act] & 1), rng.choice(choices))

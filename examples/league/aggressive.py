"""An aggressive player of Goths: the shortest way to hurt somebody, and if there is none, a step ahead."""

CHARACTER = {"fire": 2, "load": 2, "axe": 3, "rats": 3, "advance": 3, "recruit": 1, "sabotage": 0, "reconnoitre": 0}
NAMES = ("vulture", "recruiter", "catapult", "barbarian")


def plan(s, clan):
    """Actions from the most to the least wanted."""
    foe, place = 1 - clan, int(s.place[clan])
    there = int(s.place[foe])
    walled = there < 3 and bool(int(s.barricades[foe]) >> there & 1)
    strike = ["rats"] if walled else ["axe"] if there > 0 else []
    if s.catapult[clan] and not walled:
        return ["fire", *strike, "advance", "load", "recruit", "reconnoitre", "sabotage"]
    knows = ((int(s.seen[clan]) | int(s.revealed)) & 7).bit_count() >= 2
    if place >= 2 and knows:
        return ["advance", *strike, "load", "recruit", "sabotage", "reconnoitre"]
    if int(s.units[foe]) == 1 and strike:
        return [*strike, "load", "advance", "recruit", "sabotage", "reconnoitre"]
    if not s.catapult[clan] and not walled:
        return ["load", *strike, "advance", "recruit", "reconnoitre", "sabotage"]
    if place >= 2:
        return [*strike, "reconnoitre", "load", "advance", "recruit", "sabotage"]
    return [*strike, "advance", "load", "recruit", "reconnoitre", "sabotage"]


def choose(view, choices, rng):
    s, clan = view.state, view.number >> 1
    if choices[0].startswith("order:"):
        for wish in plan(s, clan):
            cards = [name for name in choices if name.startswith(f"order:{NAMES[CHARACTER[wish]]}/")]
            if cards:
                return rng.choice(cards)
    if choices[0].startswith("act:"):
        shown = int(s.back[clan])
        for k in range(int(s.face_up_count[clan])):
            shown |= 1 << int(s.face_up[clan][k]) // 3
        return next((f"act:{wish}" for wish in plan(s, clan) if shown >> CHARACTER[wish] & 1), choices[0])
    known = {k + 1: int(card) for k, card in enumerate(s.objectives)}
    numbered = [name for name in choices if name[-1].isdigit()]
    if choices[0].startswith("enter:"):
        queen = [name for name in numbered if known[int(name[-1])] == 2]
        unknown = [name for name in numbered if known[int(name[-1])] < 0]
        return rng.choice(queen or unknown or numbered)
    fresh = [name for name in numbered if known[int(name[-1])] < 0]
    return rng.choice(fresh or list(choices))

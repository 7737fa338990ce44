"""A bot in thirty lines, for both games: `meadhall arena goths --bots examples/my_bot.py,random,easy`."""

DOES = {"fire": "catapult", "load": "catapult", "sabotage": "vulture", "reconnoitre": "vulture"}
DOES |= {"recruit": "recruiter", "advance": "barbarian", "axe": "barbarian"}
STRENGTH = {"qween": 1, "druhid": 2, "zvord": 3, "axx": 4, "archr": 5, "filchy": 0, "horsie": 7, "charriott": 9}


def choose(view, choices, rng):
    """One of `choices`, the names of all this seat may do; `rng` is a random.Random of its own."""
    table = view.json()  # all this seat may know, as `meadhall replay --seat` prints it
    if choices[0].startswith("plan:"):  # Romans: the best of a hundred ways to line up along the Wall
        forts = [6 if "legion" in fort else int(fort[-1]) for fort in table["wall"]]
        return max(rng.sample(choices, 100), key=lambda plan: promise(plan.removeprefix("plan:").split(","), forts))
    if choices[0].startswith(("order:", "act:")):  # Goths: what we would like done most, if the cards allow it
        clan, enemy = sorted(table["clans"], key=lambda name: not view.seat.startswith(name))
        loaded, threatened = (table["clans"][name]["catapult"] == "active" for name in (clan, enemy))
        wishes = ["fire"] * loaded + ["sabotage"] * threatened + ["load", "advance", "axe", "recruit", "reconnoitre"]
        for wish in wishes:
            # A king can name anybody who is still in his hand; a warchief sees two characters on his king's card.
            fitting = [name for name in choices if name == f"act:{wish}" or name.startswith(f"order:{DOES[wish]}/")]
            if fitting and DOES[wish] in (table["backs"][clan] or DOES.values()):
                return rng.choice(fitting)
    return rng.choice(choices)


def promise(line, forts):
    """Strong warriors should stand where there is much to gain."""
    return sum(STRENGTH[warrior] * fort for warrior, fort in zip(line, forts, strict=True))

"""A search for Romans with re-dealt hands, written from the rules: try lines against lines the rivals might have laid.

It has a model of its own of how a round goes, with plain answers to the small questions, and no values but points.
`meadhall arena romans --bots examples/league/romans_search.py,hard`
"""

STRENGTH = {"qween": 1, "druhid": 2, "zvord": 3, "axx": 4, "archr": 5, "filchy": 6, "horsie": 7, "charriott": 9}
NINE = [*STRENGTH, "charriott"]
FIRST, KEPT, NEAR = 150, 8, 6  # lines tried at first, kept after each pass, and tried near each of them
DEALS = (6, 12, 16, 24)  # hands dealt anew in each pass
IDEAS = 6  # a rival's line is the most promising of so many


def choose(view, choices, rng):
    """One of `choices`, whichever question it is."""
    table, me = view.json(), view.seat
    kind = choices[0].partition(":")[0]
    if kind not in ("plan", "reorder"):
        return max(choices, key=lambda choice: (liking(table, me, choice), rng.random()))
    own = table["clans"][me]
    warriors = own["hand"] if kind == "plan" else own["hidden"]
    places = 6 if kind == "plan" else len(warriors)
    return f"{kind}:" + ",".join(found_line(table, me, warriors, places, rng))


# The search


def found_line(table, me, warriors, places, rng):
    """The line that does best on average; after each pass the better ones and lines near them are tried anew."""
    lines = {tuple(rng.sample(warriors, len(warriors))) for _ in range(FIRST)}
    best = []
    for deals in DEALS:
        dealt = [{clan: dealt_line(table, clan, rng) for clan in table["clans"] if clan != me} for _ in range(deals)]
        scores = {
            line: sum(outcome(table, me, {**others, me: line[:places]}) for others in dealt) for line in sorted(lines)
        }
        best = sorted(scores, key=scores.get, reverse=True)[:KEPT]
        lines = {*best, *(exchanged(line, rng) for line in best for _ in range(NEAR))}
    return best[0][:places]


def exchanged(line, rng):
    """A line in which two warriors have changed places; those after the sixth stay behind."""
    line = list(line)
    if len(line) > 1:
        one, other = rng.sample(range(len(line)), 2)
        line[one], line[other] = line[other], line[one]
    return tuple(line)


def dealt_line(table, clan, rng):
    """A line a rival might have laid, of warriors he has not shown."""
    left, seen = list(NINE), table["clans"][clan]
    for warrior in seen["face_up"] + seen["discarded"]:
        if warrior in left:
            left.remove(warrior)
    places = min(6, len(seen["hidden"]) or 6)
    tried = [rng.sample(left, places) for _ in range(IDEAS)]
    prices = [appeal(table, clan, fort) for fort in table["wall"]]
    return tuple(max(tried, key=lambda line: sum(STRENGTH[w] * p for w, p in zip(line, prices, strict=False))))


def outcome(table, me, lines):
    """My points less those of the best rival after the round, on top of what all hold."""
    clans = {
        clan: {
            "up": [(warrior, STRENGTH[warrior]) for warrior in seen["face_up"]],
            "score": 0.0,
            "legions": legions(seen),
        }
        for clan, seen in table["clans"].items()
    }
    wall = list(table["wall"])
    for turn in range(len(lines[me])):
        if not wall:
            break
        play_turn(clans, {clan: line[turn] for clan, line in lines.items()}, wall)
        for clan, state in clans.items():
            if state["legions"] >= 3:
                return 60.0 if clan == me else -60.0
    held = {clan: sum(value(fort) for fort in seen["forts"]) for clan, seen in table["clans"].items()}
    final = {
        clan: held[clan] + state["score"] + (3.0 if table["round"] < 3 else 0.0) * state["legions"]
        for clan, state in clans.items()
    }
    lead = final[me] - max(points for clan, points in final.items() if clan != me)
    return 20.0 * (lead > 0) + lead / 10 if table["round"] == 3 else lead


def play_turn(clans, shown, wall):
    """One turn: who has the highest total takes the leftmost fort."""
    wrecks = list(shown.values()).count("charriott") > 1
    qweens = [clan for clan, warrior in shown.items() if warrior == "qween"]
    totals = {}
    for clan, warrior in shown.items():
        if not (wrecks and warrior == "charriott"):
            clans[clan]["up"].append((warrior, STRENGTH[warrior]))
        totals[clan] = sum(points for _, points in clans[clan]["up"])
    targets = [clan for clan in shown if not (wrecks and shown[clan] == "charriott") and clan not in qweens]
    if len(qweens) == 1 and targets:
        target = max(targets, key=lambda clan: (totals[clan], STRENGTH[shown[clan]]))
        totals[target] -= STRENGTH[shown[target]]
        totals[qweens[0]] += STRENGTH[shown[target]]
    able = [clan for clan in shown if shown[clan] != "filchy"]
    top = max((totals[clan] for clan in able), default=None)
    first = [clan for clan in able if totals[clan] == top]
    archers = [clan for clan in first if shown[clan] == "archr"]
    winner = first[0] if len(first) == 1 else archers[0] if len(archers) == 1 else None
    for clan, warrior in shown.items():
        if warrior == "horsie" and clan != winner:
            clans[clan]["up"].remove(min(clans[clan]["up"], key=lambda each: each[1]))
    if winner is None:
        wall.pop(0)
        return
    place = 0
    if shown[winner] == "druhid":
        place = max(range(len(wall)), key=lambda k: price(wall[k], clans[winner]["legions"]))
    fort, wall[place] = wall[place], wall[0]
    wall.pop(0)
    take(clans, winner, fort, shown[winner] == "axx")


def take(clans, winner, fort, keeps_axx):
    """The winner has a fort; his warriors leave, and the fort does what it does."""
    state = clans[winner]
    weakest = min(state["up"], key=lambda each: each[1])
    state["up"] = [("axx", 4)] if keeps_axx else [weakest] if fort.startswith("unwary") else []
    state["score"] += value(fort) - (1 if fort.startswith("tax") else 0)
    state["legions"] += fort.startswith("legion")
    if fort.startswith("signal"):
        for other in clans.values():
            if other["up"]:
                other["up"].remove(min(other["up"], key=lambda each: each[1]))


# What forts are worth


def value(fort):
    """A fort's points."""
    kind, _, points = fort.partition("-")
    return -int(points) if kind == "legion" else int(points)


def legions(seen):
    """How many legions a clan holds."""
    return sum(fort.startswith("legion") for fort in seen["forts"])


def price(fort, held):
    """What a fort is worth to a clan with so many legions."""
    return value(fort) + ((4, 6, 60)[min(held, 2)] if fort.startswith("legion") else 0)


def appeal(table, clan, fort):
    """The same for a clan at the table."""
    return price(fort, legions(table["clans"][clan]))


# The small questions


def liking(table, me, choice):
    """What is done at once: the strongest is charmed, the best fort taken, the weakest sent away."""
    kind, _, what = choice.partition(":")
    if kind == "charm":
        return STRENGTH[table["clans"][what]["face_up"][-1]]
    if kind == "take":
        return appeal(table, me, table["wall"][int(what) - 1])
    if kind == "discard":
        return -STRENGTH[what]
    if kind == "pay":
        return -price(what, legions(table["clans"][me]) - 1)
    return 1 if kind == "keep" else 0

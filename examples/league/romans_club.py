"""A plain club player of Romans, written from the rules: which warrior will a rival lay at each fort, and do I beat it?

He asks of every fort whom a sensible rival would lay there, goes along the Wall once with what each side would then
have face up, and lays the line that promises most. No tables and no search beyond the round.
`meadhall arena romans --bots examples/league/romans_club.py,hard`
"""

STRENGTH = {"qween": 1, "druhid": 2, "zvord": 3, "axx": 4, "archr": 5, "filchy": 6, "horsie": 7, "charriott": 9}
NAMES = list(STRENGTH)
NINE = [*NAMES, "charriott"]
STARTS, EXCHANGES = 6, 60


def choose(view, choices, rng):
    """One of `choices`, whichever question it is."""
    table, me = view.json(), view.seat
    kind = choices[0].partition(":")[0]
    if kind in ("plan", "reorder"):
        own = table["clans"][me]
        warriors = own["hand"] if kind == "plan" else own["hidden"]
        return f"{kind}:" + ",".join(lined_up(table, me, warriors, 6 if kind == "plan" else len(warriors), rng))
    return max(choices, key=lambda choice: liking(table, me, choice) + rng.random() / 1000)


# What things are worth


def worth(table, clan, fort):
    """What a fort is worth to a clan: its points, and what a legion promises."""
    points = value(fort)
    if not fort.startswith("legion"):
        return points - 1 if fort.startswith("tax") else points
    held = sum(each.startswith("legion") for each in table["clans"][clan]["forts"])
    gone = sum(each.startswith("legion") for each in table["discarded_forts"])
    gone += sum(
        each.startswith("legion") for name, other in table["clans"].items() if name != clan for each in other["forts"]
    )
    return points + (0 if gone > 1 else (5, 10, 40)[min(held, 2)])


def value(fort):
    """A fort's points."""
    kind, _, points = fort.partition("-")
    return -int(points) if kind == "legion" else int(points)


def stake(table, me, fort):
    """What hangs on a fort: what it is worth to me, and half of what it is worth to the others."""
    others = [worth(table, clan, fort) for clan in table["clans"] if clan != me]
    return worth(table, me, fort) + max(others) / 2


# Whom to expect, and whom to lay


def likely_warriors(table, me, rival):
    """For each fort how likely a rival's warriors stand there: the stronger, the more there is to gain."""
    shown = table["clans"][rival]["face_up"] + table["clans"][rival]["discarded"]
    left = list(NINE)
    for warrior in shown:
        if warrior in left:
            left.remove(warrior)
    middle = sum(stake(table, rival, fort) for fort in table["wall"]) / max(1, len(table["wall"]))
    expected = []
    for fort in table["wall"]:
        greed = (stake(table, rival, fort) - middle) / 40
        weights = [2.718 ** (greed * STRENGTH[warrior]) for warrior in left]
        expected.append([(warrior, weight / sum(weights)) for warrior, weight in zip(left, weights, strict=True)])
    return expected


def lined_up(table, me, warriors, places, rng):
    """The best line found by exchanging two warriors at a time, from several starts."""
    rivals = [clan for clan in table["clans"] if clan != me]
    rival = max(rivals, key=lambda clan: sum(value(fort) for fort in table["clans"][clan]["forts"]))
    expected = likely_warriors(table, me, rival)
    stakes = [(worth(table, me, fort), max(worth(table, clan, fort) for clan in rivals)) for fort in table["wall"]]
    piles = [sum(STRENGTH[each] for each in table["clans"][clan]["face_up"]) for clan in (me, rival)]
    best, most = list(warriors), float("-inf")
    for _ in range(STARTS):
        line = rng.sample(warriors, len(warriors))
        reached = promise(line[:places], stakes, expected, piles)
        for _ in range(EXCHANGES):
            one, other = rng.sample(range(len(line)), 2) if len(line) > 1 else (0, 0)
            tried = list(line)
            tried[one], tried[other] = tried[other], tried[one]
            gained = promise(tried[:places], stakes, expected, piles)
            if gained >= reached:
                line, reached = tried, gained
        if reached > most:
            best, most = line, reached
    return best[:places]


def promise(line, stakes, expected, piles):
    """What a line promises along the Wall: chances to capture times stakes, with the piles that are likely then."""
    mine, theirs = (float(pile) for pile in piles)
    total = 0.0
    for k, warrior in enumerate(line[: len(stakes)]):
        wins, losses, shown = fight(warrior, mine, theirs, expected[k])
        gain, cost = stakes[k]
        if warrior == "druhid":
            gain = max(each for each, _ in stakes[k:])
        total += wins * gain - losses * cost / len(stakes) * 4
        kept = 4.0 if warrior == "axx" else 0.0
        grown = mine + (2.0 if warrior == "horsie" and not mine else STRENGTH[warrior])
        mine = wins * kept + (1 - wins) * grown
        theirs = losses * 0.8 + (1 - losses) * (theirs + shown)
    return total


def fight(warrior, mine, theirs, expected):
    """The chances that I and that the rival capture, and the strength he is likely to show."""
    wins = losses = shown = 0.0
    for other, chance in expected:
        shown += chance * STRENGTH[other]
        own, his = mine + STRENGTH[warrior], theirs + STRENGTH[other]
        if warrior == other == "charriott":
            own, his = mine, theirs
        if warrior == "qween" != other:
            own, his = own + STRENGTH[other], his - STRENGTH[other]
        if other == "qween" != warrior:
            own, his = own - STRENGTH[warrior], his + STRENGTH[warrior]
        lead = own - his + (0.5 if warrior == "archr" else 0) - (0.5 if other == "archr" else 0)
        # Piles are only expected: a small lead may be none.
        sure = min(1.0, max(0.0, 0.5 + lead / 8))
        wins += chance * (0.0 if warrior == "filchy" else 1.0 if other == "filchy" else sure)
        losses += chance * (0.0 if other == "filchy" else 1.0 if warrior == "filchy" else 1 - sure)
    return wins, losses, shown


# The small questions


def liking(table, me, choice):
    """How much a choice within a turn is liked."""
    kind, _, what = choice.partition(":")
    if kind == "charm":
        return STRENGTH[table["clans"][what]["face_up"][-1]]
    if kind == "take":
        return stake(table, me, table["wall"][int(what) - 1])
    if kind == "discard":
        return -STRENGTH[what]
    if kind == "pay":
        return -worth(table, me, what) if not what.startswith("legion") else -worth_held(table, me, what)
    return 1.0 if kind == "keep" else 0.0


def worth_held(table, me, fort):
    """What a legion that I hold is worth to me."""
    held = sum(each.startswith("legion") for each in table["clans"][me]["forts"])
    return value(fort) + (0, 2, 8, 40)[min(held, 3)]

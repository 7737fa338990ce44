"""A search for Goths: deals anew what it cannot see, plays on at random from each choice, and sees who is ahead."""

from meadhall.engine.rng import seeded

DEALS = 24  # worlds for each decision
TURNS = 2  # played out in each
WORTH = {"units": 1.0, "place": 0.5, "catapult": 0.9, "wall": 0.5, "seen": 0.4}


def standing(s, clan):
    """What an army amounts to."""
    place = min(int(s.place[clan]), 3)
    wall = place < 3 and int(s.barricades[clan]) >> place & 1
    seen = ((int(s.seen[clan]) | int(s.revealed)) & 7).bit_count()
    catapult = bool(s.catapult[clan]) and not wall
    return (
        WORTH["units"] * int(s.units[clan])
        + WORTH["place"] * place
        + WORTH["catapult"] * catapult
        + WORTH["wall"] * wall
        + WORTH["seen"] * min(seen, 2)
    )


def ended(s, clan):
    """From -8 (lost) to 8 (won)."""
    if s.winner >= 0:
        return 0.0 if s.winner > 1 else 8.0 if s.winner == clan else -8.0
    return standing(s, clan) - standing(s, 1 - clan)


def play_out(game, s, last, rng):
    """Anybody does anything until so many turns are over; a warchief does what is on the back or lies face up."""
    while int(s.turn) <= last:
        seat = next((k for k in range(4) if game.owes(s, k)), None)
        if seat is None:
            return
        options = game.choice_ids(s, seat)
        if len(options) == 9:
            characters = int(s.back[seat >> 1])
            for k in range(int(s.face_up_count[seat >> 1])):
                characters |= 1 << int(s.face_up[seat >> 1][k]) // 3
            options = [k for k in options if characters >> (0, 0, 1, 2, 2, 3, 3, 3, 3)[k - 12] & 1] or options
        game.commit(s, seat, rng.choice(options))


def choose(view, choices, rng):
    game, seat = view.game, view.number
    options = list(view.choice_ids)
    totals = dict.fromkeys(options, 0.0)
    for _ in range(DEALS):
        world = view.state.copy()
        game.redeal(world, seat, seeded(rng.getrandbits(60)))
        for option in options:
            s = world.copy()
            game.commit(s, seat, option)
            play_out(game, s, int(world.turn) + TURNS - 1, rng)
            totals[option] += ended(s, seat >> 1)
    return choices[max(range(len(options)), key=lambda k: totals[options[k]])]

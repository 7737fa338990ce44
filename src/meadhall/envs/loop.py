"""Very many games side by side, compiled for each game: actions in, observations, masks and rewards out.

The functions named in GIVEN are those of the game's own module (`envs/goths.py` says what each is for): so there is one
loop for all games.
"""

from typing import Any

from meadhall.engine.rng import RngState, reseed, roll
from meadhall.envs.slots import Slot

GIVEN = (
    *("deal", "set_up", "next_seat", "commit", "reveal", "redeal"),
    *("choose", "may_take", "observe", "pick", "write_mask", "write_returns"),
)
deal: Any = None
set_up: Any = None
next_seat: Any = None
commit: Any = None
reveal: Any = None
redeal: Any = None
choose: Any = None
may_take: Any = None
observe: Any = None
pick: Any = None
write_mask: Any = None
write_returns: Any = None


def begin(s: Any, slot: Slot, rng: list[int], word: int) -> None:
    """Deal the game of a slot's number."""
    reseed(rng, word, slot.game)
    deal(s, rng)
    set_up(s)
    slot.count = 0
    slot.row = 0


def show(s: Any, slot: Slot, view: Any, place: int, seats: list[int], observations: Any, masks: Any) -> None:
    """Write who is to act in a game, what that seat sees and what it may do."""
    seat = next_seat(s)
    seats[place] = seat
    reveal(s, seat, view)
    observe(view, seat, slot, observations[place])
    write_mask(s, slot, seat, masks[place])


def begin_games(
    states: Any,
    slots: list[Slot],
    views: Any,
    rngs: list[RngState],
    word: int,
    chunk: int,
    first: int,
    last: int,
    seats: list[int],
    observations: Any,
    masks: Any,
) -> None:
    """Deal the games `first` to `last - 1` of the arrays and show them; `chunk` is whose scratch memory is used."""
    for place in range(first, last):
        begin(states[place], slots[place], rngs[chunk].words, word)
        show(states[place], slots[place], views[chunk], place, seats, observations, masks)


def show_games(
    states: Any,
    slots: list[Slot],
    views: Any,
    chunk: int,
    first: int,
    last: int,
    seats: list[int],
    observations: Any,
    masks: Any,
) -> None:
    """Show games that were put in place by other means; one that is over has nobody to act."""
    for place in range(first, last):
        if next_seat(states[place]) < 0:
            seats[place] = -1
            observations[place][:] = 0
            masks[place][:] = False
            slots[place].mask = 0
        else:
            show(states[place], slots[place], views[chunk], place, seats, observations, masks)


def first_illegal(states: Any, slots: list[Slot], seats: list[int], actions: list[int], first: int, last: int) -> int:
    """The first place at which the action may not be taken; -1 if all may."""
    for place in range(first, last):
        if not may_take(states[place], slots[place], seats[place], actions[place]):
            return place
    return -1


def step_games(
    states: Any,
    slots: list[Slot],
    views: Any,
    rngs: list[RngState],
    word: int,
    stride: int,
    chunk: int,
    first: int,
    last: int,
    actions: list[int],
    seats: list[int],
    observations: Any,
    masks: Any,
    rewards: Any,
    dones: list[bool],
) -> None:
    """Take an action in each of these games; one that ends by it is dealt anew, `stride` games further on."""
    for place in range(first, last):
        s = states[place]
        slot = slots[place]
        choice = choose(s, slot, seats[place], actions[place])
        if choice >= 0:
            commit(s, seats[place], choice)
        over = next_seat(s) < 0
        dones[place] = over
        if over:
            write_returns(s, rewards[place])
            slot.game += stride
            begin(s, slot, rngs[chunk].words, word)
        else:
            rewards[place][:] = 0
        show(s, slot, views[chunk], place, seats, observations, masks)


def random_actions(
    states: Any,
    slots: list[Slot],
    seats: list[int],
    masks: Any,
    actions: list[int],
    rngs: list[RngState],
    chunk: int,
    first: int,
    last: int,
) -> None:
    """An action for each game out of those that its seat may take, each equally likely."""
    rng = rngs[chunk].words
    for place in range(first, last):
        if slots[place].one_by_one:
            actions[place] = nth_allowed(masks[place], rng)
        else:
            actions[place] = pick(states[place], seats[place], rng)


def nth_allowed(mask: list[bool], rng: list[int]) -> int:
    """One of the actions that a short mask allows."""
    count = 0
    for action in range(len(mask)):
        count += mask[action]
    left = roll(rng, count)
    action = 0
    while left > 0 or not mask[action]:
        left -= mask[action]
        action += 1
    return action


def view_games(states: Any, seats: list[int], views: Any) -> None:
    """What a seat of each game may know."""
    for place in range(len(states)):
        reveal(states[place], seats[place], views[place])


def redeal_games(views: Any, seats: list[int], rngs: list[RngState], word: int, first_game: int) -> None:
    """Fill each view with a world that its seat cannot tell apart from the others."""
    rng = rngs[0].words
    for place in range(len(views)):
        reseed(rng, word, first_game + place)
        redeal(views[place], seats[place], rng)

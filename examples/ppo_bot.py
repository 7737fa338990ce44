"""The bot file of a policy that `examples/ppo.py` has trained: a small network, run with NumPy alone.

This file is the pattern: the training script copies it and fills in the three names below.
"""

import base64
import importlib
import io

import numpy as np

from meadhall.envs.slots import Slot

GAME = ""
TEMPERATURE = 1.0  # below 1, likely choices become likelier
WEIGHTS = ""  # of all layers, as base64 of an .npz file


def layers_of(text):
    """A weight matrix and a bias for each layer."""
    with np.load(io.BytesIO(base64.b64decode(text))) as arrays:
        numbers = [arrays[name].astype(np.float32) for name in arrays.files]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def logits_of(layers, observation):
    """How much the network likes each action; its last output is the value of the position, which no bot needs."""
    flow = np.asarray(observation, np.float32)
    for k, (weight, bias) in enumerate(layers):
        flow = weight @ flow + bias
        if k + 1 < len(layers):
            flow = np.maximum(flow, 0)
    return flow[:-1]


LAYERS = layers_of(WEIGHTS) if WEIGHTS else []


def choose(view, choices, rng):
    """One of `choices`; where pieces are put in order, the network is asked for one after the other."""
    if view.game.name != GAME:
        raise ValueError(f"this policy plays {GAME or 'nothing: it is the pattern of a bot'}, not {view.game.name}")
    numbers = importlib.import_module(f"meadhall.envs.{GAME}")
    state, seat, slot = view.plain, view.number, Slot()
    slot.one_by_one = hasattr(numbers, "ONE_BY_ONE")
    if not slot.one_by_one:
        return name_of(view, action_of(numbers, state, seat, slot, rng))
    line = []
    while True:
        action = action_of(numbers, state, seat, slot, rng)
        if action >= numbers.KINDS:
            return name_of(view, numbers.CHARM + action - numbers.KINDS)
        line.append(numbers.WARRIORS[action])
        slot.row |= numbers.free_place(state, slot, seat, action) << (4 * slot.count)
        slot.count += 1
        if slot.count == numbers.places_to_fill(state):
            return ("plan:" if numbers.pool_size(state) > slot.count else "reorder:") + ",".join(line)


def name_of(view, choice):
    """The name of a choice of which only the number is known."""
    return view.game.choice_name(view.rules, view.plain, view.number, choice)


def action_of(numbers, state, seat, slot, rng):
    """An action drawn from what the network makes of the position, among those that are legal."""
    observation = [0] * numbers.SIZE
    numbers.observe(state, seat, slot, observation)
    mask = [False] * (numbers.ONE_BY_ONE if slot.one_by_one else numbers.ACTION_COUNT)
    numbers.write_mask(state, slot, seat, mask)
    logits = np.where(mask, logits_of(LAYERS, observation), -np.inf) / TEMPERATURE
    chances = np.exp(logits - logits.max())
    return rng.choices(range(len(mask)), chances.tolist())[0]

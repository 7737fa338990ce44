"""One shard of a sample, played by a worker: what came of each game, column by column."""

from importlib import import_module
from importlib.util import find_spec
from random import Random
from types import ModuleType
from typing import Any

import numpy as np

from meadhall import bots
from meadhall.bots import novice
from meadhall.engine.rng import seed_word
from meadhall.faults import Fault
from meadhall.games.game import game_named
from meadhall.lab.simulate import batch_module, compiled_recording
from meadhall.lab.simulate.recording import Recorder
from meadhall.lab.study.samples import Sample, Shard
from meadhall.match import Match

Columns = dict[str, np.ndarray[Any, Any]]


def counts_of(game: str) -> ModuleType:
    """The module that says what is counted in a game."""
    name = f"meadhall.lab.study.{game}"
    if find_spec(name) is None:
        raise Fault(f"there are no studies of {game}; what they count would be in src/meadhall/lab/study/{game}.py")
    return import_module(name)


def play_shard(shard: Shard, seed: int | str) -> Columns:
    """In a worker: the same columns for the same shard and seed, wherever it is played."""
    numbers = np.arange(shard.begin, shard.begin + shard.games, dtype=np.int32)
    played = _compiled(shard, seed) if shard.sample.compiled else _played(shard, seed)
    found: Columns = {"game": numbers, "way": (numbers % len(_sides(shard.sample))).astype(np.int8)}
    return found | played


def _sides(sample: Sample) -> dict[str, tuple[str, ...]]:
    return game_named(sample.game).sides(sample.full_rules)


def _compiled(shard: Shard, seed: int | str) -> Columns:
    sample = shard.sample
    game, batch = game_named(sample.game), batch_module(sample.game)
    start = game.blank(sample.full_rules).array()
    recorder = Recorder(compiled_recording(sample.game).record_games, start, seed_word(seed), batch.TALLY_SIZE)
    recorded = recorder.record(shard.begin, shard.games)
    found: Columns = counts_of(sample.game).ended(sample.full_rules, recorded.ended)
    return found | {name: values.astype(np.int32) for name, values in batch.counted(recorded.tallies).items()}


def _played(shard: Shard, seed: int | str) -> Columns:
    sample, counts = shard.sample, counts_of(shard.sample.game)
    matches = [_game(sample, number, seed) for number in range(shard.begin, shard.begin + shard.games)]
    states = b"".join(bytes(match.state) for match in matches)
    found: Columns = counts.ended(sample.full_rules, np.frombuffer(states, game_named(sample.game).state_type.dtype()))
    happened = [counts.happened(match) for match in matches]
    return found | {name: np.array([each[name] for each in happened], np.int32) for name in happened[0]}


def _game(sample: Sample, number: int, seed: int | str) -> Match:
    """One game; all samples play the same deals, so that what differs is not luck."""
    match = Match.new(sample.game, sample.full_rules, f"{seed} {number}")
    sides = list(_sides(sample).values())
    levels: dict[str, str] = {}
    for place, seats in enumerate(sides):
        for seat, level in zip(seats, sample.first if place == number % len(sides) else sample.others, strict=True):
            drawn = Random(f"{seed} {number} {seat} person")
            levels[seat] = f"novice-{novice.somebody(drawn)}" if level == "novice" else level
    rngs = {seat: Random(f"{seed} {number} {seat}") for seat in levels}
    while match.waiting:
        seat = match.waiting[0]
        match.commit(seat, bots.choose(levels[seat], match.view(seat), rngs[seat]))
    return match

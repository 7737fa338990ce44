"""Stands in for a worker of the arena that dies after a game; light enough to be imported by one."""

import os

from meadhall.lab.arena.play import Fixture, Played, Setting, play_deals


def plays_and_dies(setting: Setting, fixture: Fixture, deals: range) -> list[list[Played]]:
    """All deals are played by all bots, and then the process ends."""
    assert all(game.lapse is None for games in play_deals(setting, fixture, deals) for game in games)
    os._exit(3)

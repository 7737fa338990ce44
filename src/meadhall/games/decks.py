"""Decks are data: a TOML file that an owner of the box can copy, correct and pass by `--deck`."""

import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from meadhall.faults import Fault, RecordFault, show
from meadhall.games.game import game_named

_OWN = {"goths": ("king-deck.toml", "cards", "king_deck"), "romans": ("fort-deck.toml", "forts", "fort_deck")}


def own_deck_text(game: str) -> str:
    """The deck file that comes with the program."""
    return files(f"meadhall.games.{game}").joinpath(_OWN[game][0]).read_text(encoding="utf-8")


def deck_option(game: str) -> tuple[str, str]:
    """What a game's deck file calls its cards, and the rule option they stand for."""
    _, key, option = _OWN[game]
    return key, option


@cache
def own_deck(game: str) -> tuple[Any, ...]:
    """The cards of the deck that comes with the program."""
    return tuple(tomllib.loads(own_deck_text(game))[_OWN[game][1]])


def read_deck(game: str, path: Path) -> dict[str, Any]:
    """A deck file as the rule option it stands for, checked."""
    try:
        deck = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as problem:
        raise Fault(f"deck {path}: cannot be read ({problem.strerror or problem})") from None
    except UnicodeDecodeError:
        raise Fault(f"deck {path}: is not UTF-8 text") from None
    except tomllib.TOMLDecodeError as problem:
        raise Fault(f"deck {path}: is not TOML ({problem})") from None
    _, key, option = _OWN[game]
    wrong = sorted(set(deck) - {"game", key})
    if wrong:
        raise Fault(f"deck {path}: unknown key {show(wrong[0])}; a deck for {game} has game and {key}")
    if deck.get("game", game) != game:
        raise Fault(f"deck {path}: is for {show(deck['game'])}, not for {game}")
    if key not in deck:
        raise Fault(f"deck {path}: has no {key}; `meadhall deck {game}` prints one to start from")
    try:
        game_named(game).check_rules({option: deck[key], **game_named(game).smallest_rules})
    except RecordFault as fault:
        raise Fault(f"deck {path}: {fault}") from None
    return {option: deck[key]}

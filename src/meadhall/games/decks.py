"""Decks are data: a TOML file that an owner of the box can copy, correct and pass by `--deck`."""

import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

from meadhall.faults import Fault, RecordFault, show
from meadhall.games.game import Game, game_named

DECK_FILE = "deck.toml"


def own_deck_text(game: str) -> str:
    """The deck file that comes with the program."""
    _deck_option(game_named(game))
    return files(f"meadhall.games.{game}").joinpath(DECK_FILE).read_text(encoding="utf-8")


def own_deck(game: str) -> tuple[Any, ...]:
    """The cards of the deck that comes with the program."""
    return tuple(_deck_option(game_named(game)).default)


def parse_deck(game: str, text: str) -> dict[str, Any]:
    """A deck file's text as the rule option it stands for, checked; a Fault says what is wrong with it."""
    chosen = game_named(game)
    option = _deck_option(chosen)
    try:
        deck = tomllib.loads(text)
    except (ValueError, RecursionError) as problem:  # beside TOML faults: endless numbers, endless nesting
        raise DeckFault(f"is not TOML ({problem})", "text") from None
    wrong = sorted(set(deck) - {"game", option.deck_key})
    if wrong:
        raise DeckFault(f"unknown key {show(wrong[0])}; a deck for {game} has game and {option.deck_key}", "keys")
    if deck.get("game", game) != game:
        raise DeckFault(f"is for {show(deck['game'])}, not for {game}", "keys")
    if option.deck_key not in deck:
        raise DeckFault(f"has no {option.deck_key}; `meadhall deck {game}` prints one to start from", "keys")
    rules = {option.name: deck[option.deck_key]}
    try:
        chosen.check_rules(chosen.smallest_rules | rules)
    except RecordFault as fault:
        raise DeckFault(str(fault), "cards") from None
    return rules


def read_deck(game: str, path: Path) -> dict[str, Any]:
    """A deck file as the rule option it stands for, checked."""
    try:
        return parse_deck(game, path.read_text(encoding="utf-8-sig"))
    except OSError as problem:
        raise Fault(f"deck {path}: cannot be read ({problem.strerror or problem})") from None
    except UnicodeDecodeError:
        raise Fault(f"deck {path}: is not UTF-8 text") from None
    except DeckFault as fault:
        raise Fault(f"deck {path}: {fault}") from None


class DeckFault(Fault):
    """A deck file that makes no sense; `where` is the part at fault: its text, its keys or its cards."""

    def __init__(self, message: str, where: str) -> None:
        super().__init__(message)
        self.where = where


def _deck_option(game: Game) -> Any:
    if game.deck is None:
        raise Fault(f"{game.name} is played without a deck of one's own")
    return game.deck

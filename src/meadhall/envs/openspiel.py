"""Both games for OpenSpiel: importing this module registers `meadhall_goths` and `meadhall_romans`.

Every rule option is a parameter. Names in a list and cards of a deck are joined by `+`, since OpenSpiel's game strings
are split at commas; given as a parameter by itself, a text with commas will do too, and JSON for a deck.

    pyspiel.load_game("meadhall_romans(players=gold+green,one_by_one=True)")

**Chance** is explicit: the deal is a row of chance nodes before the first choice, with exact probabilities, since
Meadhall deals everything at set-up. One node that samples the whole deal would hide it from `history()`, and no
algorithm could walk through it or weigh it. Romans deals a player's hand in one node of 29, in the order of strength.

**Sealed choices** become nodes one after the other, in the order of seats; nobody else is told that or what was sealed.

**Promised**: `information_state_string` has perfect recall: it is all that the seat did and was told.
`observation_string` and `observation_tensor` hold the position as the seat may know it; `envs/NAME.py` says what each
number means. There is no `information_state_tensor`, since a whole game has no fixed size. `resample_from_infostate`
gives any past that the seat cannot rule out, with the deal and all that others hide drawn as if they chose at random,
not by anybody's policy. OpenSpiel finds it from Python only: use `open_spiel.python.algorithms.ismcts`, not
`pyspiel.ISMCTSBot`.
"""

import json
import re
from importlib import import_module
from importlib.util import find_spec
from random import Random
from types import ModuleType
from typing import Any, ClassVar

import numpy as np

try:
    import pyspiel
except ImportError as error:
    raise ImportError('OpenSpiel is not installed: pip install "meadhall[envs]"') from error

from meadhall.envs.spiel_play import Past, Play, Ruleset
from meadhall.faults import Fault, RecordFault, show
from meadhall.games.game import GAMES, Game, game_named
from meadhall.games.options import Option
from meadhall.match import Match
from meadhall.record import RecordData, read_header

__all__ = ["MeadhallGame", "MeadhallState", "state_of"]
LONGEST = 2**31 - 1  # what OpenSpiel counts moves with


# Parameters


def default_of(game: Game, option: Option) -> str | int | bool:
    """A parameter's default: the option's own, or what ends every game; an empty deck stands for the usual one."""
    if option.kind == "deck":
        return ""
    given = game.smallest_rules.get(option.name, option.default)
    value: Any = game.stalls.get(option.name, 0) if given is None else given
    return "+".join(value) if option.kind == "names" else value


def own_module(name: str) -> ModuleType:
    """What is a game's own in OpenSpiel."""
    return import_module(f"meadhall.envs.spiel_{name}")


def parameters(game: Game) -> dict[str, str | int | bool]:
    """Every parameter with its default."""
    found = {option.name: default_of(game, option) for option in game.options}
    if hasattr(import_module(f"meadhall.envs.{game.name}"), "ONE_BY_ONE"):
        found["one_by_one"] = False
    return found


def read_option(option: Option, value: Any) -> Any:
    """An option's value as records write it."""
    if option.kind == "names":
        return re.findall(r"[^+,\s]+", value)
    if option.kind == "deck":
        return read_deck(option.name, value)
    if option.kind == "number" and not 1 <= value <= LONGEST // 100:
        raise RecordFault(f"{option.name} must be from 1 to {LONGEST // 100}, not {value}: here every game has an end")
    return value


def read_deck(name: str, text: str) -> Any:
    """Cards joined by +, the parts of a card by /; or JSON as records have it."""
    if not text.lstrip().startswith("["):
        cards = re.findall(r"[^+,\s]+", text)
        return [card.split("/") if "/" in card else card for card in cards]
    try:
        return json.loads(text)
    except ValueError as problem:
        raise RecordFault(f"{name} is neither cards joined by + nor JSON ({problem})") from None


def write_option(option: Option, value: Any) -> str | int | bool:
    """An option's value as a parameter that can stand in a game string."""
    if option.kind == "deck":
        return "" if value == option.default else "+".join(c if isinstance(c, str) else "/".join(c) for c in value)
    return "+".join(value) if option.kind == "names" else value


def ruleset_of(game: Game, given: dict[str, Any]) -> Ruleset:
    """The rules that parameters stand for; a SpielError says what is wrong with them."""
    values = parameters(game) | given
    try:
        rules = {
            option.name: read_option(option, values[option.name])
            for option in game.options
            if option.kind != "deck" or values[option.name].strip()
        }
        return Ruleset(game.name, rules, bool(values.get("one_by_one", False)))
    except RecordFault as fault:
        raise pyspiel.SpielError(f"meadhall_{game.name}: {fault}") from None


def game_type(game: Game, zero_sum: bool = True) -> Any:
    """What OpenSpiel is promised of a game."""
    own = own_module(game.name)
    utility = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=f"meadhall_{game.name}",
        long_name=own.LONG_NAME,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility.ZERO_SUM if zero_sum else utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        min_num_players=own.PEOPLE[0],
        max_num_players=own.PEOPLE[1],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters(game),
    )


# OpenSpiel's three classes


class MeadhallGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its rules; `ruleset` has them as Meadhall does, `layout` says what an observation's numbers mean."""

    name: ClassVar[str]

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        game = game_named(self.name)
        ruleset = ruleset_of(game, dict(params or {}))
        rules, own = ruleset.rules, ruleset.own
        rivals = own.rivals(rules)
        zero_sum = rivals == len(game.sides(rules))  # a player alone has rivals who are nobody
        info = pyspiel.GameInfo(
            num_distinct_actions=ruleset.action_count,
            max_chance_outcomes=own.MOST_OUTCOMES,
            num_players=len(ruleset.seats),
            min_utility=-1 / (rivals - 1),
            max_utility=1.0,
            utility_sum=0.0 if zero_sum else None,
            max_game_length=own.longest(rules, ruleset.one_by_one),
        )
        written: dict[str, Any] = {option.name: write_option(option, rules[option.name]) for option in game.options}
        if "one_by_one" in parameters(game):
            written["one_by_one"] = ruleset.one_by_one
        super().__init__(game_type(game, zero_sum), info, written)
        self.ruleset, self.layout = ruleset, ruleset.numbers.LAYOUT

    def __reduce__(self) -> tuple[Any, ...]:
        return pyspiel.load_game, (str(self),)

    def new_initial_state(self, given: Any = None) -> "MeadhallState":
        """A game with nothing dealt; or the one that a Meadhall record leads to, as JSON text or parsed."""
        return MeadhallState(self) if given is None else state_of(self, given)

    def max_chance_nodes_in_history(self) -> int:
        """How many nodes the deal takes."""
        return int(self.ruleset.own.chance_nodes(self.ruleset.rules))

    def make_py_observer(self, kind: Any = None, params: Any = None) -> "MeadhallObserver | None":
        """Somebody who sees with a seat's eyes, with or without perfect recall; nothing else is offered."""
        if params:
            raise ValueError(f"observations have no parameters here, not {show(params)}")
        single = pyspiel.PrivateInfoType.SINGLE_PLAYER
        if kind is not None and not (kind.public_info and kind.private_info == single):
            return None
        return MeadhallObserver(self, kind is not None and kind.perfect_recall)


class MeadhallState(pyspiel.State):  # type: ignore[misc]
    """One node of a game: chance deals, or a seat is to act, or it is over. `play` is the game behind it."""

    def __init__(self, game: MeadhallGame) -> None:
        super().__init__(game)
        self.play = Play(game.ruleset)

    def current_player(self) -> int:
        """The seat that is to act, or chance, or nobody."""
        if self.play.dealing:
            return int(pyspiel.PlayerId.CHANCE)
        seat = self.play.seat
        return int(pyspiel.PlayerId.TERMINAL) if seat < 0 else seat

    def is_terminal(self) -> bool:
        """Is the game over?"""
        return self.play.over

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What can be dealt next, with its probability."""
        return self.play.outcomes()

    def returns(self) -> list[float]:
        """What the game was worth to each seat; 0 before the end."""
        return self.play.returns()

    def _legal_actions(self, player: int) -> Any:
        return self.play.legal()

    def _apply_action(self, action: int) -> None:
        self.play.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.play.action_name(player, action)

    def __str__(self) -> str:
        return str(self.play)

    def __deepcopy__(self, memo: dict[int, Any]) -> "MeadhallState":
        twin: MeadhallState = self.clone()
        return twin

    def resample_from_infostate(self, player: int, sampler: Any) -> "MeadhallState":
        """A state that the player cannot tell from this one: the same information state, others' secrets drawn anew.

        `sampler` gives numbers from 0 to 1, as `pyspiel.UniformProbabilitySampler` does.
        """
        if self.play.dealing:
            return self.__deepcopy__({})
        rng = Random(int(sampler() * 2**53))
        return _led(self.get_game(), self.play.another_past(player, rng))

    def record(self) -> RecordData:
        """The game so far as a Meadhall record."""
        return self.play.record()

    def match(self) -> Match:
        """The game so far as a Meadhall match, a copy of its own."""
        return Match.from_record(self.play.record())


class MeadhallObserver:
    """A seat's eyes: the position as numbers and in words, or with perfect recall all that it did and was told."""

    def __init__(self, game: MeadhallGame, recall: bool) -> None:
        self.recall = recall
        self.tensor = None if recall else np.zeros(game.layout.size, np.float32)
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, state: MeadhallState, player: int) -> None:
        """Look at a state."""
        if self.tensor is not None:
            self.tensor[:] = state.play.observation(player)

    def string_from(self, state: MeadhallState, player: int) -> str:
        """The same in words."""
        return state.play.tale(player) if self.recall else state.play.observed(player)


def _led(game: MeadhallGame, past: Past) -> MeadhallState:
    """The state that a past leads to."""
    state = game.new_initial_state()
    for action in state.play.follow(past):
        state.apply_action(action)
    return state


def state_of(game: MeadhallGame, record: RecordData | dict[str, Any] | str) -> MeadhallState:
    """The state that a Meadhall record leads to, if it is a record of this very game.

    Seats choose in order here: a record in which a later seat has sealed a choice before an earlier one is refused.
    """
    parsed: Any = json.loads(record) if isinstance(record, str) else record
    header = read_header(parsed)
    if header.game.name != game.ruleset.game.name or header.full_rules != game.ruleset.rules:
        raise Fault(f"this is a record of {header.game.name} by other rules than {game}")
    choices: list[list[str]] = [[] for _ in game.ruleset.seats]
    for seat, name in parsed["choices"]:
        choices[game.ruleset.seats.index(seat)].append(name)
    return _led(game, Past(header.setup, choices))


def _register() -> None:
    for name in GAMES:
        if find_spec(f"meadhall.envs.spiel_{name}") is not None:
            # OpenSpiel lets go of what it registered after Python has ended: a class bears that, a function does not.
            kind = type(f"{name.title()}Game", (MeadhallGame,), {"name": name})
            pyspiel.register_game(game_type(game_named(name)), kind)


_register()

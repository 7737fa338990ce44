"""One deal of an arena, played once for every way the sides can sit: the same for the same seed, anywhere."""

import random
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Protocol

from meadhall import bots
from meadhall.bots import novice
from meadhall.bots.own.files import Forfeit, Guest, is_legal, limited, load_guest, patience
from meadhall.faults import Fault
from meadhall.games.game import game_named
from meadhall.games.goths.state import Phase
from meadhall.lab.arena.entrants import is_file
from meadhall.match import View

FIRST, SECOND = 0, 1
LOADING = 10.0  # seconds for a file to load


@dataclass(frozen=True)
class Setting:
    """What all games of an arena have in common; `rules` are complete."""

    game: str
    rules: dict[str, Any]
    seed: int | str
    budget: float  # seconds for a decision of somebody's own bot

    @property
    def sides(self) -> int:
        """In how many ways the first side can sit, which is how often a deal is played."""
        return 2 if self.game == "goths" else len(self.rules["players"])

    def seated(self, way: int, seat: int) -> tuple[int, int]:
        """Which side sits on a seat, and in which role, when the first side sits this way."""
        clan, role = (seat >> 1, seat & 1) if self.game == "goths" else (seat, 0)
        return (FIRST if clan == way else SECOND), role


class Lapse(NamedTuple):
    """A bot that did not choose: it loses the game."""

    bot: str
    side: int
    kind: str
    turn: int
    seat: str
    said: str


class Played(NamedTuple):
    """What came of one game: the first side's score from 0 to 1, and in Goths the orders that got through."""

    score: float
    turns: int
    orders: int
    through: tuple[int, int]  # of the first side, of the second
    lapse: Lapse | None


class Fixture(NamedTuple):
    """Two sides that meet: the bots of each by role."""

    first: tuple[str, ...]
    second: tuple[str, ...]


class Player(Protocol):
    """Whoever sits on a seat for one game."""

    def __call__(self, view: View, dice: Random) -> str:
        """The name of a choice, or a Forfeit."""
        ...


# Tells that a bot of somebody's own has begun to think, until when it may (0: it is done), and at which turn and seat.
Watch = Callable[[float, int, int], None]


class House:
    """The bots of an arena, ready to sit down: files are read once and run afresh for every seat of every game."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self._guests: dict[str, Guest] = {}

    def welcome(self, bot: str) -> None:
        """Load a file, or let a level get ready; a Fault says what is wrong with a file."""
        game = self.setting.game
        if is_file(bot):
            self._guests[bot] = load_guest(Path(bot))
        elif bot in bots.LEVELS and bot not in ("random", "easy"):
            from importlib import import_module

            prepare = getattr(import_module(f"meadhall.bots.{game}.{bot}"), "prepare", None)
            if prepare is not None:
                prepare()

    def seat(self, bot: str, dice: Random) -> Player:
        """Somebody for one game; a `novice` is drawn now and stays the same person."""
        if is_file(bot):
            if bot not in self._guests:
                self.welcome(bot)
            guest, budget = limited(self._guests[bot].afresh, LOADING), self.setting.budget
            return lambda view, dice: limited(lambda: guest.choose(view, dice), budget)
        name = f"novice-{novice.somebody(dice)}" if bot == "novice" else bot
        return lambda view, dice: _of_level(name, view, dice)


def _of_level(level: str, view: View, dice: Random) -> str:
    try:
        choice = bots.choose(level, view, dice)
    except Exception as error:  # a fault of ours: it costs this game, and stands in the report
        raise Forfeit("raised", f"raised {type(error).__name__}: {error}") from error
    if not is_legal(view, choice):
        raise Forfeit("nonsense", f"answered {choice!r}, which is not one of the {len(view.choice_ids)} choices")
    return choice


class _Out(Exception):
    """A seat's bot that did not choose."""

    def __init__(self, seat: int, forfeit: Fault) -> None:
        self.seat, self.forfeit = seat, forfeit


class _Game:
    """One game being played; counts what the report wants."""

    def __init__(self, house: House, fixture: Fixture, deal: int, way: int, watch: Watch) -> None:
        self.setting, self.watch = house.setting, watch
        self.game, self.rules = game_named(self.setting.game), self.setting.rules
        self.names = self.game.seats(self.rules)
        self.state = self.game.start(self.rules, self.game.deal(self.rules, f"{self.setting.seed} {deal}"))
        self.state.log = None  # nobody listens
        self.way, self.fixture, self.house, self.deal = way, fixture, house, deal
        self.orders, self.through = 0, [0, 0]
        self.bots = [fixture[side][role] for side, role in self.seating]

    @property
    def seating(self) -> list[tuple[int, int]]:
        return [self.setting.seated(self.way, seat) for seat in range(len(self.names))]

    @property
    def turn(self) -> int:
        return int(self.state.turn) + (6 * (int(self.state.round) - 1) if self.setting.game == "romans" else 0)

    def dice(self, seat: int, what: str = "") -> Random:
        """The same for the same seed, deal and seat, whoever sits there: a bot against itself ends even."""
        return Random(f"{self.setting.seed} {self.deal} {seat} {what}")

    def play(self) -> None:
        """From the deal to the end; _Out when a bot does not choose."""
        s, game = self.state, self.game
        random.seed(f"{self.setting.seed} {self.deal}")  # for bots that do not use the dice they are given
        players: dict[int, Player] = {}
        dice = [self.dice(seat) for seat in range(len(self.names))]
        asked = range(len(self.names))
        goths = self.setting.game == "goths"
        while True:
            seat = next((k for k in asked if game.owes(s, k)), None)
            if seat is None:
                return
            view = View(game, self.rules, self.names[seat], game.reveal(s, seat))
            try:
                if seat not in players:
                    with self.watching(seat, LOADING):
                        players[seat] = self.house.seat(self.bots[seat], self.dice(seat, "person"))
                with self.watching(seat, self.setting.budget):
                    choice = players[seat](view, dice[seat])
            except Fault as forfeit:
                raise _Out(seat, forfeit) from None
            turning = goths and s.phase == Phase.ACTS
            game.commit(s, seat, game.choice_id(self.rules, s, seat, choice))
            if turning and s.phase != Phase.ACTS:
                self.count_orders()

    @contextmanager
    def watching(self, seat: int, seconds: float) -> Iterator[None]:
        """While somebody's own bot thinks, the parent is told how long it may."""
        if not is_file(self.bots[seat]):
            yield
            return
        self.watch(time.monotonic() + patience(seconds), self.turn, seat)
        try:
            yield
        finally:
            self.watch(0.0, self.turn, seat)

    def count_orders(self) -> None:
        """Both clans' cards have been turned: whose orders got through? (G4.1)"""
        self.orders += 1
        self.through[FIRST] += int(self.state.through[self.way])
        self.through[SECOND] += int(self.state.through[1 - self.way])

    def ended(self, score: float, lapse: Lapse | None = None) -> Played:
        return Played(score, self.turn, self.orders, (self.through[FIRST], self.through[SECOND]), lapse)

    def scored(self) -> float:
        """The first side's share of the victory; a draw is half of one."""
        outcome = self.game.outcome(self.rules, self.state)
        assert outcome is not None
        if self.setting.game == "goths":
            return 0.5 if outcome["winner"] is None else float(self.names[2 * self.way].startswith(outcome["winner"]))
        winners = outcome["winners"]
        return (self.names[self.way] in winners) / len(winners)

    def lapsed(self, seat: int, kind: str, turn: int, said: str) -> Played:
        """The bot on this seat loses; its rivals share the victory."""
        side = self.seating[seat][0]
        score = 0.0 if side == FIRST else 1.0 / (self.setting.sides - 1)
        return self.ended(score, Lapse(self.bots[seat], side, kind, turn, self.names[seat], said))


class Ended(NamedTuple):
    """How the parent saw a game end that took its worker with it."""

    kind: str
    turn: int
    seat: int
    said: str


def play_deal(
    house: House,
    fixture: Fixture,
    deal: int,
    known: Mapping[int, Ended],
    watch: Callable[[int], Watch] = lambda way: lambda until, turn, seat: None,
) -> list[Played]:
    """The deal played for every way the first side can sit; games whose end is known already are not played again."""
    played = []
    for way in range(house.setting.sides):
        game = _Game(house, fixture, deal, way, watch(way))
        if way in known:
            kind, turn, seat, said = known[way]
            played.append(game.lapsed(seat, kind, turn, said))
            continue
        try:
            game.play()
            played.append(game.ended(game.scored()))
        except _Out as out:
            kind = out.forfeit.kind if isinstance(out.forfeit, Forfeit) else "raised"
            played.append(game.lapsed(out.seat, kind, game.turn, str(out.forfeit)))
    return played

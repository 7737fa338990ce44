"""One deal of an arena, played once for every way the sides can sit: the same for the same seed, anywhere."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Protocol

from meadhall import bots
from meadhall.bots import novice
from meadhall.bots.own.files import Forfeit, check_choice
from meadhall.bots.own.seats import LOADING, OwnSeat, fair, own_bots_server
from meadhall.faults import Fault
from meadhall.games.game import game_named
from meadhall.lab.arena.entrants import is_file
from meadhall.match import View

FIRST, SECOND = 0, 1


@dataclass(frozen=True)
class Setting:
    """What all games of an arena have in common; `rules` are complete."""

    game: str
    rules: dict[str, Any]
    seed: int | str
    budget: float  # seconds for a decision of somebody's own bot
    keep: bool = False  # are the games themselves wanted?

    @cached_property
    def seats_by_side(self) -> dict[str, tuple[str, ...]]:
        """The sides, each with its seats in the order of their roles."""
        return game_named(self.game).sides(self.rules)

    @property
    def sides(self) -> int:
        """In how many ways the first side can sit, which is how often a deal is played."""
        return len(self.seats_by_side)

    @property
    def roles(self) -> int:
        """How many people play a side."""
        return len(game_named(self.game).roles)

    def dealt_from(self, deal: int) -> str:
        """The seed of a deal."""
        return f"{self.seed} {deal}"

    def seated(self, way: int, seat: int) -> tuple[int, int]:
        """Which side sits on a seat, and in which role, when the first side sits this way."""
        return (FIRST if seat // self.roles == way else SECOND), seat % self.roles


class Lapse(NamedTuple):
    """A bot that did not choose: it loses the game."""

    bot: str
    side: int
    kind: str
    turn: int
    seat: str
    said: str


class Kept(NamedTuple):
    """A game to be saved: its last position, and the seat and the number of every choice."""

    ended: bytes
    choices: list[tuple[int, int]]


class Played(NamedTuple):
    """What came of one game: the first side's score from 0 to 1, and with partners the orders that got through."""

    score: float
    turns: int
    orders: int
    through: tuple[int, int]  # of the first side, of the second
    lapse: Lapse | None
    kept: Kept | None = None


class Fixture(NamedTuple):
    """Two sides that meet: the bots of each by role."""

    first: tuple[str, ...]
    second: tuple[str, ...]


class Player(Protocol):
    """Whoever sits on a seat for one game."""

    def choose(self, view: View) -> str:
        """The name of a choice, or a Forfeit."""
        ...

    def end(self) -> None:
        """The game is over."""
        ...


class LevelPlayer:
    """A level, or a model of a person, on a seat."""

    def __init__(self, level: str, rng: Random) -> None:
        self._level, self._rng = level, rng

    def choose(self, view: View) -> str:
        """What the level chooses."""
        try:
            choice = bots.choose(self._level, view, self._rng)
        except Exception as error:  # a fault of ours: it costs this game, and stands in the report
            raise Forfeit("raised", f"raised {type(error).__name__}: {error}") from error
        return check_choice(view, choice)

    def end(self) -> None:
        """Nothing is left behind."""


class _Out(Exception):
    """A seat's bot that did not choose."""

    def __init__(self, seat: int, forfeit: Fault) -> None:
        self.seat, self.forfeit = seat, forfeit


class _Game:
    """One game being played; counts what the report wants."""

    def __init__(self, setting: Setting, fixture: Fixture, deal: int, way: int) -> None:
        self.setting = setting
        self.game, self.rules = game_named(setting.game), setting.rules
        self.names = self.game.seats(self.rules)
        self.state = self.game.start(self.rules, self.game.deal(self.rules, setting.dealt_from(deal)))
        self.state.log = None  # nobody listens
        self.way, self.deal = way, deal
        self.orders, self.through = 0, [0, 0]
        self.choices: list[tuple[int, int]] = []
        self.past: tuple[bytes, ...] = ()
        self.seating = [setting.seated(way, seat) for seat in range(len(self.names))]
        self.bots = [fixture[side][role] for side, role in self.seating]
        self.players: dict[int, Player] = {}

    def seed(self, seat: int, what: str = "") -> str:
        """The same for the same seed, deal and seat, whoever sits there: a bot against itself ends even."""
        return f"{self.setting.seed} {self.deal} {seat} {what}"

    def play(self) -> None:
        """From the deal to the end; _Out when a bot does not choose."""
        s, game = self.state, self.game
        asked = range(len(self.names))
        try:
            while (seat := next((k for k in asked if game.owes(s, k)), None)) is not None:
                choice = game.choice_id(self.rules, s, seat, self.chosen(seat))
                phase = int(getattr(s, "phase", 0))
                if (remembered := game.remembered(s, seat, choice)) is not None:
                    self.past = (*self.past, remembered)
                game.commit(s, seat, choice)
                self.choices.append((seat, choice))
                self.count_orders(phase)
        finally:
            for player in self.players.values():
                player.end()

    def chosen(self, seat: int) -> str:
        """What the bot on a seat chooses."""
        revealed = self.game.reveal(self.state, seat)
        view = View(self.game, self.rules, self.names[seat], revealed, past=self.past)
        try:
            if seat not in self.players:
                self.sit_down(seat)
            return self.players[seat].choose(view)
        except Fault as forfeit:
            raise _Out(seat, forfeit) from None

    def sit_down(self, seat: int) -> None:
        """Somebody for one game: a file in a process of its own; a `novice` is drawn now and stays the same person."""
        bot = self.bots[seat]
        if is_file(bot):
            own = self.players[seat] = OwnSeat(own_bots_server(), Path(bot), fair(self.setting.budget))
            own.load(self.seed(seat), LOADING)
            return
        level = f"novice-{novice.somebody(Random(self.seed(seat, 'person')))}" if bot == "novice" else bot
        self.players[seat] = LevelPlayer(level, Random(self.seed(seat)))

    def count_orders(self, phase: int) -> None:
        """Where partners guess each other's mind: whose orders got through?"""
        through = self.game.orders_revealed(self.state, phase)
        if through is not None:
            self.orders += 1
            for side, got_through in enumerate(through):
                self.through[FIRST if side == self.way else SECOND] += int(got_through)

    def ended(self, score: float, lapse: Lapse | None = None) -> Played:
        turn = self.game.turn(self.state)
        kept = Kept(bytes(self.state), self.choices) if self.setting.keep else None
        return Played(score, turn, self.orders, (self.through[FIRST], self.through[SECOND]), lapse, kept)

    def scored(self) -> float:
        """The first side's share of the victory, of which a draw gives everybody as much."""
        outcome, sides = self.game.outcome(self.rules, self.state), tuple(self.setting.seats_by_side)
        assert outcome is not None
        return outcome.share(sides[self.way]) if outcome.winners else 1.0 / len(sides)

    def lapsed(self, seat: int, forfeit: Fault) -> Played:
        """The bot on this seat loses; its rivals share the victory."""
        side = self.seating[seat][0]
        score = 0.0 if side == FIRST else 1.0 / (self.setting.sides - 1)
        kind = forfeit.kind if isinstance(forfeit, Forfeit) else "raised"
        turn = self.game.turn(self.state)
        return self.ended(score, Lapse(self.bots[seat], side, kind, turn, self.names[seat], str(forfeit)))


def play_deal(setting: Setting, fixture: Fixture, deal: int) -> list[Played]:
    """The deal played for every way the first side can sit."""
    played = []
    for way in range(setting.sides):
        game = _Game(setting, fixture, deal, way)
        try:
            game.play()
            played.append(game.ended(game.scored()))
        except _Out as out:
            played.append(game.lapsed(out.seat, out.forfeit))
    return played


def play_deals(setting: Setting, fixture: Fixture, deals: range) -> list[list[Played]]:
    """In a worker: some deals of a fixture."""
    return [play_deal(setting, fixture, deal) for deal in deals]

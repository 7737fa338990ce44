"""Who plays the seats that nobody at this terminal has taken: bots of any level, each thinking from its own view."""

from collections.abc import Callable
from pathlib import Path
from random import Random

from meadhall import bots
from meadhall.bots.own.files import Forfeit
from meadhall.bots.own.seats import AT_A_TABLE, LOADING_AT_A_TABLE, OwnSeat, check_own_bots, own_bots_server
from meadhall.bots.worker import prepare_levels
from meadhall.faults import Fault, listing, show
from meadhall.match import Match, Seat, View

USUAL = "medium"
Chooser = Callable[[View], str]


def usual_bot(game: str) -> str:
    """Who sits down if nobody is named: `medium`, or the best level of a game that has none."""
    levels = bots.levels_of(game)
    return USUAL if USUAL in levels else levels[-1]


def read_bots(text: str | None, match: Match) -> dict[Seat, str]:
    """The bot of every seat from how it is written: a bot for all, or SEAT=BOT,SEAT=BOT, or both."""
    game, seats = match.game.name, match.seats
    others, named = usual_bot(game), {}
    for number, part in enumerate(text.split(",") if text is not None else ()):
        seat, equals, bot = part.partition("=")
        if not equals and number == 0:
            others = _checked(part, game)
        elif not equals:
            raise Fault(f"{show(part)} must name a seat too, as in {seats[0]}={part or others}")
        elif seat not in seats:
            raise Fault(f"there is no seat {show(seat)} in this game; the seats are {listing(seats)}")
        else:
            named[seat] = _checked(bot, game)
    return dict.fromkeys(seats, others) | named


def _checked(bot: str, game: str) -> str:
    if is_file(bot):
        check_own_bots([Path(bot)])
    elif bot not in bots.levels_of(game):
        known = listing(bots.levels_of(game))
        raise Fault(f"there is no bot {show(bot)}; the bots are {known}, or a file of your own, such as ./mine.py")
    return bot


def is_file(bot: str) -> bool:
    """Is this somebody's own file rather than a level?"""
    return "/" in bot or bot.endswith(".py")


class Company:
    """The bots of one game; they are loaded when they are first asked, which may take a while."""

    def __init__(self, levels: dict[Seat, str], seed: int | str) -> None:
        self.levels = levels
        self._rngs = {seat: Random(f"{seed} {seat}") for seat in levels}
        self._ready: dict[Seat, Chooser] = {}

    def must_load(self, seat: Seat) -> bool:
        """Has the bot of this seat not been asked yet?"""
        return seat not in self._ready

    def choose(self, view: View) -> str:
        """What the bot of the view's seat chooses; a Fault if a file does not answer with a choice."""
        assert view.seat is not None
        bot = self.levels[view.seat]
        if view.seat not in self._ready:
            self._ready[view.seat] = _chooser(bot, view.game.name, self._rngs[view.seat])
        try:
            return self._ready[view.seat](view)
        except Forfeit as fault:
            raise Fault(f"{bot}, which plays {view.seat}, {fault}") from None


def _chooser(bot: str, game: str, rng: Random) -> Chooser:
    """A bot ready to choose; a file has a process of its own, the strong levels of some games are compiled first."""
    if is_file(bot):
        seat = OwnSeat(own_bots_server(), Path(bot), AT_A_TABLE)
        seat.load(rng.getrandbits(63), LOADING_AT_A_TABLE)
        return seat.choose
    prepare_levels([game], [bot])
    return lambda view: bots.choose(bot, view, rng)

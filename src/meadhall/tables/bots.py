"""What bots think at the tables: their own choices, hints for people, and what they do not know of."""

import secrets
from collections import OrderedDict
from random import Random
from typing import NamedTuple

import structlog

from meadhall.bots import BEST, LEVELS, RANDOM, caveat, chance, levels_of
from meadhall.bots.evaluation import Evaluation, Reason
from meadhall.bots.pool import Pool
from meadhall.bots.processes import WorkerLost
from meadhall.faults import ChoiceFault
from meadhall.tables import decisions
from meadhall.tables.meters import BOT_FAILURES, THINKING, THOUGHT
from meadhall.tables.refusals import MovedOn, Refusal, TooMany
from meadhall.tables.table import Table

STAND_IN = "easy"  # who chooses where a bot of somebody's own cannot, in games that have it
STAND_IN_LIMIT = 3.0  # seconds for whoever stands in: the table has waited already
MOST_HINTS = 20  # hints being thought about at once
KEPT = 1000  # hints in memory

log = structlog.get_logger("meadhall.lobby")


class Thought(NamedTuple):
    """A choice, the bot that made it, and the one that was to."""

    choice: str
    by: str
    wanted: str


class TableBots:
    """The bots of a lobby, asked about its tables; each gets a seat's view and nothing else."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self._asking: set[str] = set()  # the holders for whom a hint is being thought about
        self._hints: OrderedDict[tuple[int, str, int], Evaluation] = OrderedDict()

    async def choice(self, table: Table, seat: str) -> Thought:
        """What the bot on a seat chooses; the next lower level chooses for one that fails, so that the table goes on.

        Where only bots play nobody waits for a choice of his own, and so they get what those with people leave over.
        """
        view, limit = table.match.view(seat), None
        wanted = table.places[seat].level or STAND_IN
        for level in ladder(table.header.game, wanted):
            meter = level if level in LEVELS else "own"  # a label for each file would have no end
            asked = self.pool.choose(level, view, _seed(), table.number, limit=limit, can_wait=table.bots_only)
            limit = STAND_IN_LIMIT
            try:
                with THINKING.track_inprogress(), THOUGHT.labels(meter).time():
                    return Thought(table.match.check(seat, await asked), level, wanted)
            except Exception as error:
                if self.pool.closed:
                    raise
                if table.phase != "playing":  # its process was ended with the game
                    break
                BOT_FAILURES.labels(meter).inc()
                # A person's bot is its owner's business; a level that fails is ours.
                say = log.error if level in LEVELS else log.warning
                told = error if not isinstance(error, ChoiceFault) else "its choice is not possible"
                say("a bot failed", code=table.code, seat=seat, bot=level, error=str(told)[:300])
        # Here and now, with no process that could fail.
        return Thought(chance.choose(view, Random(_seed())), RANDOM, wanted)

    async def hint(self, table: Table, holder: str | None, seat: str | None) -> Evaluation:
        """What a strong bot makes of a holder's seat; nobody else can tell that it was asked for."""
        if BEST not in levels_of(table.header.game):
            raise Refusal("ui.refused.no-adviser")
        own = decisions.may_have_hint(table, holder, seat)
        position = table.position
        known = self._hints.get((table.number, own, position))
        if known is not None:
            return known
        if holder is None or holder in self._asking or len(self._asking) >= MOST_HINTS:
            raise TooMany("ui.refused.too-many")
        self._asking.add(holder)
        try:
            hint = await self.pool.evaluate(table.match.view(own))
        except WorkerLost as loss:
            log.error("a hint failed", code=table.code, seat=own, error=str(loss))
            raise Refusal("ui.refused.no-answer") from None
        finally:
            self._asking.discard(holder)
        if hint is None:
            raise Refusal("ui.refused.not-ready")
        if table.position != position:  # meanwhile
            raise MovedOn(table.position)
        self._hints[table.number, own, position] = hint
        while len(self._hints) > KEPT:
            self._hints.popitem(last=False)
        return hint

    def caveats(self, table: Table) -> tuple[Reason, ...]:
        """What the bots of a table do not know of its rules, each thing once; no process is asked."""
        game, seated = table.header.game, {place.level for place in table.places.values()}
        found = [caveat(level, game, table.match.rules) for level in levels_of(game) if level in seated]
        return tuple(why for k, why in enumerate(found) if why is not None and why not in found[:k])

    def leave(self, table: Table) -> None:
        """Nobody plays at this table any more."""
        self.pool.leave(table.number)


def ladder(game: str, wanted: str) -> tuple[str, ...]:
    """The bot that is to choose, and those who stand in for it one after the other, each lower than the one before."""
    levels = levels_of(game)
    below = levels[: levels.index(wanted if wanted in levels else stand_in(game)) + 1]
    return tuple(dict.fromkeys((wanted, *reversed(below))))


def stand_in(game: str) -> str:
    """The level that chooses for a bot of somebody's own that cannot, or is not there any more."""
    return STAND_IN if STAND_IN in levels_of(game) else RANDOM


def _seed() -> int:
    return secrets.randbits(63)

"""What bots think at the tables: their own choices, hints for people, and what they do not know of."""

import secrets
from collections import OrderedDict

import msgspec
import structlog

from meadhall.bots import LEVELS
from meadhall.bots.evaluation import Judgement, Why
from meadhall.bots.pool import Pool
from meadhall.faults import ChoiceFault
from meadhall.tables import decisions
from meadhall.tables.refusals import MovedOn, Refusal, TooMany
from meadhall.tables.table import Table

STAND_IN = "easy"  # who chooses where another bot cannot
MOST_JUDGED = 20  # hints being thought about at once
KEPT = 1000  # hints and caveats in memory

log = structlog.get_logger("meadhall.lobby")


class Counsel:
    """The bots of a lobby, asked about its tables; each gets a seat's view and nothing else."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self._judging: set[str] = set()  # the holders for whom a hint is being thought about
        self._hints: OrderedDict[tuple[int, str, int], Judgement] = OrderedDict()
        self._caveats: OrderedDict[tuple[str, str, bytes], Why | None] = OrderedDict()

    async def choice(self, table: Table, seat: str) -> str:
        """What the bot on a seat chooses; another chooses for one that fails, so that the table goes on."""
        level, view = table.places[seat].level or STAND_IN, table.match.view(seat)
        try:
            return table.match.check(seat, await self.pool.choose(level, view, secrets.randbits(63)))
        except Exception as error:
            if level == STAND_IN or self.pool.closed:
                raise
            # A user's bot is its owner's business; a level that fails is ours.
            say = log.error if level in LEVELS else log.warning
            told = error if not isinstance(error, ChoiceFault) else "its choice is not possible"
            say("a bot failed", code=table.code, seat=seat, bot=level, error=str(told)[:300], instead=STAND_IN)
        return await self.pool.choose(STAND_IN, view, secrets.randbits(63))

    async def hint(self, table: Table, holder: str | None, seat: str | None) -> Judgement:
        """What a strong bot makes of a holder's seat; nobody else can tell that it was asked for."""
        own = decisions.may_have_hint(table, holder, seat)
        position = table.position
        known = self._hints.get((table.number, own, position))
        if known is not None:
            return known
        if holder is None or holder in self._judging or len(self._judging) >= MOST_JUDGED:
            raise TooMany("ui.refused.too-many")
        self._judging.add(holder)
        try:
            judgement = await self.pool.judge(table.match.view(own))
        finally:
            self._judging.discard(holder)
        if judgement is None:
            raise Refusal("ui.refused.not-ready")
        if table.position != position:  # meanwhile
            raise MovedOn(table.position)
        self._hints[table.number, own, position] = judgement
        _forget_old(self._hints)
        return judgement

    async def caveats(self, table: Table) -> tuple[Why, ...]:
        """What the bots of a table do not know of its rules, each thing once."""
        levels = [level for level in LEVELS if any(place.level == level for place in table.places.values())]
        found = [await self._caveat(level, table) for level in levels]
        return tuple(why for k, why in enumerate(found) if why is not None and why not in found[:k])

    async def _caveat(self, level: str, table: Table) -> Why | None:
        rules = table.match.rules
        key = level, table.header.game, msgspec.json.encode(rules)
        if key not in self._caveats:
            try:
                self._caveats[key] = await self.pool.caveat(level, table.header.game, rules)
            except Exception as error:  # a table can be shown without it
                log.error("no caveat", code=table.code, bot=level, exc_info=error)
                return None
            _forget_old(self._caveats)
        return self._caveats[key]


def _forget_old(memory: OrderedDict) -> None:  # type: ignore[type-arg]
    while len(memory) > KEPT:
        memory.popitem(last=False)

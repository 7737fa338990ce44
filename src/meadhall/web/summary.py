"""What happens too often for a line each: once a minute, how many requests were refused and how many were slow."""

import asyncio
import re
from collections import Counter
from ipaddress import ip_address

import structlog

EVERY = 60.0  # seconds
SLOW = 1.0  # seconds until the first byte
FLOODS = (429,)
OF_OURS = re.compile(r"[a-z.]{0,16}")  # a word of an address that is not a code, a number or a packed record
log = structlog.get_logger("meadhall.web")


class Summary:
    """Counts what was refused or slow, and says so once a minute, if there was any."""

    def __init__(self, every: float = EVERY) -> None:
        self.every = every
        self._refused: Counter[str] = Counter()
        self._slow: Counter[str] = Counter()
        self._slowest = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def note(self, path: str, status: int, seconds: float, address: str) -> None:
        """A request was answered."""
        if status not in FLOODS and seconds < SLOW:
            return
        if status in FLOODS:
            self._refused[network_of(address)] += 1
        else:
            self._slow[kind_of(path)] += 1
            self._slowest = max(self._slowest, seconds)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self.every, self.say)

    def say(self) -> None:
        """Write what was counted, and begin anew."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._refused:
            [(most, count)] = self._refused.most_common(1)
            log.warning(
                "requests refused: too many at once",
                requests=self._refused.total(),
                networks=len(self._refused),
                most_from=most,
                of_these=count,
            )
        if self._slow:
            [(most, count)] = self._slow.most_common(1)
            log.warning(
                "slow answers",
                requests=self._slow.total(),
                slowest_s=round(self._slowest, 1),
                mostly=most,
                of_these=count,
            )
        self._refused.clear()
        self._slow.clear()
        self._slowest = 0.0


def network_of(address: str) -> str:
    """Where somebody comes from, as far as a host needs it to shut the door: not who."""
    try:
        found = ip_address(address)
    except ValueError:
        return "unknown"
    whole = found.exploded
    return ".".join(whole.split(".")[:3]) + ".0/24" if found.version == 4 else ":".join(whole.split(":")[:3]) + "::/48"


def kind_of(path: str) -> str:
    """The kind of page, without the code of a table or whatever else somebody typed."""
    return "/".join(part if OF_OURS.fullmatch(part) else "*" for part in path.split("/")[:5])

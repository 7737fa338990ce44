"""How a server is set up: by the options of `meadhall serve`, which reach its processes through the environment."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from functools import partial
from pathlib import Path

from meadhall.bots.own.files import named_files
from meadhall.faults import Fault, show
from meadhall.tables.housekeeping import Terms
from meadhall.tables.pause import Pause
from meadhall.web.edge.address import Proxies, read_networks

PREFIX = "MEADHALL_"
MOST_BOT_PROCESSES = 256
LEVELS = ("debug", "info", "warning", "error")


@dataclass(frozen=True)
class Settings:
    """Everything about a server that can be set; each field is an option and an environment variable."""

    db: str = ""  # empty: a file in the user's data directory
    rate_limit: float = 50.0  # requests a second for each address, with bursts of four times as many; 0: no limit
    grace: float = 60.0  # seconds until a player who is not there counts as gone
    log_level: str = "info"
    metrics_token: str = ""  # who shows it may read /metrics; empty: whoever sits at this machine
    bot_pause: str = "0.7-1.9"  # seconds until a bot's choice is shown, drawn from this range; 0: none
    warm_up: float = 1.0  # 0: strong bots get ready when one is first asked, not when the server starts
    record: str = ""  # a packed record that /replay shows at once
    bot_processes: float = 0.0  # that think for the tables, in each process of the server; 0: as many as cores
    close_open: float = Terms.open  # days without activity until an open table is closed; 0: never
    end_games: float = Terms.games  # the same for games in progress
    end_bots: float = Terms.bots  # the same for games in which only bots play
    keep_records: float = Terms.records  # days until a game that is over is removed; 0: never
    keep_bots: float = Terms.bot_records  # the same where only bots played
    archive: str = ""  # a folder to which records go before they are removed; empty: they do not
    bots: str = ""  # files of people's own bots, with the separator of PATH between them
    trusted_proxies: str = "127.0.0.1,::1"  # addresses and networks whose X-Forwarded-For and -Proto are believed
    address_connections: float = 250.0  # connections at a time from each address; 0: no limit
    address_streams: float = 100.0  # live streams at a time to each address; 0: no limit
    connections: float = 0.0  # in all, for each process; 0: as many as the limit of open files leaves room for
    request_time: float = 10.0  # seconds for the head of a request; other time limits go by it

    @classmethod
    def from_environment(
        cls, environment: Mapping[str, str] | None = None, options: Mapping[str, str] | None = None
    ) -> "Settings":
        """The settings of this process; options of the command line, by the name of their field, go first.

        A Fault names the option or the variable that makes no sense.
        """
        given, chosen = os.environ if environment is None else environment, options or {}
        naming = partial(_naming, chosen)
        values: dict[str, str | float] = {}
        for field in fields(cls):
            text = chosen.get(field.name) or given.get(PREFIX + field.name.upper())
            if text:
                with naming(field.name):
                    values[field.name] = _number(text) if isinstance(field.default, float) else text
        settings = cls(**values)  # type: ignore[arg-type]
        with naming("log_level"):
            if settings.log_level not in LEVELS:
                raise Fault(f"must be one of {', '.join(LEVELS)}, not {show(settings.log_level)}")
        with naming("bot_pause"):
            _ = settings.pause
        with naming("bots"):
            _ = settings.own_bots
        with naming("trusted_proxies"):
            _ = settings.proxies
        with naming("request_time"):
            if settings.request_time < 1:
                raise Fault(f"must be at least 1 second, not {settings.request_time:g}")
        with naming("bot_processes"):
            if settings.bot_processes not in range(MOST_BOT_PROCESSES + 1):
                raise Fault(f"must be a whole number from 0 to {MOST_BOT_PROCESSES}, not {settings.bot_processes:g}")
        with naming("archive"):
            writable = Path(settings.archive).is_dir() and os.access(settings.archive, os.W_OK | os.X_OK)
            if settings.archive and not writable:
                raise Fault(f"must be a folder that can be written, not {show(settings.archive)}")
        return settings

    @property
    def pause(self) -> Pause:
        """How long bots seem to think where people play."""
        return Pause.read(self.bot_pause)

    @property
    def terms(self) -> Terms:
        """How long tables stay."""
        return Terms(self.close_open, self.end_games, self.end_bots, self.keep_records, self.keep_bots)

    @property
    def own_bots(self) -> dict[str, Path]:
        """People's own bots, each by the name under which it is offered."""
        return named_files(Path(file) for file in self.bots.split(os.pathsep) if file)

    @property
    def proxies(self) -> Proxies:
        """The proxies whose word about their visitors we take."""
        return Proxies(read_networks(self.trusted_proxies))

    def as_environment(self) -> dict[str, str]:
        """The environment variables that give these settings to another process."""
        return {PREFIX + name.upper(): str(value) for name, value in asdict(self).items()}


@contextmanager
def _naming(options: Mapping[str, str], name: str) -> Iterator[None]:
    """Begin what is wrong with a setting with the option or the environment variable that gave it."""
    try:
        yield
    except Fault as fault:
        option = {"bots": "--bot"}.get(name, f"--{name.replace('_', '-')}")
        source = option if options.get(name) else PREFIX + name.upper()
        raise Fault(f"{source}{'' if str(fault).startswith('must ') else ':'} {fault}") from None


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < 1e9:
        raise Fault(f"must be a number of 0 or more, not {show(text)}")
    return value

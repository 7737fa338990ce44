"""How a server is set up: by the options of `meadhall serve`, which reach its processes through the environment."""

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from meadhall.bots.own.room import named_guests
from meadhall.faults import Fault, show
from meadhall.tables.pause import Pause

PREFIX = "MEADHALL_"
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
    bots: str = ""  # files of users' own bots, with the separator of PATH between them

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> "Settings":
        """The settings of this process; a Fault names the variable that makes no sense."""
        given = os.environ if environment is None else environment
        values: dict[str, str | float] = {}
        for field in fields(cls):
            text = given.get(PREFIX + field.name.upper())
            if text:
                values[field.name] = _number(field.name, text) if isinstance(field.default, float) else text
        settings = cls(**values)  # type: ignore[arg-type]
        if settings.log_level not in LEVELS:
            raise Fault(f"{PREFIX}LOG_LEVEL must be one of {', '.join(LEVELS)}, not {show(settings.log_level)}")
        _ = settings.pause, settings.guests  # what is wrong with them is said here
        return settings

    @property
    def pause(self) -> Pause:
        """How long bots seem to think where people play."""
        try:
            return Pause.read(self.bot_pause)
        except Fault as fault:
            raise Fault(f"{PREFIX}BOT_PAUSE {fault}") from None

    @property
    def guests(self) -> dict[str, Path]:
        """The users' own bots, each by the name under which it is offered."""
        try:
            return named_guests(Path(file) for file in self.bots.split(os.pathsep) if file)
        except Fault as fault:
            raise Fault(f"{PREFIX}BOTS: {fault}") from None

    def as_environment(self) -> dict[str, str]:
        """The environment variables that give these settings to another process."""
        return {PREFIX + name.upper(): str(value) for name, value in asdict(self).items()}


def _number(name: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < 1e9:
        raise Fault(f"{PREFIX}{name.upper()} must be a number of 0 or more, not {show(text)}")
    return value

"""Who takes part in an arena: levels, models of people, anybody's own files, or one of these for each role."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from meadhall.bots import LEVELS, NOVICES, check_level, check_novice, has_novices, levels_of
from meadhall.bots.own.files import FORM, read_code
from meadhall.faults import Fault, listing, show
from meadhall.games.game import game_named


@dataclass(frozen=True)
class Entrant:
    """A side of an arena: its name in reports, and the bot of each role, such as king and warchief."""

    name: str
    bots: tuple[str, ...]

    @property
    def plain(self) -> bool:
        """One bot for everything?"""
        return "+" not in self.name


def is_file(bot: str) -> bool:
    """Is this bot somebody's own file, rather than a level or a person?"""
    return bot not in LEVELS and bot not in NOVICES


def read_entrants(game: str, texts: Sequence[str]) -> tuple[Entrant, ...]:
    """Entrants as they are written on the command line, with names that differ."""
    names: dict[str, str] = {}  # a bot's name in reports: a file has that of its stem, made unique
    for bot in dict.fromkeys(bot for text in texts for bot in _roles(game, text)):
        names[bot] = _unused(Path(bot).stem if is_file(bot) else bot, [*names.values(), *LEVELS, *NOVICES], bot)
    entrants: list[Entrant] = []
    people = len(game_named(game).roles)
    for text in texts:
        roles = _roles(game, text)
        name = _unused("+".join(names[bot] for bot in roles), [entrant.name for entrant in entrants])
        entrants.append(Entrant(name, roles if len(roles) == people else roles * people))
    return tuple(entrants)


def paired(king: Entrant, warchief: Entrant) -> Entrant:
    """A side that has the king of one entrant and the warchief of another."""
    return Entrant(f"{king.name}+{warchief.name}", (king.bots[0], warchief.bots[1]))


def _roles(game: str, text: str) -> tuple[str, ...]:
    """The bots of an entrant: one, or one for each role with a plus between them."""
    if "+" not in text or Path(text).is_file():
        return (_checked(game, text),)
    roles = game_named(game).roles
    if len(roles) == 1:
        raise Fault(f"{show(text)}: nobody has a partner in {game}; give one bot for each side")
    parts = text.split("+")
    if len(parts) != len(roles):
        raise Fault(f"{show(text)}: a side of {game} is {' + '.join(roles)}, such as {'+'.join(['easy'] * len(roles))}")
    return tuple(_checked(game, part) for part in parts)


def _checked(game: str, bot: str) -> str:
    """A bot there is: a level, a person, or a file that is Python."""
    if bot in LEVELS:
        return check_level(bot, game)
    if bot in NOVICES:
        return check_novice(bot, game)
    if "/" not in bot and not bot.endswith(".py"):
        known = listing((*levels_of(game), *(NOVICES if has_novices(game) else ())))
        raise Fault(f"there is no bot {show(bot)}; the bots are {known}, or a file of your own, such as ./mine.py")
    with suppress(OSError):  # such as a folder that may not be looked into: read_code says so
        if not Path(bot).exists():
            raise Fault(f"{bot}: there is no such file; {FORM}")
    read_code(Path(bot))
    return bot


def _unused(name: str, taken: Sequence[str], itself: str = "") -> str:
    """The name, with a number behind it if another has it."""
    name = name.replace("+", "-") if itself else name
    found, number = name, 2
    while found in taken and found != itself:
        found, number = f"{name}-{number}", number + 1
    return found

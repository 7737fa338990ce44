"""Deals played on another machine: people's own files travel with them, and reports name them as here."""

import tempfile
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from meadhall.bots.own.files import FORM
from meadhall.faults import Fault
from meadhall.games.game import game_named
from meadhall.lab.arena.entrants import is_file
from meadhall.lab.arena.play import Fixture, Played, Setting, play_deals


class Packed(NamedTuple):
    """Somebody's own file: where it lies here, and what is in it."""

    path: str
    text: bytes


def pack(bots: Iterable[str]) -> dict[str, Packed]:
    """Those of these bots that are files, by the names they are given."""
    return {bot: Packed(str(Path(bot).absolute()), _read(Path(bot))) for bot in bots if is_file(bot)}


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as problem:  # it was there a moment ago
        raise Fault(f"{path} cannot be read ({problem.strerror or problem}); {FORM}") from None


def play_packed(files: dict[str, Packed], setting: Setting, fixture: Fixture, deals: range) -> list[list[Played]]:
    """In a worker: some deals of a fixture, like `play_deals`."""
    with ExitStack() as unpacked:
        places = {bot: _place(file, unpacked) for bot, file in files.items() if bot in sum(fixture, ())}
        here = Fixture(*(tuple(places.get(bot, bot) for bot in side) for side in fixture))
        found = play_deals(setting, here, deals)
    return [[_as_given(setting, fixture, here, game) for game in games] for games in found]


def _place(file: Packed, unpacked: ExitStack) -> str:
    """Where a file lies on this machine: as there, with its neighbours, if it is the same; or alone, for a while."""
    try:
        if Path(file.path).read_bytes() == file.text:
            return file.path
    except OSError:
        pass
    folder = unpacked.enter_context(tempfile.TemporaryDirectory(prefix="meadhall-"))
    place = Path(folder) / Path(file.path).name
    place.write_bytes(file.text)
    return str(place)


def _as_given(setting: Setting, given: Fixture, here: Fixture, game: Played) -> Played:
    """The game as it would be told where the files lie under the names they were given."""
    lapse = game.lapse
    if lapse is None:
        return game
    role = game_named(setting.game).seats(setting.rules).index(lapse.seat) % setting.roles
    bot, place = given[lapse.side][role], here[lapse.side][role]
    return game._replace(lapse=lapse._replace(bot=bot, said=lapse.said.replace(place, bot)))

"""Romans Go Home!: what became of every fort and warrior, followed through the events that were told."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from meadhall.games.game import Event


@dataclass(frozen=True)
class Followed:
    """A fort with the round and the place at which it was drawn, by which it is the same fort all game."""

    fort: str
    mark: str


@dataclass(frozen=True)
class Fate:
    """What became of a fort on a turn of this round: taken by a clan, or discarded."""

    fort: Followed
    captor: str | None


@dataclass
class Chronicle:
    """Where everything public lies, and how it came there."""

    original: bool  # rule option original_rules (R9)
    round: int = 0
    turn: int = 0
    wall: list[Followed] = field(default_factory=list)
    won: dict[str, list[Followed]] = field(default_factory=dict)
    discarded: list[Followed] = field(default_factory=list)
    paid: list[tuple[str, Followed]] = field(default_factory=list)
    fates: dict[int, Fate] = field(default_factory=dict)  # by turn of this round
    # Of this round, by clan and turn: who lies face up, and why those who do not are gone.
    up: dict[str, dict[int, str]] = field(default_factory=dict)
    gone: dict[str, dict[int, str]] = field(default_factory=dict)
    _place: int = 0

    def hear(self, event: Event) -> None:
        """Follow one event."""
        args, clan = event.args, str(event.args.get("clan"))
        match event.code:
            case "round":
                self.round, self.turn = int(args["round"] or 0), 0
                self.wall, self.fates, self.up, self.gone = [], {}, {}, {}
            case "fort-drawn":
                self.wall.append(Followed(str(args["fort"]), f"{self.round}-{args['place']}"))
            case "turn":
                self.turn, self._place = int(args["turn"] or 0), 0
            case "shown":
                self.up.setdefault(clan, {})[self.turn] = str(args["warrior"])
            case "wrecked":  # R4.2: the one just revealed
                self._leave(clan, self.turn, "wrecked")
            case "left" | "discarded":  # R6.2: of equals the one revealed first
                turns = self.up[clan]
                first = min(turn for turn, warrior in turns.items() if warrior == args["warrior"])
                self._leave(clan, first, event.code)
            case "swapped":
                self._place = int(args["place"] or 1) - 1
            case "captured":
                fort = self._take(self._place)
                self.won.setdefault(clan, []).append(fort)
                self.fates[self.turn] = Fate(fort, clan)
            case "fort-discarded":  # R4.9, R9.1
                fort = self.wall.pop(-1 if self.original else 0)
                self.discarded.append(fort)
                self.fates[self.turn] = Fate(fort, None)
            case "paid":  # R6.2: of equals the one captured first
                fort = next(fort for fort in self.won[clan] if fort.fort == args["fort"])
                self.won[clan].remove(fort)
                self.paid.append((clan, fort))

    def _leave(self, clan: str, turn: int, why: str) -> None:
        del self.up[clan][turn]
        self.gone.setdefault(clan, {})[turn] = why

    def _take(self, place: int) -> Followed:
        """A fort leaves the Wall; the leftmost takes its place (R4.10), or the others close the gap (R9.2)."""
        fort = self.wall.pop(place)
        if place > 1 and not self.original:
            self.wall.insert(place - 1, self.wall.pop(0))
        return fort


def chronicle(told: Sequence[tuple[int, Event]], original: bool) -> Chronicle:
    """Follow all that was told."""
    followed = Chronicle(original)
    for _, event in told:
        followed.hear(event)
    return followed

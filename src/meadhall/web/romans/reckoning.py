"""Romans Go Home!: every clan's sum with all its terms, from a view or from what was told, and who captures by it."""

from collections.abc import Sequence
from dataclasses import dataclass

from meadhall.engine.bits import at
from meadhall.games.game import Event
from meadhall.games.romans.rules import clan_of_bit, shown_now, who_shows
from meadhall.games.romans.state import STRENGTH, WARRIORS, Warrior
from meadhall.match import View

POINTS = dict(zip(WARRIORS, STRENGTH, strict=True))


@dataclass(frozen=True)
class Term:
    """A warrior in a clan's sum; `fate` is "" if it counts, or got, lost (charmed away) or silent (R4.3)."""

    warrior: str
    owner: str
    fate: str = ""
    other: str = ""  # the clan that gave or got a charmed warrior

    @property
    def points(self) -> int:
        """What is printed on the warrior."""
        return POINTS[self.warrior]


@dataclass(frozen=True)
class Sum:
    """A clan's total with every term (R4.5); a barred clan cannot capture (R4.6)."""

    clan: str
    terms: tuple[Term, ...]
    barred: bool
    at: int = -1  # the moment it was told

    @property
    def total(self) -> int:
        """The points that count."""
        return sum(term.points for term in self.terms if term.fate in ("", "got"))


@dataclass(frozen=True)
class Reckoned:
    """How a fight ends: the best total of those that can capture, and the captor if there is one."""

    best: int | None
    captor: str | None
    by_archr: bool = False


def highest_first(sums: Sequence[Sum]) -> list[Sum]:
    """The sums as they are shown; of equals the earlier clan of the table first."""
    return sorted(sums, key=lambda each: -each.total)


def sums_so_far(view: View, charmed: int | None = None) -> list[Sum]:
    """The sums of this turn from the view alone; `charmed`: as they would be if that clan's warrior were charmed."""
    state = view.state
    clans = view.game.vocabulary(view.rules, "clan")
    charmer = int(state.charmer)
    sums = []
    for clan, name in enumerate(clans):
        terms = []
        for place in range(6):
            if not state.up[clan] >> place & 1:
                continue
            fate = other = ""
            if charmed is not None and place == state.shown - 1:
                if clan == charmed:  # R4.3
                    fate, other = "lost", clans[charmer]
                elif clan == charmer and state.replaces:
                    fate = "silent"
            terms.append(Term(WARRIORS[at(state.line[clan], place)], name, fate, other))
        if charmed is not None and clan == charmer:
            terms.append(Term(WARRIORS[shown_now(state, charmed)], clans[charmed], "got", clans[charmed]))
        sums.append(Sum(name, tuple(terms), bool(who_shows(state, Warrior.FILCHY) >> clan & 1)))
    return sums


def reckon(view: View, sums: Sequence[Sum]) -> Reckoned:
    """Who captures with these sums of this turn (R4.6 to R4.9)."""
    able = [each for each in sums if not each.barred]  # R4.6
    if not able:
        return Reckoned(None, None)
    best = max(each.total for each in able)
    leaders = [each.clan for each in able if each.total == best]
    if len(leaders) == 1:  # R4.7
        return Reckoned(best, leaders[0])
    clans = view.game.vocabulary(view.rules, "clan")
    archrs = who_shows(view.state, Warrior.ARCHR) & sum(1 << clans.index(leader) for leader in leaders)
    if archrs and archrs & (archrs - 1) == 0:  # R4.8
        return Reckoned(best, clans[clan_of_bit(archrs)], by_archr=True)
    return Reckoned(best, None)  # R4.9


def sums_told(events: Sequence[tuple[int, Event]]) -> list[Sum]:
    """The sums of a turn as they were told."""
    charms = [event.args for _, event in events if event.code == "charmed"]
    sums = []
    for moment, event in events:
        if event.code != "total":
            continue
        clan = str(event.args["clan"])
        terms = [
            Term(str(e.args["warrior"]), str(e.args["owner"]))
            for _, e in events
            if e.code == "term" and e.args["clan"] == clan
        ]
        for charm in charms:
            _mark_charmed(terms, clan, {key: str(value) for key, value in charm.items()})
        told = Sum(clan, tuple(terms), event.args["barred"] == "barred", moment)
        if told.total != event.args["total"]:  # R4.3: by rule option the qween's own point does not count
            _mark(terms, "qween", "silent")
        sums.append(Sum(clan, tuple(terms), told.barred, moment))
    return sums


def _mark_charmed(terms: list[Term], clan: str, charm: dict[str, str]) -> None:
    """Mark the warrior that counts elsewhere (R4.3): for its own clan it is lost, for the qween's it is got."""
    if clan == charm["target"]:
        _mark(terms, charm["warrior"], "lost", charm["clan"])
    elif clan == charm["clan"]:
        _mark(terms, charm["warrior"], "got", charm["target"])


def _mark(terms: list[Term], warrior: str, fate: str, other: str = "") -> None:
    """Mark the last of the terms with this warrior: what a qween does concerns the warriors just revealed."""
    for k in reversed(range(len(terms))):
        if terms[k].warrior == warrior:
            terms[k] = Term(warrior, terms[k].owner, fate, other)
            return

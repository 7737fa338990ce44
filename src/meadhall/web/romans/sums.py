"""Romans Go Home! in the browser: every clan's sum with all its terms, asked of the rules or as they told it."""

from collections.abc import Sequence
from dataclasses import dataclass

from meadhall.games.game import Event
from meadhall.games.romans import rules
from meadhall.games.romans.state import WARRIORS, Counts
from meadhall.match import View
from meadhall.web.romans.pieces import warrior_piece

CHARMED = 6  # the place of a term that was a rival's (see rules.term)
_FATE = {Counts.COUNTS: "", Counts.AWAY: "lost", Counts.GOT: "got", Counts.SILENT: "silent"}


@dataclass(frozen=True)
class Term:
    """A warrior in a clan's sum; `fate` is "" if it counts, or got, lost (charmed away) or silent (R4.3)."""

    warrior: str
    points: int  # what is printed on it
    fate: str = ""
    other: str = ""  # the clan that gave or got a charmed warrior
    piece: str = ""  # the name under which the warrior moves, where it lies before all as it is counted


@dataclass(frozen=True)
class Sum:
    """A clan's total with every term (R4.5); a barred clan cannot capture (R4.6)."""

    clan: str
    terms: tuple[Term, ...]
    total: int
    barred: bool
    highest: bool  # of those that can capture
    at: int = -1  # the moment it was told


def sums_if(view: View, charmed: int) -> list[Sum]:
    """The sums of this turn as they would be if this clan's warrior were charmed; -1: if nobody's were."""
    state = view.plain
    clans = view.game.vocabulary(view.rules, "clan")
    _, leaders = rules.highest(state, charmed)
    sums = []
    for clan, name in enumerate(clans):
        terms = []
        for place in range(CHARMED + 1):
            warrior, owner, counts = rules.term(state, clan, place, charmed)
            if counts == Counts.NOTHING:
                continue
            other = {Counts.AWAY: clans[state.charmer], Counts.GOT: clans[owner]}.get(Counts(counts), "")
            lies = state.shown - 1 if place == CHARMED else place
            piece = warrior_piece(clans[owner], lies + 1)
            terms.append(Term(WARRIORS[warrior], rules.strength(warrior), _FATE[Counts(counts)], other, piece))
        total, barred = rules.total(state, clan, charmed), bool(rules.barred(state) >> clan & 1)
        sums.append(Sum(name, tuple(terms), total, barred, bool(leaders >> clan & 1)))
    return sums


def sums_told(events: Sequence[Event]) -> list[Sum]:
    """The sums of a turn as the rules told them."""
    told = [event.args for event in events if event.code in ("highest", "tie-broken", "tie")]
    best = told[0]["total"] if told else None
    charmer = next((str(event.args["clan"]) for event in events if event.code == "charmed"), "")
    terms: dict[object, list[Term]] = {}
    sums = []
    for event in events:
        args = event.args
        if event.code == "term":
            counts = Counts[str(args["counts"]).upper()]
            other = {Counts.AWAY: charmer, Counts.GOT: str(args["owner"])}.get(counts, "")
            term = Term(str(args["warrior"]), int(args["points"] or 0), _FATE[counts], other)
            terms.setdefault(args["clan"], []).append(term)
        elif event.code == "total":
            total, barred = int(args["total"] or 0), args["barred"] == "barred"
            counted = tuple(terms.get(args["clan"], ()))
            sums.append(Sum(str(args["clan"]), counted, total, barred, not barred and total == best, event.moment))
    return sums

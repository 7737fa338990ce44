"""Romans Go Home!: the story beside the board: turns told step by step, with every sum, verdict and consequence."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from meadhall.engine.bits import at
from meadhall.games.game import Event
from meadhall.games.romans import rules
from meadhall.games.romans.names import VALUES
from meadhall.games.romans.state import CHARM, FORTS, NOBODY, WARRIORS, Phase, Verdict
from meadhall.match import Beat, View
from meadhall.web.romans.pieces import Names
from meadhall.web.romans.sums import Sum, sums_if, sums_told
from meadhall.words import Words
from meadhall.words.text import capital, minus

Events = Sequence[Event]
TOLD = 2000  # turns whose lines are kept, those that were told last; some kilobytes each
STEPS = {
    "reveal": "romans.table.step.reveal",
    "wrecks": "romans.table.step.wrecks",
    "charm": "romans.table.step.charm",
    "capture": "romans.table.step.capture",
    "after": "romans.table.step.after",
}
_STEP_OF = {
    "shown": "reveal",
    "wrecked": "wrecks",
    "qweens-cancel": "charm",
    "charmed": "charm",
    "highest": "capture",
    "tie-broken": "capture",
    "tie": "capture",
    "nobody-can": "capture",
    "fort-discarded": "capture",
    "swapped": "capture",
    "captured": "capture",
    "legions": "capture",
}
# The step of a turn to which a beat belongs.
_STEP_TOLD = {
    "turn": "reveal",
    "reveal": "reveal",
    "wrecks": "wrecks",
    "charm": "charm",
    "sums": "capture",
    "verdict": "capture",
    "fort": "capture",
    "legions": "capture",
}
_STEP_ASKED = {Phase.CHARM: "charm", Phase.TAKE: "capture"}
_NOW = {
    Phase.PLAN: ("romans.table.now.plan", "R3.2"),
    Phase.CHARM: ("romans.table.now.charm", "R4.3"),
    Phase.TAKE: ("romans.table.now.take", "R4.10"),
    Phase.KEEP_AXX: ("romans.table.now.keep-axx", "R4.12"),
    Phase.KEEP_WEAKEST: ("romans.table.now.keep-weakest", "R5.1"),
    Phase.AFTER: ("romans.table.now.after", "R6.3"),
    Phase.SIGNAL: ("romans.table.now.signal", "R5.2"),
    Phase.TAX: ("romans.table.now.tax", "R5.3"),
}


@dataclass(frozen=True)
class Entry:
    """One thing that happened, the moment it did, and its clause; a secret one is the viewer's alone."""

    at: int
    text: str
    clause: str
    code: str = ""
    secret: bool = False

    @property
    def step(self) -> str:
        """The step of a turn it belongs to; sums stand by themselves."""
        return "sums" if self.code == "total" else _STEP_OF.get(self.code, "after")


@dataclass(frozen=True)
class SumRow:
    """A clan's sum as it is drawn: the bar's width in percent of the highest."""

    sum: Sum
    name: str
    width: int

    @property
    def highest(self) -> bool:
        """Is it the highest of those that can capture?"""
        return self.sum.highest


@dataclass(frozen=True)
class Turn:
    """A turn: its steps with the current one marked, its lines, and the same in one short line."""

    number: int
    round: int
    title: str
    where: str
    steps: tuple[tuple[str, str], ...]  # words, and done, cur or nothing
    lines: tuple[Entry, ...]
    sums: tuple[SumRow, ...]
    verdict: tuple[Entry, ...]
    short: str
    at: int
    counting: bool  # are its sums being counted just now?

    def of(self, *steps: str) -> tuple[Entry, ...]:
        """The lines of some steps; those of a capture are the verdict."""
        return tuple(line for line in self.lines if line.step in steps)


@dataclass(frozen=True)
class Round:
    """A round: how it began, and its turns, newest first."""

    number: int
    heading: str
    begun: tuple[Entry, ...]
    turns: tuple[Turn, ...]


@dataclass(frozen=True)
class WhatIf:
    """The sums while a charm is considered; pick 0 is before anything is picked."""

    pick: int
    title: str
    sums: tuple[SumRow, ...]
    verdict: str = ""
    clause: str = ""


@dataclass(frozen=True)
class Won:
    """A fort among those that count at the end."""

    value: str
    name: str
    legion: bool


@dataclass(frozen=True)
class Score:
    """A clan at the end: its forts, and what they come to."""

    clan: str
    name: str
    person: str
    forts: tuple[Won, ...]
    points: int
    won: bool
    at: int
    label: str

    @property
    def total(self) -> str:
        """Its points, with a proper minus."""
        return minus(self.points)


@dataclass(frozen=True)
class Standing:
    """A clan when a round is over: the forts it took in it, and what all of its forts come to."""

    clan: str
    name: str
    person: str
    forts: tuple[Won, ...]
    points: int
    mine: bool

    @property
    def total(self) -> str:
        """Its points, with a proper minus."""
        return minus(self.points)


@dataclass(frozen=True)
class Summary:
    """A round that is over: where everybody stands, best first."""

    title: str
    at: int
    rows: tuple[Standing, ...]


@dataclass(frozen=True)
class Pile:
    """Discarded pieces, by name."""

    name: str
    clan: str
    pieces: tuple[str, ...]


@dataclass(frozen=True)
class Story:
    """All that the story beside the board shows."""

    last: str
    now: tuple[Entry, ...]
    latest: Turn | None
    what_ifs: tuple[WhatIf, ...]
    rounds: tuple[Round, ...]
    scores: tuple[Score, ...]
    ending: tuple[Entry, ...]
    piles: tuple[Pile, ...]
    nums: tuple[SumRow, ...]
    summary: Summary | None  # a round that is over, until the next one is under way


def story(view: View, events: Events, names: Names, beat: Beat | None = None) -> Story:
    """The story of a game so far, from the events that a seat may know; of a beat only what is told with it."""
    cut = _rounds(events)
    latest = _latest(view, cut, names, beat)
    rounds = [] if beat else [_round(view, number, cut, names) for number in range(len(cut), 0, -1)]
    now = [] if beat else _now(view, events, names)
    what_ifs = [] if beat else _what_ifs(view, names)
    ending = [event for event in events if event.code == "won"]
    playing = view.plain.phase not in (Phase.PLAN, Phase.OVER)
    return Story(
        last=_last(view, latest, now, names) if not beat else "",
        now=tuple(now),
        latest=latest,
        what_ifs=tuple(what_ifs),
        rounds=tuple(rounds),
        scores=tuple(_scores(view, events, names)) if beat else (),  # else the end itself shows them
        ending=_entries(ending, names) if beat else (),
        piles=() if beat else tuple(_piles(view, names)),
        nums=what_ifs[0].sums if what_ifs else latest.sums if latest and playing else (),
        summary=_summary(view, cut, names, beat),
    )


Cut = Sequence[tuple[list[Event], list[list[Event]]]]


def _latest(view: View, cut: Cut, names: Names, beat: Beat | None) -> Turn | None:
    """The newest turn; a round that begins leaves the last one of the round before in sight, but tells of itself."""
    if beat and not cut[-1][1]:
        return None
    for number in range(len(cut), 0, -1):
        turns = cut[number - 1][1]
        if turns:
            return _turn(view, number, turns[-1], names, beat)
    return None


def _round(view: View, number: int, cut: Cut, names: Names) -> Round:
    """A round as it is folded up; the newest turn of the game stands by itself."""
    begun, turns = cut[number - 1]
    later = any(turns for _, turns in cut[number:])
    past = turns if later else turns[:-1]
    drawn = tuple(_turn(view, number, turn, names) for turn in reversed(past))
    return Round(number, names.words.say("ui.round", round=number), _entries(begun, names), drawn)


def _summary(view: View, cut: Cut, names: Names, beat: Beat | None) -> Summary | None:
    """Where everybody stands when a round is over, before the Wall is cleared and until play goes on."""
    over = len(cut) - 1 if beat is None or beat.kind != "summary" else len(cut)
    if view.plain.phase == Phase.OVER or over < 1 or (over < len(cut) and cut[-1][1]):
        return None
    if beat and beat.kind not in ("summary", "round"):
        return None
    clans = view.game.vocabulary(view.rules, "clan")
    events = [event for turn in cut[over - 1][1] for event in turn]
    at_moment = events[-1].moment if events else 0
    rows = [_standing(view, number, clan, events, names) for number, clan in enumerate(clans)]
    title = names.words.say("romans.table.round-over", round=over)
    return Summary(title, at_moment, tuple(sorted(rows, key=lambda row: -row.points)))


def _standing(view: View, number: int, clan: str, events: Events, names: Names) -> Standing:
    """What a clan's forts come to, and which it took in a round."""
    taken = [str(e.args["fort"]) for e in events if e.code == "captured" and e.args["clan"] == clan]
    forts = tuple(Won(minus(VALUES[fort]), names.fort(fort), VALUES[fort] < 0) for fort in taken)
    mine = clan == view.seat
    person = names.words.say("ui.you") if mine else names.people.get(clan, "")
    return Standing(clan, names.clan(clan), person, forts, int(view.plain.worth[number]), mine)


def _rounds(events: Events) -> list[tuple[list[Event], list[list[Event]]]]:
    """What was told cut into rounds: how each began, and its turns; the final scores are told apart."""
    rounds: list[tuple[list[Event], list[list[Event]]]] = []
    for event in events:
        if event.code == "round":
            rounds.append(([], []))
        elif event.code == "turn":
            rounds[-1][1].append([])
        if event.code not in ("score", "won", "sealed"):
            (rounds[-1][1][-1] if rounds[-1][1] else rounds[-1][0]).append(event)
    return rounds


# Lines


def _entries(events: Events, names: Names) -> tuple[Entry, ...]:
    """An entry for each thing that happened, those that belong together in one; sums are told with all their terms."""
    return _told(tuple(events), names.words)


@lru_cache(maxsize=TOLD)
def _told(events: tuple[Event, ...], words: Words) -> tuple[Entry, ...]:
    """The same, kept: a page tells all turns of a game, and only the latest is new."""
    grammar = words.of("romans")
    entries = []
    for group in grammar.groups([event for event in events if event.code not in ("round", "turn")]):
        event = group[-1]
        secret = event.audience is not None
        entries.append(Entry(event.moment, _sentence(words, tuple(group)), event.clause, event.code, secret))
    return tuple(entries)


@lru_cache(maxsize=TOLD)
def _sentence(words: Words, group: tuple[Event, ...]) -> str:
    """What happened together, in words: every beat of a turn tells again what those before it told."""
    return words.of("romans").sentence(group)


# A turn


def _turn(view: View, round_number: int, events: Events, names: Names, beat: Beat | None = None) -> Turn:
    """A turn as it was told; it is under way if the table waits for a choice of it, or a beat of it is told."""
    state, words = view.plain, names.words
    head = events[0].args
    number, fort = int(head["turn"] or 0), str(head["fort"])
    under_way = state.phase not in (Phase.PLAN, Phase.OVER) and (round_number, number) == (state.round, state.turn)
    lines = _entries(events, names)
    counting = beat is not None and beat.kind == "sums"
    sums = sums_if(view, int(state.charmed)) if counting else sums_told(events)
    step = _STEP_ASKED.get(state.phase, "after") if beat is None else _STEP_TOLD.get(beat.kind, "after")
    where = f"{words.say('ui.round', round=round_number)} · {words.say('ui.turn', turn=number)}"
    return Turn(
        number,
        round_number,
        names.fort(fort),
        where,
        _steps(step if under_way else None, names),
        lines,
        tuple(counted(sums, names) if counting else rows(sums, names)),
        tuple(_verdict(lines)),
        _short(sums, events, names),
        events[-1].moment,
        counting,
    )


def _steps(current: str | None, names: Names) -> tuple[tuple[str, str], ...]:
    """The five steps of a turn; all are done once the turn is."""
    order = list(STEPS)
    reached = len(order) if current is None else order.index(current)
    marks = ["done" if k < reached else "cur" if k == reached else "" for k in range(len(order))]
    return tuple((names.words.say(STEPS[step]), mark) for step, mark in zip(order, marks, strict=True))


def rows(sums: Sequence[Sum], names: Names, in_order: bool = False) -> list[SumRow]:
    """The sums as they are drawn, highest first; of equals the earlier clan of the table first."""
    top = max((each.total for each in sums), default=0) or 1
    ordered = sums if in_order else sorted(sums, key=lambda each: -each.total)
    return [SumRow(each, names.clan(each.clan), 5 * round(20 * each.total / top)) for each in ordered]


def counted(sums: Sequence[Sum], names: Names) -> list[SumRow]:
    """The sums while they are being counted: in the order of the table, and nobody is ahead yet."""
    return [replace(row, sum=replace(row.sum, highest=False)) for row in rows(sums, names, in_order=True)]


def _verdict(lines: Sequence[Entry]) -> list[Entry]:
    """Who takes the fort and why, the outcome first."""
    parts = [line for line in lines if line.step == "capture"]
    return sorted(parts, key=lambda line: line.code != "captured")


def _short(sums: Sequence[Sum], events: Events, names: Names) -> str:
    """A turn in one short line."""
    totals = {each.clan: each.total for each in sums}
    for event in events:
        fort = str(event.args.get("fort"))
        if event.code == "captured":
            clan = str(event.args["clan"])
            named = {"clan": names.the_clan(clan), "total": totals[clan], "fort": names.short_fort(fort)}
            return capital(names.words.say("romans.table.short.taken", **named))
        if event.code == "fort-discarded":
            return names.words.say("romans.table.short.nobody", fort=names.short_fort(fort))
    return names.words.say("romans.table.short.open")


# What is going on


def _now(view: View, events: Events, names: Names) -> list[Entry]:
    """What the table waits for, which everybody knows, and what the viewer has sealed himself (R6.3)."""
    state = view.plain
    if state.phase not in _NOW or view.is_closed:
        return []
    key, clause = _NOW[Phase(state.phase)]
    clans = view.game.vocabulary(view.rules, "clan")
    asked = [clan for k, clan in enumerate(clans) if state.asked >> k & 1]
    named = {"clan": names.the_clan(asked[0]), "of_clan": names.of_clan(asked[0])}
    text = names.words.say(key, list=", ".join(names.clan(clan) for clan in asked), **named)
    lines = [Entry(-1, capital(text), clause)]
    event = events[-1] if events else None
    if event is not None and event.code == "sealed":
        lines.append(Entry(event.moment, names.words.event("romans", event), event.clause, event.code, secret=True))
    return lines


def _last(view: View, latest: Turn | None, now: Sequence[Entry], names: Names) -> str:
    """The story in one line, for small screens."""
    if view.plain.phase == Phase.PLAN and latest is None and not view.is_closed:
        return names.words.say("romans.table.goal")
    if view.plain.phase in (Phase.PLAN, Phase.CHARM) or latest is None or not latest.verdict:
        return now[0].text if now else ""
    return latest.verdict[0].text


def _what_ifs(view: View, names: Names) -> list[WhatIf]:
    """While a charm is considered (R4.3): the sums as they are, and for the chooser as each choice would make them."""
    state = view.plain
    if state.phase != Phase.CHARM:
        return []
    found = [WhatIf(0, names.words.say("romans.table.sums-before"), tuple(rows(sums_if(view, NOBODY), names)))]
    clans = view.game.vocabulary(view.rules, "clan")
    for pick, choice in enumerate(view.choice_ids, 1):
        target = choice - CHARM
        sums = sums_if(view, target)
        warrior = names.warrior(WARRIORS[at(state.line[target], state.shown - 1)])
        title = names.words.say("romans.table.if-charmed", warrior=warrior, of_clan=names.of_clan(clans[target]))
        verdict, clause = _would(view, target, names)
        found.append(WhatIf(pick, title, tuple(rows(sums, names)), verdict, clause))
    return found


def _would(view: View, target: int, names: Names) -> tuple[str, str]:
    """Who would capture, with the clause."""
    how, captor, _ = rules.verdict(view.plain, target)
    if captor == NOBODY:
        return names.words.say("romans.table.would-nobody"), "R4.9"
    clan = view.game.vocabulary(view.rules, "clan")[captor]
    named = {"clan": names.the_clan(clan), "fort": names.short_fort(FORTS[at(view.plain.wall, 0)])}
    return capital(names.words.say("romans.table.would-take", **named)), "R4.8" if how == Verdict.TIE_BROKEN else "R4.7"


# The end, and what lies beside the table


def _scores(view: View, events: Events, names: Names) -> list[Score]:
    """The final score, best first, with every fort (R7.1)."""
    winners = {event.args["clan"] for event in events if event.code == "won"}
    clans = view.game.vocabulary(view.rules, "clan")
    scores = []
    for event in events:
        if event.code != "score":
            continue
        clan, points = str(event.args["clan"]), int(event.args["points"] or 0)
        number = clans.index(clan)
        forts = [FORTS[view.plain.forts[number][k]] for k in range(view.plain.forts_count[number])]
        values = tuple(Won(minus(VALUES[fort]), names.fort(fort), VALUES[fort] < 0) for fort in forts)
        person, label = names.people.get(clan, ""), names.words.event("romans", event)
        scores.append(Score(clan, names.clan(clan), person, values, points, clan in winners, event.moment, label))
    return sorted(scores, key=lambda score: (not score.won, -score.points))


def _piles(view: View, names: Names) -> list[Pile]:
    """Discarded warriors of this round and discarded forts of the game, which everybody may look at (R10.1)."""
    described = view.game.describe(view.rules, view.plain)
    piles = [
        Pile(names.clan(clan), clan, tuple(names.warrior(warrior) for warrior in state["discarded"]))
        for clan, state in described["clans"].items()
        if state["discarded"]
    ]
    if described["discarded_forts"]:
        forts = tuple(names.short_fort(fort) for fort in described["discarded_forts"])
        piles.append(Pile(names.words.say("romans.label.forts"), "", forts))
    return piles

"""Romans Go Home! in the browser: what the viewer must decide, his options, and the line he plans."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from meadhall.engine.bits import at
from meadhall.games.romans import rules
from meadhall.games.romans.names import POINTS, VALUES
from meadhall.games.romans.state import FORTS, NOBODY, WARRIORS, Phase
from meadhall.match import Beat, View
from meadhall.tables.refusals import Senseless
from meadhall.web.romans.pieces import Names, kind_of
from meadhall.web.telling import told
from meadhall.words.text import capital, minus

_ASKED = {
    "charm": "romans.ask.charm",
    "take": "romans.ask.take",
    "keep": "romans.table.ask.keep",
    "discard": "romans.ask.discard",
    "pay": "romans.ask.pay",
    "plan": "romans.table.ask.plan",
    "reorder": "romans.table.ask.reorder",
}
_HINT = {
    Phase.PLAN: "romans.table.hint.plan",
    Phase.CHARM: "romans.table.hint.charm",
    Phase.TAKE: "romans.table.hint.take",
    Phase.KEEP_AXX: "romans.table.hint.axx",
    Phase.KEEP_WEAKEST: "romans.table.hint.unwary",
    Phase.AFTER: "romans.table.hint.horsie",
    Phase.SIGNAL: "romans.table.hint.signal",
    Phase.TAX: "romans.table.hint.tax",
}
_IDLE = {
    "charm": "romans.table.idle.charm",
    "take": "romans.table.idle.take",
    "keep": "romans.table.idle.keep",
    "discard": "romans.table.idle.discard",
    "pay": "romans.table.idle.pay",
    "plan": "romans.table.act.plan",
    "reorder": "romans.table.act.reorder",
}
_ICON = {"charm": "qween", "take": "druhid", "keep": "axx", "discard": "seal", "pay": "tax"}


@dataclass(frozen=True)
class Option:
    """A choice as a chip: what it is, what comes of it as far as that is certain, and the button's words for it."""

    number: int
    value: str
    act: str
    label: str
    outcome: str
    symbol: str
    clan: str
    gain: str = ""  # the points a charmed warrior brings
    sealed: bool = False

    @property
    def key(self) -> str:
        """The digit that picks it; the tenth goes by 0."""
        return str(self.number)[-1]


@dataclass(frozen=True)
class Held:
    """A warrior to be put in place, by its number in the hand."""

    number: int
    warrior: str
    name: str
    points: int
    title: str
    brief: str  # what it does, in a few words
    value: str  # what a list of warriors calls it

    @property
    def place(self) -> int:
        """Its place in the hand, from 1."""
        return self.number + 1


@dataclass(frozen=True)
class Place:
    """A place to fill: its turn, the fort that stands there now, and the warrior that lies there."""

    number: int
    fort: str
    kind: str
    label: str
    holds: Held | None


@dataclass(frozen=True)
class Plan:
    """A line being planned, or the hidden part of one being put in a new order (R4.14)."""

    verb: str
    clan: str
    places: tuple[Place, ...]
    hand: tuple[Held, ...]
    left: tuple[Held, ...]  # those in no place
    sealed: str  # the choice as it is sealed, or nothing
    act: str
    labels: Mapping[str, str]


@dataclass(frozen=True)
class Hand:
    """What the viewer is asked, and how he answers."""

    mode: str  # pick, plan, wait, watch, tell or over
    prompt: str
    hint: str
    options: tuple[Option, ...] = ()
    plan: Plan | None = None
    idle: str = ""
    icon: str = "seal"
    sealed: bool = False
    charmer: str = field(default="")


def hand(view: View, names: Names, beat: Beat | None = None) -> Hand:
    """What is asked of a seat; a spectator is asked nothing, and nobody is while something is being told."""
    say = names.words.say
    if beat is not None:
        # The sums are said by the story term by term, not all at once before they are counted.
        return Hand("tell", say("romans.table.sums") if beat.kind == "sums" else told(names.words, "romans", beat), "")
    if view.plain.phase == Phase.OVER or view.is_closed:
        return Hand("over", "", "")
    if view.is_spectator:
        return Hand("watch", say("romans.table.watching"), say("romans.table.hint.watching"))
    if not view.game.may_choose(view.plain, view.number):
        return Hand("wait", say("romans.table.waiting"), say("romans.table.hint.waiting"))
    own = view.game.own(view.rules, view.plain, view.number)
    arranging = view.game.pending(view.rules, view.plain, view.number)
    if isinstance(arranging, dict):
        return _planning(view, names, list(arranging["arrange"]), own)
    verb = view.choices[0].partition(":")[0]
    options = tuple(_option(view, names, k, choice, own) for k, choice in enumerate(view.choices, 1))
    prompt, hint = say(_ASKED[verb], **_kept(view, names, verb)), say(_HINT[Phase(view.plain.phase)])
    if own is not None:
        prompt = say("romans.table.sealed", choice=next(option.act for option in options if option.sealed))
        hint = say("romans.table.hint.sealed")
    charmer = view.seat if verb == "charm" else ""
    return Hand("pick", prompt, hint, options, None, say(_IDLE[verb]), _ICON[verb], own is not None, charmer)


def _kept(view: View, names: Names, verb: str) -> dict[str, str]:
    """Who may stay, where that is asked (R4.12, R5.1)."""
    if verb != "keep":
        return {}
    warrior = "axx" if view.plain.phase == Phase.KEEP_AXX else WARRIORS[rules.weakest(view.plain, view.number)]
    return {"warrior": names.warrior(warrior)}


# Options


def _option(view: View, names: Names, number: int, choice: str, own: str | None) -> Option:
    """A choice as a chip."""
    verb, _, what = choice.partition(":")
    sealed = choice == own
    if verb == "charm":
        return _charm(view, names, number, what, sealed)
    if verb == "take":
        return _take(view, names, number, int(what) - 1, sealed)
    if verb == "pay":
        return _pay(view, names, number, what, sealed)
    return _warrior(view, names, number, choice, sealed)


def _charm(view: View, names: Names, number: int, clan: str, sealed: bool) -> Option:
    """The warrior a rival has just revealed, and who takes the fort if it is charmed (R4.3)."""
    target = view.game.vocabulary(view.rules, "clan").index(clan)
    warrior = WARRIORS[at(view.plain.line[target], view.plain.shown - 1)]
    name = names.warrior(warrior)
    act = names.words.say("romans.table.act.charm", warrior=name, of_clan=names.of_clan(clan))
    outcome = charm_outcome(view, target, names)
    label, gain = f"{name} {POINTS[warrior]} {names.of_clan(clan)}", f"+{POINTS[warrior]}"
    return Option(number, f"charm:{clan}", act, label, outcome, warrior, clan, gain, sealed)


def charm_outcome(view: View, target: int, names: Names) -> str:
    """Own total to the best rival's that can capture, and who takes the fort: all of it is public."""
    state, say = view.plain, names.words.say
    clans = view.game.vocabulary(view.rules, "clan")
    totals = {clan: rules.total(state, clan, target) for clan in range(state.clans)}
    own = totals.pop(view.number)
    rivals = [points for clan, points in totals.items() if not rules.barred(state) >> clan & 1]
    if not rivals:
        return say("romans.table.outcome.alone", own=own)
    captor = rules.verdict(state, target)[1]
    named = {"own": own, "best": max(rivals)}
    if captor == NOBODY:
        return say("romans.table.outcome.nobody", **named)
    if captor == view.number:
        return say("romans.table.outcome.you", **named)
    return say("romans.table.outcome.clan", **named, clan=names.the_clan(clans[captor]))


def _take(view: View, names: Names, number: int, place: int, sealed: bool) -> Option:
    """A fort of the Wall, and what the forts come to with it (R4.10)."""
    kind = at(view.plain.wall, place)
    fort = FORTS[kind]
    short = names.short_fort(fort)
    total = minus(rules.worth_with(view.plain, view.number, kind))
    outcome = names.words.say("romans.table.outcome.forts", total=total)
    if rules.wins_by_legions(view.plain, view.number, kind):  # R5.4
        outcome = names.words.say("romans.table.outcome.legions")
    act = capital(names.words.say("romans.table.act.take", fort=short))
    return Option(
        number, f"take:{place + 1}", act, f"{place + 1}. {capital(short)}", outcome, _fort_symbol(fort), "", "", sealed
    )


def _pay(view: View, names: Names, number: int, fort: str, sealed: bool) -> Option:
    """A fort to give up, and what the others come to (R5.3)."""
    short = names.short_fort(fort)
    total = minus(rules.worth_without(view.plain, view.number, FORTS.index(fort)))
    outcome = names.words.say("romans.table.outcome.forts", total=total)
    act = capital(names.words.say("romans.table.act.pay", fort=short))
    return Option(number, f"pay:{fort}", act, capital(short), outcome, _fort_symbol(fort), "", "", sealed)


def _fort_symbol(fort: str) -> str:
    return "tower" if kind_of(fort) == "ordinary" else kind_of(fort)


def _warrior(view: View, names: Names, number: int, choice: str, sealed: bool) -> Option:
    """A warrior of one's own to discard (R4.13, R5.2), or to keep or not (R4.12, R5.1)."""
    verb, _, what = choice.partition(":")
    state, seat, say = view.plain, view.number, names.words.say
    warrior = WARRIORS[rules.weakest(state, seat)] if what == "weakest" else what
    name, label = names.warrior(warrior), f"{names.warrior(warrior)} {POINTS[warrior]}"
    if verb == "discard":
        leaving = rules.leaving_place(state, seat, WARRIORS.index(warrior))
        outcome = say("romans.table.outcome.left", total=rules.strength_without(state, seat, leaving))
        act = say("romans.table.act.discard", warrior=name)
    elif verb == "keep":
        outcome, act = say("romans.table.outcome.stays"), say("romans.table.act.keep", warrior=name)
        label = act
    else:
        outcome, act = say("romans.table.outcome.goes"), say("romans.table.act.leave", warrior=name)
        label = act
    return Option(number, choice, act, label, outcome, warrior, str(view.seat), "", sealed)


# Planning


def _planning(view: View, names: Names, pool: Sequence[str], own: str | None) -> Hand:
    """Seven warriors for six places (R3.2), or hidden ones for their own places (R4.14)."""
    state, say = view.plain, names.words.say
    verb = "plan" if state.phase == Phase.PLAN else "reorder"
    pieces = tuple(
        Held(
            k,
            warrior,
            names.warrior(warrior),
            POINTS[warrior],
            names.about_warrior(warrior),
            names.brief(warrior),
            f"{warrior}-{k + 1}",
        )
        for k, warrior in enumerate(pool)
    )
    laid: list[Held | None] = [None] * 6 if verb == "plan" else list(pieces)
    if own is not None:
        laid = list(_in_order(pieces, own.partition(":")[2].split(",")))
    first = 0 if verb == "plan" else int(state.shown)
    standing = [FORTS[at(state.wall, k)] for k in range(state.wall_count)]
    places = []
    for k, held in enumerate(laid):
        number, fort = first + k + 1, standing[k]  # a fort leaves the Wall on every turn, as a warrior is revealed
        label = say("romans.table.place", place=number, fort=names.fort(fort))
        places.append(Place(number, minus(VALUES[fort]), kind_of(fort), label, held))
    labels = {
        "empty": say("romans.table.place-empty"),
        "none": say("romans.table.place-none"),
        "aside": say("romans.table.aside-place"),
        "hand": say("romans.table.hand"),
        "more": say("romans.table.act.more"),
    }
    left = tuple(held for held in pieces if held not in laid)
    plan = Plan(verb, str(view.seat), tuple(places), pieces, left, own or "", say(_IDLE[verb]), labels)
    prompt = say(_ASKED[verb]) if own is None else say("romans.table.sealed-line")
    hint = say("romans.table.hint.plan" if verb == "plan" else "romans.table.hint.reorder")
    if own is not None:
        hint = say("romans.table.hint.sealed")
    return Hand("plan", prompt, hint, (), plan, say(_IDLE[verb]), "seal", own is not None)


def _in_order(hand: Sequence[Held], warriors: Sequence[str]) -> list[Held]:
    """The warriors of the hand in a named order, equal ones as they come."""
    left = list(hand)
    ordered = []
    for warrior in warriors:
        held = next(held for held in left if held.warrior == warrior)
        left.remove(held)
        ordered.append(held)
    return ordered


def choice_from(form: Mapping[str, str]) -> str:
    """The choice a form names, or the line its place-1, place-2, ... fields make; a fault says what is missing."""
    if form.get("choice"):
        return form["choice"]
    numbers = [number for number in range(1, 7) if f"place-{number}" in form]
    if not numbers:
        raise Senseless("romans.table.fault.nothing")
    # A plan fills all six places; a new order those that are still hidden, never the first (R4.14).
    verb = "plan" if 1 in numbers else "reorder"
    chosen: dict[str, int] = {}
    for number in range(numbers[0], 7):
        value = form.get(f"place-{number}", "")
        if value.partition("-")[0] not in WARRIORS:
            raise Senseless("romans.table.fault.missing", place=number)
        if value in chosen:
            raise Senseless("romans.table.fault.twice", one=chosen[value], other=number)
        chosen[value] = number
    return f"{verb}:" + ",".join(value.partition("-")[0] for value in chosen)

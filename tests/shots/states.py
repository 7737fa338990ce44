"""Every page and every state of a table: how it comes about, through whose eyes, and what is then opened or laid."""

import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from playwright.sync_api import Page, expect

from meadhall.match import SPECTATOR, Match
from meadhall.tables.entries import Ended, Entry
from meadhall.web.edge.session import SECRET, fingerprint, new_secret
from tests.variants import random_choice
from tests.web.positions import LIVELY, Laid, Wanted, asked, asks, lay, reach
from tests.web.server import COMPILING, Server, until

FOG = {"fog_of_war": True}
TWO = {"players": ["gold", "green"]}
THREE = {"players": ["gold", "green", "red"]}
FOUR = {"players": ["gold", "green", "violet", "red"]}
NAMES = ("Ada", "Maximilian the Great", "Bo", "Hildegunde")
LONG_AGO = 3600.0  # seconds: longer than anybody waits


@dataclass(frozen=True)
class Place:
    """Where a device goes to see a state, and the cookies it needs there."""

    path: str
    cookies: Mapping[str, str] = field(default_factory=dict)


Prepare = Callable[[Page], None]


def nothing(page: Page) -> None:
    """The page as it comes."""


@dataclass(frozen=True)
class State:
    """Something to see: `lay` makes it on a server, once; `prepare` is done on the page each time it has loaded."""

    name: str
    lay: Callable[[Server], Place]
    prepare: Prepare = nothing
    asks: bool = False  # is there a choice to be made with a hand and one button?
    scrolls: bool = True  # a page to be read; all of a table is to be in sight where there is room


def page(name: str, path: str, prepare: Prepare = nothing) -> State:
    """A page that is the same for everybody."""
    return State(name, lambda server: Place(path), prepare)


def seated(laid: Laid, seat: str | None) -> Place:
    """The place of somebody who holds a seat, or watches."""
    return Place(laid.path, {SECRET: laid.secrets[seat]} if seat else {})


def table(
    name: str,
    reached: Callable[[], Match],
    who: str | Callable[[Match], str] | None,
    prepare: Prepare = nothing,
    more: Iterable[Entry] = (),
    asks: bool = False,
    **how: Any,
) -> State:
    """A table in a position, through the eyes of a seat, of the one a function finds, or of a spectator."""

    def make(server: Server) -> Place:
        match = reached()
        seat = who(match) if callable(who) else who
        names = dict(zip(match.seats, NAMES, strict=False))
        return seated(lay(server, match, names=names, more=more, hints=True, **how), seat)

    return State(name, make, prepare, asks=asks, scrolls=False)


def question(name: str, game: str, rules: Mapping[str, Any], verb: str) -> State:
    """A table at which somebody is asked for a choice of a kind."""
    return table(name, lambda: reach(game, rules, asks(verb)), lambda match: asked(match, verb), asks=True)


def ended(game: str, rules: Mapping[str, Any]) -> Match:
    return reach(game, rules, lambda match: match.outcome is not None and bool(match.outcome.winners))


def winner(match: Match) -> str:
    """A seat that won."""
    return next(seat for seat in match.seats if seat.partition("-")[0] in _winners(match))


def loser(match: Match) -> str:
    """A seat that lost."""
    return next(seat for seat in match.seats if seat.partition("-")[0] not in _winners(match))


def _winners(match: Match) -> tuple[str, ...]:
    assert match.outcome is not None
    return match.outcome.winners


def analysis(name: str, game: str, rules: Mapping[str, Any], asked_for: bool = True) -> State:
    """The page of an analysis, before anybody asked for it or when it is done."""

    def make(server: Server) -> Place:
        match = ended(game, rules)
        laid = lay(server, match, names=dict(zip(match.seats, NAMES, strict=False)))
        if asked_for:
            at = f"/api{laid.path.replace('/t/', '/tables/')}/analysis"
            server.http.post(at)
            until(lambda: server.http.get(at).json()["state"] == "done", "the analysis", COMPILING)
        return Place(f"{laid.path}/analysis")

    return State(name, make)


def peeking(eyes: str) -> Prepare:
    """The board as others know it."""

    def look(page: Page) -> None:
        page.goto(f"{page.url}?eyes={eyes}")
        page.wait_for_selector("[data-peek]")

    return look


# Goths


def both_warchiefs(match: Match) -> bool:
    return len(match.waiting) == 2 and len(match.record()["choices"]) > 6


def sealed() -> Match:
    match = reach("goths", {}, both_warchiefs)
    match.commit("ostrogoth-warchief", "act:reconnoitre")
    return match


def told(code: str) -> Wanted:
    """A new turn begins, and in the one before it this happened."""

    def holds(match: Match) -> bool:
        codes = [event.code for event in match.events(SPECTATOR)]
        turns = [k for k, each in enumerate(codes) if each == "turn"]
        return len(turns) > 2 and codes[turns[-1] :] == ["turn"] and code in codes[turns[-2] :]

    return holds


def in_turn(match: Match) -> str:
    return match.waiting[0]


def waits(match: Match) -> str:
    """A seat that owes nothing."""
    return next(seat for seat in match.seats if seat not in match.waiting)


# Romans


def planned() -> Match:
    match = Match.new("romans", THREE, 2)
    match.commit("gold", random_choice(match, "gold", Random(2)))
    return match


def new_round(match: Match) -> bool:
    return match.state.round == 2 and match.state.turn == 1 and len(match.waiting) == len(match.seats)


def half_laid(shown: Page) -> None:
    """Three warriors lie in their places."""
    for number in (1, 2, 4):
        shown.locator(".tray [data-card]").first.click()
        shown.locator(f'[data-slot="{number}"] .hole').click()


# What is opened


def opened(selector: str) -> Prepare:
    """Something that opens at a click."""

    def click(shown: Page) -> None:
        shown.locator(selector).first.click()

    return click


def hinted(shown: Page) -> None:
    """The hint has come; a bot that is not ready yet is waited for."""
    [secret] = [cookie["value"] for cookie in shown.context.cookies() if cookie["name"] == SECRET]
    code = shown.locator("#table").get_attribute("data-code")
    answer = f"/api/tables/{code}/hint"
    headers = {"Authorization": f"Bearer {secret}"}
    until(lambda: shown.request.get(answer, headers=headers).status != 409, "a hint", COMPILING)
    shown.locator("#hint-button").click()
    expect(shown.locator("#hint")).to_be_visible()


# Around the tables


def own_tables(server: Server) -> Place:
    """Home, to somebody who sits at several tables: it is his turn, another's, over, ended."""
    secret = new_secret()
    matches = [
        ("gold", Match.new("romans", THREE, 2), ()),
        ("visigoth-king", reach("goths", {}, both_warchiefs), ()),
        ("ostrogoth-king", ended("goths", {}), ()),
        ("gold", ended("romans", THREE), ()),
        ("ostrogoth-warchief", reach("goths", {}, both_warchiefs), (Ended(),)),
    ]
    codes = []
    for seat, match, more in matches:
        names = dict(zip(match.seats, NAMES, strict=False))
        codes.append(lay(server, match, names=names, more=more, known={seat: secret}).code)
    return Place("/", {SECRET: secret, "tables": ".".join(codes)})


def gathering(hosting: bool) -> Callable[[Server], Place]:
    """A table that waits for people, as its host or somebody invited sees it."""

    def make(server: Server) -> Place:
        host = server.player()
        code = host.open_table("goths", {"ostrogoth-king": "me", "visigoth-king": "medium"}, name="Ada")
        return Place(f"/t/{code}", {SECRET: host.token or ""} if hosting else {})

    return make


def watched(server: Server) -> Place:
    """The list of tables with something on it."""
    for match in (Match.new("romans", FOUR, 2), sealed(), ended("romans", THREE)):
        lay(server, match, names=dict(zip(match.seats, NAMES, strict=False)), public=True)
    return Place("/watch")


def curtain(server: Server) -> Place:
    match = Match.new("romans", THREE, 2)
    return seated(lay(server, match, together=[match.seats], names=dict(zip(match.seats, NAMES, strict=False))), "gold")


def someone_gone(server: Server) -> Place:
    """Two who play here have not been seen for an hour."""
    match = sealed()
    laid = lay(server, match, names=dict(zip(match.seats, NAMES, strict=False)))
    base = sqlite3.connect(server.db, timeout=30)
    with base:
        (number,) = base.execute("SELECT id FROM tables WHERE code = ?", (laid.code,)).fetchone()
        for seat in ("ostrogoth-warchief", "visigoth-king"):
            row = (number, fingerprint(laid.secrets[seat]), time.time() - LONG_AGO)
            base.execute("INSERT INTO presence VALUES (?, ?, ?)", row)
    base.close()
    return seated(laid, "ostrogoth-king")


def faulty(shown: Page) -> None:
    """A host's form that was filled in wrong."""
    field_ = shown.locator("[name=turn-limit]")
    for closed in shown.locator("details:not([open]):has([name=turn-limit])").all():
        closed.evaluate("(it) => it.open = true")
    field_.fill("many")
    shown.locator("form.sheet .btn.big").click()
    expect(shown.locator(".slip")).to_be_visible()
    shown.wait_for_load_state()


def taught(choice: str) -> Prepare:
    """A step of a lesson after a choice."""

    def choose(shown: Page) -> None:
        shown.locator(f'[name=choice][value="{choice}"]').check(force=True)
        shown.locator("#act").click()
        expect(shown.locator("#table")).not_to_have_attribute("data-tone", "ask")
        expect(shown.locator("html.telling")).to_have_count(0)

    return choose


def replayed(game: str, rules: Mapping[str, Any], query: str) -> Callable[[Server], Place]:
    """A beat of a finished game."""
    return lambda server: Place(f"{lay(server, ended(game, rules)).path}/replay?{query}")


def looking_back(server: Server) -> Place:
    """Some beats back, while the game goes on and asks whoever looks."""
    laid = lay(server, reach("goths", {}, both_warchiefs))
    return Place(f"{laid.path}/replay?beat=9", {SECRET: laid.secrets["ostrogoth-warchief"]})


def no_record(shown: Page) -> None:
    """Something was pasted that is no record."""
    shown.locator("textarea").fill('{"format": "meadhall/1", "game": "chess"}')
    shown.locator("form.opening button").click()
    expect(shown.locator(".slip")).to_be_visible()
    shown.wait_for_load_state()


ALL = (
    page("home", "/"),
    State("home-tables", own_tables),
    page("settings", "/", opened("#menu summary")),
    page("host-goths", "/host?game=goths"),
    page("host-device", "/host?game=goths&preset=device"),
    page("host-romans", "/host?game=romans"),
    page("host-fault", "/host?game=goths", faulty),
    State("gathering", gathering(hosting=True)),
    State("invited", gathering(hosting=False)),
    page("join", "/join"),
    State("watch", watched),
    State("learn-goths", lambda server: Place("/learn/goths/3"), asks=True),
    page("learn-goths-wrong", "/learn/goths/3", taught("act:barricade")),
    State("learn-goths-queen", lambda server: Place("/learn/goths/7"), asks=True),
    State("learn-goths-king", lambda server: Place("/learn/goths/8"), asks=True),
    page("learn-goths-won", "/learn/goths/8", taught("order:catapult/recruiter")),
    State("learn-romans", lambda server: Place("/learn/romans/1"), asks=True),
    State("learn-romans-charm", lambda server: Place("/learn/romans/3"), asks=True),
    page("learn-romans-wrong", "/learn/romans/3", taught("charm:red")),
    State("learn-romans-tie", lambda server: Place("/learn/romans/4"), asks=True),
    State("learn-romans-legions", lambda server: Place("/learn/romans/8"), asks=True),
    page("learn-romans-won", "/learn/romans/8", taught("take:2")),
    page("rules", "/rules"),
    page("art", "/art"),
    page("rulebook-goths", "/rules/goths"),
    page("rulebook-romans", "/rules/romans"),
    page("rules-found", "/rules/goths?q=axe"),
    page("rules-not-found", "/rules/romans?q=xylophone"),
    page("summary-goths", "/rules/goths/summary"),
    page("summary-romans", "/rules/romans/summary"),
    page("error", "/nowhere"),
    page("replay-open", "/replay", no_record),
    State("replay-goths", replayed("goths", {}, "beat=33"), scrolls=False),
    State("replay-goths-king", replayed("goths", {}, "as=visigoth-king&beat=33"), scrolls=False),
    State("replay-romans", replayed("romans", FOUR, "beat=16"), scrolls=False),
    State("replay-romans-seat", replayed("romans", FOUR, "as=violet&beat=16"), scrolls=False),
    State("replay-running", looking_back, scrolls=False),
    State("curtain", curtain),
    table("goths-king", lambda: Match.new("goths", {}, 1), in_turn, asks=True),
    question("goths-king-later", "goths", {}, "order"),
    table("goths-warchief", lambda: reach("goths", {}, both_warchiefs), "ostrogoth-warchief", asks=True),
    table("goths-sealed", sealed, "ostrogoth-warchief"),
    table("goths-partners-eyes", sealed, "ostrogoth-warchief", peeking("ostrogoth-king")),
    table("goths-waiting", lambda: Match.new("goths", {}, 1), waits),
    question("goths-look", "goths", {}, "look"),
    question("goths-enter", "goths", {}, "enter"),
    question("goths-fog", "goths", FOG, "disperse"),
    table("goths-misread", lambda: reach("goths", {}, told("misread")), in_turn, asks=True),
    table("goths-hint", lambda: reach("goths", {}, both_warchiefs), "ostrogoth-warchief", hinted, asks=True),
    table("goths-menu", lambda: reach("goths", {}, both_warchiefs), "ostrogoth-king", opened("#table-menu summary")),
    table("goths-won", lambda: ended("goths", {}), winner),
    table("goths-lost", lambda: ended("goths", {}), loser),
    table("goths-ended", lambda: reach("goths", {}, both_warchiefs), "ostrogoth-king", more=(Ended(),)),
    analysis("goths-analysis-asked", "goths", {}, asked_for=False),
    analysis("goths-analysis", "goths", {}),
    table("goths-watched", sealed, None),
    table("goths-lone", lambda: Match.new("goths", {"lone_rulers": ["ostrogoth"]}, 2), "ostrogoth-king"),
    State("goths-gone", someone_gone, scrolls=False),
    table("romans-everybodys-eyes", lambda: reach("romans", THREE, asks("plan")), in_turn, peeking(SPECTATOR)),
    table("romans-plan", lambda: Match.new("romans", THREE, 2), "gold", asks=True),
    table("romans-plan-four", lambda: Match.new("romans", FOUR, 3), "violet", asks=True),
    table("romans-half-laid", lambda: Match.new("romans", THREE, 2), "gold", half_laid, asks=True),
    table("romans-sealed", planned, "gold"),
    question("romans-charm", "romans", LIVELY, "charm"),
    question("romans-take", "romans", LIVELY, "take"),
    question("romans-keep", "romans", LIVELY, "keep"),
    question("romans-discard", "romans", LIVELY, "discard"),
    question("romans-signal", "romans", LIVELY, "reorder"),
    question("romans-tax", "romans", LIVELY, "pay"),
    table("romans-mid-turn", lambda: reach("romans", LIVELY, asks("charm")), waits),
    table("romans-new-round", lambda: reach("romans", FOUR, new_round), "gold", asks=True),
    table("romans-hint", lambda: Match.new("romans", THREE, 2), "gold", hinted, asks=True, bots=("green", "red")),
    table("romans-over-two", lambda: ended("romans", TWO), loser),
    table("romans-over-three", lambda: ended("romans", THREE), winner),
    table("romans-over-four", lambda: ended("romans", FOUR), loser),
    analysis("romans-analysis", "romans", FOUR),
    table(
        "romans-lone",
        lambda: Match.new("romans", {"players": ["green"], "neutrals": ["red", "gold"]}, 2),
        "green",
        asks=True,
    ),
    table("romans-watched", lambda: reach("romans", LIVELY, asks("charm")), None),
)
STATES = {state.name: state for state in ALL}

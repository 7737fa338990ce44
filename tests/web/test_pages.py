"""The pages around the boards, rendered without a server: whole, harmless, told in four languages, usable by all."""

import dataclasses
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from html.parser import HTMLParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest
from markupsafe import Markup
from msgspec.structs import replace
from playwright.sync_api import Browser
from playwright.sync_api import Page as BrowserPage

from meadhall.bots import LEVELS
from meadhall.games.game import GAMES
from meadhall.match import SPECTATOR, Match
from meadhall.tables.face import PageFace, SeatFace, Who
from meadhall.web import assets
from meadhall.web.pages import host as forms
from meadhall.web.pages import rules as rulepages
from meadhall.web.pages.render import render
from meadhall.web.pages.rulebook import rule_text
from meadhall.web.pages.screens import Screen, Slip
from meadhall.web.pages.tickets import OwnTicket
from meadhall.web.shown import summary
from meadhall.words import words
from meadhall.words.languages import LANGUAGES
from meadhall.words.rulebook import clauses, decisions, rulebook
from tests.web.browser import DESK, SMALL_PHONE
from tests.web.playing import PATIENCE
from tests.web.test_browser_access import COLOURS, violations

SITE = "http://meadhall.test"
ROUND = {"goths": {"turn_limit": 3}, "romans": {"players": ["gold", "green", "violet"]}}
KING, CHIEF = "ostrogoth-king", "ostrogoth-warchief"


def seat_face(seat: str, who: Who, name: str | None = None, level: str | None = None) -> SeatFace:
    return SeatFace(seat, who, name, level, gone=False)


COMPANY = (
    seat_face(KING, "person", "Runa"),
    seat_face(CHIEF, "you", "Odo"),
    seat_face("visigoth-king", "bot", None, "easy"),
    seat_face("visigoth-warchief", "open"),
)


@cache
def played(game: str, over: bool) -> Match:
    match, dice = Match.new(game, ROUND[game], 5), random.Random(5)
    while over and match.outcome is None:
        seat = dice.choice(match.waiting)
        match.commit(seat, dice.choice(match.choice_ids(seat)))
    return match


def face(game: str = "goths", phase: Any = "playing", seat: str | None = None, **more: Any) -> PageFace:
    match = played(game, phase == "over")
    plain = PageFace(
        code="K7XQM",
        game=game,
        rules=match.rules,
        phase=phase,
        seats=tuple(seat_face(each, "bot", None, "easy") for each in match.seats),
        host=False,
        seat=seat,
        mine=(seat,) if seat else (),
        owing=(),
        view=match.view(seat or SPECTATOR),
        hear=lambda: match.events(seat or SPECTATOR),
        watch=lambda since: match.timeline(seat or SPECTATOR, since),
        position=match.moment,
        tag="a1b2",
        next=None,
        hints=False,
    )
    return replace(plain, **more)


def shell(theme: str) -> dict[str, str]:
    return {"theme": theme, "speed": "normal", "path": "/rules"}


def show(template: str, lang: str = "en", theme: str = "", **context: Any) -> str:
    return render(template, words(lang), **shell(theme) | context)


def table(lang: str = "en", theme: str = "", slip: Slip | None = None, may_end: bool = False, **about: Any) -> str:
    return Screen(face(**about), may_end=may_end).html(
        words(lang), slip, f"{SITE}/t/K7XQM", levels=LEVELS, **shell(theme)
    )


def lobby(lang: str = "en", theme: str = "", **about: Any) -> str:
    seen = face(phase="open", **{"seats": COMPANY, "mine": (CHIEF,)} | about)
    qr = Markup('<svg viewBox="0 0 9 9"><path stroke="#000" d="M1 1h7"/></svg>')
    return show("gathering.html", lang, theme, face=seen, link=f"{SITE}/t/K7XQM", qr=qr, slip=None, levels=LEVELS)


def invited(lang: str = "en", theme: str = "", **about: Any) -> str:
    seats = [replace(each, who="person") if each.who == "you" else each for each in COMPANY]
    seen = face(phase="open", **{"seats": seats, "inviting": ("Runa",)} | about)
    return Screen(seen).html(words(lang), None, f"{SITE}/t/K7XQM", levels=LEVELS, **shell(theme))


def rule_page(game: str, lang: str, theme: str) -> str:
    about = {"book": rulepages.page(game, lang), "text": rule_text(game, lang), "longest": 60}
    return show("rulebook.html", lang, theme, game=game, question="", found=[], **about)


def one_page(game: str, lang: str, theme: str) -> str:
    return show("summary.html", lang, theme, game=game, sections=summary(game, lang))


def host(form: forms.HostForm, slip: Slip | None = None) -> Callable[[str, str], str]:
    return lambda lang, theme: show("host.html", lang, theme, form=form, levels=LEVELS, slip=slip)


def ticket(code: str, game: str, phase: str) -> SimpleNamespace:
    return SimpleNamespace(code=code, game=game, phase=phase, people="Runa, Odo")


def own(code: str, game: str, standing: Any, detail: str = "") -> OwnTicket:
    seat = KING if game == "goths" else "gold"
    said = words("en").say(f"ui.yours.{standing}")
    return OwnTicket(code, game, seat, words("en").seat(game, seat), "Odo", standing, said, detail)


OWN_TABLES = [
    own("K7XQM", "goths", "turn"),
    own("B2CDE", "romans", "waiting"),
    own("B2CDF", "romans", "won", "Gold wins."),
]
MINE = [ticket("K7XQM", "goths", "playing"), ticket("B2CDE", "romans", "open")]
TROUBLE = Slip("Something is wrong.", "And here is what would be right.")
ABSENT = [
    replace(COMPANY[0], gone=True),
    COMPANY[1],
    *COMPANY[2:3],
    seat_face("visigoth-warchief", "bot", None, "easy"),
]
FORMER = ("visigoth-warchief",)
PAGES: dict[str, Callable[[str, str], str]] = {
    "home": lambda lang, theme: show("home.html", lang, theme, games=["goths", "romans"], mine=OWN_TABLES),
    "host goths": host(forms.blank("goths")),
    "host romans": host(forms.refill({"game": "romans", "seat-red": "neutral", "deck": "x"}), TROUBLE),
    "join": lambda lang, theme: show("join.html", lang, theme, code="K7", slip=TROUBLE),
    "watch": lambda lang, theme: show("watch.html", lang, theme, tables=MINE),
    "watch nothing": lambda lang, theme: show("watch.html", lang, theme, tables=[]),
    "rules": lambda lang, theme: show("rules.html", lang, theme),
    "rules of goths": lambda lang, theme: rule_page("goths", lang, theme),
    "rules of romans": lambda lang, theme: rule_page("romans", lang, theme),
    "summary of goths": lambda lang, theme: one_page("goths", lang, theme),
    "summary of romans": lambda lang, theme: one_page("romans", lang, theme),
    "error": lambda lang, theme: show(
        "error.html", lang, theme, status=404, title="No table", detail="Nothing at all."
    ),
    "a question": lambda lang, theme: show(
        "sure.html", lang, theme, act="bot", code="K7XQM", game="goths", seat=KING, level="easy", begun=True
    ),
    "lobby of a host": lambda lang, theme: lobby(lang, theme, host=True),
    "lobby of a guest": lambda lang, theme: lobby(lang, theme),
    "invited": lambda lang, theme: invited(lang, theme),
    "invited by nobody known": lambda lang, theme: invited(
        lang, theme, game="romans", inviting=(), seats=tuple(seat_face(clan, "open") for clan in ("gold", "green"))
    ),
    "curtain": lambda lang, theme: show(
        "curtain.html",
        lang,
        theme,
        code="K7XQM",
        game="goths",
        seat=KING,
        asked={KING: "Runa", "visigoth-king": None},
        tag="a1",
        slip=None,
    ),
    "somebody gone": lambda lang, theme: table(
        lang, theme, TROUBLE, seat=CHIEF, seats=ABSENT, former=FORMER, host=True, may_end=True
    ),
    "several seats": lambda lang, theme: table(lang, theme, seat=KING, mine=(KING, CHIEF), shared=True),
    "between seats": lambda lang, theme: table(lang, theme, mine=(KING, CHIEF), shared=True),
    "between people": lambda lang, theme: table(
        lang, theme, mine=(KING, CHIEF), shared=True, owing=(KING,), seats=COMPANY
    ),
    "bots": lambda lang, theme: table(lang, theme, game="romans", host=True, bots_alone=True, pace=1500),
    "goths over": lambda lang, theme: table(lang, theme, phase="over"),
    "romans over": lambda lang, theme: table(lang, theme, game="romans", phase="over", next="Z9ABC"),
    "ended": lambda lang, theme: table(lang, theme, phase="ended"),
}
OWN = (
    "somebody gone",
    "several seats",
    "between seats",
    "between people",
    "bots",
    "goths over",
    "romans over",
    "ended",
)


class Page(HTMLParser):
    """What a page is made of: its elements, the fields of its forms, and the words in its buttons."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.forms: list[dict[str, Any]] = []
        self.buttons: list[list[str]] = []
        self._open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.elements.append((tag, given))
        self._open.append(tag)
        if tag == "form":
            self.forms.append({"action": given.get("action"), "method": given.get("method"), "fields": {}})
        elif tag == "button":
            self.buttons.append([])
        if self.forms and tag in ("input", "select", "textarea") and given.get("name"):
            if given.get("type") not in ("checkbox", "radio") or "checked" in given:
                self.forms[-1]["fields"][given["name"]] = given.get("value", "")
            self._select = given["name"]
        if tag == "option" and "selected" in given:
            self.forms[-1]["fields"][self._select] = given["value"]

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if "button" in self._open:
            self.buttons[-1].append(data)
        if self._open and self._open[-1] == "textarea":
            self.forms[-1]["fields"][self._select] = data.removeprefix("\n")

    def all(self, name: str, tag: str = "") -> list[str]:
        """The values of an attribute."""
        return [attrs[name] for each, attrs in self.elements if name in attrs and tag in ("", each)]

    def actions(self) -> list[str]:
        return [form["action"] for form in self.forms if form["method"] == "post"]


every_page = pytest.mark.parametrize("name", PAGES)


@every_page
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_page_is_whole_and_needs_nothing_that_the_policy_forbids(name: str, lang: str) -> None:
    text = PAGES[name](lang, "dark")
    page = Page(text)
    assert f'<html lang="{lang}" data-theme="dark" data-speed="normal">' in text
    tags = Counter(tag for tag, _ in page.elements)
    assert (tags["main"], tags["style"], tags["h1"]) == (1, 0, 1) or (name in OWN and tags["main"] == 1)
    assert all("src" in attrs for tag, attrs in page.elements if tag == "script")
    assert not [attr for _, attrs in page.elements for attr in attrs if attr == "style" or attr.startswith("on")]
    ids = page.all("id")
    assert [each for each, n in Counter(ids).items() if n > 1] == []
    assert set(page.all("for")) <= set(ids)
    for refer in ("aria-labelledby", "aria-describedby"):
        assert set(page.all(refer)) <= set(ids)
    assert {href[1:] for href in page.all("href", "use")} <= set(ids), "drawings that are not in the sprite"
    assert all(href.startswith(("/", "#")) for href in page.all("href", "a"))
    assert all("".join(button).strip() for button in page.buttons), "a button without words"
    assert all(form["action"].startswith("/") for form in page.forms if form["method"] == "post")
    assert not re.search(r"\bui\.[a-z]|\{\w+\}|None", re.sub(r"<[^>]*>", " ", text))


def test_settings_keep_the_other_settings_and_come_back() -> None:
    page = Page(show("rules.html", "de", "dark"))
    fields = [form["fields"] for form in page.forms if form["action"] == "/settings"]
    assert fields == [
        {"theme": "dark", "speed": "normal", "back": "/rules"},
        {"lang": "de", "speed": "normal", "back": "/rules"},
        {"lang": "de", "theme": "dark", "back": "/rules"},
    ]
    pressed = [attrs["value"] for tag, attrs in page.elements if attrs.get("aria-pressed") == "true"]
    assert pressed == ["de", "dark", "normal"]


def test_one_click_from_home_plays() -> None:
    page = Page(show("home.html", games=["goths", "romans"], mine=[]))
    assert [form["fields"] for form in page.forms if form["action"] == "/play"] == [
        {"game": "goths", "seat": "warchief", "level": "easy"},
        {"game": "romans", "rivals": "2", "level": "easy"},
    ]
    assert {"/host?game=goths", "/host?game=romans", "/rules/goths", "/rules/romans", "/watch"} <= set(page.all("href"))
    assert "/join" in page.actions()


@pytest.mark.parametrize("game", GAMES)
def test_what_a_browser_sends_of_the_form_is_what_the_form_means(game: str) -> None:
    page = Page(show("host.html", form=forms.blank(game), levels=LEVELS, slip=None))
    sent = next(form["fields"] for form in page.forms if form["action"] == "/host")
    expected = forms.parse({"game": game, **forms.blank(game).values}, words("en"))
    assert forms.parse(sent, words("en")) == expected
    again = forms.refill(sent | {"name": "Odo", "public": "on"})
    page = Page(show("host.html", form=again, levels=LEVELS, slip=None))
    sent = next(form["fields"] for form in page.forms if form["action"] == "/host")
    named = dict.fromkeys(expected.names, "Odo")
    assert forms.parse(sent, words("en")) == dataclasses.replace(expected, name="Odo", public=True, names=named)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_every_clause_has_its_anchor_and_every_mention_leads_to_it(game: str, lang: str) -> None:
    text, book, shown = rulebook(game, lang), rulepages.page(game, lang), rule_text(game, lang)
    page = Page(shown)
    why = [f"why-{clause}" for clause in decisions(text)]
    assert [each for each in page.all("id") if not each.startswith("part-")] == clauses(text) + why
    assert [part.anchor for part in book.parts] == [each for each in page.all("id") if each.startswith("part-")]
    assert len(book.parts) == text.count("\n## ")
    here = [href[1:] for href in page.all("href", "a") if href.startswith("#")]
    assert {href for href in here if not href.startswith("why-")} <= set(clauses(text))
    assert [href for href in here if href.startswith("why-")] == why
    assert "<script" not in shown
    assert "**" not in shown


def test_an_odd_name_stays_text() -> None:
    seats = [replace(COMPANY[0], name="<b onclick=x>"), *COMPANY[1:]]
    assert "&lt;b onclick=x&gt;" in lobby(seats=seats)


def test_a_host_can_seat_bots_and_a_guest_can_only_sit_down() -> None:
    of_host, of_guest, at = Page(lobby(host=True)), Page(invited()), "/t/K7XQM"
    wanted = {f"{at}/sit": 1, f"{at}/bot": 3, f"{at}/leave": 1, f"{at}/fill": 1, f"{at}/end": 1, "/settings": 4}
    assert Counter(of_host.actions()) == wanted
    assert Counter(of_guest.actions()) == {f"{at}/sit": 1, "/settings": 4}
    sit = next(form["fields"] for form in of_guest.forms if form["action"] == f"{at}/sit")
    assert sit == {"name": ""}


def seats_offered(text: str) -> list[str]:
    """The seats on which a button would seat whoever looks, in the order of the buttons."""
    return [attrs["value"] for tag, attrs in Page(text).elements if tag == "button" and attrs.get("name") == "seat"]


def test_an_invited_person_reads_who_invites_him_to_what_and_one_button_seats_him() -> None:
    text = invited()
    assert "Runa invites you to Goths Save the Queen</h1>" in text
    assert words("en").say("ui.home.goths").replace("'", "&#39;") in text
    assert "Call the others" not in text
    assert seats_offered(text) == ["visigoth-warchief"]
    assert "Anna, Ben invite you to Goths Save the Queen</h1>" in invited(inviting=("Anna", "Ben"))
    assert "Somebody invites you to Romans Go Home!</h1>" in PAGES["invited by nobody known"]("en", "")
    assert seats_offered(PAGES["invited by nobody known"]("en", "")) == ["gold", "gold", "green"]


def test_the_one_button_seats_beside_somebody_who_lacks_a_partner() -> None:
    alone = [seat_face(seat, "open") for seat in (KING, CHIEF, "visigoth-king")]
    assert seats_offered(invited(seats=[*alone, seat_face("visigoth-warchief", "person")]))[0] == "visigoth-king"
    assert seats_offered(invited(seats=[*alone, seat_face("visigoth-warchief", "bot", None, "easy")]))[0] == KING


def test_one_who_is_to_rule_alone_reads_both_his_seats() -> None:
    lone = Match.new("goths", {"lone_rulers": ["visigoth"]}, 1)
    free = [*COMPANY[:2], *(seat_face(f"visigoth-{role}", "open") for role in ("king", "warchief"))]
    text = invited(seats=free, view=lone.view(SPECTATOR), rules=lone.rules)
    assert "King of the Visigoths + Warchief of the Visigoths" in text
    assert seats_offered(text) == ["visigoth-king"]


def test_only_those_at_the_table_decide_about_somebody_who_has_gone() -> None:
    at = "/t/K7XQM"
    gone = Page(table(seat=CHIEF, seats=ABSENT, former=FORMER, may_end=True))
    assert {f"{at}/bot", f"{at}/end", f"{at}/sit", f"{at}/leave"} <= set(gone.actions())
    assert f"{at}/end" not in Page(table(seat=CHIEF, seats=ABSENT, former=FORMER)).actions()
    assert [form["method"] for form in gone.forms].count("dialog") == 1
    watching = Page(table(seats=[replace(seat, who="person") for seat in ABSENT]))
    assert set(watching.actions()) == {"/settings", f"{at}/choose"}


def test_a_seat_that_was_left_is_given_to_a_bot_by_the_players_and_taken_by_nobody() -> None:
    left = [*COMPANY[:3], replace(COMPANY[3], who="open")]
    sitting = Page(table(seat=CHIEF, seats=left))
    assert "/t/K7XQM/bot" in sitting.actions()
    assert "/t/K7XQM/sit" not in sitting.actions()
    watching = Page(table(seats=[replace(seat, who="person") if seat.who == "you" else seat for seat in left]))
    assert "/t/K7XQM/sit" not in watching.actions()
    assert "/t/K7XQM/bot" not in watching.actions()


def asked_at(text: str) -> list[str]:
    """Who may say that he has the device."""
    return [form["fields"]["seat"] for form in Page(text).forms if form["action"] == "/t/K7XQM/here"]


def strip(text: str) -> str:
    """What stands in the strip above the story."""
    found = re.search(r'<div class="strip.*?</div>', text, re.DOTALL)
    return " ".join(re.sub(r"<[^>]*>", " ", found[0]).split()) if found else ""


def test_a_shared_device_names_who_sees_his_side_and_passes_on() -> None:
    named = [replace(COMPANY[0], who="you"), *COMPANY[1:]]
    shown = table(seat=KING, mine=(KING, CHIEF), shared=True, seats=named)
    assert "/t/K7XQM/away" in Page(shown).actions()
    assert strip(shown) == "Runa You are King of the Ostrogoths. Hide and pass on"
    between = table(mine=(KING, CHIEF), shared=True, owing=(KING, CHIEF), seats=named)
    assert strip(between) == "Everybody may look now. Next: Runa, King of the Ostrogoths. Pass the device on"
    assert "/t/K7XQM/here" not in re.sub(r"<details.*?</details>", "", between, flags=re.DOTALL)


def test_a_shared_device_asks_nobody_who_owes_nothing() -> None:
    waiting = table(mine=(KING, CHIEF), shared=True)
    assert strip(waiting) == "Nobody at this device has to choose now."
    assert "/t/K7XQM/away" not in Page(waiting).actions()
    assert strip(table(mine=(KING, CHIEF), shared=True, phase="over")) == ""


def test_nothing_of_the_game_lies_behind_the_curtain() -> None:
    text = PAGES["curtain"]("en", "")
    page = Page(text)
    assert "Runa, are you alone?" in text
    assert "I am Runa" in text
    assert "I am King of the Visigoths" in text
    assert asked_at(text) == [KING, "visigoth-king"]
    assert not {"cloth", "rail", "story", "board"} & {each for value in page.all("class") for each in value.split()}


def test_the_curtain_asks_those_who_owe_a_choice_and_each_person_once() -> None:
    lone = Match.new("goths", {"lone_rulers": ["ostrogoth"]}, 1)
    seats = tuple(seat_face(each, "you") for each in lone.seats)
    here = {"view": lone.view(SPECTATOR), "rules": lone.rules, "seats": seats, "mine": lone.seats, "shared": True}
    for owing, asked in (
        ((KING,), [KING]),
        ((KING, "visigoth-king"), [KING, "visigoth-king"]),
        ((CHIEF, KING, "visigoth-warchief"), [CHIEF, "visigoth-warchief"]),
    ):
        seen = face(**here, owing=owing)
        text = Screen(seen, curtain=seen.asked_next).html(words("en"), None, SITE, levels=LEVELS, **shell(""))
        assert asked_at(text) == asked


def test_bots_among_themselves_can_be_watched_at_a_chosen_speed() -> None:
    page = Page(table(game="romans", host=True, bots_alone=True, pace=600))
    speeds = [attrs for tag, attrs in page.elements if tag == "button" and attrs.get("name") == "ms"]
    assert [(each["value"], each["aria-pressed"]) for each in speeds] == [
        ("3000", "false"),
        ("1500", "false"),
        ("600", "true"),
        ("0", "false"),
    ]


@pytest.mark.parametrize("game", GAMES)
def test_the_end_tells_the_outcome_with_its_clause_and_leads_on(game: str) -> None:
    seen = face(game, "over")
    text = table(game=game, phase="over", host=True)
    told = [event for event in seen.events if event.code in ("won", "drawn")]
    outcome = seen.view.game.outcome(seen.rules, seen.view.state)
    assert outcome
    assert Markup.escape(words("en").reason(game, outcome)) in text
    assert f'href="/rules/{game}#{told[-1].clause}"' in text
    assert "/t/K7XQM/record" in Page(text).all("href")
    assert "/t/K7XQM/again" in Page(text).actions()
    assert "/t/K7XQM/again" not in Page(table(game=game, phase="over")).actions()  # not for those who only watch
    after = Page(table(game=game, phase="over", host=True, next="Z9ABC"))
    assert "/t/Z9ABC" in after.all("href")
    assert "/t/K7XQM/again" not in after.actions()


def test_a_live_update_is_the_table_and_nothing_around_it() -> None:
    for name in ("gathering", "invited", "curtain"):
        context = {"slip": None, "levels": LEVELS, "fragment": True, "tag": "a1", "code": "K7XQM", "game": "goths"}
        more = {"face": face(phase="open", seats=COMPANY), "link": "/", "qr": "", "seat": KING, "asked": {KING: None}}
        text = show(f"{name}.html", **context | more).strip()
        assert re.match(r'<main\s+id="table"', text)
        assert text.endswith("</main>")


@pytest.mark.parametrize("before", ["lobby of a host", "invited", "curtain"])
def test_a_table_that_follows_without_a_new_page_finds_its_sheets(before: str) -> None:
    def sheets(text: str) -> set[str]:
        return {href for href in Page(text).all("href", "link") if href.endswith(".css")}

    assert sheets(table(seat=CHIEF)) <= sheets(PAGES[before]("en", "light"))


def test_a_tables_page_fetches_the_scripts_of_its_parts_before_a_part_asks_for_them() -> None:
    """On a slow line cards would lie there for a while and could not be moved."""
    planning = Page(table(game="romans", seat="gold"))
    (asked,) = planning.all("data-script")
    assert asked in fetched_early(planning)
    for page in ("invited by nobody known", "bots"):  # Romans, too, where a plan may follow
        assert asked in fetched_early(Page(PAGES[page]("en", "light")))
    assert not fetched_early(Page(table(seat=CHIEF)))


def fetched_early(page: Page) -> list[str]:
    return [source for source in page.all("src", "script") if source.count("/") == 4]  # of the folder of a game


def test_the_styles_of_the_shell_stay_small() -> None:
    """Measured without the white space that only lays them out."""
    shell = ("meadhall", "controls", "table", "curtain", "hall", "pages", "rulebook")
    sizes = {name: len(b" ".join(assets.find()[f"{name}.css"].split())) for name in shell}
    assert sum(sizes.values()) < 35_000, sizes


# In a browser

# These are the same as on a real server, where test_browser_access has axe look at them on a desk by day.
LOOKED_AT_ELSEWHERE = {
    "host goths",
    "watch",
    "rules",
    "rules of goths",
    "rules of romans",
    "error",
    "lobby of a host",
    "goths over",
}


Windows = dict[tuple[int, int], BrowserPage]


class Site(BaseHTTPRequestHandler):
    """Gives a browser one page, and our files to keep; whatever else it asks for it never gets."""

    protocol_version = "HTTP/1.1"
    files = assets.find()
    kinds: ClassVar = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml", "png": "image/png"}
    page = ""

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""

    def do_GET(self) -> None:
        file = self.path.removeprefix("/static/").partition("/")[2]
        if self.path == "/page":
            self.answer(Site.page.encode(), "text/html", "no-store")
        elif file in self.files:
            self.answer(self.files[file], self.kinds[file.rpartition(".")[2]], "max-age=3600, immutable")
        else:
            self.close_connection = True

    def answer(self, body: bytes, kind: str, keep: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", keep)
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """Where a browser finds a page that was rendered here."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    server.daemon_threads = True
    Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/page"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def windows(chromium: Browser) -> Iterator[Windows]:
    """A desk and a small phone for all pages, which keep our files from one page to the next."""
    pages = {}
    for size, lang in ((DESK, "en"), (SMALL_PHONE, "de")):
        context = chromium.new_context(viewport={"width": size[0], "height": size[1]}, locale=lang)
        context.set_default_timeout(PATIENCE)
        pages[size] = context.new_page()
    yield pages
    for page in pages.values():
        page.context.close()


def visited(page: BrowserPage, site: str) -> None:
    """Visit the page of this test; the one before, which may load itself anew at any time, is left for good first."""
    page.goto("about:blank")
    page.goto(site)


@every_page
def test_a_page_is_open_to_all_and_fits_the_window(name: str, site: str, windows: Windows) -> None:
    for size, theme, lang in ((DESK, "light", "en"), (SMALL_PHONE, "dark", "de")):
        Site.page, page = PAGES[name](lang, theme), windows[size]
        visited(page, site)
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0], "scrolls sideways"
        if size != DESK:
            assert violations(page, *COLOURS) == []
        elif name not in LOOKED_AT_ELSEWHERE:
            assert violations(page) == []


def test_an_empty_list_of_tables_is_open_to_all_by_night_too(site: str, windows: Windows) -> None:
    Site.page, page = PAGES["watch nothing"]("en", "dark"), windows[DESK]
    visited(page, site)
    assert page.locator("#main").count() == 1
    assert page.locator(".ticket").count() == 0
    assert violations(page, "color-contrast") == []

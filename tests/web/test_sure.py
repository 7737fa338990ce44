"""Nothing by accident: what all at a table feel is asked twice, and only those may do it whose it is to do."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from meadhall.match import Match
from meadhall.tables import decisions
from meadhall.tables.lobby import Lobby
from meadhall.words import words
from meadhall.words.languages import LANGUAGES
from tests.web.lobbies import in_lobby
from tests.web.playing import Guest, holding, surely, table
from tests.web.positions import lay
from tests.web.server import Server
from tests.web.visitor import Browser

THREE = {"players": ["gold", "green", "violet"]}
NOBODY: frozenset[str] = frozenset()


# Who may end a table


@pytest.mark.parametrize(
    ("holder", "gone", "may"),
    [
        ("host", NOBODY, True),
        ("host", frozenset({"bob"}), True),
        ("bob", NOBODY, False),
        ("bob", frozenset({"cid"}), False),  # the host is here: let him be asked
        ("bob", frozenset({"host"}), True),
        ("bob", frozenset({"host", "cid"}), True),
        ("bob", frozenset({"bob"}), False),
        ("stranger", frozenset({"host", "bob", "cid"}), False),
        (None, frozenset({"host", "bob", "cid"}), False),
    ],
)
def test_a_player_ends_a_table_only_while_its_host_is_missing(
    holder: str | None, gone: frozenset[str], may: bool, tmp_path: Path
) -> None:
    async def work(here: Lobby) -> None:
        open_table = await here.open_table("romans", THREE, {"gold": "me"}, "host")
        await here.sit(open_table.code, "bob")
        await here.sit(open_table.code, "cid")
        assert open_table.phase == "playing"
        assert decisions.may_end(open_table, holder, gone) is may

    in_lobby(tmp_path, work)


def test_where_the_host_does_not_play_a_player_ends_a_table_only_while_others_are_missing(tmp_path: Path) -> None:
    async def work(here: Lobby) -> None:
        open_table = await here.open_table("romans", THREE, {}, "host")
        for holder in ("ann", "bob", "cid"):
            await here.sit(open_table.code, holder)
        assert not decisions.may_end(open_table, "ann", NOBODY)
        assert decisions.may_end(open_table, "ann", frozenset({"bob"}))
        await here.leave(open_table.code, "cid", "violet")
        assert decisions.may_end(open_table, "ann", NOBODY)

    in_lobby(tmp_path, work)


# What one request can do


@pytest.fixture(scope="module")
def hurried(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on which nobody counts as gone."""
    with Server(tmp_path_factory.mktemp("hurried"), "--grace", "600") as running:
        yield running


def _company(server: Server) -> tuple[str, Browser, Browser]:
    """A game between its host and a guest."""
    host, friend = Browser(server), Browser(server)
    answer = host.post("/host", {"game": "romans", "seat-gold": "me", "seat-green": "open", "seat-violet": "nobody",
                                 "seat-red": "nobody"})  # fmt: skip
    code = answer.headers["location"].rpartition("/")[2]
    friend.post(f"/t/{code}/sit", {"seat": "green"})
    return code, host, friend


def _phase(server: Server, code: str) -> str:
    return str(server.player().table(code)["phase"])


def _who(server: Server, code: str) -> list[str]:
    return [seat["who"] for seat in server.player().table(code)["seats"]]


def test_a_post_that_does_not_say_it_is_sure_is_answered_with_the_question_and_nothing_is_done(
    hurried: Server,
) -> None:
    code, host, friend = _company(hurried)
    for browser, act, form in (
        (host, "end", {}),
        (friend, "leave", {"seat": "green"}),
        (friend, "bot", {"seat": "green"}),
    ):
        answer = browser.post(f"/t/{code}/{act}", form)
        assert answer.status_code == 200
        assert words("en").say(f"ui.sure.{act}") in answer.text
        assert 'name="sure"' in answer.text
        assert (_phase(hurried, code), _who(hurried, code)) == ("playing", ["person", "person"])
        assert browser.get(f"/t/{code}/{act}").headers["location"] == f"/t/{code}"


def test_what_is_refused_is_refused_before_anything_is_asked(hurried: Server) -> None:
    code, host, friend = _company(hurried)
    stranger = Browser(hurried)
    for browser in (friend, stranger):
        for form in ({}, {"sure": "yes"}):
            assert browser.post(f"/t/{code}/end", form).status_code == 403
            assert browser.post(f"/t/{code}/leave", {"seat": "gold"} | form).status_code == 403
            assert browser.post(f"/t/{code}/bot", {"seat": "gold"} | form).status_code == 403
    assert host.post(f"/t/{code}/bot", {"seat": "green", "sure": "yes"}).status_code == 409  # somebody is there
    assert (_phase(hurried, code), _who(hurried, code)) == ("playing", ["person", "person"])


def test_who_is_sure_does_it_and_doing_it_again_asks_nothing(hurried: Server) -> None:
    code, host, friend = _company(hurried)
    assert friend.post(f"/t/{code}/leave", {"seat": "green", "sure": "yes"}).status_code == 303
    assert _who(hurried, code) == ["person", "bot"]
    assert host.post(f"/t/{code}/bot", {"seat": "green"}).status_code == 303  # it sits there already
    assert _who(hurried, code) == ["person", "bot"]
    for form in ({"sure": "yes"}, {}):
        assert host.post(f"/t/{code}/end", form).status_code == 303
        assert _phase(hurried, code) == "ended"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_question_is_asked_in_the_language_of_whoever_is_asked(lang: str, hurried: Server) -> None:
    code, host, _ = _company(hurried)
    host.http.cookies.set("lang", lang)
    text = host.post(f"/t/{code}/end").text
    for key in ("ui.sure.end", "ui.sure.end-detail", "ui.sure.end-yes", "ui.sure.no"):
        assert words(lang).say(key) in text


# On the page


@pytest.mark.parametrize("js", [True, False])
def test_a_table_is_ended_by_two_clicks_in_two_places(guest: Guest, server: Server, js: bool) -> None:
    laid = lay(server, Match.new("romans", THREE, 3), bots=["green", "violet"])
    (page,) = holding(guest, server, laid, "gold", js=js)
    page.locator("#table-menu > summary").click()
    question = page.locator("#table-menu .apart details", has=page.locator("form[action$=end]"))
    question.locator("summary").dblclick()  # a double click opens and closes
    expect(question.locator("form")).to_be_hidden()
    assert _phase(server, laid.code) == "playing"
    surely(page.locator("#table-menu"), "end")
    expect(table(page)).to_have_attribute("data-phase", "ended")


def test_an_open_question_stays_open_when_the_table_moves_on(guest: Guest, server: Server) -> None:
    laid = lay(server, Match.new("goths", {}, 3))
    king, friend = holding(guest, server, laid, "ostrogoth-king", "visigoth-warchief")
    friend.locator("#table-menu > summary").click()
    question = friend.locator("#table-menu details", has=friend.locator("form[action$=leave]"))
    question.locator("summary").click()
    before = table(friend).get_attribute("data-tag") or ""
    king.locator("#table-menu > summary").click()
    surely(king.locator("#table-menu"), "leave")
    expect(table(friend)).not_to_have_attribute("data-tag", before)
    expect(question.locator("form")).to_be_visible()


def test_a_player_beside_the_host_finds_no_way_to_end_it_and_nobody_one_to_change_a_bot_or_remove_a_person(
    guest: Guest, server: Server
) -> None:
    laid = lay(server, Match.new("romans", THREE, 3), bots=["violet"])
    host, friend = holding(guest, server, laid, "gold", "green")
    assert friend.locator("form[action$=end], form[action$=bot]").count() == 0
    assert friend.locator("form[action$=leave]").count() == 1
    assert host.locator("form[action$=end]").count() == 1
    assert host.locator("form[action$=bot]").count() == 0

"""Tables in a lobby on a real store: who may do what, and what becomes of the table."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from meadhall.faults import Fault
from meadhall.tables import decisions
from meadhall.tables.decisions import LONGEST_NAME, PACES, clean
from meadhall.tables.entries import Left
from meadhall.tables.lobby import CODE_LENGTH, CODE_LETTERS, Lobby
from meadhall.tables.refusals import NoSuchTable, NotYours, Senseless
from tests.variants import VARIANTS, Variant, variant_named
from tests.web.lobbies import (
    GOTHS_SEATS,
    company,
    in_lobby,
    refusal_of,
    sitters,
    until,
)

BASE = variant_named("goths, base")
SHORT = variant_named("goths, seven turns")
LONE = variant_named("goths, lone ostrogoth")
FOUR = variant_named("romans, four")
TWO = variant_named("romans, two")


# Opening


def test_a_new_table_has_the_host_bots_and_open_seats_where_he_put_them(tmp_path: Path) -> None:
    async def work(here: Lobby) -> None:
        seats = {"ostrogoth-king": "me", "visigoth-king": "easy", "visigoth-warchief": "open"}
        table = await here.open_table("goths", {}, seats, "ann", "Ann")
        assert sitters(table) == dict(zip(GOTHS_SEATS, ("ann", "open", "easy", "open"), strict=True))
        assert table.places["ostrogoth-king"].name == "Ann"
        assert table.phase == "open"
        assert not table.started
        assert len(table.code) == CODE_LENGTH
        assert set(table.code) <= set(CODE_LETTERS)

    in_lobby(tmp_path, work)


def test_a_table_without_open_seats_is_played_at_once(tmp_path: Path) -> None:
    async def work(here: Lobby) -> None:
        table = await here.open_table("romans", TWO.rules, {"gold": "me", "green": "me"}, "ann")
        assert table.phase == "playing"
        assert [listed.phase for listed in await here.store.listing(("playing",), 9)] == ["playing"]

    in_lobby(tmp_path, work)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_every_variant_opens_and_deals_by_chance(variant: Variant, tmp_path: Path) -> None:
    async def work(here: Lobby) -> None:
        tables = [await here.open_table(variant.game, variant.rules, {}, "ann") for _ in range(3)]
        assert len({table.code for table in tables}) == 3
        assert tables[0].match.rules == variant.deal(0).rules
        if variant.game == "romans":
            assert len({str(table.header.setup) for table in tables}) == 3

    in_lobby(tmp_path, work)


@pytest.mark.parametrize(
    ("game", "rules", "seats", "said"),
    [
        ("goths", {}, {"emperor": "me"}, "emperor"),
        ("goths", {}, {"visigoth-king": "genius"}, "genius"),
        ("goths", {"turn_limit": 0}, {}, "turn_limit"),
        ("goths", {"weather": "bad"}, {}, "weather"),
        ("romans", {"players": ["gold"]}, {}, "one player needs"),
        ("chess", {}, {}, "chess"),
    ],
)
def test_a_senseless_table_is_refused_with_a_reason_and_leaves_nothing(
    game: str, rules: dict[str, Any], seats: dict[str, str], said: str, tmp_path: Path
) -> None:
    async def work(here: Lobby) -> None:
        with pytest.raises(Fault, match=said):
            await here.open_table(game, rules, seats, "ann")
        assert await here.store.counts() == {}

    in_lobby(tmp_path, work)


def test_a_code_may_be_typed_in_any_way(tmp_path: Path) -> None:
    async def work(here: Lobby) -> None:
        code = (await here.open_table("goths", {}, {}, "ann")).code
        for typed in (code.lower(), f" {code[:3]} {code[3:]}\n", f"{code[:2]}-{code[2:]}"):
            assert (await here.table(typed)).code == code
        for wrong in ("", "AAAAAA", code[:-1], code + code[0], "x" * 5000, "\x00", "\ud800", "../etc"):
            assert isinstance(await refusal_of(here.table(wrong)), NoSuchTable)

    in_lobby(tmp_path, work)


# Sitting and leaving


def test_people_sit_and_play_begins_with_the_last_of_them(tmp_path: Path) -> None:
    async def work(here: Lobby) -> None:
        table = await here.open_table("goths", {}, {"ostrogoth-king": "me"}, "ann", "Ann")
        assert await here.sit(table.code, "bob", None, "Bob") == "ostrogoth-warchief"
        assert await here.sit(table.code, "cid", "visigoth-warchief", "Cid") == "visigoth-warchief"
        assert table.phase == "open"
        assert await here.sit(table.code, "dan") == "visigoth-king"
        assert table.phase == "playing"
        assert sitters(table) == dict(zip(GOTHS_SEATS, ("ann", "bob", "dan", "cid"), strict=True))
        assert (await refusal_of(here.sit(table.code, "eve"))).key == "ui.refused.full"

    in_lobby(tmp_path, work)


def test_sitting_down_twice_does_no_harm_and_another_cannot_push_in(tmp_path: Path) -> None:
    async def work(here: Lobby) -> None:
        table = await here.open_table("goths", {}, {}, "ann")
        await here.sit(table.code, "bob", "visigoth-king", "Bob")
        length = table.length
        await here.sit(table.code, "bob", "visigoth-king", "Robert")
        assert table.length == length
        assert (await refusal_of(here.sit(table.code, "eve", "visigoth-king"))).key == "ui.refused.taken"
        assert table.places["visigoth-king"].holder == "bob"
        assert table.places["visigoth-king"].name == "Bob"

    in_lobby(tmp_path, work)


def test_one_may_leave_ones_own_seat_only_and_a_bot_plays_on_there(tmp_path: Path) -> None:
    async def work(here: Lobby) -> None:
        table, holders = await company(here, BASE)
        assert isinstance(await refusal_of(here.leave(table.code, "eve", "visigoth-king")), NotYours)
        assert isinstance(await refusal_of(here.leave(table.code, "eve", "throne")), Senseless)
        await here.leave(table.code, holders["visigoth-king"], "visigoth-king")
        assert table.places["visigoth-king"].level == decisions.substitute("goths") == "medium"
        assert table.phase == "playing"
        # Whoever has left has no right to the seat any more, nor to choose for it.
        gone = decisions.choose(holders["visigoth-king"], "visigoth-king", table.position, "order:vulture/recruiter")
        assert isinstance(await refusal_of(here.change(table.code, gone)), NotYours)
        assert (await refusal_of(here.sit(table.code, "eve", "visigoth-king"))).key == "ui.refused.begun"
        assert (await refusal_of(here.sit(table.code, "eve"))).key == "ui.refused.full"
        assert await here.sit(table.code, holders["visigoth-king"], None, "a message") == "visigoth-king"
        assert table.places["visigoth-king"].name is None

    in_lobby(tmp_path, work)


def test_a_lone_ruler_takes_and_leaves_both_seats(tmp_path: Path) -> None:
    async def work(here: Lobby) -> None:
        table = await here.open_table("goths", LONE.rules, {}, "ann")
        await here.sit(table.code, "bob", "ostrogoth-warchief", "Bob")
        assert table.seats_of("bob") == ("ostrogoth-king", "ostrogoth-warchief")
        assert (await refusal_of(here.sit(table.code, "eve", "ostrogoth-king"))).key == "ui.refused.taken"
        await here.leave(table.code, "bob", "ostrogoth-king")
        assert table.seats_of("bob") == ()
        await here.seat_bot(table.code, "ann", "ostrogoth-king", "random")
        assert sitters(table)["ostrogoth-warchief"] == "random"

    in_lobby(tmp_path, work)


def test_a_lone_ruler_who_hosts_sits_on_both_seats(tmp_path: Path) -> None:
    async def work(here: Lobby) -> None:
        table = await here.open_table("goths", LONE.rules, {"ostrogoth-king": "me"}, "ann")
        assert (await refusal_of(here.sit(table.code, "eve", "ostrogoth-warchief"))).key == "ui.refused.taken"
        assert table.seats_of("ann") == ("ostrogoth-king", "ostrogoth-warchief")
        with_a_bot = await here.open_table("goths", LONE.rules, {"ostrogoth-warchief": "easy"}, "ann")
        assert list(sitters(with_a_bot).values()) == ["easy", "easy", "open", "open"]

    in_lobby(tmp_path, work)


# Names


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        (None, None),
        ("", None),
        (" \t\n ", None),
        ("Ann", "Ann"),
        ("  Ann \n of\tGoth ", "Ann of Goth"),
        ("A\x00n\x1b[31mn", "A n [31mn"),
        ("\u202eAnn\u2066", "Ann"),
        ("\ud800Ann", "Ann"),
        ("Æthelflæd Þórr", "Æthelflæd Þórr"),
        ("x" * 500, "x" * LONGEST_NAME),
        ("x" * (LONGEST_NAME - 1) + " y", "x" * (LONGEST_NAME - 1)),
    ],
)
def test_a_name_is_made_fit_to_be_shown(given: str | None, shown: str | None) -> None:
    assert clean(given) == shown


def test_nobody_takes_a_name_once_play_has_begun(tmp_path: Path) -> None:
    """Else a name could carry a message to a partner."""

    async def work(here: Lobby) -> None:
        table, holders = await company(here, BASE)
        king = holders["ostrogoth-king"]
        await here.seat_bot(table.code, king, "ostrogoth-king", "medium")
        await here.sit(table.code, king, "ostrogoth-king", "play the vulture")
        assert table.places["ostrogoth-king"].name is None

    in_lobby(tmp_path, work)


def test_a_name_given_in_time_survives_a_bot(tmp_path: Path) -> None:
    async def work(here: Lobby) -> None:
        table = await here.open_table("romans", TWO.rules, {"gold": "me"}, "ann", "Ann")
        await here.sit(table.code, "bob", "green", "Bob")
        await here.seat_bot(table.code, "bob", "green", "medium")
        assert table.page_face("bob", None).former == ("green",)
        assert table.page_face("ann", None).former == ()
        await here.sit(table.code, "bob", "green", "Robert")
        assert table.places["green"].name == "Bob"

    in_lobby(tmp_path, work)


# Bots, and who may put them where


def test_before_play_whom_a_bot_replaced_may_have_his_seat_back_and_nobody_else(tmp_path: Path) -> None:
    async def work(here: Lobby) -> None:
        table = await here.open_table("goths", {}, {}, "host")
        await here.sit(table.code, "ann", "visigoth-king")
        await here.seat_bot(table.code, "host", "visigoth-king", "easy")
        assert table.places["visigoth-king"].level == "easy"
        assert (await refusal_of(here.sit(table.code, "eve", "visigoth-king"))).key == "ui.refused.taken"
        await here.seat_bot(table.code, "host", "visigoth-king", "random")
        assert table.places["visigoth-king"].level == "random"
        await here.sit(table.code, "ann", "visigoth-king")
        assert table.places["visigoth-king"].holder == "ann"
        assert table.places["visigoth-king"].level is None

    in_lobby(tmp_path, work)


def test_who_gave_up_a_seat_before_play_has_no_claim_to_it_once_play_has_begun(tmp_path: Path) -> None:
    async def work(here: Lobby) -> None:
        table = await here.open_table("goths", {}, {}, "host")
        await here.sit(table.code, "ann", "visigoth-king")
        await here.seat_bot(table.code, "host", "visigoth-king", "easy")
        await here.sit(table.code, "ann", "ostrogoth-king")
        await here.change(table.code, decisions.fill("host", "easy"))
        assert table.phase == "playing"
        assert (await refusal_of(here.sit(table.code, "ann", "visigoth-king"))).key == "ui.refused.begun"

    in_lobby(tmp_path, work)


RIGHTS = ["bot on another", "bot on me", "bot on a seat left open", "end", "pace"]


@pytest.mark.parametrize(
    ("who", "may"),
    [
        ("host", {"end"}),
        ("ann", {"bot on me"}),
        ("stranger", set()),
        (None, set()),
    ],
)
def test_what_the_host_a_player_and_a_stranger_may_do(who: str | None, may: set[str], tmp_path: Path) -> None:
    async def work(here: Lobby) -> None:
        for right in RIGHTS:
            seats = {"gold": "open", "green": "open", "violet": "open", "red": "random"}
            table = await here.open_table("romans", FOUR.rules, seats, "host")
            for holder in ("ann", "bob", "cid"):
                await here.sit(table.code, holder)
            if right == "bot on a seat left open":
                await here.leave(table.code, "bob", "green")
            attempt = {
                "bot on another": lambda code: here.seat_bot(code, who, "violet", "medium"),
                "bot on me": lambda code: here.seat_bot(code, who, "gold", "medium"),
                "bot on a seat left open": lambda code: here.seat_bot(code, who, "green", "random"),
                "end": lambda code: here.end(code, who),
                "pace": lambda code: here.set_pace(code, who, "0"),
            }[right]
            before = sitters(table), table.phase, table.pace
            if right in may:
                await attempt(table.code)
                assert (sitters(table), table.phase, table.pace) != before
            else:
                not_now = ("ui.refused.present", "ui.refused.bot-stays", "ui.refused.pace-people")
                assert (await refusal_of(attempt(table.code))).key in ("ui.refused.not-host", *not_now)
                assert (sitters(table), table.phase, table.pace) == before

    in_lobby(tmp_path, work)


def test_only_the_host_puts_bots_on_open_seats_before_play(tmp_path: Path) -> None:
    async def work(here: Lobby) -> None:
        table = await here.open_table("goths", {}, {"ostrogoth-king": "me"}, "ann")
        await here.sit(table.code, "bob")
        assert isinstance(await refusal_of(here.seat_bot(table.code, "bob", "visigoth-king", "easy")), NotYours)
        assert isinstance(await refusal_of(here.change(table.code, decisions.fill("bob", "easy"))), NotYours)
        await here.change(table.code, decisions.fill("ann", "easy"))
        assert list(sitters(table).values()) == ["ann", "bob", "easy", "easy"]
        assert table.phase == "playing"

    in_lobby(tmp_path, work)


def test_a_player_who_stays_away_longer_than_the_grace_period_counts_as_gone(tmp_path: Path) -> None:
    async def work(here: Lobby) -> None:
        table = await here.open_table("romans", FOUR.rules, {"red": "random"}, "host")
        for holder in ("ann", "bob", "cid"):
            await here.sit(table.code, holder)
        assert await (await here.seated(table.code)).gone() == frozenset()

        async def only_bob_is_gone() -> bool:
            for holder in ("ann", "cid"):
                await (await here.seated(table.code)).touch(holder)
            return await (await here.seated(table.code)).gone() == {"bob"}

        await until(only_bob_is_gone)
        face = table.face("ann", "gold", await (await here.seated(table.code)).gone())
        assert [seat.gone for seat in face.seats] == [False, True, False, False]
        assert table.tag("ann", frozenset({"bob"})) != table.tag("ann")
        await (await here.seated(table.code)).touch("cid")
        assert isinstance(await refusal_of(here.seat_bot(table.code, "ann", "violet", "medium")), NotYours)
        assert (await refusal_of(here.seat_bot(table.code, "host", "violet", "medium"))).key == "ui.refused.present"
        await here.seat_bot(table.code, "ann", "green", "medium")
        assert table.places["green"].level == "medium"

    in_lobby(tmp_path, work, grace=1.0)


def test_another_player_may_end_the_game_of_somebody_who_is_gone_but_not_because_he_was_away_himself(
    tmp_path: Path,
) -> None:
    async def work(here: Lobby) -> None:
        table = await here.open_table("romans", TWO.rules, {}, "host")
        await here.sit(table.code, "ann")
        await here.sit(table.code, "bob")

        async def is_gone(holder: str, other: str) -> bool:
            await (await here.seated(table.code)).touch(other)
            return await (await here.seated(table.code)).gone() == {holder}

        await until(lambda: is_gone("bob", "ann"))
        assert isinstance(await refusal_of(here.change(table.code, decisions.end("bob", frozenset({"bob"})))), NotYours)
        await here.end(table.code, "ann")
        assert table.phase == "ended"

    in_lobby(tmp_path, work, grace=0.3)


def test_nobody_is_missed_by_himself(tmp_path: Path) -> None:
    async def work(here: Lobby) -> None:
        table = await here.open_table("romans", TWO.rules, {"gold": "me", "green": "me"}, "ann")
        assert await (await here.seated(table.code)).gone() == frozenset()
        assert await here.store.presence(table.number) == {}

    in_lobby(tmp_path, work, grace=0.0)


# Ending, the pace, playing again


def test_an_ended_table_takes_nothing_more(tmp_path: Path) -> None:
    async def work(here: Lobby) -> None:
        table, holders = await company(here, BASE)
        await here.change(
            table.code,
            lambda table: (
                Left("visigoth-king") if table.phase == "playing" and not table.places["visigoth-king"].open else None
            ),
        )  # as tables of earlier versions have it
        await here.end(table.code, "host")
        await here.end(table.code, "host")
        assert table.phase == "ended"
        king = holders["ostrogoth-king"]
        choice = decisions.choose(king, None, table.position, table.match.choices("ostrogoth-king")[0])
        for attempt in (
            here.change(table.code, choice),
            here.sit(table.code, "eve", "visigoth-king"),
            here.seat_bot(table.code, "host", "visigoth-king", "easy"),
            here.change(table.code, decisions.fill("host", "easy")),
        ):
            assert (await refusal_of(attempt)).key == "ui.refused.not-playing"
        assert (await here.store.counts()) == {"ended": 1}

    in_lobby(tmp_path, work)


def test_the_host_sets_the_pace_to_one_of_a_few(tmp_path: Path) -> None:
    async def work(here: Lobby) -> None:
        table = await here.open_table("goths", {}, dict.fromkeys(GOTHS_SEATS, "random"), "ann")
        for ms in PACES:
            await here.set_pace(table.code, "ann", str(ms))
            assert table.pace == ms
        for wrong in ("", "1", "-3", "fast", "0.0", "١"):
            assert isinstance(await refusal_of(here.set_pace(table.code, "ann", wrong)), Senseless)

    in_lobby(tmp_path, work)


def test_the_same_company_plays_on_at_one_table_whoever_asks(tmp_path: Path) -> None:
    async def work(here: Lobby) -> None:
        table = await here.open_table("romans", FOUR.rules, {"red": "random"}, "ann", public=False)
        for holder, name in (("ann", "Ann"), ("bob", "Bob"), ("cid", None)):
            await here.sit(table.code, holder, None, name)
        assert (await refusal_of(here.again(table.code, "ann"))).key == "ui.refused.not-over"
        await here.end(table.code, "ann")
        for stranger in ("eve", None):
            assert isinstance(await refusal_of(here.again(table.code, stranger)), NotYours)
        codes = await asyncio.gather(*(here.again(table.code, holder) for holder in ("ann", "bob", "cid", "ann")))
        assert len({*codes, table.next}) == 1
        following = await here.table(codes[0])
        assert following.code != table.code
        assert following.phase == "playing"
        assert following.match.rules == table.match.rules
        assert following.header.setup != table.header.setup
        assert sitters(following) == sitters(table)
        assert [place.name for place in following.places.values()] == ["Ann", "Bob", None, None]
        assert await here.again(table.code, "bob") == codes[0]
        assert await here.again(table.code, "ann", exchanged=True) == codes[0]  # whoever asked first has said
        # A company that met in private stays so, and no second table waits for it.
        assert await here.store.listing(("open", "playing"), 9) == []
        assert (await here.store.counts())["playing"] == 1

    in_lobby(tmp_path, work)


@pytest.mark.parametrize(
    ("variant", "moved"),
    [
        (BASE, {"ostrogoth-king": "b", "ostrogoth-warchief": "a", "visigoth-king": "easy", "visigoth-warchief": "c"}),
        (FOUR, {"gold": "easy", "green": "a", "violet": "b", "red": "c"}),
    ],
    ids=str,
)
def test_a_company_may_play_again_with_seats_exchanged(tmp_path: Path, variant: Variant, moved: dict[str, str]) -> None:
    async def work(here: Lobby) -> None:
        names = list(variant.deal(0).seats)
        table = await here.open_table(variant.game, variant.rules, {names[3]: "easy"}, "a")
        for holder, seat in zip("abc", names, strict=False):
            await here.sit(table.code, holder, seat, holder.upper())
        await here.end(table.code, "a")
        following = await here.table(await here.again(table.code, "b", exchanged=True))
        assert sitters(following) == moved
        assert {place.name for place in following.places.values()} == {"A", "B", "C", None}
        assert following.phase == "playing"

    in_lobby(tmp_path, work)

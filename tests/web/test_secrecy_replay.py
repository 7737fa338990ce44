"""Looking back while a game goes on shows a seat nothing but what it was told, byte for byte, at every beat."""

import re
from collections.abc import Callable
from itertools import islice
from random import Random

import httpx
import pytest

from meadhall.match import SPECTATOR, Match
from meadhall.web.edge.session import SECRET, Shown
from meadhall.web.pages.replay import TableReplays
from meadhall.web.replay import OPEN, Replay
from tests.secrets.worlds import another_world, prefix
from tests.variants import Variant, random_game, variant_named
from tests.web.positions import Laid, lay, reach
from tests.web.server import Server, client
from tests.web.sight import looked_back, table_of
from tests.web.test_secrecy import fewer_sealed, on_one_device, redealt

SOME = [variant_named(name) for name in ("goths, fog", "goths, lone ostrogoth", "romans, four")]
OTHERS = "While the game goes on, you may look back only through your own eyes."
every_variant = pytest.mark.parametrize("variant", SOME, ids=str)


@every_variant
def test_every_beat_of_a_running_game_is_the_same_in_every_world_a_seat_cannot_rule_out(variant: Variant) -> None:
    pairs = [pair for pair in redealt(variant, 3) if 10 < len(pair[1]["choices"]) < 30]
    compared = 0
    for seat, here, there in (*islice(pairs, 3), *islice(fewer_sealed(variant, 4, 1), 3)):
        pages = [looked_back(table_of(world), seat, "en", every=5) for world in (here, there)]
        assert pages[0] == pages[1], f"{seat} can tell {here} from {there}"
        compared += len(pages[0])
    assert compared > 20


def everything(seen: TableReplays, viewpoint: str) -> Replay:
    return Replay.of_record(seen.table.match, OPEN)


def counting_choices(seen: TableReplays, viewpoint: str) -> Replay:
    beats = seen.table.match.timeline(viewpoint)
    return Replay(viewpoint, beats[: max(1, len(beats) - len(seen.table.match.record()["choices"]) % 3)])


@pytest.mark.parametrize("leak", [everything, counting_choices])
def test_a_replay_that_lets_something_slip_is_noticed(
    leak: Callable[[TableReplays, str], Replay], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TableReplays, "replay", leak)
    pairs = [*islice(redealt(SOME[0], 3), 5, 12), *islice(fewer_sealed(SOME[0], 4, 1), 3)]
    shown = ([looked_back(table_of(world), seat, "en", every=50) for world in worlds] for seat, *worlds in pairs)
    assert any(one != other for one, other in shown)


def test_at_a_shared_device_one_looks_back_through_the_eyes_that_it_shows_now() -> None:
    record = random_game(variant_named("romans, four"), 8, 9).record()
    table = on_one_device(record)
    assert table.waiting
    closed = TableReplays(table, "family", Shown(), frozenset())
    assert closed.viewpoints == (SPECTATOR,)
    assert closed.meanwhile
    assert not closed.meanwhile.asked
    own = TableReplays(table, "family", Shown(table.waiting[0], table.position), frozenset())
    assert own.viewpoints == (table.waiting[0], SPECTATOR)
    other = on_one_device(another_world(prefix(record, 9), SPECTATOR, Random(1)))
    there = TableReplays(other, "family", Shown(), frozenset()).replay(SPECTATOR)
    assert [beat.view for beat in closed.replay(SPECTATOR).beats] == [beat.view for beat in there.beats]


def test_who_plays_both_seats_of_a_clan_may_look_through_either() -> None:
    table = table_of(random_game(variant_named("goths, lone ostrogoth"), 2, 9).record())
    seen = TableReplays(table, "holder of ostrogoth-king", Shown(), frozenset())
    assert set(seen.viewpoints) == {"ostrogoth-king", "ostrogoth-warchief", SPECTATOR}


# Over the wire


def visitor(server: Server, laid: Laid, seat: str | None) -> httpx.Client:
    return client(server.url, cookies={SECRET: laid.secrets[seat]} if seat else {})


def running(server: Server) -> Laid:
    return lay(server, reach("goths", {}, lambda match: len(match.record()["choices"]) == 11))


@pytest.mark.parametrize("seat", ["ostrogoth-king", None])
@pytest.mark.parametrize("fragment", [{}, {"x-fragment": "replay"}], ids=["page", "fragment"])
def test_nobody_is_shown_another_seat_or_everything_before_the_end(
    server: Server, seat: str | None, fragment: dict[str, str]
) -> None:
    laid = running(server)
    me = visitor(server, laid, seat)
    own = seat or SPECTATOR
    for viewpoint in (*laid.match.seats, SPECTATOR, "open"):
        for query in (f"as={viewpoint}", f"as={viewpoint}&from={own}&beat=1", f"as={own}&from={viewpoint}&beat=1"):
            answer = me.get(f"{laid.path}/replay?{query}", headers=fragment)
            if viewpoint in (own, SPECTATOR):
                assert answer.status_code in (200, 303)
            else:
                assert answer.status_code == 403
                assert OTHERS in answer.text
                assert "data-number" not in answer.text
    usual = me.get(f"{laid.path}/replay", headers=fragment).text
    assert re.findall(r'data-viewpoint="([^"]*)"', usual) == [own]
    assert set(re.findall(r'<option value="([^"]*)"', usual)) <= {own, SPECTATOR}
    last = len(laid.match.timeline(own)) - 1
    assert f'data-number="{last}"' in usual
    assert "The game goes on" in usual or "It is your turn" in usual
    assert f'href="{laid.path}"' in usual


def test_a_table_that_was_ended_before_stays_closed(server: Server) -> None:
    laid = running(server)
    me = visitor(server, laid, "ostrogoth-king")
    assert me.post(f"{laid.path}/end", data={"sure": "yes"}, headers={"origin": server.url}).status_code == 303
    assert 'data-phase="ended"' in me.get(laid.path).text
    assert me.get(f"{laid.path}/replay?as=open").status_code == 403
    assert me.get(f"{laid.path}/replay?as=visigoth-king").status_code == 403
    mine = me.get(f"{laid.path}/replay")
    assert 'data-viewpoint="ostrogoth-king"' in mine.text
    assert "The game goes on" not in mine.text
    assert visitor(server, laid, None).get(f"{laid.path}/replay?as=ostrogoth-king").status_code == 403


def test_whoever_is_asked_is_told_so_while_looking_back_and_nobody_else(server: Server) -> None:
    laid = running(server)
    assert laid.match.waiting
    for seat in (*laid.match.seats, None):
        text = visitor(server, laid, seat).get(f"{laid.path}/replay?beat=2").text
        assert ("It is your turn" in text) == (seat in laid.match.waiting)


def test_a_table_whose_game_has_not_begun_has_nothing_to_look_back_on(server: Server) -> None:
    code = server.player().open_table("goths", {"ostrogoth-king": "me"})
    answer = server.http.get(f"/t/{code}/replay")
    assert answer.status_code == 303
    assert answer.headers["location"] == f"/t/{code}"


def test_the_replays_compared_do_show_a_game() -> None:
    match: Match = random_game(SOME[0], 3, 20)
    pages = looked_back(table_of(match.record()), match.seats[0], "en")
    assert len(pages) == len(match.timeline(match.seats[0]))
    assert len(set(pages)) == len(pages)

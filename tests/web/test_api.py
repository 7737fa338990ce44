"""The JSON interface of a running server: whole games, refusals that say what and where, live streams."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from meadhall.bots import LEVELS
from meadhall.games.game import GAMES, SPECTATOR
from meadhall.match import Match
from meadhall.tables.decisions import LONGEST_NAME
from tests.variants import VARIANTS, Variant, variant_named
from tests.web.lobbies import GOTHS_SEATS
from tests.web.server import Player, Server, good, owes, pick, play_on, refused, seat_players
from tests.web.visitor import Browser

SHORT = variant_named("goths, seven turns")
TWO = variant_named("romans, two")
BOT = Path(__file__).parents[2] / "examples" / "http_bot.py"
FIRST_ORDER = "order:vulture/recruiter"


# Opening and sitting


def test_the_games_are_listed_with_rules_that_open_a_table(server: Server) -> None:
    games = good(server.player().ask("GET", "/games"))
    assert [game["game"] for game in games] == list(GAMES)
    for game in games:
        code = server.player().open_table(game["game"], rules=game["rules"])
        table = server.player().table(code)
        assert table["rules"] == game["rules"]
        assert [seat["seat"] for seat in table["seats"]] == game["seats"]


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_every_variant_opens_for_players_and_spectators(variant: Variant, server: Server) -> None:
    code, players = seat_players(server, variant)
    assert list(players) == list(variant.deal(0).seats)
    watched = server.player().table(code)
    assert (watched["seat"], watched["mine"], watched["choices"]) == (None, [], [])
    assert watched["phase"] == "playing"
    for seat, player in players.items():
        table = player.table(code, seat)
        assert table["seat"] == seat
        assert seat in table["mine"]
        assert table["position"] == watched["position"]
        who = {each["seat"]: each["who"] for each in table["seats"]}
        assert {each for each, is_who in who.items() if is_who == "you"} == set(table["mine"])
    assert good(server.player().ask("GET", "/tables"))[0] == {"code": code, "game": variant.game, "phase": "playing"}


def test_whoever_sends_no_token_gets_one_and_whoever_sends_one_keeps_it(server: Server) -> None:
    host, guest = server.player(), server.player()
    code = host.open_table("goths", {"visigoth-king": "me"})
    taken = good(guest.ask("POST", f"/tables/{code}/seats", {"seat": "ostrogoth-king", "name": " Bo\n"}), 201)
    assert len(taken["token"]) > 40
    assert taken["token"] != host.token
    assert taken["seat"] == "ostrogoth-king"
    assert taken["table"]["seats"][0] == {
        "seat": "ostrogoth-king",
        "who": "you",
        "name": "Bo",
        "level": None,
        "gone": False,
    }
    guest.token = taken["token"]
    again = good(guest.ask("POST", f"/tables/{code}/seats", {"seat": "visigoth-warchief"}), 201)
    assert again["token"] is None
    assert again["table"]["mine"] == ["ostrogoth-king", "visigoth-warchief"]
    assert host.table(code)["mine"] == ["visigoth-king"]


def test_a_private_table_is_not_listed(server: Server) -> None:
    code = server.player().open_table("goths", public=False)
    assert code not in {table["code"] for table in good(server.player().ask("GET", "/tables"))}


def test_leaving_frees_the_seat_and_only_ones_own(server: Server) -> None:
    host, guest = server.player(), server.player()
    code = host.open_table("goths", {"visigoth-king": "me"})
    guest.sit(code, "ostrogoth-king")
    refused(guest.ask("DELETE", f"/tables/{code}/seats/visigoth-king"), 403, "visigoth-king")
    refused(server.player().ask("DELETE", f"/tables/{code}/seats/visigoth-king"), 401, "token")
    refused(guest.ask("DELETE", f"/tables/{code}/seats/throne"), 422, "throne")
    assert guest.ask("DELETE", f"/tables/{code}/seats/ostrogoth-king").status_code == 204
    assert guest.table(code)["mine"] == []
    server.player().sit(code, "ostrogoth-king")
    refused(guest.ask("POST", f"/tables/{code}/seats", {"seat": "ostrogoth-king"}), 409, "ostrogoth-king", "taken")


# Whole games


@pytest.mark.parametrize("name", ["goths, fog", "romans, three and one, original, qween replaces, own deck"])
def test_a_whole_game_goes_over_http_and_its_record_replays_to_the_same_end(name: str, server: Server) -> None:
    variant = variant_named(name)
    # Fog with an end that comes for certain.
    rules = variant.rules | ({"turn_limit": 12} if variant.game == "goths" else {})
    code, players = seat_players(server, Variant(name, variant.game, rules))
    refused(server.player().ask("GET", f"/tables/{code}/record"), 409, "over")
    made = play_on(code, players, Random(1))
    record = good(server.player().ask("GET", f"/tables/{code}/record"))
    assert [tuple(choice) for choice in record["choices"]] == made
    match = Match.from_record(record)
    assert match.outcome is not None
    for seat, player in {**players, None: server.player()}.items():
        table = player.table(code, seat)
        assert table["phase"] == "over"
        assert table["view"] == json.loads(json.dumps(match.view(seat or SPECTATOR).json()))
        assert table["position"] == match.moment
        told = [(e.moment, e.code, dict(e.args), e.clause) for e in match.events(seat or SPECTATOR)]
        heard = player.events(code, seat)
        assert heard["position"] == match.moment
        assert [(e["position"], e["code"], e["args"], e["clause"]) for e in heard["events"]] == told


def test_events_after_a_position_are_the_end_of_all_events(server: Server) -> None:
    code, players = seat_players(server, SHORT)
    play_on(code, players, Random(2), 12)
    for seat, player in players.items():
        story = player.events(code, seat)
        for after in {0, 1, story["position"] - 1, story["position"], 10**9, *(e["position"] for e in story["events"])}:
            later = player.events(code, seat, after)
            assert later["events"] == [e for e in story["events"] if e["position"] >= after]
            assert later["position"] == story["position"]


def test_the_example_bot_is_thirty_odd_lines_and_plays_to_the_end(server: Server) -> None:
    assert len(BOT.read_text().splitlines()) <= 35
    codes = {
        "goths": server.player().open_table("goths", dict.fromkeys(GOTHS_SEATS[1:], "random"), rules=SHORT.rules),
        "romans": server.player().open_table("romans", rules=TWO.rules),
    }
    bots = [
        subprocess.Popen([sys.executable, BOT, server.url, code], stdout=subprocess.PIPE, text=True)
        for code in (codes["goths"], codes["romans"], codes["romans"])
    ]
    seen = [bot.communicate(timeout=120)[0] for bot in bots]
    assert [bot.returncode for bot in bots] == [0, 0, 0]
    for said, code in zip(seen, (codes["goths"], codes["romans"], codes["romans"]), strict=True):
        outcome = server.player().table(code)["view"]["outcome"]
        assert said.split(" ", 1)[1] == f"sees it end: {json.dumps(outcome)}\n"


# Choices


def test_repeating_a_choice_is_harmless_and_an_old_position_is_refused_with_the_current_one(server: Server) -> None:
    code, players = seat_players(server, TWO)
    gold, dice = players["gold"], Random(3)
    table = gold.table(code)
    position, choice = table["position"], pick(table, dice)
    for _ in range(3):
        assert good(gold.choose(code, position, choice)) == {"seat": "gold", "choice": choice, "position": position}
    play_on(code, players, dice, 1)
    now = gold.table(code)["position"]
    assert now > position
    for _ in range(2):
        assert good(gold.choose(code, position, choice))["position"] == now
    other = pick(table, dice)
    assert other != choice
    for old in (0, position, now + 1, 10**9):
        assert refused(gold.choose(code, old, other), 409, str(now))["position"] == now


def test_a_sealed_choice_can_be_changed(server: Server) -> None:
    code, players = seat_players(server, TWO)
    gold, dice = players["gold"], Random(4)
    table = gold.table(code)
    first, second = pick(table, dice), pick(table, dice)
    good(gold.choose(code, table["position"], first))
    good(gold.choose(code, table["position"], second))
    assert gold.table(code)["view"]["own"] == second
    made = play_on(code, players, dice)
    record = good(gold.ask("GET", f"/tables/{code}/record"))
    assert [tuple(choice) for choice in record["choices"]] == [("gold", second), *made]


def test_nobody_chooses_or_looks_for_another(server: Server) -> None:
    code, players = seat_players(server, SHORT)
    position = players["visigoth-king"].table(code)["position"]
    outsider = server.player("x" * 43)
    for player in (players["visigoth-warchief"], outsider):
        refused(player.choose(code, position, FIRST_ORDER, "visigoth-king"), 403, "visigoth-king")
        refused(player.ask("GET", f"/tables/{code}", params={"seat": "visigoth-king"}), 403, "visigoth-king")
        refused(player.ask("GET", f"/tables/{code}/events", params={"seat": "visigoth-king"}), 403, "visigoth-king")
        refused(player.ask("GET", f"/tables/{code}/live", params={"seat": "visigoth-king"}), 403, "visigoth-king")
    refused(outsider.choose(code, position, FIRST_ORDER), 403, "no seat")
    refused(server.player().choose(code, position, FIRST_ORDER), 401, "Bearer")
    refused(server.player().choose(code, position, FIRST_ORDER, "visigoth-king"), 401, "Bearer")
    assert not players["visigoth-king"].table(code)["view"]["own"]


def test_whoever_holds_several_seats_says_which_one_he_means(server: Server) -> None:
    host = server.player()
    code = host.open_table("goths", dict.fromkeys(GOTHS_SEATS, "me"))
    assert host.table(code)["seat"] is None
    refused(host.choose(code, 1, FIRST_ORDER), 403, "which")
    good(host.choose(code, host.table(code)["position"], FIRST_ORDER, "ostrogoth-king"))


@pytest.mark.parametrize(
    ("choice", "said", "right"),
    [
        ("act:axe", "act:axe", FIRST_ORDER),
        ("order:queen/vulture", "order:queen/vulture", "order:CHARACTER/BLUFF"),
        ("", '""', "order:CHARACTER/BLUFF"),
        ("nonsense\x00\u202e", "nonsense\\u0000\\u202e", "order:CHARACTER/BLUFF"),
    ],
)
def test_an_illegal_choice_is_refused_with_what_would_be_right(
    choice: str, said: str, right: str, server: Server
) -> None:
    code, players = seat_players(server, SHORT)
    king = players["ostrogoth-king"]
    refused(king.choose(code, king.table(code)["position"], choice), 422, said, right)


# What cannot be read


@pytest.mark.parametrize("path", ["", "/events", "/live", "/record"])
def test_an_unknown_code_is_not_found(path: str, server: Server) -> None:
    for code in ("BBBBBB", "nonsense", "%00", "B" * 2000):
        refused(server.player().ask("GET", f"/tables/{code}{path}"), 404)
    refused(server.player().ask("GET", f"/tables/bbb-bbb{path}"), 404, "“BBBBBB”")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("", ["body"]),
        ("{", ["body", "JSON"]),
        ("nonsense", ["body", "JSON"]),
        ("[]", ["body", "object", "array"]),
        ("null", ["body", "object", "null"]),
        ("{}", ["body", "game"]),
        ('{"game": "chess"}', ["game", "chess"]),
        ('{"game": 1}', ["game", "str", "int"]),
        ('{"game": "goths", "name": 5}', ["name", "str", "int"]),
        ('{"game": "goths", "public": "yes"}', ["public", "bool", "str"]),
        ('{"game": "goths", "seats": []}', ["seats", "object", "array"]),
        ('{"game": "goths", "seats": {"visigoth-king": null}}', ["seats", "str", "null"]),
        ('{"game": "goths", "rules": 7}', ["rules", "object", "int"]),
        ('{"game": "goths", "wether": 1}', ["body", "unknown field", "wether"]),
        ('{"game": "goths", "name": "' + "x" * 300 + '"}', ["name", "200"]),
        ('{"game": "goths"} {}', ["body", "JSON"]),
    ],
)
def test_a_body_that_does_not_fit_is_refused_with_what_and_where(body: str, said: list[str], server: Server) -> None:
    answer = server.player().ask("POST", "/tables", content=body, headers={"content-type": "application/json"})
    refused(answer, 400, *said)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"choice": FIRST_ORDER}, ["position"]),
        ({"position": 1}, ["choice"]),
        ({"position": "one", "choice": FIRST_ORDER}, ["position", "int", "str"]),
        ({"position": -1, "choice": FIRST_ORDER}, ["position", "0"]),
        ({"position": 1.5, "choice": FIRST_ORDER}, ["position", "int"]),
        ({"position": True, "choice": FIRST_ORDER}, ["position", "int", "bool"]),
        ({"position": 10**30, "choice": FIRST_ORDER}, ["position"]),
        ({"position": 1, "choice": ["act"]}, ["choice", "str", "array"]),
        ({"position": 1, "choice": "x" * 501}, ["choice", "500"]),
        ({"position": 1, "choice": "x", "seat": 4}, ["seat", "str", "int"]),
        ({"position": 1, "choice": "x", "token": "y"}, ["unknown field", "token"]),
    ],
)
def test_a_choice_that_does_not_fit_is_refused_with_what_and_where(
    body: dict[str, Any], said: list[str], server: Server
) -> None:
    host = server.player()
    code = host.open_table("goths", dict.fromkeys(GOTHS_SEATS, "me"))
    refused(host.ask("POST", f"/tables/{code}/choices", body), 400, *said)


@pytest.mark.parametrize("after", ["x", "-1", "1.5", "", "9" * 30])
def test_a_query_that_does_not_fit_is_refused_with_what_and_where(after: str, server: Server) -> None:
    code = server.player().open_table("goths")
    refused(server.player().ask("GET", f"/tables/{code}/events", params={"after": after}), 400, "after")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"game": "goths", "rules": {"weather": 1}}, "weather"),
        ({"game": "goths", "rules": {"turn_limit": "7"}}, "turn_limit"),
        ({"game": "goths", "seats": {"throne": "me"}}, "throne"),
        ({"game": "goths", "seats": {"visigoth-king": "genius"}}, "genius"),
        ({"game": "romans", "rules": {"players": []}}, "players"),
    ],
)
def test_a_table_that_makes_no_sense_is_refused_with_the_reason(body: Any, said: str, server: Server) -> None:
    refused(server.player().ask("POST", "/tables", body), 422, said)


def test_refusals_speak_the_language_that_is_asked_for(server: Server) -> None:
    said = {
        server.player().ask("GET", "/tables/BBBBBB", headers={"accept-language": lang}).json()["detail"]
        for lang in ("en", "fr", "de", "es")
    }
    assert len(said) == 4


# Live streams


def test_a_live_stream_tells_the_table_at_once_and_nothing_when_others_seal(server: Server) -> None:
    code, players = seat_players(server, TWO)
    table = players["gold"].table(code)
    assert sorted(table["view"]["pending"]) == ["gold"]
    with players["gold"].live(code) as gold, server.player().live(code) as watcher:
        assert next(gold) == table
        first = next(watcher)
        play_on(code, {"green": players["green"]}, Random(1), 1)
        # Had the seal been told, it would have come before what the other seal brings about.
        play_on(code, {"gold": players["gold"]}, Random(1), 1)
        own_seal_or_later = next(gold)
        assert own_seal_or_later["position"] > table["position"] or own_seal_or_later["view"]["own"]
        resolved = next(watcher)
        assert resolved["position"] > first["position"]
        assert resolved == server.player().table(code)


def test_in_goths_no_seat_hears_of_a_choice_before_all_are_in(server: Server) -> None:
    code, players = seat_players(server, SHORT)
    turns = 0
    while turns < 3:
        waiting = [seat for seat, player in players.items() if owes(player.table(code, seat))]
        if len(waiting) < 2:
            play_on(code, players, Random(turns), 1)
            continue
        turns += 1
        listener, *others = waiting if turns % 2 else reversed(waiting)
        with players[listener].live(code) as heard, server.player().live(code) as watcher:
            before, seen = next(heard), next(watcher)
            play_on(code, {seat: players[seat] for seat in others}, Random(turns), len(others))
            assert players[listener].table(code) == before
            play_on(code, {listener: players[listener]}, Random(turns), 1)
            assert next(watcher)["position"] > seen["position"]
            mine = next(heard)
            # One message may tell the seat of its own choice, if it was sent before the last was in.
            assert mine["view"]["own"] != before["view"]["own"] or mine["position"] > before["position"]


def test_a_live_stream_tells_of_company_and_of_the_end(server: Server) -> None:
    host = server.player()
    code = host.open_table("romans", {"gold": "me"}, rules=TWO.rules)
    with server.player().live(code) as watcher:
        assert next(watcher)["phase"] == "open"
        guest = server.player()
        guest.sit(code, name="Bo")
        joined = next(watcher)
        assert joined["phase"] == "playing"
        assert joined["seats"][1]["name"] == "Bo"
        play_on(code, {"gold": host, "green": guest}, Random(9))
        positions = [joined["position"]]
        for table in watcher:
            positions.append(table["position"])
            if table["phase"] == "over":
                break
        assert positions == sorted(set(positions))


def test_a_lone_holder_hears_through_the_seat_he_names(server: Server) -> None:
    host = server.player()
    code = host.open_table("goths", dict.fromkeys(GOTHS_SEATS, "me"))
    with host.live(code, "visigoth-king") as king, host.live(code) as nobody:
        assert next(king)["seat"] == "visigoth-king"
        assert next(nobody)["seat"] is None


# Its description


def test_the_description_names_every_route_and_every_field(server: Server) -> None:
    described = good(server.player().ask("GET", "/openapi.json"))
    routes = {f"{method.upper()} {path}" for path, item in described["paths"].items() for method in item}
    assert routes == {
        "GET /api/games",
        "GET /api/tables",
        "POST /api/tables",
        "GET /api/tables/{code}",
        "POST /api/tables/{code}/seats",
        "DELETE /api/tables/{code}/seats/{seat}",
        "POST /api/tables/{code}/choices",
        "GET /api/tables/{code}/hint",
        "GET /api/tables/{code}/events",
        "GET /api/tables/{code}/live",
        "GET /api/tables/{code}/record",
        "GET /api/tables/{code}/analysis",
        "POST /api/tables/{code}/analysis",
    }
    for item in described["paths"].values():
        for operation in item.values():
            assert operation["description"].strip()
            assert "429" in operation["responses"]
    player = server.player()
    table = player.table(player.open_table("goths"))
    assert set(described["components"]["schemas"]["TableFace"]["properties"]) == set(table)


@pytest.mark.parametrize("path", ["/nosuch", "/nosuch/thing", "/tables/BBBBBB/nosuch", "/openapi.yaml"])
def test_a_path_that_does_not_exist_is_refused_in_json(path: str, server: Server) -> None:
    refused(server.player().ask("GET", path), 404)


def test_the_description_tells_what_a_stream_sends_and_how_seats_and_choices_are_written(server: Server) -> None:
    described = good(server.player().ask("GET", "/openapi.json"))
    schemas = described["components"]["schemas"]
    live = described["paths"]["/api/tables/{code}/live"]["get"]["responses"]["200"]["content"]
    assert live == {"text/event-stream": {"schema": {"$ref": "#/components/schemas/TableFace"}}}
    record = described["paths"]["/api/tables/{code}/record"]["get"]["responses"]["200"]["content"]
    assert record == {"application/json": {"schema": {"$ref": "#/components/schemas/RecordInfo"}}}
    seats = schemas["NewTable"]["properties"]["seats"]["description"]
    assert all(f'"{word}"' in seats for word in ("me", "open"))
    assert all(level in seats for level in LEVELS)
    choice = schemas["NewChoice"]["properties"]["choice"]["description"]
    assert all(form in choice for form in ("order:CHARACTER/BLUFF", "act:ACTION", "plan:", "charm:"))
    assert schemas["NewTable"]["properties"]["game"]["enum"] == list(GAMES)
    for sent in ("TableFace", "SeatFace", "Story", "StoryEvent", "HintInfo"):
        assert set(schemas[sent]["required"]) == set(schemas[sent]["properties"])


def test_a_name_has_24_letters_and_of_a_longer_one_the_first_24_are_kept(server: Server) -> None:
    host, guest = server.player(), server.player()
    code = host.open_table("goths", {"visigoth-king": "me"}, name="x" * LONGEST_NAME)
    guest.sit(code, "visigoth-warchief", "y" * 100)
    names = [seat["name"] for seat in host.table(code)["seats"][2:]]
    assert names == ["x" * 24, "y" * 24]
    browser = Browser(server)
    answer = browser.post("/host", {"game": "goths", "seat-visigoth-king": "me", "name": "z" * LONGEST_NAME})
    assert "z" * 24 in browser.get(answer.headers["location"]).text
    described = good(host.ask("GET", "/openapi.json"))["components"]["schemas"]
    assert "24" in described["NewSeat"]["properties"]["name"]["description"]


def test_a_player_with_an_odd_token_is_a_stranger(server: Server) -> None:
    code, players = seat_players(server, TWO)
    token = players["gold"].token or ""
    for odd in (token[:-1], token + "x", token.swapcase(), token[::-1], "Bearer", "%00", "ÿ"):
        stranger = Player(server.http)
        answer = stranger.ask(
            "POST",
            f"/tables/{code}/choices",
            {"position": 1, "choice": "x", "seat": "gold"},
            headers={"authorization": f"Bearer {odd}".encode("latin-1")},
        )
        refused(answer, 403, "gold")

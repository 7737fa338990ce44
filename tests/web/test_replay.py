"""A replay shows every beat as its viewpoint saw it, and every way through the game leads where it says."""

import json
import re
import zlib
from base64 import urlsafe_b64encode
from itertools import pairwise
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from meadhall.faults import RecordFault
from meadhall.match import SPECTATOR, Beat, Match
from meadhall.web.game import board_of
from meadhall.web.pages import packing
from meadhall.web.pages.frames import PARTS
from meadhall.web.pages.render import render
from meadhall.web.pages.replay import RecordReplays, beat_page
from meadhall.web.replay import OPEN, Replay
from meadhall.web.telling import chapter, told
from meadhall.words import words
from meadhall.words.languages import LANGUAGES
from tests.golden.regenerate import FOLDER, GAMES
from tests.golden.transcript import read_record
from tests.secrets.worlds import Record, prefix
from tests.variants import VARIANTS, Variant, random_game
from tests.web.positions import lay
from tests.web.server import Server

AROUND = {"theme": "", "speed": "normal", "path": "/replay"}
LANGS = tuple(LANGUAGES)
every_game = pytest.mark.parametrize("name", GAMES)


def golden(name: str) -> Record:
    return read_record((FOLDER / f"{name}.txt").read_text(encoding="utf-8"))


def beats_of(match: Match, viewpoint: str) -> list[Beat]:
    if viewpoint == OPEN:
        return [beat for beats in match.opened_timeline() for beat in beats]
    return match.timeline(viewpoint)


# What is shown


@every_game
def test_the_page_of_every_beat_shows_the_view_at_that_beat(name: str) -> None:
    """Each viewpoint shows its share of all beats, so that every beat is looked at and every viewpoint too."""
    match = Match.from_record(golden(name))
    seen = RecordReplays(match, "packed")
    for turn, viewpoint in enumerate(seen.viewpoints):
        beats, replay = beats_of(match, viewpoint), seen.replay(viewpoint)
        assert [beat.view for beat in replay.beats] == [beat.view for beat in beats]
        for number in range(turn, len(beats), len(seen.viewpoints)):
            spoken, beat = words(LANGS[number % len(LANGS)]), beats[number]
            text = beat_page(seen, replay, number, spoken, fragment=True, **AROUND)
            events = [event for each in beats[: number + 1] for event in each.events]
            picture = board_of(match.game.name).picture(beat.view, events, spoken, {}, beat)
            for part in PARTS:
                assert render(part, spoken, game=match.game.name, picture=picture, telling=True).strip() in text
            assert f'data-number="{number}"' in text
            assert told(spoken, match.game.name, beat)
            assert 'name="choice"' not in text


@every_game
def test_the_last_beat_of_a_choice_is_the_position_after_it_as_the_viewpoint_knew_it(name: str) -> None:
    record = golden(name)
    whole = Match.from_record(record)
    for viewpoint in (*whole.seats, SPECTATOR):
        beats = whole.timeline(viewpoint)
        for length in range(0, len(record["choices"]), 9):
            now = Match.from_record(prefix(record, length))
            shown = now.timeline(viewpoint)
            assert shown[-1].view == now.view(viewpoint)
            assert [beat.view for beat in beats[: len(shown) - 1]] == [beat.view for beat in shown[:-1]]


# Getting about


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_every_turn_begins_where_its_tile_leads_and_marks_are_made_of_events(variant: Variant) -> None:
    replay = Replay.of_record(random_game(variant, 4, 400), OPEN)
    turns = replay.turns(words("en"))
    assert [turn.beat for turn in turns] == replay.starts
    assert len({turn.name for turn in turns}) == len(turns)
    for number in range(replay.last + 1):
        start = replay.turn_of(number)
        assert chapter(replay.beats[start]) == chapter(replay.beats[number])
        assert replay.turn_before(number) == max((s for s in replay.starts if s < number), default=0)
        assert replay.turn_after(number) == min((s for s in replay.starts if s > number), default=replay.last)
    marked = [(mark.beat, mark.kind) for turn in turns for mark in turn.marks]
    codes = {"goths": {"misread": "misread", "entered": "capture"}, "romans": {"captured": "capture"}}[variant.game]
    expected = [
        (number, codes.get(event.code, "end"))
        for number, beat in enumerate(replay.beats)
        for event in beat.events
        if event.code in codes or event.code == "won"
    ]
    assert marked == expected
    for here, following in pairwise([*turns, None]):
        assert here
        end = following.beat if following else replay.last + 1
        assert all(here.beat <= mark.beat < end for mark in here.marks)


@every_game
def test_another_viewpoint_is_taken_at_the_same_moment_of_the_game(name: str) -> None:
    match = Match.from_record(golden(name))
    replays = [Replay.of_record(match, viewpoint) for viewpoint in (OPEN, *match.seats, SPECTATOR)]
    for here in replays:
        for there in replays:
            for number, beat in enumerate(here.beats):
                at = there.counterpart(number, there) if here is there else here.counterpart(number, there)
                told_here = sum(event.audience is None for event in here.step(number).events)
                told_there = [event for event in there.step(at).events if event.audience is None]
                assert told_here == len(told_there)
                if here is there and beat.events:
                    assert at == number


def test_a_beat_without_a_word_of_its_own_is_told_all_the_same() -> None:
    match = Match.from_record(golden("romans-plain"))
    replay = Replay.of_record(match, OPEN)
    silent = [beat for beat in replay.beats if not beat.events]
    assert silent
    assert {told(words("en"), "romans", beat) for beat in silent} == {"The table waits for a choice."}
    sealed = next(beat for beat in replay.beats if [event.code for event in beat.events] == ["sealed"])
    assert "sealed" in told(words("en"), "romans", sealed)


# A finished table


@pytest.fixture(scope="module")
def finished(server: Server) -> str:
    return lay(server, Match.from_record(golden("goths-plain")), names={"ostrogoth-king": "Ada"}).path


def test_a_finished_game_opens_with_everything_turned_up_and_can_be_seen_as_by_anybody(
    server: Server, finished: str
) -> None:
    match = Match.from_record(golden("goths-plain"))
    first = server.http.get(f"{finished}/replay")
    assert first.status_code == 200
    assert 'data-viewpoint="open"' in first.text
    assert 'data-number="0"' in first.text
    assert f'data-last="{len(beats_of(match, OPEN)) - 1}"' in first.text
    assert "The game goes on" not in first.text
    assert f"{finished}/record" in first.text
    assert re.findall(r'<option value="([^"]*)"', first.text) == [OPEN, *match.seats, SPECTATOR]
    for viewpoint in (*match.seats, SPECTATOR):
        answer = server.http.get(f"{finished}/replay?as={viewpoint}&beat=9")
        assert answer.status_code == 200
        assert f'data-viewpoint="{viewpoint}"' in answer.text
        assert f'data-last="{len(match.timeline(viewpoint)) - 1}"' in answer.text


def test_the_ways_lead_to_the_first_the_last_and_the_neighbours(server: Server, finished: str) -> None:
    match = Match.from_record(golden("goths-plain"))
    replay = Replay.of_record(match, "visigoth-king")
    text = server.http.get(f"{finished}/replay?as=visigoth-king&beat=20").text
    ways = dict(re.findall(r'data-go="([a-z-]+)"\s+href="([^"]*)"', text))
    wanted = {
        "first": 0,
        "turn-back": replay.turn_before(20),
        "back": 19,
        "next": 21,
        "turn-next": replay.turn_after(20),
        "last": replay.last,
    }
    for name, beat in wanted.items():
        assert ways[name] == f"?as=visigoth-king&amp;beat={beat}"
    tiles = re.findall(r'href="\?as=visigoth-king&amp;beat=(\d+)"\s+data-beat', text)
    assert [int(beat) for beat in tiles] == replay.starts


def test_changing_the_viewpoint_leads_to_the_same_moment(server: Server, finished: str) -> None:
    match = Match.from_record(golden("goths-plain"))
    here, there = (Replay.of_record(match, viewpoint) for viewpoint in (OPEN, SPECTATOR))
    answer = server.http.get(f"{finished}/replay?as=spectator&from=open&beat=40")
    assert answer.status_code == 303
    query = parse_qs(urlsplit(answer.headers["location"]).query)
    assert query == {"as": ["spectator"], "beat": [str(here.counterpart(40, there))]}
    back = server.http.get(f"{finished}/replay?as=open&from=spectator&beat=5").headers["location"]
    assert back == f"{finished}/replay?beat={there.counterpart(5, here)}"


def test_what_the_script_fetches_is_a_part_of_the_page(server: Server, finished: str) -> None:
    whole = server.http.get(f"{finished}/replay?beat=12").text
    part = server.http.get(f"{finished}/replay?beat=12", headers={"x-fragment": "replay"}).text.strip()
    assert part.startswith("<main")
    assert part in whole


@pytest.mark.parametrize("beat", ["-1", "143", "x", "1e1", "9999999999", "%00", "1.5", "²"])
def test_a_beat_that_there_is_not_is_refused_with_those_there_are(server: Server, finished: str, beat: str) -> None:
    answer = server.http.get(f"{finished}/replay?beat={beat}")
    assert answer.status_code == 422
    assert "They go from 0 to 142." in answer.text


@pytest.mark.parametrize("name", ["nobody", "<b>", "OPEN", "ostrogoth", "%ff"])
def test_a_viewpoint_that_there_is_not_is_refused_with_those_there_are(
    server: Server, finished: str, name: str
) -> None:
    for query in (f"as={name}", f"as=open&from={name}"):
        answer = server.http.get(f"{finished}/replay?{query}")
        assert answer.status_code == 422
        assert "open, ostrogoth-king, ostrogoth-warchief, visigoth-king, visigoth-warchief, spectator" in answer.text
        assert "<b>”" not in answer.text


# A record that somebody brings


def bring(server: Server, file: bytes | None = None, text: str = "") -> httpx.Response:
    files = {"file": ("game.json", file if file is not None else b"", "application/json")}
    return server.http.post("/replay", files=files, data={"text": text}, headers={"origin": server.url})


@pytest.mark.parametrize("how", ["file", "paste", "both", "as it was saved"])
def test_a_record_is_opened_by_file_or_paste_and_its_address_holds_it(server: Server, how: str) -> None:
    record = golden("romans-plain")
    text = json.dumps(record | {"meta": {"who": "knows"}})
    match how:
        case "file":
            answer = bring(server, text.encode())
        case "paste":
            answer = bring(server, text=f"\n  {text}\n")
        case "both":
            answer = bring(server, b"\xef\xbb\xbf" + text.encode(), "nonsense")
        case _:
            saved = server.http.get(lay(server, Match.from_record(record)).path + "/record").content
            answer = bring(server, saved)
    assert answer.status_code == 303
    where = answer.headers["location"]
    assert len(where) < 2000
    page = server.http.get(where)
    assert page.status_code == 200
    last = len(beats_of(Match.from_record(record), OPEN)) - 1
    assert f'data-last="{last}"' in page.text
    assert server.http.get(f"{where}?as=gold&beat=7").status_code == 200
    assert server.http.get(f"{where}?as=gold&from=open&beat=7").headers["location"].startswith(f"{where}?as=gold&")


def test_a_plain_form_without_a_file_opens_a_record_too(server: Server) -> None:
    text = json.dumps(golden("goths-plain"))
    answer = server.http.post("/replay", data={"text": text}, headers={"origin": server.url})
    assert answer.status_code == 303


def test_whoever_holds_the_record_of_an_unfinished_game_holds_all_of_it(server: Server) -> None:
    for length in (0, 10):
        where = bring(server, json.dumps(prefix(golden("romans-plain"), length)).encode()).headers["location"]
        for viewpoint in (OPEN, "gold", SPECTATOR):
            assert server.http.get(f"{where}?as={viewpoint}").status_code == 200


def wrong_records() -> dict[str, tuple[bytes, str]]:
    """What is brought, and what is said of it."""
    good = golden("romans-plain")
    seat, choice = good["choices"][5]
    changed = [*good["choices"][:5], [seat, "plan:nonsense"], *good["choices"][6:]]
    return {
        "nothing": (b"", "there is nothing in it"),
        "blanks": (b" \n ", "there is nothing in it"),
        "no JSON": (b'{"format": ', "not JSON"),
        "no UTF-8": (b'{"format": "\xff"}', "not UTF-8 text (byte 12)"),
        "a list": (b"[1, 2]", "a record is one JSON object"),
        "an object": (b"{}", "the record"),
        "nested": (b"[" * 100_000, "nested too deeply"),
        "another game": (json.dumps(good | {"game": "chess"}).encode(), "game must be one of"),
        "another format": (json.dumps(good | {"format": "meadhall/9"}).encode(), "format"),
        "a wrong deal": (json.dumps(good | {"setup": {}}).encode(), "setup"),
        "a wrong choice": (json.dumps(good | {"choices": changed}).encode(), "choice 5: "),
        "too many choices": (
            json.dumps(good | {"choices": [*good["choices"], [seat, choice]]}).encode(),
            "the game is over",
        ),
        "NaN": (b'{"format": NaN}', "not JSON"),
    }


@pytest.mark.parametrize("what", wrong_records())
def test_what_is_no_record_is_said_and_where(server: Server, what: str) -> None:
    brought, said = wrong_records()[what]
    answer = bring(server, brought)
    assert answer.status_code == 422
    assert said in answer.text.replace("&#34;", '"')
    title = "The game breaks off: choice number 6" if what == "a wrong choice" else "This is not the record of a game"
    assert (title in answer.text) == (what != "too many choices")
    assert '<form method="post" action="/replay"' in answer.text


def test_what_was_pasted_is_kept_and_harmless(server: Server) -> None:
    answer = bring(server, text="</textarea><script>alert(1)</script>")
    assert answer.status_code == 422
    assert "&lt;script&gt;alert(1)" in answer.text
    assert "<script>alert" not in answer.text


def test_a_body_that_is_too_large_or_broken_is_refused(server: Server) -> None:
    assert bring(server, b"[" + b" " * 300_000 + b"]").status_code == 413
    headers = {"origin": server.url, "content-type": "multipart/form-data; boundary=x"}
    for body in (b"", b"--x", b"--x\r\nContent-Disposition: form-data; name=file\r\n\r\n"):
        assert server.http.post("/replay", content=body, headers=headers).status_code in (400, 422)
    headers["content-type"] = "application/json"
    assert server.http.post("/replay", content=b"{}", headers=headers).status_code in (400, 415, 422)
    assert server.http.post("/replay", data={"text": "{}"}, headers={"origin": "http://elsewhere"}).status_code == 403


@pytest.mark.parametrize("text", ["{tail}", "x{tail}", "{head}", "A" * 5000, "\u00fc!"])
def test_an_address_that_holds_no_record_is_refused(server: Server, text: str) -> None:
    packed = packing.pack(json.dumps(golden("goths-plain")))
    answer = server.http.get("/replay/" + text.format(tail=packed[1:], head=packed[:-9]))
    assert answer.status_code == 422
    assert "This is not the record of a game" in answer.text


def test_an_address_that_grows_without_end_is_refused() -> None:
    bomb = urlsafe_b64encode(zlib.compress(b" " * 2_000_000, 9)).decode().rstrip("=")
    assert len(bomb) < packing.LONGEST
    with pytest.raises(RecordFault, match="a part of a record"):
        packing.unpack(bomb)


def test_a_game_that_is_too_long_is_refused_with_what_else_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    text = json.dumps(golden("goths-plain"))
    packed = packing.pack(text)
    for limit, most in (("MOST", 66), ("LONGEST", 100)):
        with monkeypatch.context() as patch:
            patch.setattr(packing, limit, most)
            with pytest.raises(RecordFault, match="use `meadhall replay`"):
                packing.pack(text)
            with pytest.raises(RecordFault):
                packing.opened(packed)
    assert packing.opened(packed).outcome


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_every_variant_fits_into_an_address(variant: Variant) -> None:
    record = random_game(variant, 6, 400).record()
    packed = packing.pack(json.dumps(record))
    assert len(packed) < 3000
    found = json.loads(packing.unpack(packed))
    assert found == {key: value for key, value in record.items() if key != "meta"}

"""No byte that is sent to a seat depends on what it may not know, nor on whether others have chosen already.

Worlds are changed only in what a seat cannot know (see tests/secrets/worlds.py), and the bytes are compared. That these
tests can fail is shown by leaking on purpose.
"""

import asyncio
from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain, combinations, islice, pairwise
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from meadhall.faults import Fault
from meadhall.games.game import Event, game_named
from meadhall.match import SPECTATOR, Match
from meadhall.tables import decisions
from meadhall.tables.entries import Chose, Sat
from meadhall.tables.lobby import Lobby
from meadhall.tables.table import Table
from meadhall.web import live
from meadhall.web.edge.session import Shown
from meadhall.web.pages.screens import screen
from meadhall.words.languages import LANGUAGES
from tests.secrets.test_the_proof import leaking
from tests.secrets.worlds import all_played, another_world, played, prefix, without_sealed_choices
from tests.variants import VARIANTS, Variant, at_random, random_choice, random_game, variant_named
from tests.web.lobbies import choose, company, in_lobby, until
from tests.web.sight import Record, first_difference, holder_of, page, sight, table_of

SOME = {"goths": (0, 3, 26, 47), "romans": (0, 2, 13)}  # after so many choices, and at the end
SIMULTANEOUS = [variant for variant in VARIANTS if len(variant.deal(0).seats) > 1]
LANGS = tuple(LANGUAGES)
Pair = tuple[str, Record, Record]


def redealt(variant: Variant, seed: int) -> Iterator[Pair]:
    """A seat, a record, and another that differs only in what this seat cannot know."""
    record = random_game(variant, seed, 90).record()
    random = Random(f"{variant} {seed}")
    length = len(record["choices"])
    moments = (*sorted({min(at, length) for at in (*SOME[variant.game], length)}), length - 1)
    for number, at in enumerate(moments):
        now = played(prefix(record, at))
        for seat in (*now.match.seats, SPECTATOR)[number % 2 :: 2]:  # half of them by turns: drawing pages takes long
            yield seat, now.record, another_world(now.record, seat, random, now)


def tell_apart(pairs: Iterator[Pair]) -> str | None:
    """How some seat can tell two worlds apart that it should not; None if none can."""
    before: Record = {}
    for k, (seat, record, other) in enumerate(pairs):
        lang = LANGS[k % len(LANGS)]
        if record is not before:  # all seats sit at one table
            table, before = table_of(record), record
        sights = [sight(each, seat, lang) for each in (table, table_of(other))]
        if table.phase == "over":  # its page shows everybody everything, as its record does; no frame before it may
            for each in sights:
                assert each.pop("page")
        found = first_difference(*sights)
        if found is not None:
            return f"{seat} can tell {record} from {other}: {found}"
    return None


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_a_seat_is_sent_the_same_bytes_in_every_world_it_cannot_rule_out(variant: Variant) -> None:
    assert (found := tell_apart(redealt(variant, 1))) is None, found


@pytest.mark.parametrize("variant", SIMULTANEOUS, ids=str)
def test_a_seat_is_sent_the_same_bytes_where_others_have_not_all_sealed(variant: Variant) -> None:
    assert (found := tell_apart(fewer_sealed(variant, 2))) is None, found


def fewer_sealed(variant: Variant, seed: int, most: int = 3) -> Iterator[Pair]:
    """Moments at which somebody has sealed a choice, and others in which fewer have."""
    record = random_game(variant, seed, 60).record()
    random = Random(f"{variant} {seed}")
    moments = all_played(record)
    # Where somebody has only sealed a choice the moment stays what it was.
    sealed = [now for before, now in pairwise(moments) if before.match.moment == now.match.moment]
    for now in random.sample(sealed, min(most, len(sealed))):
        for seat in (*now.match.seats, SPECTATOR):
            yield seat, now.record, without_sealed_choices(now.record, seat, random, now)


# Whether the partner has chosen


Step = tuple[Table, list[Table], str]


def sealed_or_not(variant: Variant, seed: int, every: int) -> Iterator[Step]:
    """A table at which several owe a choice, the same with every possible set of others having sealed, and a viewer."""
    dice = Random(f"sealed {variant} {seed}")
    match = variant.deal(seed)
    before, simultaneous = match.moment, 0
    for _ in at_random(match, dice, 120):
        sealed, before = match.moment == before, match.moment
        if len(match.waiting) < 2 or sealed:
            continue
        simultaneous += 1
        if simultaneous % every == 0:
            yield from _steps(match.record(), match, dice)


def _steps(record: Record, match: Match, dice: Random) -> Iterator[Step]:
    choices = {seat: random_choice(match, seat, dice) for seat in match.waiting}

    @cache
    def table(sealed: frozenset[str]) -> Table:
        """Where these have sealed: all viewers sit at one table."""
        return table_of(record, [(seat, choices[seat]) for seat in sealed])

    for viewer in (*match.seats, SPECTATOR):
        mine = {seat for seat in match.seats if holder_of(match, seat) == holder_of(match, viewer)}
        others = [seat for seat in match.waiting if seat not in mine]
        for own in _subsets([seat for seat in match.waiting if seat in mine]):
            sets = [{*own, *some} for some in _subsets(others)]
            # All of them would let play go on, which everybody sees.
            tables = [table(frozenset(sealed)) for sealed in sets if len(sealed) < len(choices)]
            if tables:
                yield tables[0], tables[1:], viewer


def _subsets(seats: list[str]) -> Iterator[tuple[str, ...]]:
    return chain.from_iterable(combinations(seats, k) for k in range(len(seats) + 1))


def sees_who_has_sealed(steps: Iterator[Step]) -> str | None:
    for k, (table, others, viewer) in enumerate(steps):
        shown = sight(table, viewer, LANGS[k % len(LANGS)])
        for other in others:
            found = first_difference(shown, sight(other, viewer, LANGS[k % len(LANGS)]))
            if found is not None:
                return f"{viewer} can tell {table.match.waiting} from {other.match.waiting}: {found}"
    return None


@pytest.mark.parametrize("variant", SIMULTANEOUS, ids=str)
def test_nobody_is_sent_a_sign_of_who_has_sealed_already(variant: Variant) -> None:
    steps = list(islice(sealed_or_not(variant, 3, every=4 if variant.game == "goths" else 2), 20))
    assert any(others for _, others, _ in steps)
    assert any(others for _, others, viewer in steps if viewer != SPECTATOR)
    assert (found := sees_who_has_sealed(iter(steps))) is None, found


# What is sent besides


@pytest.mark.parametrize("variant", [variant_named("goths, fog"), variant_named("romans, four")], ids=str)
def test_what_the_script_swaps_in_is_a_part_of_the_page(variant: Variant) -> None:
    for length in (0, 5, 30):
        table = table_of(random_game(variant, 6, length).record())
        for seat in (*table.match.seats, SPECTATOR):
            holder = holder_of(table.match, seat)
            fragment = page(table, holder, "en", fragment=True).strip()
            assert fragment.startswith("<main")
            assert fragment in page(table, holder, "en")


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_a_live_message_comes_when_and_only_when_there_is_something_new(variant: Variant) -> None:
    record = random_game(variant, 4, 24).record()
    table = table_of(prefix(record, 0))
    viewers = (*table.match.seats, SPECTATOR)
    before = {seat: tag_and_sight(table, seat) for seat in viewers}
    for seat, choice in record["choices"]:
        table.apply(Chose(seat, choice))
        for viewer in viewers:
            (old_tag, old), (tag, now) = before[viewer], tag_and_sight(table, viewer)
            assert (tag != old_tag) == (now != old), f"{viewer} after {seat} chose {choice}"
            before[viewer] = tag, now


def tag_and_sight(table: Table, seat: str) -> tuple[str, Any]:
    """The live message, and all that the viewer can see through any seat he holds."""
    holder = holder_of(table.match, seat)
    sights = [(table.face(holder, eyes), table.story(holder, eyes)) for eyes in (None, *table.seats_of(holder))]
    return table.tag(holder), sights


@pytest.mark.parametrize("variant", SIMULTANEOUS, ids=str)
def test_a_refusal_tells_the_same_in_every_world_a_seat_cannot_rule_out(variant: Variant) -> None:
    for seat, record, other in chain(islice(redealt(variant, 5), 0, None, 3), fewer_sealed(variant, 5, 1)):
        assert refusals(table_of(record), seat) == refusals(table_of(other), seat)


def refusals(table: Table, seat: str) -> list[str]:
    """What a seat is told when it tries what it may not do, at this position and at others."""
    told = []
    for choice in ("act:axe", "order:barbarian/recruiter", "plan:axx,axx,axx,axx,axx,axx", "nonsense"):
        for position in (0, table.position, table.position + 1):
            try:
                decisions.choose(holder_of(table.match, seat), None, position, choice)(table)
                told.append("fine")
            except Fault as fault:
                told.append(str(fault))
    return told


@pytest.mark.parametrize("variant", [v for v in VARIANTS if len(v.deal(0).seats) > 1], ids=str)
def test_the_curtain_of_a_shared_device_shows_no_secret_of_anybody(variant: Variant) -> None:
    """Between two people the device shows what a spectator sees, or only whose turn it is."""
    record = random_game(variant, 8, 50).record()
    random = Random(f"curtain {variant}")
    for at in random.sample(range(len(record["choices"])), 4):
        now = prefix(record, at)
        other = another_world(now, SPECTATOR, random)
        for seen in (None, 0, 10**6):
            pages = [page(on_one_device(world), "family", "de", Shown(None, seen)) for world in (now, other)]
            assert pages[0] == pages[1]


def on_one_device(record: Record) -> Table:
    """All seats held by the same device."""
    table = table_of(prefix(record, 0))
    for seat in table.match.seats:
        table.apply(Sat(seat, "family"))
    for seat, choice in record["choices"]:
        table.apply(Chose(seat, choice))
    return table


class Clock:
    """Stands for the event loop's clock: what is to be called when, and nothing is called by itself."""

    def __init__(self) -> None:
        self.now = 100.0
        self.calls: list[tuple[float, Callable[[], None]]] = []

    def time(self) -> float:
        return self.now

    def call_at(self, when: float, call: Callable[[], None]) -> SimpleNamespace:
        self.calls.append((when, call))
        return SimpleNamespace(cancel=lambda: None)


def test_the_beat_of_a_stream_keeps_its_time_whatever_others_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    monkeypatch.setattr(live, "asyncio", SimpleNamespace(get_running_loop=lambda: clock, Event=asyncio.Event))

    async def work(here: Lobby) -> None:
        table, holders = await company(here, variant_named("romans, two"))
        dice = Random(1)
        seated = await here.seated(table.code)
        messages = live.stream(here, seated, holders["gold"], "", lambda table, gone: b"message")
        assert (await anext(messages)).startswith(b"retry")
        assert await anext(messages) == b"event: table\ndata: message\n\n"
        for beat in (1, 2):
            coming = asyncio.ensure_future(anext(messages))
            for _ in range(3):
                clock.now += 2
                await choose(here, table, "green", random_choice(table.match, "green", dice))
                watch = next(iter(seated.watches))
                await until(lambda watch=watch: not watch.is_set())  # type: ignore[misc]
                assert not coming.done()
            assert [when for when, _ in clock.calls] == [100.0 + 10 * k for k in range(1, beat + 1)]
            clock.now, call = clock.calls[-1]
            call()
            assert await coming == b": beat\n\n"
        await messages.aclose()

    in_lobby(tmp_path, work)


# The proof is proved: whatever is let slip on purpose is found


FOG, TWO_AND_TWO = variant_named("goths, fog"), variant_named("romans, two and two")
Spoil = Callable[[pytest.MonkeyPatch], None]


def a_view_of_all(game: str, field: str) -> Spoil:
    return lambda patch: patch.setattr(type(game_named(game)), "reveal", leaking(game, field))


def a_page_that_knows(what: Callable[[Table], object]) -> Spoil:
    def leaky(table: Table, *arguments: Any) -> Any:
        html = screen(table, *arguments).html
        spoilt = SimpleNamespace(html=lambda *words, **page: f"{html(*words, **page)}<!-- {what(table)} -->")
        spoilt.after = lambda since: spoilt
        return spoilt

    return lambda patch: patch.setattr("tests.web.sight.screen", leaky)


def a_tag_that_counts_entries(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Table, "tag", lambda self, holder, gone=frozenset(): f"{self.length}")


def events_told_to_all(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Event, "seen_by", lambda event, seat: True)


@pytest.mark.parametrize(
    ("variant", "spoil"),
    [
        (FOG, a_view_of_all("goths", "objectives")),
        (FOG, a_view_of_all("goths", "token")),
        (FOG, a_view_of_all("goths", "order")),
        (TWO_AND_TWO, a_view_of_all("romans", "line")),
        (TWO_AND_TWO, a_view_of_all("romans", "hand")),
        (FOG, a_page_that_knows(lambda table: table.header.setup)),
        (TWO_AND_TWO, a_page_that_knows(lambda table: table.match.position()["clans"])),
        (FOG, events_told_to_all),
        (TWO_AND_TWO, events_told_to_all),
    ],
)
def test_a_secret_that_is_let_slip_is_noticed(variant: Variant, spoil: Spoil, monkeypatch: pytest.MonkeyPatch) -> None:
    spoil(monkeypatch)
    assert any(tell_apart(redealt(variant, seed)) for seed in range(4))


@pytest.mark.parametrize(
    ("variant", "spoil"),
    [
        (FOG, a_tag_that_counts_entries),
        (TWO_AND_TWO, a_tag_that_counts_entries),
        (FOG, a_page_that_knows(lambda table: table.match.waiting)),
        (FOG, a_page_that_knows(lambda table: table.length)),
        (TWO_AND_TWO, a_page_that_knows(lambda table: table.match.waiting)),
    ],
)
def test_a_sign_of_who_has_sealed_is_noticed(variant: Variant, spoil: Spoil, monkeypatch: pytest.MonkeyPatch) -> None:
    spoil(monkeypatch)
    assert any(sees_who_has_sealed(sealed_or_not(variant, seed, 1)) for seed in range(3))

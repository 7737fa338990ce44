"""Users' own bots in processes of their own: what they answer, and what becomes of those that do not."""

import asyncio
import multiprocessing
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from meadhall.bots.own.room import GuestFault, GuestRoom, check_guests, named_guests

from meadhall.bots.own import room as guestroom
from meadhall.bots.pool import Pool
from meadhall.faults import Fault
from meadhall.match import Match, View

Write = Callable[[str], Path]
FIRST = "def choose(view, choices, rng):\n    return choices[0]\n"


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a bot of this text."""

    def written(text: str, name: str = "mine.py") -> Path:
        file = tmp_path / name
        file.write_text(text)
        return file

    return written


@pytest.fixture
def room(write: Write) -> Iterator[Callable[[str], GuestRoom]]:
    rooms: list[GuestRoom] = []

    def of(text: str) -> GuestRoom:
        rooms.append(GuestRoom(write(text)))
        return rooms[-1]

    yield of
    for each in rooms:
        each.close()


def king() -> View:
    return Match.new("goths").view("ostrogoth-king")


def asked(room: GuestRoom, times: int = 1) -> list[str]:
    async def ask() -> list[str]:
        return [await room.choose(king(), seed) for seed in range(times)]

    return asyncio.run(ask())


def test_a_guest_answers_from_a_process_that_is_not_ours(room: Callable[[str], GuestRoom]) -> None:
    answers = asked(
        room(
            "import os\ndef choose(view, choices, rng):\n    assert os.getpid() != "
            + str(os.getpid())
            + "\n    return rng.choice(choices)\n"
        ),
        3,
    )
    assert set(answers) <= set(king().choices)
    assert asked(room(FIRST)) == [king().choices[0]]


def test_a_guest_remembers_nothing_from_one_seat_to_the_next(room: Callable[[str], GuestRoom]) -> None:
    text = "seen = []\ndef choose(view, choices, rng):\n    seen.append(view.seat)\n    return choices[len(seen) - 1]\n"
    assert asked(room(text), 3) == 3 * [king().choices[0]]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("def choose(view, choices, rng):\n    raise KeyError('oh')\n", "raised KeyError"),
        ("def choose(view, choices, rng):\n    return 'act:fly'\n", "not one of the 8 choices"),
        ("def choose(view, choices, rng):\n    return None\n", "not the name of a choice"),
        ("import os\ndef choose(view, choices, rng):\n    os._exit(3)\n", "ended by itself"),
        ("def choose(view, choices, rng):\n    while True: pass\n", "took longer"),
        ("import time\ndef choose(view, choices, rng):\n    time.sleep(1000)\n", "took longer"),
    ],
)
def test_a_guest_that_fails_says_why_and_may_try_again(
    text: str, complaint: str, room: Callable[[str], GuestRoom], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guestroom, "PATIENCE", 0.5)
    guest = room(text)
    for _ in range(2):
        with pytest.raises(GuestFault, match=complaint) as fault:
            asked(guest)
        assert "mine.py" in str(fault.value)


def test_a_guest_that_hangs_is_killed_and_nobody_waits_in_line_for_long(
    room: Callable[[str], GuestRoom], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guestroom, "PATIENCE", 0.5)
    guest = room("def choose(view, choices, rng):\n    while True: pass\n")
    guest.start()

    async def crowd() -> list[str | BaseException]:
        return await asyncio.gather(*(guest.choose(king(), k) for k in range(6)), return_exceptions=True)

    answers = asyncio.run(crowd())
    assert all(isinstance(answer, GuestFault) for answer in answers)
    assert sum("busy" in str(answer) for answer in answers) >= 4
    guest.close()
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("def choose(view", "is not Python"),
        ("import nothing_of_that_name\n", "ModuleNotFoundError"),
        ("x = 1\n", "has no choose"),
        ("def choose(view):\n    return ''\n", "view, choices and rng"),
        ("import os\nos._exit(1)\n", "ended by itself"),
        ("while True: pass\n", "took longer"),
    ],
)
def test_a_file_that_is_no_bot_is_refused_before_anybody_sits_down(
    text: str, complaint: str, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guestroom, "START_PATIENCE", 4.0)
    with pytest.raises(Fault, match=complaint):
        check_guests(named_guests([write(text)]))
    assert multiprocessing.active_children() == []


def test_guests_go_by_the_names_of_their_files(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    one, two, twin = tmp_path / "one.py", tmp_path / "two.py", tmp_path / "other" / "one.py"
    for file in (one, two, twin):
        file.write_text(FIRST)
    assert named_guests([one, two, one]) == {"one.py": one, "two.py": two}
    with pytest.raises(Fault, match=r"two bots are called one\.py; rename one"):
        named_guests([one, twin])
    with pytest.raises(Fault, match="there is no file"):
        named_guests([tmp_path / "none.py"])
    odd = tmp_path / "a bot.txt"
    odd.write_text(FIRST)
    with pytest.raises(Fault, match=r"must end in \.py"):
        named_guests([odd])


def test_a_pool_offers_guests_beside_the_levels(write: Write) -> None:
    pool = Pool(guests={"mine.py": write(FIRST)})
    try:
        assert pool.levels == ("random", "easy", "medium", "hard", "mine.py")
        assert asyncio.run(pool.choose("mine.py", king(), 1)) == king().choices[0]
        with pytest.raises(Fault, match="there is no bot level"):
            asyncio.run(pool.choose("other.py", king(), 1))
    finally:
        pool.close()
    assert multiprocessing.active_children() == []

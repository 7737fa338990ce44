"""People's own bots: a process for each seat, in which nothing that another seat left can be found."""

import asyncio
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from meadhall.bots.forkserver import ForkServer
from meadhall.bots.own import seats
from meadhall.bots.own.files import Forfeit, named_files
from meadhall.bots.own.seats import OwnBots, OwnSeat, TimeLimit, check_own_bots, fair, prompt
from meadhall.bots.pool import Pool
from meadhall.faults import Fault
from meadhall.match import Match, View

Write = Callable[..., Path]
A_SECOND = fair(1.0)
FIRST = "def choose(view, choices, rng):\n    return choices[0]\n"


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a bot of this text."""

    def written(text: str, name: str = "mine.py") -> Path:
        file = tmp_path / name
        file.write_text(text)
        return file

    return written


@pytest.fixture(scope="module")
def server() -> Iterator[ForkServer]:
    server = ForkServer()
    yield server
    server.close()


@pytest.fixture
def seat(server: ForkServer, write: Write) -> Iterator[Callable[..., OwnSeat]]:
    """A seat on which a bot of this text sits."""
    made: list[OwnSeat] = []

    def seated(text: str, limit: TimeLimit = A_SECOND, seed: int = 1) -> OwnSeat:
        made.append(OwnSeat(server, write(text), limit))
        made[-1].load(seed, A_SECOND)
        return made[-1]

    yield seated
    for each in made:
        each.end()


def king() -> View:
    return Match.new("goths").view("ostrogoth-king")


def gone(pid: int) -> bool:
    """Does this process end? Where it has, there is nothing to wait for."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([handle], [], [], 30)[0])
    finally:
        os.close(handle)


# What a seat is


def test_a_bot_answers_from_a_process_that_is_not_ours(seat: Callable[..., OwnSeat]) -> None:
    text = (
        f"import os\ndef choose(view, choices, rng):\n    assert os.getpid() != {os.getpid()}\n    return choices[-1]\n"
    )
    assert seat(text).choose(king()) == king().choices[-1]


def test_it_remembers_its_own_game_and_has_dice_of_its_own(seat: Callable[..., OwnSeat]) -> None:
    text = "n = []\ndef choose(view, choices, rng):\n    n.append(1)\n    return choices[len(n)]\n"
    remembering = seat(text)
    assert [remembering.choose(king()) for _ in range(3)] == list(king().choices[1:4])
    text = "def choose(view, choices, rng):\n    return rng.choice(choices)\n"
    drawn = [[one.choose(king()) for _ in range(20)] for one in (seat(text, seed=k) for k in (5, 5, 6))]
    assert drawn[0] == drawn[1] != drawn[2]
    text = "import random\ndef choose(view, choices, rng):\n    return random.choice(choices)\n"
    drawn = [[one.choose(king()) for _ in range(20)] for one in (seat(text, seed=k) for k in (5, 5, 6))]
    assert drawn[0] == drawn[1] != drawn[2]


# Where one seat could leave something for another: each gives the text that leaves a mark, and the one that finds it.
CHANNELS = {
    "a name of the file": ("marks.append(1)", "len(marks) > 0"),
    "an attribute of a module": ("math.mark = 1", "hasattr(math, 'mark')"),
    "a module it imports": ("json.decoder.NaN = 1; random.mark = 1", "hasattr(random, 'mark')"),
    "a module of ours": ("meadhall.match.mark = 1", "hasattr(meadhall.match, 'mark')"),
    "a file beside it": ("helper.marks.append(1)", "len(helper.marks) > 0"),
    "sys.modules": ("sys.modules['mark'] = sys", "'mark' in sys.modules"),
    "builtins": ("builtins.mark = 1", "hasattr(builtins, 'mark')"),
    "the environment": ("os.environ['MARK'] = '1'", "'MARK' in os.environ"),
    "a class": ("Memory.mark = 1", "hasattr(Memory, 'mark')"),
    "a class of ours": ("type(view).mark = 1", "hasattr(type(view), 'mark')"),
    "what the collector knows": (
        "marks.append(Memory())",
        "any(type(x) is Memory for x in gc.get_objects())",
    ),
    "the game": ("view.game.mark = 1", "hasattr(view.game, 'mark')"),
    "an open file": ("os.write(opened, b'x'); os.lseek(opened, 7, 0)", "os.lseek(opened, 0, 1) == 7"),
    "shared memory": ("shared[0] = 1", "shared[0] == 1"),
    "a pair of sockets": ("pair[0].send(b'x')", "select.select([pair[1]], [], [], 0)[0]"),
}
CHANNEL = """
import builtins, gc, json, math, mmap, os, random, select, socket, sys
import helper, meadhall.match
class Memory: pass
marks, shared, pair = [], mmap.mmap(-1, 16), socket.socketpair()
opened = os.open(__file__ + '.log', os.O_RDWR | os.O_CREAT)
def choose(view, choices, rng):
    found = {find}
    if view.seat.endswith('king'):
        {leave}
    return choices[1 if found else 0]
"""


@pytest.mark.parametrize("channel", CHANNELS)
def test_nothing_that_a_king_leaves_can_be_found_by_his_warchief(
    channel: str, seat: Callable[..., OwnSeat], write: Write
) -> None:
    write("marks = []\n", "helper.py")
    leave, find = CHANNELS[channel]
    text = CHANNEL.format(leave=leave, find=find)
    match = Match.new("goths")
    ruler, chief = seat(text), seat(text)
    assert ruler.choose(match.view("ostrogoth-king")) == match.view("ostrogoth-king").choices[0]
    assert ruler.choose(match.view("ostrogoth-king")) == match.view("ostrogoth-king").choices[1]  # it can fail
    for each in ("ostrogoth-king", "visigoth-king"):
        match.commit(each, match.view(each).choices[0])
    view = match.view("ostrogoth-warchief")
    assert chief.choose(view) == view.choices[0]
    assert seat(text).choose(view) == view.choices[0]  # nor by anybody who sits down later


def test_what_it_prints_goes_nowhere(seat: Callable[..., OwnSeat], capfd: pytest.CaptureFixture[str]) -> None:
    text = (
        "import os, sys\nprint('loaded')\n"
        "def choose(view, choices, rng):\n"
        "    print('x' * 100000); print('y', file=sys.stderr); os.write(1, b'z'); os.write(2, b'z')\n"
        "    return choices[0]\n"
    )
    assert seat(text).choose(king()) == king().choices[0]
    captured = capfd.readouterr()
    assert captured.out + captured.err == ""


def test_what_it_does_to_its_view_changes_nothing_and_makes_nothing_legal(seat: Callable[..., OwnSeat]) -> None:
    body = "view.state.hand[0] = 4095; view.rules.clear(); return 'order:vulture/catapult'"
    view = king()
    before, rules = bytes(view.state), dict(view.rules)
    with pytest.raises(Forfeit, match="not one of the 8 choices"):
        seat(f"def choose(view, choices, rng):\n    {body}\n").choose(view)
    assert (bytes(view.state), view.rules) == (before, rules)


# What it forfeits by

LOOP = "while True:\n        try:\n            while True: sum(range(9))\n        "


@pytest.mark.parametrize(
    ("body", "kind", "said"),
    [
        ("raise KeyError('oh')", "raised", "^raised KeyError: 'oh' "),
        ("return 'act:fly'", "nonsense", "^answered 'act:fly', which is not one of the 8 choices$"),
        ("return 'x' * 1000", "nonsense", "^answered 'x{57}...', which is not"),
        ("return None", "nonsense", "not the name of a choice"),
        ("import os; os._exit(3)", "ended", "^ended its process$"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "ended", "^ended its process$"),
        ("import os; os.closerange(0, 100)\n    while True: pass", "ended", "^ended its process$"),
        ("raise KeyboardInterrupt", "ended", "^ended its process$"),
        ("while True: pass", "late", r"^took longer than 0\.05 s$"),
        ("sum(range(10 ** 12))", "late", r"^took longer than 0\.05 s$"),
        (LOOP + "except Exception: pass", "late", r"^took longer than 0\.05 s$"),
        (LOOP + "except BaseException: pass", "late", r"^took longer than 0\.05 s$"),
        ("import time; time.sleep(1000)", "late", r"^took longer than 0\.05 s$"),
        ("import signal; signal.setitimer(2, 0)\n    while True: pass", "late", r"^took longer than 0\.05 s$"),
    ],
)
def test_what_is_no_choice_is_a_forfeit_told_in_one_line(
    body: str, kind: str, said: str, seat: Callable[..., OwnSeat]
) -> None:
    one = seat(f"def choose(view, choices, rng):\n    {body}\n", TimeLimit(0.05, 0.4))
    with pytest.raises(Forfeit, match=said) as forfeit:
        one.choose(king())
    assert forfeit.value.kind == kind
    assert "\n" not in str(forfeit.value)
    one.end()
    assert gone(one.pid)


def test_time_is_counted_anew_for_every_choice(seat: Callable[..., OwnSeat]) -> None:
    text = (
        "import time\ndef choose(view, choices, rng):\n    end = time.process_time() + 0.04\n"
        "    while time.process_time() < end: pass\n    return choices[0]\n"
    )
    one = seat(text, fair(0.1))
    assert [one.choose(king()) for _ in range(5)] == 5 * [king().choices[0]]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("def choose(view", "is not Python"),
        ("import nothing_of_that_name\n", "ModuleNotFoundError"),
        ("x = 1\n", "has no choose"),
        ("def choose(view):\n    return ''\n", "view, choices and rng"),
        ("import os\nos._exit(1)\n", r"mine\.py ended its process when it was loaded"),
        ("while True: pass\n", r"mine\.py took longer than 0\.1 s to load"),
    ],
)
def test_a_file_that_is_no_bot_is_refused_before_anybody_sits_down(
    text: str, complaint: str, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seats, "LOADING", fair(0.1))
    with pytest.raises(Fault, match=complaint):
        check_own_bots(named_files([write(text)]).values())


def test_own_bots_go_by_the_names_of_their_files(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    one, two, twin = tmp_path / "one.py", tmp_path / "two.py", tmp_path / "other" / "one.py"
    for file in (one, two, twin):
        file.write_text(FIRST)
    assert named_files([one, two, one]) == {"one.py": one, "two.py": two}
    with pytest.raises(Fault, match=r"two bots are called one\.py; rename one"):
        named_files([one, twin])
    with pytest.raises(Fault, match="there is no file"):
        named_files([tmp_path / "none.py"])
    odd = tmp_path / "a bot.txt"
    odd.write_text(FIRST)
    with pytest.raises(Fault, match=r"must end in \.py"):
        named_files([odd])


# At the tables

COUNTS = "n = []\ndef choose(view, choices, rng):\n    n.append(1)\n    return choices[len(n)]\n"


def at_tables(server: ForkServer, file: Path, work: Callable[[OwnBots], object]) -> None:
    """Do something with the own bots of a server."""

    async def run() -> None:
        own = OwnBots(server, {"mine.py": file})
        try:
            await work(own)  # type: ignore[misc]
        finally:
            own.close()
        assert own.pids == []

    asyncio.run(run())


def test_every_seat_of_every_table_has_its_process_until_the_game_is_over(server: ForkServer, write: Write) -> None:
    async def work(own: OwnBots) -> None:
        second, third = king().choices[1:3]
        assert await own.choose("mine.py", king(), 1, 0) == second
        assert await own.choose("mine.py", king(), 1, 0) == third
        assert await own.choose("mine.py", king(), 2, 0) == second
        (_, other) = pids = own.pids
        assert len(pids) == 2
        own.leave(1)
        assert own.pids == [other]
        assert gone(pids[0])
        assert await own.choose("mine.py", king(), 2, 0) == third

    at_tables(server, write(COUNTS), work)


def test_processes_that_nobody_asks_end(server: ForkServer, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats, "IDLE", 0.05)

    async def work(own: OwnBots) -> None:
        await own.choose("mine.py", king(), 1, 0)
        (pid,) = own.pids
        assert await asyncio.to_thread(gone, pid)
        assert own.pids == []
        assert await own.choose("mine.py", king(), 1, 0) == king().choices[1]  # and it has forgotten

    at_tables(server, write(COUNTS), work)


def test_there_is_an_end_to_how_many_processes_there_are(
    server: ForkServer, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seats, "MOST", 2)

    async def work(own: OwnBots) -> None:
        for table in range(3):
            await own.choose("mine.py", king(), table, 0)
        assert len(own.pids) == 2
        assert await own.choose("mine.py", king(), 2, 0) == king().choices[2]

    at_tables(server, write(COUNTS), work)


def test_one_that_hangs_costs_its_own_choice_and_may_try_again(
    server: ForkServer, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seats, "AT_A_TABLE", prompt(0.3))
    text = "def choose(view, choices, rng):\n    while view.seat.startswith('o'): pass\n    return choices[0]\n"
    match = Match.new("goths")
    match.commit("ostrogoth-king", match.view("ostrogoth-king").choices[0])
    other = match.view("visigoth-king")

    async def work(own: OwnBots) -> None:
        for _ in range(2):
            hung = asyncio.create_task(own.choose("mine.py", king(), 1, 0))
            assert await own.choose("mine.py", other, 1, 0) == other.choices[0]
            with pytest.raises(Fault, match=r"^mine\.py took longer than 0\.3 s$"):
                await hung

    at_tables(server, write(text), work)


def test_closing_does_not_wait_for_a_bot_that_hangs_or_still_loads(server: ForkServer, write: Write) -> None:
    for text in ("while True: pass\n", "def choose(view, choices, rng):\n    while True: pass\n"):

        async def work(own: OwnBots) -> None:
            hung = asyncio.create_task(own.choose("mine.py", king(), 1, 0))
            while not own.pids:
                await asyncio.sleep(0.005)
            own.close()
            with pytest.raises(Fault, match="ended its process"):
                await hung

        at_tables(server, write(text), work)


def test_a_pool_offers_own_bots_beside_the_levels(write: Write) -> None:
    pool = Pool(1, own={"mine.py": write(FIRST)})
    try:
        assert pool.levels == ("random", "easy", "medium", "hard", "mine.py")
        assert asyncio.run(pool.choose("mine.py", king(), 1)) == king().choices[0]
        with pytest.raises(Fault, match="there is no bot level"):
            asyncio.run(pool.choose("other.py", king(), 1))
    finally:
        pool.close()


HANGING = """
import sys
from pathlib import Path
from meadhall.bots.forkserver import ForkServer
from meadhall.bots.own.seats import OwnSeat, prompt
from meadhall.match import Match

seat = OwnSeat(ForkServer(), Path(sys.argv[1]), prompt(1000))
seat.load(0, prompt(30))
print(seat.pid, flush=True)
seat.choose(Match.new("goths").view("ostrogoth-king"))
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_bot_that_hears_nothing_ends_with_a_parent_that_was_killed(how: int, write: Write) -> None:
    file = write("def choose(view, choices, rng):\n    sum(range(10 ** 12))\n")
    with subprocess.Popen([sys.executable, "-c", HANGING, str(file)], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.send_signal(how)
        assert gone(pid)

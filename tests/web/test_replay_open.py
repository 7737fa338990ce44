"""`meadhall replay FILE --open`: a small server for one record, which leaves nothing behind."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from meadhall.cli import main
from tests.web.server import PATIENCE, client
from tests.web.test_replay import golden


@pytest.fixture
def record(tmp_path: Path) -> Path:
    file = tmp_path / "evening.json"
    file.write_text(json.dumps(golden("romans-plain")))
    return file


@pytest.mark.parametrize(
    ("stop", "status", "seat", "viewpoint"),
    [(signal.SIGINT, 130, (), "open"), (signal.SIGTERM, 143, ("--seat", "violet"), "violet")],
)
def test_it_says_where_the_replay_is_and_ends_without_a_trace(
    record: Path, tmp_path: Path, stop: signal.Signals, status: int, seat: tuple[str, ...], viewpoint: str
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    process = subprocess.Popen(
        [sys.executable, "-m", "meadhall", "replay", str(record), "--open", *seat],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=kept | {"TMPDIR": str(temporary), "XDG_DATA_HOME": str(tmp_path / "data")},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        assert line.startswith("Meadhall: http://localhost:")
        link = line.split()[1].replace("localhost", "127.0.0.1")
        with client("", follow_redirects=True) as http:
            page = http.get(link)
        assert page.status_code == 200
        assert f'data-viewpoint="{viewpoint}"' in page.text
        assert 'data-number="0"' in page.text
    finally:
        process.send_signal(stop)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err) == (status, "", "")
    assert [path.name for path in temporary.iterdir() if path.name.startswith("meadhall-")] == []
    assert not (tmp_path / "data").exists()


def test_what_cannot_be_shown_is_refused_before_anything_is_served(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = record.with_name("bad.json")
    bad.write_text('{"format": "meadhall/1"')
    for options, said in (
        ((str(bad),), "not JSON"),
        ((str(record), "--seat", "nobody"), 'there is no seat "nobody"'),
        ((str(record), "--json"), "--open goes without --json"),
        ((str(record.with_name("none.json")),), "cannot be read"),
    ):
        assert main(["replay", "--open", *options]) == 2
        told = capsys.readouterr()
        assert told.out == ""
        assert said in told.err

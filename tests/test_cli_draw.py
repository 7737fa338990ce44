"""`meadhall draw`: pictures of positions, and what it says to nonsense."""

import io
import json
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from meadhall.cli import main
from tests.variants import random_game, variant_named


@pytest.fixture
def record(tmp_path: Path) -> str:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(random_game(variant_named("romans, three"), 5, 12).record()))
    return str(path)


def test_an_svg_at_any_choice_and_for_any_seat(record: str, tmp_path: Path) -> None:
    out = tmp_path / "out.svg"
    drawn = set()
    for more in (["--at", "0"], ["--at", "12"], [], ["--seat", "spectator"], ["--seat", "red", "--lang", "fr"]):
        assert main(["draw", record, *more, "-o", str(out)]) == 0
        drawn.add(out.read_text("utf-8"))
        ElementTree.parse(out)
    assert len(drawn) == 4  # after 12 choices is the end


def test_a_png_of_a_size_in_the_dark(record: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "OUT.PNG"
    data = Path(record).read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
    assert main(["draw", "-", "--theme", "dark", "--size", "640x400", "-o", str(out)]) == 0
    with Image.open(out) as image:
        assert image.size == (640, 400)
        assert sum(image.convert("RGB").getpixel((320, 200))) < 3 * 128


def test_a_film_of_a_turn(record: str, tmp_path: Path) -> None:
    out = tmp_path / "out.gif"
    more = ["--turn", "1.1", "--seat", "spectator", "--size", "300x160"]
    assert main(["draw", record, *more, "-o", str(out)]) == 0
    with Image.open(out) as image:
        assert image.size == (300, 160)
        assert image.n_frames > 3


WRONG = [
    (("--turn", "9.9", "-o", "{here}/out.gif"), '--turn 9.9: there is no turn "9.9" in this game; its turns are 1.1,'),
    (("--turn", "1.1", "-o", "{here}/out.svg"), "a film's name ends in .webp, .gif or .png"),
    (("--at", "13"), "--at 13: the record has 12 choices; N is from 0 to 12"),
    (("--at", "-1"), "must be a whole number from 0, not '-1'"),
    (("--at", "soon"), "must be a whole number from 0, not 'soon'"),
    (("--seat", "gold"), 'there is no seat "gold" in this game; the seats are'),
    (("--theme", "grey"), 'there is no theme "grey"; the themes are light and dark'),
    (("--lang", "la"), "la"),
    (("--size", "large"), "must be a width and a height such as 1200x630, not 'large'"),
    (("--size", "9x9"), "must be from 100x100 to 4000x4000, not '9x9'"),
    (("--size", "100000x5"), "must be a width and a height such as 1200x630"),
    (("-o", "{here}/out.jpg"), "a picture's name ends in .svg or .png"),
    (("-o", "{here}/out"), "a picture's name ends in .svg or .png"),
    (("-o", "{here}/no/out.svg"), "there is no folder {here}/no"),
    (("-o", "{here}"), "a picture's name ends in"),
]


@pytest.mark.parametrize(("more", "said"), WRONG, ids=[" ".join(more) for more, _ in WRONG])
def test_what_is_wrong_is_said_in_a_line_and_nothing_is_written(
    more: tuple[str, ...], said: str, record: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.svg"
    given = [part.format(here=tmp_path) for part in more]
    assert main(["draw", record, "-o", str(out), *given]) == 2
    _, err = capsys.readouterr()
    assert said.format(here=tmp_path) in err
    assert err.count("\n") == 1
    assert not out.exists()


def test_a_bad_record_is_refused_even_where_its_beginning_would_do(
    record: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = json.loads(Path(record).read_text())
    data["choices"].append(["red", "pay:nothing"])
    Path(record).write_text(json.dumps(data))
    assert main(["draw", record, "--at", "1", "-o", str(tmp_path / "out.svg")]) == 2
    assert "choice" in capsys.readouterr().err

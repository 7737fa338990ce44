"""Type holds on every system: where faces are wider than ours, no name on a card is cut, and nothing runs out of it."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Route

from meadhall.web import assets
from tests.shots.boxes import findings
from tests.shots.camera import Camera, View
from tests.shots.sizes import SIZES
from tests.shots.states import STATES
from tests.web.server import Server

# A sixth wider than our first choice, as Georgia and Noto Serif are at their own size; and a tenth for the text.
WIDER = {"title": "C059", "text": "DejaVu Sans Condensed"}
STATES_SHOWN = {
    "home": ("phone", "laptop"),
    "goths-king": ("phone", "laptop"),
    "goths-warchief": ("phone", "laptop"),
    "romans-plan-four": ("phone", "laptop"),
    "romans-charm": ("phone", "laptop"),
}
CUT = ("cut off", "out of its card", "sideways")


@pytest.fixture(scope="module")
def wide(chromium: Browser, server: Server) -> Iterator[Camera]:
    """The window of a system that has other faces."""
    camera = Camera(chromium, server)

    def answer(route: Route) -> None:
        sheet = route.fetch()
        text = sheet.text()
        for name, face in WIDER.items():
            text = re.sub(rf"--font-{name}:[^;]*;", f'--font-{name}: "{face}";', text)
        route.fulfill(response=sheet, body=text)

    camera.window.context.route("**/meadhall.css", answer)
    yield camera
    camera.close()


@pytest.mark.parametrize("name", STATES_SHOWN)
def test_wider_faces_cut_no_name(name: str, wide: Camera) -> None:
    state = STATES[name]
    wrong: dict[str, list[str]] = {}
    views = [View(SIZES[size], lang) for size in STATES_SHOWN[name] for lang in ("en", "de")]
    for view, page in wide.views(state, views):
        assert page.evaluate("getComputedStyle(document.body).fontFamily") == f'"{WIDER["text"]}"'
        cut = [str(each) for each in findings(page, view.size, state.asks) if each.kind in CUT and not each.soft]
        if cut:
            wrong[view.name] = cut
    assert wrong == {}


def test_every_system_finds_a_face_that_it_has() -> None:
    """Windows, macOS and iOS, Android, and Debian, for the titles and for the text."""
    sheet = assets.find()["meadhall.css"].decode()
    for name, faces in {
        "title": ("Palatino Linotype", "Iowan Old Style", "Hall Serif", "P052", "serif"),
        "text": ("Segoe UI", "-apple-system", "Roboto", "Liberation Sans", "sans-serif"),
    }.items():
        stack = re.search(rf"--font-{name}:([^;]*);", sheet)
        assert stack
        listed = [face.strip().strip('"') for face in stack[1].split(",")]
        assert set(faces) <= set(listed)
        assert listed[-1] == faces[-1]
    assert 'local("Noto Serif")' in sheet  # Android

"""Pictures of every page and state, with checks of where everything lies: `python -m tests.shots FOLDER`.

Without --all: every state on every screen in English by day, and in every language and theme on two of them.
"""

import argparse
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from meadhall.words.languages import LANGUAGES
from tests.shots import sheets
from tests.shots.boxes import Finding, findings
from tests.shots.camera import Camera, View, browsing
from tests.shots.sizes import PICTURED, SIZES, TWO
from tests.shots.states import STATES
from tests.web.server import Server

THEMES = ("light", "dark")


def main() -> int:
    """Take the pictures; 1 if anything lies wrong."""
    wanted = _options()
    names = _states(wanted.only)
    views = _views(wanted)
    folder: Path | None = None if wanted.check else wanted.folder
    found: dict[str, dict[View, list[Finding]]] = {}
    started = time.monotonic()
    with TemporaryDirectory() as work, Server(Path(work)) as server, browsing() as browser:
        camera = Camera(browser, server)
        for name in names:
            found[name] = {}
            for view, page in camera.views(STATES[name], views):
                found[name][view] = findings(page, view.size, STATES[name].asks)
                if folder is not None:
                    path = folder / name / f"{view.name}.png"
                    path.parent.mkdir(parents=True, exist_ok=True)
                    page.screenshot(path=path, full_page=wanted.full)
            _tell(name, found[name], soft=wanted.soft)
    if folder is not None:
        sheets.write(folder, found)
    hard = sum(not each.soft for state in found.values() for view in state.values() for each in view)
    count = sum(len(state) for state in found.values())
    print(f"{len(names)} states, {count} views in {time.monotonic() - started:.0f} s: {hard} findings")
    if folder is not None:
        print(f"Look at {folder / 'index.html'}")
    return 1 if hard else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.shots", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=Path("shots"), help="where pictures are put")
    parser.add_argument("--only", help=f"states, or beginnings of their names: {', '.join(STATES)}")
    parser.add_argument("--sizes", help=f"some of {', '.join(SIZES)}")
    parser.add_argument("--themes", help=f"some of {', '.join(THEMES)}")
    parser.add_argument("--langs", help=f"some of {', '.join(LANGUAGES)}")
    parser.add_argument("--all", action="store_true", help="every state in every way: thousands of pictures")
    parser.add_argument("--full", action="store_true", help="the whole page, not only what is on the screen")
    parser.add_argument("--check", action="store_true", help="check only, take no pictures")
    parser.add_argument("--soft", action="store_true", help="tell findings that are allowed too")
    return parser.parse_args()


def _states(only: str | None) -> list[str]:
    if not only:
        return list(STATES)
    names = [name for name in STATES if any(name == each or name.startswith(f"{each}-") for each in only.split(","))]
    if not names:
        sys.exit(f"there is no such state: {only}")
    return names


def _views(wanted: argparse.Namespace) -> list[View]:
    def some(given: str | None, known: Sequence[str]) -> list[str] | None:
        chosen = given.split(",") if given else None
        if chosen and set(chosen) - set(known):
            sys.exit(f"{given}: only {', '.join(known)}")
        return chosen

    sizes = some(wanted.sizes, list(SIZES))
    themes, langs = some(wanted.themes, THEMES), some(wanted.langs, list(LANGUAGES))
    usual = list(SIZES) if wanted.check else list(PICTURED)
    if wanted.all or sizes or themes or langs:
        ways = product(
            sizes or usual,
            langs or (list(LANGUAGES) if wanted.all else ["en"]),
            themes or (list(THEMES) if wanted.all else ["light"]),
        )
    else:
        ways = [*product(usual, ["en"], ["light"]), *product(TWO, list(LANGUAGES), THEMES)]  # type: ignore[assignment]
    return [View(SIZES[size], lang, theme) for size, lang, theme in dict.fromkeys(ways)]


def _tell(state: str, found: dict[View, list[Finding]], soft: bool) -> None:
    """Each finding once, with the ways of looking in which it is there."""
    ways: dict[str, list[tuple[Finding, View]]] = defaultdict(list)
    for view, each in found.items():
        for finding in each:
            if soft or not finding.soft:
                ways[finding.about].append((finding, view))
    for known in ways.values():
        finding = known[0][0]
        places = ", ".join(dict.fromkeys(f"{view.size.name} {view.lang}" for _, view in known))
        print(f"{state}: {'(soft) ' if finding.soft else ''}{finding} [{places}]", flush=True)


if __name__ == "__main__":
    sys.exit(main())

"""A table's page in a real browser with an empty cache: what it weighs, and how soon one can act."""

import json
import random
import shutil
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from web.machine import HOST, Cores, folder_on_disk, free_port, serving
from web.measured import Measured, Repeats
from web.play import SEED, serve_command
from web.players import COMPANIES

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
COOKIE = "meadhall"
# How far into its game a table is weighed: at the start, and with much to tell.
CHOICES_MADE = {"goths": (0, 25), "romans": (0, 6)}
WAIT = 20  # seconds
# The script has run, and something that makes a choice is there to be used.
READY = """() => {
  if (!document.documentElement.classList.contains("js")) return 0;
  const controls = document.querySelectorAll('[form="choose"], #choose :is(button, input, select)');
  const usable = [...controls].some((each) => each.type !== "hidden" && !each.disabled && each.checkVisibility());
  return usable ? performance.now() : 0;
}"""


def measure(cores: Cores, repeats: Repeats, game: str) -> Measured:
    """The heavier of an early and a late page, and the slower of their best times."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise RuntimeError("chromium is not installed")
    with folder_on_disk() as folder, sync_playwright() as playwright:
        port = free_port()
        with (
            serving(serve_command(folder / "tables.db", port), port, cores.server, folder / "log"),
            playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"]) as chromium,
        ):
            found = [_visits(chromium, port, game, made, repeats) for made in CHOICES_MADE[game]]
    heaviest = max(found, key=lambda each: each.raw)
    slowest = max(each.seconds for each in found)
    note = " and ".join(f"{each.sent / 1000:.0f} kB sent {1000 * each.seconds:.0f} ms" for each in found)
    kilobytes, sent = heaviest.raw / 1000, max(each.sent for each in found) / 1000
    return Measured(0, p50=1000 * slowest, kilobytes=kilobytes, sent=sent, note=f"early and late: {note}")


@dataclass(frozen=True)
class Visit:
    """What a page weighs, unpacked and over the wire with its headers, and how soon it is ready."""

    raw: int
    sent: int
    seconds: float


def _visits(chromium: Browser, port: int, game: str, made: int, repeats: Repeats) -> Visit:
    """The most that some visits weighed, and the time of the best of them."""
    code, token = _table(port, game, made)
    visits = [_visit(chromium, port, code, token) for _ in range(repeats.count)]
    heaviest = max(visits, key=lambda each: each.raw)
    return replace(heaviest, seconds=min(each.seconds for each in visits))


def _visit(chromium: Browser, port: int, code: str, token: str) -> Visit:
    """One visit by somebody who was never here before but for his seat."""
    origin = f"http://{HOST}:{port}"
    with chromium.new_context(viewport={"width": 1280, "height": 800}) as context:
        context.add_cookies([{"name": COOKIE, "value": token, "url": origin}])
        page = context.new_page()
        weights = _weigh(page)
        page.goto(f"{origin}/t/{code}", wait_until="commit")
        ready = page.wait_for_function(READY, timeout=1000 * WAIT).json_value()
        page.wait_for_load_state("load")
        page.wait_for_timeout(300)  # what a script fetches after loading counts as well
        return Visit(sum(weights.raw), sum(weights.sent), ready / 1000)


@dataclass(frozen=True)
class Weights:
    """The sizes of all that a page fetches, growing as it does: unpacked, and as it came."""

    raw: list[int]
    sent: list[int]


def _weigh(page: Page) -> Weights:
    """What a page will fetch."""
    weights = Weights([], [])
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.send("Network.setCacheDisabled", {"cacheDisabled": True})
    devtools.on("Network.dataReceived", lambda data: weights.raw.append(int(data["dataLength"])))
    devtools.on("Network.loadingFinished", lambda data: weights.sent.append(int(data["encodedDataLength"])))
    return weights


def _table(port: int, game: str, made: int) -> tuple[str, str]:
    """A table at which somebody with three bots has made so many choices and owes another."""
    rules, (first, *others) = COMPANIES[game, 4]
    rng = random.Random(SEED)
    while True:
        seats = {first: "me"} | dict.fromkeys(others, "random")
        opened = _call(port, "POST", "/api/tables", None, {"game": game, "rules": rules, "seats": seats})
        code, token = opened["code"], opened["token"]
        path = f"/api/tables/{code}"
        for k in range(made + 1):
            if (table := _my_turn(port, path, token, first)) is None:
                break  # over too early: another table
            if k == made:
                return code, token
            choice = choice_of(table["view"]["pending"][first], rng)
            _call(port, "POST", f"{path}/choices", token, {"position": table["position"], "choice": choice})


def _my_turn(port: int, path: str, token: str, seat: str) -> dict[str, Any] | None:
    """The table once the seat owes a choice; None if the game is over first."""
    end = time.monotonic() + WAIT
    while time.monotonic() < end:
        table: dict[str, Any] = _call(port, "GET", path, token)
        if table["phase"] != "playing":
            return None
        if seat in table["view"]["pending"]:
            return table
        time.sleep(0.02)
    raise RuntimeError("the bots do not move")


def choice_of(pending: Any, rng: random.Random) -> str:
    """One of the choices that a seat owes."""
    if isinstance(pending, list):
        return str(rng.choice(pending))
    verb = "plan" if pending["take"] < len(pending["arrange"]) else "reorder"
    return f"{verb}:{','.join(rng.sample(pending['arrange'], pending['take']))}"


def _call(port: int, method: str, path: str, token: str | None, body: Any = None) -> Any:
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    wanted = urllib.request.Request(f"http://{HOST}:{port}{path}", data, headers, method=method)
    try:
        with urllib.request.urlopen(wanted, timeout=WAIT) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refused:
        raise RuntimeError(f"{method} {Path(path).name} was refused: {refused.read().decode()[:200]}") from None

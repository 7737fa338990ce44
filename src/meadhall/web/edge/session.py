"""Who is asking: the secret that holds seats, the language, and on a shared device whose turn it is to look."""

import secrets
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Literal

from litestar import Request
from litestar.datastructures import Cookie

from meadhall.bots.pool import Pool
from meadhall.store import StoreUnavailable
from meadhall.tables.housekeeping import Terms
from meadhall.tables.lobby import Lobby
from meadhall.tables.table import Table
from meadhall.words import Words, words
from meadhall.words.languages import LANGUAGES

SECRET = "meadhall"
YEAR = 365 * 86400
THEMES = ("light", "dark", "")
SPEEDS = ("slow", "normal", "fast", "step", "off")
CALLS = {"sign": True, "sound": True, "notice": False}  # ways to call somebody back, and whether unless said otherwise
Asked = Request[Any, Any, Any]


def lobby_of(request: Asked) -> Lobby:
    """The lobby that this server keeps; StoreUnavailable while it waits for its store."""
    lobby: Lobby | None = request.app.state.lobby
    if lobby is None:
        raise StoreUnavailable("not open yet")
    return lobby


def terms_of(request: Asked) -> Terms:
    """How long this server keeps tables."""
    terms: Terms = request.app.state.terms
    return terms


def levels_of(request: Asked) -> tuple[str, ...]:
    """The bots that can be put on a seat, whether the store is there or not."""
    pool: Pool = request.app.state.pool
    return pool.levels


def fingerprint(secret: str) -> str:
    """What is stored of a secret: enough to know it again, useless to whoever steals the store."""
    return sha256(secret.encode()).hexdigest()[:40]


def new_secret() -> str:
    """A secret nobody can guess."""
    return secrets.token_urlsafe(32)


def bearer(request: Asked) -> str | None:
    """The token a program sends."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" and token.strip() else None


def holder_of(request: Asked) -> str | None:
    """The fingerprint of whoever asks, by bearer token or by cookie."""
    secret = bearer(request) or request.cookies.get(SECRET)
    return fingerprint(secret) if secret else None


def secret_cookie(request: Asked, secret: str) -> Cookie:
    """The cookie that holds a browser's seats: no script can read it, no other site can send it along."""
    return _cookie(request, SECRET, secret, httponly=True)


def _cookie(
    request: Asked,
    name: str,
    value: str,
    *,
    httponly: bool,
    path: str = "/",
    samesite: Literal["lax", "strict"] = "lax",
    max_age: int | None = YEAR,
) -> Cookie:
    secure = request.url.scheme == "https"
    return Cookie(name, path=path, value=value, max_age=max_age, secure=secure, httponly=httponly, samesite=samesite)


def preferred_language(accepted: str) -> str:
    """The first of ours in an Accept-Language header, by its weights; English if there is none."""
    wishes: list[tuple[float, str]] = []
    for part in accepted[:500].split(","):
        tag, *parameters = (text.strip() for text in part.split(";"))
        try:
            weight = float(next((text[2:] for text in parameters if text[:2].lower() == "q="), 1))
        except ValueError:
            continue
        if 0 < weight <= 1:  # 0 is what one does not want
            wishes.append((-weight, tag.partition("-")[0].lower()))
    return next((tag for _, tag in sorted(wishes, key=lambda wish: wish[0]) if tag in LANGUAGES), "en")


def language(request: Asked) -> Words:
    """The words for whoever asks: as chosen before, or as the browser prefers."""
    chosen = request.cookies.get("lang", "")
    return words(chosen if chosen in LANGUAGES else preferred_language(request.headers.get("accept-language", "")))


def theme(request: Asked) -> str:
    """Light, dark, or (empty) as the browser prefers."""
    chosen = request.cookies.get("theme", "")
    return chosen if chosen in THEMES else ""


def speed(request: Asked) -> str:
    """How fast a turn is told."""
    chosen = request.cookies.get("speed", "normal")
    return chosen if chosen in SPEEDS else "normal"


def called(request: Asked) -> tuple[str, ...]:
    """The ways in which whoever asks wants to be called when it is their turn."""
    chosen = {way: request.cookies.get(way) for way in CALLS}
    return tuple(way for way, usual in CALLS.items() if chosen[way] == "on" or (usual and chosen[way] != "off"))


def setting_cookie(request: Asked, name: str, value: str) -> Cookie:
    """A cookie that remembers a setting."""
    return _cookie(request, name, value, httponly=True)


@dataclass(frozen=True)
class Shown:
    """On a device that several people share: whose secrets may be on the screen, and what all of them have seen."""

    seat: str | None = None
    seen: int | None = None  # the position that was last shown to everybody

    @classmethod
    def of(cls, request: Asked, table: Table) -> "Shown":
        """As the device last said."""
        seat, _, seen = request.cookies.get(f"shown_{table.code}", "").partition(".")
        return cls(seat or None, int(seen) if seen.isascii() and seen.isdigit() and len(seen) < 10 else None)

    def cookie(self, request: Asked, table: Table) -> Cookie:
        """The cookie that remembers it until the browser is closed."""
        value = f"{self.seat or ''}.{'' if self.seen is None else self.seen}"
        path = f"/t/{table.code}"
        return _cookie(request, f"shown_{table.code}", value, httponly=True, path=path, samesite="strict", max_age=None)

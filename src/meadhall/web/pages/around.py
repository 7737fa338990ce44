"""The pages around the tables: home, hosting, joining, watching, and the settings."""

from collections.abc import Mapping
from typing import Annotated, Any

from litestar import Response, get, post
from litestar.datastructures import Cookie
from litestar.enums import RequestEncodingType
from litestar.exceptions import NotFoundException
from litestar.params import Body, FromQuery
from litestar.response import Redirect

from meadhall.faults import Fault
from meadhall.games.game import GAMES
from meadhall.tables.bots import stand_in
from meadhall.tables.decisions import ME
from meadhall.tables.lobby import Lobby, tidy
from meadhall.tables.refusals import Refusal
from meadhall.tables.table import Table
from meadhall.web.edge.session import (
    CALLS,
    SECRET,
    SPEEDS,
    THEMES,
    Asked,
    called,
    fingerprint,
    holder_of,
    language,
    levels_of,
    lobby_of,
    new_secret,
    secret_cookie,
    setting_cookie,
    speed,
    terms_of,
    theme,
)
from meadhall.web.edge.toll import OPENED
from meadhall.web.game import form_of
from meadhall.web.pages import host as forms
from meadhall.web.pages.kept import for_list, for_opening
from meadhall.web.pages.learning import offer
from meadhall.web.pages.render import render
from meadhall.web.pages.screens import Slip
from meadhall.web.pages.tickets import own_tickets, ticket
from meadhall.words.languages import LANGUAGES

Form = Annotated[dict[str, str], Body(media_type=RequestEncodingType.URL_ENCODED)]
HTML = "text/html"
LISTED = 30
NOTED = 12  # tables that a browser remembers
UNPROCESSABLE = 422
FIRST_GAME = next(iter(GAMES))


def page_context(request: Asked) -> dict[str, Any]:
    """What every page needs to know about whoever asks."""
    about = {"theme": theme(request), "speed": speed(request), "path": request.url.path, "called": called(request)}
    site = f"{request.url.scheme}://{request.headers.get('host', 'localhost')}"
    return about | {"levels": levels_of(request), "site": site}


def page(request: Asked, template: str, status: int = 200, **context: Any) -> Response[str]:
    """A whole page in the language of whoever asks."""
    text = render(template, language(request), status=status, **page_context(request) | context)
    return Response(text, media_type=HTML, status_code=status)


def go_to(path: str) -> Redirect:
    """After a change: look at the result."""
    return Redirect(path, status_code=303)


@get("/", media_type=HTML)
async def home(request: Asked) -> Response[str]:
    """The two games, and all one can do with them."""
    return await _home_page(request)


async def _home_page(request: Asked, status: int = 200, slip: Slip | None = None) -> Response[str]:
    lobby = lobby_of(request)
    mine = own_tickets(await lobby.readable(_noted(request)), holder_of(request), language(request))
    played = bool(mine or request.cookies.get("tables"))
    offers = {game: offer(request, game, played) for game in GAMES}
    return page(request, "home.html", status, games=list(GAMES), mine=mine, slip=slip, offers=offers)


@post("/play", opt=OPENED)
async def play_now(request: Asked, data: Form) -> Response[Any]:
    """One click: a seat of mine, bots elsewhere; or bots on all seats, to watch. What is not said is as usual."""
    lobby, words = lobby_of(request), language(request)
    game = data.get("game", "")
    if game not in GAMES:
        raise NotFoundException
    form = form_of(game)
    if data.get("seat") == "nobody":
        usual = form.play_now(form.answers({}, words))
        seats = dict.fromkeys((*usual.mine, *usual.others), data.get("level") or stand_in(game))
        return await _open(request, lobby, game, usual.rules, seats, None, public=True)
    try:
        wanted = form.play_now(form.answers(data, words))
    except Fault as fault:
        return await _home_page(request, UNPROCESSABLE, Slip(words.say("ui.play.wrong"), str(fault)))
    seats = {**dict.fromkeys(wanted.mine, ME), **wanted.others}
    return await _open(request, lobby, game, wanted.rules, seats, None, public=False)


async def _open(
    request: Asked,
    lobby: Lobby,
    game: str,
    rules: Mapping[str, Any],
    seats: Mapping[str, str],
    name: str | None,
    public: bool,
    hints: bool = False,
    names: Mapping[str, str] | None = None,
) -> Redirect:
    secret = request.cookies.get(SECRET) or new_secret()
    table = await lobby.open_table(game, rules, seats, fingerprint(secret), name, public, hints, names)
    return to_table(request, table, secret)


def to_table(request: Asked, table: Table, secret: str) -> Redirect:
    """To the table, with the secret that holds the seat, and a note of where one plays for the home page."""
    answer = go_to(f"/t/{table.code}")
    answer.set_cookie(secret_cookie(request, secret))
    answer.set_cookie(_note(request, table))
    return answer


def _noted(request: Asked) -> list[str]:
    """The codes of the tables at which one has played, newest first."""
    return request.cookies.get("tables", "").split(".")[:NOTED]


def _note(request: Asked, table: Table) -> Cookie:
    codes = [table.code, *(code for code in _noted(request) if code != table.code)]
    return setting_cookie(request, "tables", ".".join(codes[:NOTED]))


def note_own(request: Asked, table: Table, answer: Response[Any]) -> None:
    """Note a table for the home page at which one sits without having sat down, as where a company plays on."""
    if table.code not in _noted(request) and table.seats_of(holder_of(request)):
        answer.set_cookie(_note(request, table))


@get("/host", media_type=HTML)
async def host(request: Asked, game: FromQuery[str] = FIRST_GAME, preset: FromQuery[str] = "") -> Response[str]:
    """The form for a table of one's own, filled in for a company if one is named."""
    if game not in GAMES or (preset and preset not in [each.name for each in form_of(game).presets]):
        raise NotFoundException
    return _host_page(request, forms.blank(game, preset))


def _host_page(request: Asked, form: forms.HostForm, status: int = 200, slip: Slip | None = None) -> Response[str]:
    levels = lobby_of(request).levels_of(form.game)
    kept = for_opening(terms_of(request), language(request))
    return page(request, "host.html", status, form=form, slip=slip, levels=levels, kept=kept)


@post("/host", opt=OPENED)
async def open_table(request: Asked, data: Form) -> Response[Any]:
    """Open the table that the form asks for, or say what is wrong with it and keep what was filled in."""
    lobby = lobby_of(request)
    words = language(request)
    try:
        wanted = forms.parse(data, words, lobby.levels_of(forms.refill(data).game))
    except Fault as fault:
        return _host_page(request, forms.refill(data), UNPROCESSABLE, Slip(words.say("ui.host.wrong"), str(fault)))
    return await _open(
        request,
        lobby,
        wanted.game,
        wanted.rules,
        wanted.seats,
        wanted.name,
        wanted.public,
        wanted.hints,
        wanted.names,
    )


@get("/join", media_type=HTML)
async def join_page(request: Asked) -> Response[str]:
    """Where one types a code."""
    return page(request, "join.html", code="", slip=None)


@post("/join")
async def join(request: Asked, data: Form) -> Response[Any]:
    """To the table of a code."""
    lobby = lobby_of(request)
    try:
        table = await lobby.table(data.get("code", ""))
    except Refusal as refusal:
        words = language(request)
        slip = Slip(words.say("ui.join.wrong"), refusal.said(words))
        return page(request, "join.html", 404, code=tidy(data.get("code", ""))[:12], slip=slip)
    return go_to(f"/t/{table.code}")


@get("/watch", media_type=HTML)
async def watch(request: Asked) -> Response[str]:
    """The tables that can be watched or joined."""
    lobby = lobby_of(request)
    tables = await lobby.readable([each.code for each in await lobby.listed(LISTED)], read=False)
    words = language(request)
    kept = for_list(terms_of(request), words)
    return page(request, "watch.html", tables=[ticket(table, words) for table in tables], kept=kept)


@post("/settings")
async def settings(request: Asked, data: Form) -> Redirect:
    """Remember language, light, how fast turns are told and how one is called back; back to where one was."""
    back = data.get("back", "/")
    # Only to a path of ours: not to another site, however it is spelt.
    safe = back.startswith("/") and not back.startswith(("//", "/\\")) and "\n" not in back and "\r" not in back
    answer = go_to(back if safe else "/")
    kinds = {"lang": tuple(LANGUAGES), "theme": THEMES, "speed": SPEEDS} | dict.fromkeys(CALLS, ("on", "off"))
    for name, known in kinds.items():
        if data.get(name) in known:
            answer.set_cookie(setting_cookie(request, name, data[name]))
    return answer


HANDLERS = [home, play_now, host, open_table, join_page, join, watch, settings]

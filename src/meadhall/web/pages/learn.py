"""The lesson of a game, step by step: each page follows from the step, the choice and how often one has tried."""

from dataclasses import dataclass
from typing import Any

from litestar import Response, get, post
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Redirect

from meadhall.faults import Fault
from meadhall.games.game import GAMES
from meadhall.match import View
from meadhall.tables.face import PageFace
from meadhall.web.edge.session import Asked, language, setting_cookie
from meadhall.web.game import board_of
from meadhall.web.lesson import HELP_AFTER, Lesson, Step, Tried, lesson_of
from meadhall.web.pages.around import HTML, UNPROCESSABLE, Form, go_to, page_context
from meadhall.web.pages.frames import frames
from meadhall.web.pages.learning import DONE, cookie_name, numbers, progress
from meadhall.web.pages.render import render
from meadhall.web.pages.screens import Slip
from meadhall.words import Words

FRAGMENT = "x-fragment"
MARKED = ("data-piece", "data-move", "data-card", "data-warrior", "data-slot", "value")


@dataclass(frozen=True)
class Coach:
    """What is said beside the table of a lesson, and where one can go from here."""

    step: str  # by its name
    number: int
    steps: range  # the numbers of all
    tone: str  # ask, right or wrong
    title: str
    text: str
    back: str  # addresses; "" where there is none
    on: str  # the next step
    again: str  # the same step after a wrong try
    won: bool = False
    first_game: dict[str, str] | None = None  # after the last step: what *Play now* is answered


@get("/learn/{game:str}")
async def learn(request: Asked, game: FromPath[str]) -> Redirect:
    """To where one stopped, or to the first step."""
    kept = progress(request, _found(game))
    return go_to(_address(game, int(kept) if kept.isdigit() else 1))


@get(["/learn/{game:str}/{number:str}", "/learn/{game:str}/{number:str}/{tries:str}"], media_type=HTML)
async def step(request: Asked, game: FromPath[str], number: FromPath[str]) -> Response[str]:
    """A step: the table, and what is asked."""
    lesson, at = _step(request, game, number)
    answer = _page(request, lesson, at)
    if progress(request, lesson) != DONE:
        answer.set_cookie(setting_cookie(request, cookie_name(game), number))
    return answer


@post(
    ["/learn/{game:str}/{number:str}/choose", "/learn/{game:str}/{number:str}/{tries:str}/choose"],
    status_code=200,
    media_type=HTML,
)
async def choose(request: Asked, game: FromPath[str], number: FromPath[str], data: Form) -> Response[str]:
    """The learner's choice, and what it leads to: told for the script, and the table as it is then for everybody."""
    lesson, at = _step(request, game, number)
    try:
        tried = lesson.try_out(lesson.steps[at.number - 1], board_of(game).choice_from(data))
    except Fault:
        words = language(request)
        slip = Slip(words.say("ui.slip.refused"), words.say("ui.slip.not-possible"))
        return _page(request, lesson, at, slip=slip, status=UNPROCESSABLE)
    answer = _page(request, lesson, at, tried)
    if tried.right and at.number == len(lesson.steps):
        answer.set_cookie(setting_cookie(request, cookie_name(game), DONE))
    return answer


@get(["/learn/{game:str}/{number:str}/choose", "/learn/{game:str}/{number:str}/{tries:str}/choose"])
async def after_choice(request: Asked, game: FromPath[str], number: FromPath[str]) -> Redirect:
    """Whoever comes back to the address of an answer gets the step."""
    _, at = _step(request, game, number)
    return go_to(at.address)


@post("/learn/{game:str}/skip")
async def skip(request: Asked, game: FromPath[str]) -> Redirect:
    """Enough of the lesson: it is not offered first any more."""
    _found(game)
    answer = go_to("/")
    answer.set_cookie(setting_cookie(request, cookie_name(game), DONE))
    return answer


@dataclass(frozen=True)
class At:
    """A step by its number, and how often it was tried."""

    game: str
    number: int
    tries: int

    @property
    def address(self) -> str:
        """Where this step is, after so many tries."""
        return _address(self.game, self.number, self.tries)


def _address(game: str, number: int, tries: int = 0) -> str:
    return f"/learn/{game}/{number}" + (f"/{tries}" if tries else "")


def _found(game: str) -> Lesson:
    lesson = lesson_of(game) if game in GAMES else None
    if lesson is None:
        raise NotFoundException
    return lesson


def _step(request: Asked, game: str, number: str) -> tuple[Lesson, At]:
    """The step of an address, which may end in how often it was tried; not found where there is none."""
    lesson, tries = _found(game), str(request.path_params.get("tries", "0"))
    known = {str(each): each for each in numbers(lesson)}
    if number not in known or not (tries.isascii() and tries.isdigit() and len(tries) < 4):
        raise NotFoundException
    return lesson, At(game, known[number], int(tries))


def _page(
    request: Asked, lesson: Lesson, at: At, tried: Tried | None = None, slip: Slip | None = None, status: int = 200
) -> Response[str]:
    """The table of a step: as it is asked about, or as a choice has left it, after what led there."""
    words, step = language(request), lesson.steps[at.number - 1]
    match = lesson.position(step)
    view = tried.view if tried else match.view(step.seat)
    events = tried.news[-1].events if tried and tried.news else match.events(step.seat)
    beat = tried.news[-1].beat if tried and tried.news else None
    face = _face(lesson.game, step, view, match.moment + len(tried.events if tried else ()), at)
    said = _coach(lesson, at, tried, view, words)
    fragment = request.headers.get(FRAGMENT) == "table"
    page = page_context(request) | {"fragment": fragment, "path": at.address, "at": at.address, "slip": slip}
    page |= {"game": lesson.game, "face": face, "coach": said, "telling": tried is not None}
    picture = board_of(lesson.game).picture(view, events, words, {}, beat)
    page["picture"] = picture if tried else lesson.begin(step, picture)
    text = _pointed(render("lesson.html", words, **page), _looked_at(step, at, tried))
    if fragment and tried:
        text = "".join(frames(face, tried.news, words, {})) + text
    return Response(text, media_type=HTML, status_code=status)


def _face(game: str, step: Step, view: View, position: int, at: At) -> PageFace:
    """A table that nobody keeps: only the learner sits at it."""
    return PageFace(
        code="",
        game=game,
        rules=view.rules,
        phase="playing",
        seats=(),
        seat=step.seat,
        mine=(step.seat,),
        position=position,
        next=None,
        hints=False,
        view=view,
        hear=tuple,
        watch=lambda since: (),
        tag=at.address,
    )


def _coach(lesson: Lesson, at: At, tried: Tried | None, view: View, words: Words) -> Coach:
    """What is said, and the ways on."""
    step, game = lesson.steps[at.number - 1], lesson.game
    last = at.number == len(lesson.steps)
    tone, title, text = "ask", words.say(step.title), step.ask
    if tried:
        tone, text = "right" if tried.right else "wrong", tried.answer.says
        title = words.say("ui.learn.right") if tried.right else words.say("ui.learn.would")
        title = words.say("ui.learn.won") if tried.won else title
    return Coach(
        step=step.name,
        number=at.number,
        steps=numbers(lesson),
        tone=tone,
        title=title,
        text=words.say(text, **lesson.facts(view, words)),
        back=_address(game, at.number - 1) if at.number > 1 else "",
        on="" if last else _address(game, at.number + 1),
        again=_address(game, at.number, at.tries + 1) if tone == "wrong" else "",
        won=tried is not None and tried.won,
        first_game={"game": game, **lesson.first_game} if last and tone == "right" else None,
    )


def _looked_at(step: Step, at: At, tried: Tried | None) -> tuple[str, ...]:
    """What draws the eye, by its name on the page."""
    if tried:
        return tried.answer.look
    return (*step.look, *(step.help or step.right.named)) if at.tries >= HELP_AFTER else step.look


def _pointed(text: str, names: tuple[str, ...]) -> str:
    """A page on which the pieces and choices of these names are marked: it works for any game's templates."""
    for name in names:
        attribute, given, value = name.partition("=")
        for each in (attribute,) if given else MARKED:
            marked = f'{each}="{value if given else name}"'
            text = text.replace(marked, f"{marked} data-point")
    return text


HANDLERS: list[Any] = [learn, step, choose, after_choice, skip]

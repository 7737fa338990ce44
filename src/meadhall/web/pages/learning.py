"""How far somebody has come in the lessons, and how they are offered: first to whoever has never played."""

from dataclasses import dataclass

from meadhall.web.edge.session import Asked
from meadhall.web.lesson import Lesson, lesson_of

DONE = "done"


@dataclass(frozen=True)
class Offer:
    """How a game's lesson is offered: as the first thing to do or as a link, and at which step it goes on."""

    first: bool
    number: int
    all: int

    @property
    def begun(self) -> bool:
        """Has it been left in the middle?"""
        return self.number > 1


def cookie_name(game: str) -> str:
    """The cookie that keeps how far one has come."""
    return f"learn_{game}"


def numbers(lesson: Lesson) -> range:
    """The numbers of the steps."""
    return range(1, len(lesson.steps) + 1)


def progress(request: Asked, lesson: Lesson) -> str:
    """How far whoever asks has come: the number of a step, `done`, or nothing."""
    kept = request.cookies.get(cookie_name(lesson.game), "")
    return kept if kept in (DONE, *(str(number) for number in numbers(lesson))) else ""


def offer(request: Asked, game: str, played: bool) -> Offer | None:
    """How the lesson of a game is offered to whoever asks; None for a game without one."""
    lesson = lesson_of(game)
    if lesson is None:
        return None
    kept = progress(request, lesson)
    return Offer(not played and kept != DONE, int(kept) if kept.isdigit() else 1, len(lesson.steps))

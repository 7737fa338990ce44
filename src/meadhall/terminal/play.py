"""Playing at one terminal: whose turn it is to look, what they are told, what they answer."""

import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Protocol, cast

from rich.align import Align
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.text import Text

from meadhall.faults import Fault, listing, show
from meadhall.match import SPECTATOR, Match, Seat, View
from meadhall.terminal import plain
from meadhall.terminal.answers import Misunderstood, arrangement_answer, menu_answer, seats_answer
from meadhall.terminal.company import Company
from meadhall.terminal.pieces import MUTED, WIDTH, WOAD, Arrangement, Options, choice_list, hem, question
from meadhall.words import Words, words

ReadLine = Callable[[str], str]
PROMPT = "› "


class Drawing(Protocol):
    """What a game's drawing module provides; all of it is made from a view alone."""

    def header(self, view: View, words: Words) -> str:
        """Which turn it is."""

    def board(self, view: View, words: Words) -> RenderableType:
        """The whole table."""

    def question(self, view: View, words: Words) -> str:
        """What the seat must decide."""

    def hand(self, view: View, words: Words) -> RenderableType:
        """What it chooses from."""

    def options(self, view: View) -> Options:
        """The choices by the number to type."""

    def arrangement(self, view: View) -> Arrangement | None:
        """The pieces to put in order, where that is what is asked."""


def drawing_of(game: str) -> Drawing:
    """The drawing of a game: the module of its name beside this one, or the plain one if there is none."""
    module = f"meadhall.terminal.{game}"
    return cast(Drawing, plain if find_spec(module) is None else import_module(module))


def play(
    match: Match,
    company: Company,
    seats: Sequence[Seat] | None,
    lang: str,
    console: Console,
    read_line: ReadLine | None = None,
) -> None:
    """Play a match at this terminal until it is over or the people leave; bots play the seats they do not take."""
    table = Table(match, words(lang), console, read_line)
    try:
        table.take_seats(seats)
        table.play(company)
    except (EOFError, KeyboardInterrupt):
        table.say()  # the cursor may still stand behind the prompt
        table.say(words(lang).say("ui.goodbye"))


class Table:
    """One match, the people at this device, and what is on the screen before them."""

    def __init__(self, match: Match, words: Words, console: Console, read_line: ReadLine | None) -> None:
        self.match, self.words, self.console = match, words, console
        self.drawing = drawing_of(match.game.name)
        self.someone_answers = read_line is not None or sys.stdin.isatty()
        self.read_line = read_line or self._typed_line
        self.people: list[tuple[Seat, ...]] = []
        self.at_screen: tuple[Seat, ...] | None = None
        self.told: dict[Seat | None, int] = {}
        self.unread = False  # was something told at the end, with no question after it?

    def say(self, text: str | Text = "") -> None:
        """One line of text, whatever signs it holds."""
        self.console.print(text, markup=False, highlight=False)

    def _typed_line(self, prompt: str) -> str:
        self.console.print(prompt, end="", markup=False, highlight=False)
        try:
            return input()
        except OSError:  # standard input is closed
            raise EOFError from None

    # Seats

    def take_seats(self, seats: Sequence[Seat] | None) -> None:
        """Seat the people: as asked for, or, where someone can answer, as they say."""
        everyone = persons(self.match)
        if seats is None:
            seats = self._ask_seats(everyone) if self.someone_answers else everyone[0]
        check_seats(self.match, seats)
        self.people = [person for person in everyone if any(seat in seats for seat in person)]

    def _ask_seats(self, everyone: Sequence[Sequence[Seat]]) -> list[Seat]:
        self.console.print(hem(self.words.title(self.match.game.name)), width=WIDTH)
        self.console.print(question(self.words.say("ui.which-seats")))
        self.console.print(choice_list({k: self._names(seats) for k, seats in enumerate(everyone, 1)}))
        self.say(self.words.say("ui.others"))
        hint = f"{self.words.say('ui.choose', n=len(everyone))} [1]"
        while True:
            try:
                return seats_answer(self._read(hint), everyone, self.words)
            except Misunderstood as fault:
                self._refuse(fault)

    def _names(self, seats: Sequence[Seat]) -> str:
        return " + ".join(self.words.seat(self.match.game.name, seat) for seat in seats)

    def _person(self, seat: Seat) -> tuple[Seat, ...] | None:
        return next((person for person in self.people if seat in person), None)

    # The game

    def play(self, company: Company) -> None:
        """Ask the people, and the bots for all other seats, until the game is over."""
        self._others_choose(company)
        while self.match.outcome is None:
            waiting = self.match.waiting
            seat = next((seat for seat in waiting if self._person(seat) == self.at_screen), waiting[0])
            self._ask(seat)
            known_to_all = len(self.match.events(SPECTATOR))
            self.match.commit(seat, self._choice(seat))
            self._others_choose(company)
            if len(self.match.events(SPECTATOR)) > known_to_all and self.match.outcome is None:
                self._tell(seat)
        self._end()

    def _others_choose(self, company: Company) -> None:
        """What the bots choose, as long as a seat owes a choice that nobody here has taken."""
        while others := [seat for seat in self.match.waiting if self._person(seat) is None]:
            view = self.match.view(others[0])
            if company.must_load(others[0]) and self.console.is_terminal:
                with self.console.status(self.words.say("ui.bots-get-ready")):
                    choice = company.choose(view)
            else:
                choice = company.choose(view)
            self.match.commit(others[0], choice)

    def _ask(self, seat: Seat) -> None:
        """Show a seat what it may know and what it must decide."""
        person = self._person(seat)
        if len(self.people) > 1 and person != self.at_screen:
            self._curtain(person or (seat,))
        self.at_screen = person
        self._tell(seat)
        self.told[None] = len(self.match.events(SPECTATOR))
        self._show(self.match.view(seat))
        self.unread = False

    def _show(self, view: View) -> None:
        """The board, and for a seat that owes a choice, the question and what it can choose."""
        who = self.words.say("ui.spectator")
        if not view.is_spectator:
            who = self.words.say("ui.you-play", seat=self._names([view.seat]))
        self.say()
        self.console.print(hem(f"{self.drawing.header(view, self.words)} · {who}"), width=WIDTH)
        self.console.print(self.drawing.board(view, self.words), width=WIDTH)
        if view.owes:
            self.console.print(question(self.drawing.question(view, self.words)), width=WIDTH)
            self.console.print(self.drawing.hand(view, self.words), width=WIDTH)

    def _choice(self, seat: Seat) -> str:
        """Read answers until one of them is a choice."""
        view = self.match.view(seat)
        arranging = self.drawing.arrangement(view)
        options = self.drawing.options(view)
        hint = self.words.say("ui.choose", n=max(options)) if options else ""
        while True:
            try:
                answer = self._read(hint)
                if arranging:
                    return arrangement_answer(answer, arranging, self.words)
                return menu_answer(answer, options, self.words)
            except Misunderstood as fault:
                self._refuse(fault)

    def _read(self, hint: str = "") -> str:
        """A line the person typed; help is given here, and leaving is the same as the end of input."""
        while True:
            answer = self.read_line(f"{hint} {PROMPT}".lstrip())
            if answer.strip().casefold() == "q":
                raise EOFError
            if answer.strip() != "?":
                return answer
            self.say(self.words.say("ui.help"))

    def _refuse(self, fault: Misunderstood) -> None:
        self.say(Text(str(fault), style="bold #D9503F"))
        self.say(self.words.say("ui.help"))

    # What is told

    def _tell(self, seat: Seat | None) -> None:
        """What has happened since this person was last told, newest last."""
        events = self.match.events(seat or SPECTATOR)
        person = None if seat is None else (self._person(seat) or (seat,))[0]
        news = self.words.story(self.match.game.name, events[self.told.get(person, 0) :])
        self.told[person] = len(events)
        if not news:
            return
        self.say()
        self.console.print(hem(self.words.say("ui.story")), width=WIDTH)
        for sentence in news:
            indent = len(sentence) - len(sentence.lstrip())
            text = Text(sentence.strip(), style="" if indent else "bold")
            text.highlight_regex(r"\[[GR][\d.]+\]$", MUTED)
            self.console.print(Padding(text, (0, 0, 0, indent)), width=WIDTH)
        self.unread = True

    def _curtain(self, person: Sequence[Seat]) -> None:
        """Hide one person's table, and wait until the next person alone is there to look."""
        if self.unread:
            self.read_line(self.words.say("ui.press-enter"))
        self._wipe()
        invitation = Text(self.words.say("ui.pass", seat=self._names(person)), style=f"bold {WOAD}")
        self.console.print(Panel(Align.center(invitation), padding=(3, 2)), width=WIDTH)
        self.read_line(self.words.say("ui.press-enter"))
        self._wipe()

    def _wipe(self) -> None:
        """Leave nothing to read: on the screen, by scrolling back, or in the history of typed lines."""
        self.console.clear()
        if self.console.is_terminal:
            self.console.file.write("\x1b[3J")
            self.console.file.flush()
        typed = sys.modules.get("readline")
        if typed is not None:
            typed.clear_history()

    def _end(self) -> None:
        """The last of the story, who won, and the table: from one person's seat, or as everybody may see it."""
        if len(self.people) > 1:
            self._wipe()
        seat = self.at_screen[0] if len(self.people) == 1 and self.at_screen else None
        self._tell(seat)
        self._show(self.match.view(seat or SPECTATOR))
        self.console.print(hem(self.words.say("ui.game-over")), width=WIDTH)
        assert self.match.outcome is not None
        self.say(Text(self.words.outcome(self.match.game.name, self.match.outcome.record), style="bold"))


def check_seats(match: Match, seats: Sequence[Seat]) -> None:
    """A Fault if there is no such seat in this match."""
    for seat in seats:
        if seat not in match.seats:
            raise Fault(f"there is no seat {show(seat)} in this game; the seats are {listing(match.seats)}")


def persons(match: Match) -> list[tuple[Seat, ...]]:
    """The seats by person: most people have one, a lone ruler has all of his clan's."""
    return list(dict.fromkeys(match.game.played_together(match.rules, seat) for seat in match.seats))

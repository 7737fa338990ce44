"""Who may do what at a table. Each decision looks at the table as it is and gives the next entry it needs, if any.

A decision is asked again after each entry until it gives None, so one that needs several entries, such as seating
a lone ruler on both his seats, gives them one by one, and doing it twice does no harm.
"""

from collections.abc import Callable, Mapping, Sequence

from meadhall.bots import LEVELS, RANDOM, levels_of
from meadhall.tables.entries import Again, AnyEntry, Bot, Chose, Ended, Left, Paced, Sat, StoodIn
from meadhall.tables.refusals import MovedOn, NotYours, Refusal, Senseless
from meadhall.tables.table import Table

Decision = Callable[[Table], AnyEntry | None]
ME, OPEN = "me", "open"
LONGEST_NAME = 24  # letters
USUAL = "medium"  # the bot that takes a seat if nothing is said
PACES = (3000, 1500, 600, 0)  # milliseconds
MOST_CHOSEN = 20  # choices of a seat at one position, of which all but the first change what is still sealed
OVER = ("over", "ended")


def substitute(game: str) -> str:
    """The bot that plays for whoever leaves in mid-game: always the same, as a choice of it would be a message."""
    return USUAL if USUAL in levels_of(game) else RANDOM


def clean(name: str | None) -> str | None:
    """A name that can be shown: printable, one line, not long."""
    printable = "".join(letter if letter.isprintable() else " " for letter in name or "")
    return " ".join(printable.split())[:LONGEST_NAME].strip() or None


def wanted_on(table: Table, seat: str, seats: Mapping[str, str]) -> str:
    """Who is to sit on a seat of a new table; what is said of one of a lone ruler's seats holds for both."""
    together = table.played_together(seat)
    wanted = {seats[each] for each in together if each in seats}
    if len(wanted) > 1:
        raise Senseless("ui.refused.together", seats=", ".join(together))
    return wanted.pop() if wanted else OPEN


def check_level(level: str, levels: Sequence[str]) -> None:
    """A refusal unless there is such a bot; files are never named here, only the bots the host of all this offers."""
    if level not in levels:
        raise Senseless("ui.refused.level", level=level[:40], levels=", ".join(levels))


def first(seat: str, who: str, host: str, name: str | None, levels: Sequence[str] = LEVELS) -> AnyEntry | None:
    """Who sits on a seat of a new table: the host, a bot by its level, or nobody yet."""
    if who == OPEN:
        return None
    if who == ME:
        return Sat(seat, host, clean(name))
    check_level(who, levels)
    return Bot(seat, who)


def check_seat(table: Table, seat: str) -> None:
    """A refusal unless the table has that seat."""
    if seat not in table.places:
        raise Senseless("ui.refused.no-seat", seat=seat[:40], seats=", ".join(table.places))


def own_seat(table: Table, holder: str | None, seat: str | None) -> str:
    """The seat that a holder acts for: the one named, or the only one he has."""
    mine = table.seats_of(holder)
    if seat is None:
        if len(mine) != 1:
            raise NotYours("ui.refused.which-seat" if mine else "ui.refused.no-seat-held")
        return mine[0]
    check_seat(table, seat)
    if seat not in mine:
        raise NotYours("ui.refused.not-yours", seat=seat)
    return seat


def choose(holder: str | None, seat: str | None, position: int, choice: str) -> Decision:
    """A choice that answers a position; one that has been made already is not made again."""

    def decide(table: Table) -> AnyEntry | None:
        own = own_seat(table, holder, seat)
        if table.answered(own, position) == choice:
            return None
        if table.phase != "playing":
            raise Refusal("ui.refused.not-playing")
        if position != table.position:
            raise MovedOn(table.position)
        checked = table.match.check(own, choice)
        if table.chosen(own) >= MOST_CHOSEN:
            raise Refusal("ui.refused.changed-often", most=MOST_CHOSEN)
        return Chose(own, checked)

    return decide


def bot_chooses(seat: str, position: int, choice: str) -> Decision:
    """A bot's choice, unless it is no longer wanted: another process may have been asked the same."""

    def decide(table: Table) -> AnyEntry | None:
        wanted = table.position == position and seat in table.bots_owing()
        return Chose(seat, table.match.check(seat, choice)) if wanted else None

    return decide


def bot_stands_in(seat: str, position: int, level: str, instead_of: str) -> Decision:
    """Note that a bot of a lower level is about to choose for the one on a seat; once for each level in a game."""

    def decide(table: Table) -> AnyEntry | None:
        owed = table.position == position and seat in table.bots_owing() and table.places[seat].level == instead_of
        return StoodIn(seat, level) if owed and not table.noted_below(seat, level) else None

    return decide


def sit(holder: str, seat: str, name: str | None) -> Decision:
    """Take an open seat, with the seats that go with it; once play has begun only one's own, and once (G10.5)."""

    def decide(table: Table) -> AnyEntry | None:
        check_seat(table, seat)
        for each in table.played_together(seat):
            place = table.places[each]
            if place.holder == holder:
                continue
            if place.holder is not None or (not place.open and place.former != holder and not table.started):
                raise Refusal("ui.refused.taken", seat=each)
            if table.phase in OVER:
                raise Refusal("ui.refused.not-playing")
            if table.started and place.former != holder:
                raise Refusal("ui.refused.begun", seat=each)
            return Sat(each, holder, clean(name))
        return None

    return decide


def leave(holder: str, seat: str) -> Decision:
    """Get up from a seat, and from those that go with it; while a game is on a bot plays on there at once."""

    def decide(table: Table) -> AnyEntry | None:
        held = (each for each in table.played_together(seat) if table.places[each].holder == holder)
        playing = table.phase == "playing"
        return next((Bot(each, substitute(table.header.game)) if playing else Left(each) for each in held), None)

    return decide


def may_have_hint(table: Table, holder: str | None, seat: str | None) -> str:
    """The seat for which a holder gets a hint; a refusal if there is none to get."""
    own = own_seat(table, holder, seat or table.eyes_of(holder))
    if table.phase != "playing":
        raise Refusal("ui.refused.not-playing")
    if not table.hints:
        raise NotYours("ui.refused.no-hints")
    if own not in table.waiting:
        raise Refusal("ui.refused.nothing-owed")
    return own


def seat_bot(
    holder: str | None, seat: str, level: str, gone: frozenset[str], levels: Sequence[str] = LEVELS
) -> Decision:
    """Put a bot on a seat: before play the host on any; while a game is on only where nobody is, and one level.

    Whoever is there cannot be touched, and bots stay as they are, unless there is no second person who could see it.
    """
    check_level(level, levels)

    def decide(table: Table) -> AnyEntry | None:
        check_seat(table, seat)
        free = not table.started or table.alone
        for each in table.played_together(seat):
            place = table.places[each]
            if place.level == level:
                continue
            missing = (table.started and (place.open or place.left)) or place.holder in gone
            own = holder is not None and place.holder == holder
            _check_may(table, holder, missing or own)
            if table.phase in OVER:
                raise Refusal("ui.refused.not-playing")
            if not free:
                _check_level_in_play(table, level, place.level)
                if not (missing or own):
                    raise Refusal("ui.refused.present", seat=each)
            return Bot(each, level)
        return None

    return decide


def _check_level_in_play(table: Table, level: str, before: str | None = None) -> None:
    """A refusal if in mid-game a bot of another level is wanted, or one in the place of another."""
    fixed = substitute(table.header.game)
    if level != fixed or before is not None:
        raise Refusal("ui.refused.bot-stays", level=fixed)


def fill(holder: str | None, level: str, levels: Sequence[str] = LEVELS) -> Decision:
    """Put bots on all open seats."""
    check_level(level, levels)

    def decide(table: Table) -> AnyEntry | None:
        _check_may(table, holder, table.started)
        if table.phase in OVER:
            raise Refusal("ui.refused.not-playing")
        seat = next((seat for seat, place in table.places.items() if place.open), None)
        if seat is None:
            return None
        if table.started:
            _check_level_in_play(table, level)
        return Bot(seat, level)

    return decide


def end(holder: str | None, gone: frozenset[str]) -> Decision:
    """Close the table for everybody, if that is this holder's to do."""

    def decide(table: Table) -> AnyEntry | None:
        if not may_end(table, holder, gone):
            raise NotYours("ui.refused.not-host")
        return None if table.phase in OVER else Ended()

    return decide


def may_end(table: Table, holder: str | None, gone: frozenset[str]) -> bool:
    """May somebody close the table? The host at any time.

    Another player only while the host does not sit here, or has gone, and others are missing: who is here is asked.
    """
    host = table.header.host
    if holder is None or holder == host:
        return holder is not None
    left = table.started and any(place.open or place.left for place in table.places.values())
    missing = bool(gone - {holder}) or left or table.holders == {holder}
    return holder in table.holders and missing and host not in table.holders - gone


def replaces(table: Table, seat: str) -> bool:
    """Would a bot on this seat take a person's place?"""
    check_seat(table, seat)
    return any(table.places[each].holder for each in table.played_together(seat))


def set_pace(holder: str | None, pace: str) -> Decision:
    """How many milliseconds bots among themselves wait before each choice; people would see who sets it, and when."""
    paces = {str(ms): ms for ms in PACES}
    if pace not in paces:
        raise Senseless("ui.refused.pace", paces=", ".join(paces))
    ms = paces[pace]

    def decide(table: Table) -> AnyEntry | None:
        _check_may(table, holder, False)
        if not table.bots_alone:
            raise Refusal("ui.refused.pace-people")
        return Paced(ms) if table.pace != ms else None

    return decide


def play_again_at(code: str) -> Decision:
    """Tell the company where it plays on; the first such table is the one."""
    return lambda table: Again(code) if table.next is None else None


def check_again(table: Table, holder: str | None) -> None:
    """A refusal unless the game is over and this is one of the company."""
    _check_may(table, holder, True)
    if table.phase not in OVER:
        raise Refusal("ui.refused.not-over")


def _check_may(table: Table, holder: str | None, player_may: bool) -> None:
    """A refusal unless it is the host, or a player and that is enough here."""
    if holder is None or (holder != table.header.host and not (player_may and holder in table.holders)):
        raise NotYours("ui.refused.not-host")

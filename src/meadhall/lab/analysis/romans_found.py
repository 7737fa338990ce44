"""Romans: what the analysis finds of this game alone; plain data."""

from dataclasses import dataclass

Wins = tuple[float, ...]  # by side


@dataclass(frozen=True)
class Line:
    """Six warriors along the Wall, and what they take from the lines that the others really laid."""

    warriors: tuple[str, ...]
    aside: str  # whom one put aside; "" for a neutral clan, which draws six
    captures: tuple[str, ...]  # by place: the fort that was captured there, or ""
    paid: tuple[str, ...]  # forts paid as tax
    points: int  # what the clan's forts came to after the round, less what they were worth before
    win: float  # the chance to win after the round
    expected: float  # the same before it, by what the clan knew
    order: tuple[str, ...] = ()  # as they were revealed, if that is another order (R4.14)


@dataclass(frozen=True)
class Lines:
    """A clan's line of a round, the best by what it knew then, and the best in hindsight; these may be the same."""

    clan: str
    laid: Line
    then: Line | None  # None for a neutral clan
    hindsight: Line | None
    decision: int | None  # the place of the plan among the decisions


@dataclass(frozen=True)
class FortWorth:
    """A fort of the Wall: what became of it and what it was worth, as points and as a part of the chance to win."""

    fort: str
    laid: int  # its place on the Wall when the round began, from 1
    turn: int  # on which it left the Wall; 0 if the game was over before
    captor: str  # "" if nobody took it
    points: int
    worth: float  # by how much holding it changed the chance to win after the round
    side: str  # whose chance: the captor's, or else that of the side to which it would have been worth most
    paid: bool  # whether it left again as tax in the same round


@dataclass(frozen=True)
class Round:
    """A round: its Wall, what the forts were worth, and the lines."""

    number: int
    beat: int  # at which it is dealt
    wall: tuple[str, ...]
    forts: tuple[FortWorth, ...]
    lines: tuple[Lines, ...]
    before: Wins  # each side's chance to win when the round was dealt
    after: Wins  # and at its end


@dataclass(frozen=True)
class Detail:
    """All that is found of Romans alone."""

    rounds: tuple[Round, ...]

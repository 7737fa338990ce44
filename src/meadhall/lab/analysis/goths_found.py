"""Goths: what the analysis finds of this game alone; plain data."""

from dataclasses import dataclass

from meadhall.bots.evaluation import Reason


@dataclass(frozen=True)
class Reading:
    """A card that a back could have been, and how likely it was to a sensible warchief."""

    card: str
    chance: float


@dataclass(frozen=True)
class Order:
    """A clan's order of one turn, from what the king meant to what came of it."""

    turn: int
    clan: str
    beat: int  # of the opened timeline: where the four cards are turned
    lone: bool  # one person is king and warchief, and knows the card
    face_up: tuple[str, ...]  # the King cards that lay there from earlier turns
    back: tuple[str, str]  # the two characters on it
    readings: tuple[Reading, ...]  # what it could be by the king's hand, the likeliest first
    meant: str  # the King card
    action: str  # what the warchief chose
    character_read: str  # the character of that
    understood: bool
    by_face_up: bool  # it got through by a card that lay face up, not by the one just played
    likely: float  # how likely a sensible warchief was to choose an action that gets through
    misread_by: str  # king, warchief, nobody (the back could be either) or, of an order that got through, ""
    why: Reason  # one sentence


@dataclass(frozen=True)
class Pair:
    """How well a king and his warchief understood each other, and how well a sensible pair would have."""

    clan: str
    lone: bool
    orders: int
    understood: int
    likely: float  # how many a sensible warchief would have got through, on average


@dataclass(frozen=True)
class Detail:
    """What is found out about understanding: every order, and each pair's sums."""

    orders: tuple[Order, ...]
    pairs: tuple[Pair, ...]

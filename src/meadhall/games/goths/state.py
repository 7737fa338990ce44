"""Goths Save the Queen: everything a game holds, and the names of its pieces."""

from enum import IntEnum
from typing import Annotated

from meadhall.engine.bits import pack
from meadhall.engine.layout import I1, I4, Flag, Record, record

CLANS = ("ostrogoth", "visigoth")
SEATS = ("ostrogoth-king", "ostrogoth-warchief", "visigoth-king", "visigoth-warchief")
CHARACTERS = ("vulture", "recruiter", "catapult", "barbarian")
ACTIONS = ("reconnoitre", "sabotage", "recruit", "load", "fire", "barricade", "advance", "axe", "rats")
PLACES = ("terrain-1", "terrain-2", "terrain-3", "objective-1", "objective-2", "objective-3")
OBJECTIVES = ("trap", "plains", "queen")
TOKENS = ("pea-soup", "reduced-numbers", "boar-shortage", "gusts")
SIGHTS = ("objective-1", "objective-2", "objective-3", "fog")
TOKEN_STATES = ("none", "hidden", "revealed", "discarded")
ENDINGS = ("queen", "elimination", "turn-limit")

# A King card is its character and one of the three others as its bluff: twelve possible cards, of which
# a deck holds eight (G1.2). The card's number is also the number of the choice to play it.
CARDS = tuple(f"{character}/{bluff}" for character in CHARACTERS for bluff in CHARACTERS if bluff != character)
CARD_CHARACTER = tuple(card // 3 for card in range(12))
CARD_BLUFF = tuple(CHARACTERS.index(card.split("/")[1]) for card in CARDS)
# The back shows both characters with nothing to tell which is which (G1.2): a bit for each.
CARD_BACK = tuple((1 << CARD_CHARACTER[card]) | (1 << CARD_BLUFF[card]) for card in range(12))
# The character of each of the nine actions (G6.1 to G6.9).
ACTION_CHARACTER = (0, 0, 1, 2, 2, 3, 3, 3, 3)
# The action that each of TOKENS forbids (G8.5 to G8.8).
TOKEN_FORBIDS = (0, 2, 3, 7)
ACTION_CHARACTERS, CARD_BACKS = pack(ACTION_CHARACTER), pack(CARD_BACK)
FORBIDDEN_ACTIONS = pack(TOKEN_FORBIDS)

# Choices by number: twelve cards, nine actions, four sights, three objectives to enter, two for a token.
ORDER, ACT, LOOK, ENTER, BUILD, DISPERSE = 0, 12, 21, 25, 28, 29
CHOICES = (
    *(f"order:{card}" for card in CARDS),
    *(f"act:{action}" for action in ACTIONS),
    *(f"look:{sight}" for sight in SIGHTS),
    *(f"enter:{place}" for place in PLACES[3:]),
    "build",
    "disperse",
)


class Phase(IntEnum):
    """What the table is waiting for, or that a turn is being resolved."""

    FIRST_ORDER = 0
    SECOND_ORDER = 1
    ACTS = 2
    # The cards of the turn lie open from here on. RESOLVE asks nothing: it is between the questions (G5).
    RESOLVE = 3
    LOOK = 4
    ENTER = 5
    TOKEN = 6
    OVER = 7


class Action(IntEnum):
    """The nine Warchief cards in the order they resolve, counted from 0 (G6.11 counts from 1)."""

    RECONNOITRE = 0
    SABOTAGE = 1
    RECRUIT = 2
    LOAD = 3
    FIRE = 4
    BARRICADE = 5
    ADVANCE = 6
    AXE = 7
    RATS = 8


class Objective(IntEnum):
    """The three Objective cards (G1.6)."""

    TRAP = 0
    PLAINS = 1
    QUEEN = 2


class Token(IntEnum):
    """The four Fog of War tokens (G8.1)."""

    PEA_SOUP = 0
    REDUCED_NUMBERS = 1
    BOAR_SHORTAGE = 2
    GUSTS = 3


class Fog(IntEnum):
    """Where a clan's token is in its short life."""

    NONE = 0
    HIDDEN = 1
    REVEALED = 2
    DISCARDED = 3


class Ending(IntEnum):
    """Why a game is over."""

    QUEEN = 0
    ELIMINATION = 1
    TURN_LIMIT = 2


class EventCode(IntEnum):
    """Events: what happened, with up to five numbers. `names.py` gives them their names."""

    TURN = 0
    ORDERED = 1
    ORDER_FRONT = 2
    SEALED = 3
    REVEALED = 4
    UNDERSTOOD = 5
    MISREAD = 6
    FIRST = 7
    LOOKED = 8
    SAW_CARD = 9
    NO_EFFECT = 10
    SABOTAGED = 11
    RECRUITED = 12
    LOADED = 13
    FIRED = 14
    BARRICADED = 15
    ADVANCED = 16
    ENTERED = 17
    TURNED_UP = 18
    LOST = 19
    PROTECTED = 20
    TOKEN_REVEALED = 21
    BOARS_GONE = 22
    DISPERSED = 23
    CARDS_BACK = 24
    WON = 25
    DRAWN = 26
    ATTACKED = 27
    SAW_TOKEN = 28


class Why(IntEnum):
    """Why an action had no effect or an army lost nothing."""

    CATAPULT_ALREADY_INACTIVE = 0
    ARMY_FULL = 1
    CATAPULT_ALREADY_ACTIVE = 2
    CATAPULT_NOT_LOADED = 3
    BARRICADE_STANDS = 4
    NO_BARRICADE_SIDE = 5
    TOKEN_FORBIDS = 6
    FOREST = 7
    BARRICADE = 8
    NO_BARRICADE = 9
    TRAP = 10


class Chance(IntEnum):
    """Whether an order gets through, as far as a seat can tell (G4.1)."""

    NO = 0
    PERHAPS = 1
    SURELY = 2


# What is worth watching by itself: events of one kind in a row are one beat, if nothing changes between them.
BEATS: dict[int, str] = {
    EventCode.TURN: "turn",
    EventCode.ORDERED: "order",
    EventCode.REVEALED: "reveal",
    EventCode.UNDERSTOOD: "reading",
    EventCode.MISREAD: "reading",
    EventCode.FIRST: "first",
    EventCode.LOOKED: "look",
    EventCode.NO_EFFECT: "effect",
    EventCode.SABOTAGED: "effect",
    EventCode.RECRUITED: "effect",
    EventCode.LOADED: "effect",
    EventCode.FIRED: "effect",
    EventCode.BARRICADED: "effect",
    EventCode.ATTACKED: "effect",
    EventCode.ADVANCED: "move",
    EventCode.ENTERED: "move",
    EventCode.TURNED_UP: "objective",
    EventCode.LOST: "loss",
    EventCode.PROTECTED: "loss",
    EventCode.TOKEN_REVEALED: "token",
    EventCode.BOARS_GONE: "token",
    EventCode.DISPERSED: "token",
    EventCode.CARDS_BACK: "cards",
    EventCode.WON: "end",
    EventCode.DRAWN: "end",
}

NOBODY = -1
DRAW = 2
MAX_FACE_UP = 8

Both = Annotated[list[int], "i1", 2]
BothFlags = Annotated[list[bool], "i1", 2]  # Numba has no lists of bools in records
BothCards = Annotated[list[int], "i2", 2]


@record
class GothsState(Record):
    """One position. Lists of two are indexed by clan, Ostrogoths first; -1 is none or unknown."""

    beats = BEATS

    turn: I4  # 1 upward
    turn_limit: I4  # 0: none (G9.3)
    hand: BothCards  # bits over CARDS: what the king holds, the card just played no longer
    deck: Annotated[int, "i2"]  # bits over CARDS, eight of them set (G1.3)
    phase: I1  # Phase
    initiative: I1  # 0 or 1
    place: Both  # 0..5 into PLACES
    units: Both  # 0..3
    catapult: BothFlags  # active?
    barricades: Both  # bits 0..2: terrain-1..3
    face_up: Annotated[list[list[int]], "i1", 2, MAX_FACE_UP]  # CARDS of failed orders, as played
    face_up_count: Both  # 0..6 (G4.6)
    order: Both  # -1, or the card of CARDS played this turn
    back: Both  # bits over CHARACTERS on the back of a card lying face down; 0 for none
    act: Both  # -1, or the action chosen this turn
    last_act: Both  # -1, or the action chosen on the turn before (G9.1)
    through: BothFlags  # did the last revealed order get through? (G4.1)
    first: I1  # the clan that resolves first (G5.1, G5.2)
    resolved: I1  # how many clans have carried out their action this turn, 0..2
    objectives: Annotated[list[int], "i1", 3]  # OBJECTIVES, or -1
    revealed: I1  # bits 0..2: objectives face up
    seen: Both  # bits over SIGHTS: what the warchief has looked at
    token: Both  # TOKENS, or -1
    fog: Both  # Fog
    winner: I1  # -1 nobody yet, 0 or 1, 2 for a draw
    by: I1  # -1, or Ending
    lone: BothFlags  # one person is king and warchief (G9.1)
    fog_anywhere: Flag  # rule option fog_discard = "anywhere" (G8.4)

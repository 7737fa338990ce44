"""What the JSON interface takes and gives; its description at /api/openapi.json is made from these types.

Faces of tables and what happened at them are returned as `meadhall.tables.face` makes them.
"""

from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired, TypedDict

import msgspec
from litestar.params import Parameter

from meadhall.bots import LEVELS
from meadhall.bots.evaluation import Reading, Reason, Valued
from meadhall.games.game import GAMES, game_named
from meadhall.tables.decisions import LONGEST_NAME, ME, OPEN
from meadhall.tables.face import AnyRules, ByGame, TableFace

_FORMS = {name: game_named(name).choice_forms for name in GAMES}
_GRAMMAR = " ".join(f"Choices of {name} are written {forms}." for name, forms in _FORMS.items() if forms)
Text = Annotated[str, msgspec.Meta(max_length=200)]
Name = Annotated[
    str,
    msgspec.Meta(max_length=200, description=f"A name to be shown; of a longer one the first {LONGEST_NAME} letters"),
]
if TYPE_CHECKING:
    GameName = str
else:
    GameName = Literal[tuple(GAMES)]
Position = Annotated[
    int, msgspec.Meta(ge=0, le=10**9, description="The `position` of the table that the choice answers")
]
ChoiceName = Annotated[
    str,
    msgspec.Meta(
        max_length=500,
        description="A choice by its name. Those that are possible now are in `choices` of the table; where pieces are "
        f"to be put in order, `view.pending` says which. {_GRAMMAR}",
    ),
]
SeatPlan = Annotated[
    dict[str, Text],
    msgspec.Meta(
        description=f'Who sits where, by seat: "{ME}" is you, "{OPEN}" (as is a seat that is not named) waits for '
        f"somebody, and a level puts a bot there: {', '.join(LEVELS)}, or a bot that this server offers besides. "
        "The seats of a game depend on its rules: see /api/games. Seats that one person plays must be given alike."
    ),
]
After = Annotated[int, Parameter(ge=0, le=10**9, description="Only what happened at this position or later")]
AsSeat = Annotated[
    str | None, Parameter(max_length=200, description="Through the eyes of this seat; it must be one of yours")
]


if TYPE_CHECKING:
    AnySetup = dict[str, Any]
else:

    class AnySetup(ByGame):
        """What was dealt before the first choice."""

        declared = "setup_type"


class RecordInfo(TypedDict):
    """A game as a record: its options, what was dealt, and all choices in order, each with its seat."""

    format: str
    game: str
    rules: AnyRules
    setup: AnySetup
    choices: list[list[str]]
    meta: NotRequired[Any]


class Problem(msgspec.Struct):
    """Why a request was refused. `position` is the current one, where the request answered an old one."""

    status_code: int
    detail: str
    position: int | None = None


class GameInfo(msgspec.Struct):
    """A game, its seats, and its options, each with its default."""

    game: str
    seats: list[str]
    rules: AnyRules


class NewTable(msgspec.Struct, forbid_unknown_fields=True):
    """A table to be opened. `rules` are options as /api/games shows them; those left out have their defaults.

    `public` tables are listed for everybody. `hints` allows hints also where several people play.
    """

    game: GameName
    rules: dict[str, Any] = {}
    seats: SeatPlan = {}
    name: Name | None = None
    public: bool = True
    hints: bool = False


class NewSeat(msgspec.Struct, forbid_unknown_fields=True):
    """A seat to be taken; the first open one if none is named."""

    seat: Text | None = None
    name: Name | None = None


class NewChoice(msgspec.Struct, forbid_unknown_fields=True):
    """A choice, and the position it answers. The seat may be left out by whoever has only one."""

    position: Position
    choice: ChoiceName
    seat: Text | None = None


class Opened(msgspec.Struct):
    """A new table, and the token that holds your seats if you sent none."""

    code: str
    token: str | None
    table: TableFace


class Taken(msgspec.Struct):
    """The seat you have taken, and the token that holds it if you sent none."""

    seat: str
    token: str | None
    table: TableFace


class Accepted(msgspec.Struct):
    """Your choice is on disk. The position is the one after it."""

    seat: str
    choice: str
    position: int


class HintInfo(msgspec.Struct):
    """What a strong bot would do on your seat and why, from what that seat may know.

    Chances are from 0 to 1. `sentence` says `why` in the language you ask for with Accept-Language.
    """

    seat: str
    position: int
    best: str
    win: float
    choices: tuple[Valued, ...]
    readings: tuple[Reading, ...]
    why: Reason
    sentence: str
    caveat: str | None


class Listing(msgspec.Struct):
    """A table that can be watched or joined."""

    code: str
    game: str
    phase: str

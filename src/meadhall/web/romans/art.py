"""Romans Go Home!: every drawing by its name, and every piece as it lies on the table."""

from meadhall.games.game import game_named
from meadhall.games.romans.names import VALUES
from meadhall.games.romans.state import CLANS, FORTS, WARRIORS
from meadhall.match import SPECTATOR, Match
from meadhall.web.art import Sign, Signs
from meadhall.web.drawing.canvas import Canvas
from meadhall.web.drawing.poster import Group, Item
from meadhall.web.romans.board import picture
from meadhall.web.romans.drawing import WIDE, Board
from meadhall.web.romans.pieces import Names, kind_of
from meadhall.words import Words
from meadhall.words.text import capital, minus

CARD = 110.0
TOWER = 84.0


def signs(words: Words) -> list[Signs]:
    """Every drawing of the game, by name."""
    names = Names(words, {})
    kinds = tuple(dict.fromkeys(kind_of(fort) for fort in FORTS if kind_of(fort) != "ordinary"))
    return [
        Signs(
            words.say("ui.art.clans"),
            [Sign(f"romans-{clan}", names.clan(clan), side=f"romans-{clan}") for clan in CLANS],
        ),
        Signs(words.say("ui.art.warriors"), [Sign(warrior, names.warrior(warrior)) for warrior in WARRIORS]),
        Signs(
            words.say("ui.art.forts"),
            [
                Sign("tower", capital(names.kind("ordinary"))),
                *(Sign(kind, capital(names.kind(kind))) for kind in kinds),
                Sign("romans", words.title("romans")),
            ],
        ),
    ]


def pieces(canvas: Canvas, words: Words) -> list[Group]:
    """Every warrior of every clan, their backs, and every fort."""
    names = Names(words, {})
    match = Match.new("romans", game_named("romans").usual_rules, 0)
    view = match.view(SPECTATOR)
    board = Board(canvas, view, picture(view, match.events(), words, {}), names)
    wide = CARD * WIDE
    groups = []
    for clan in CLANS:
        items = [Item(names.warrior(warrior), wide, CARD, board.warrior(clan, warrior, CARD)) for warrior in WARRIORS]
        items.append(Item(words.say("ui.art.hidden"), wide, CARD, board.back(clan, wide, CARD)))
        groups.append(Group(names.clan(clan), items))
    forts = [Item(names.fort(fort), TOWER, TOWER * 1.26, _fort(board, fort)) for fort in FORTS]
    return [*groups, Group(words.say("ui.art.forts"), forts)]


def _fort(board: Board, fort: str) -> str:
    """A tower, with room above it for the sign of what it does."""
    return f'<g transform="translate(0 {TOWER * 0.26})">{board.fort(kind_of(fort), minus(VALUES[fort]), TOWER)}</g>'

"""Goths Save the Queen: every drawing by its name, and every piece as it lies on the table."""

from meadhall.games.game import game_named
from meadhall.games.goths.names import FORBIDDEN
from meadhall.games.goths.state import ACTIONS, CARDS, CHARACTERS, CLANS, OBJECTIVES, TOKENS
from meadhall.match import SPECTATOR, Match
from meadhall.web.art import Sign, Signs
from meadhall.web.drawing.canvas import Canvas
from meadhall.web.drawing.poster import Group, Item
from meadhall.web.goths.board import ActCard, Goal, KingCard, Token, picture
from meadhall.web.goths.drawing import BACK, COLUMN, KING, ROW, UNIT, Board
from meadhall.words import Words
from meadhall.words.text import capital

LAND, UNIT_BOX = "0 0 118 118", "0 0 48 64"


def signs(words: Words) -> list[Signs]:
    """Every drawing of the game, by name."""

    def named(kind: str, values: tuple[str, ...]) -> list[Sign]:
        return [Sign(value, words.name("goths", kind, value)) for value in values]

    clans = {clan: words.name("goths", "clan", clan) for clan in CLANS}
    unit, looked = words.say("ui.art.unit"), words.say("ui.art.looked")
    plain, machine = words.say("goths.label.plain"), words.say("ui.catapult")
    return [
        Signs(
            words.say("ui.art.clans"),
            [
                *(Sign(f"goths-{clan}", name, side=f"goths-{clan}") for clan, name in clans.items()),
                *(
                    Sign(f"unit-{clan}", f"{name}: {unit}", "0 0 48 64", f"goths-{clan}")
                    for clan, name in clans.items()
                ),
                *(Sign(f"eye-{clan}", f"{name}: {looked}", side=f"goths-{clan}") for clan, name in clans.items()),
            ],
        ),
        Signs(words.say("ui.art.characters"), named("character", CHARACTERS)),
        Signs(words.say("ui.art.orders"), named("action", ACTIONS)),
        Signs(
            words.say("ui.art.goals"),
            [
                *named("objective", OBJECTIVES),
                Sign("knot", words.say("ui.art.hidden")),
                Sign("goths", words.title("goths")),
            ],
        ),
        Signs(
            words.say("ui.art.field"),
            [
                Sign("catapult-empty", f"{machine}: {words.name('goths', 'catapult', 'inactive')}"),
                Sign("torch", words.say("ui.initiative")),
                Sign("fog", words.say("ui.art.fog")),
                Sign("forest", words.say("ui.art.pines")),
                Sign("land-forest", words.say("goths.label.forest"), LAND),
                *(Sign(f"land-plain-{number}", f"{plain} {number}", LAND) for number in (1, 2, 3)),
                Sign("stakes", words.say("ui.art.stakes"), LAND),
            ],
        ),
    ]


def pieces(canvas: Canvas, words: Words) -> list[Group]:
    """Every card, token, unit and machine."""
    match = Match.new("goths", game_named("goths").usual_rules, 0)
    board = Board(canvas, picture(match.view(SPECTATOR), match.events(), words), words)
    deck = [card for number, card in enumerate(CARDS) if match.view(SPECTATOR).state.deck >> number & 1]
    names = {clan: words.name("goths", "clan", clan) for clan in CLANS}
    backs = list(dict.fromkeys(tuple(sorted(card.split("/"), key=CHARACTERS.index)) for card in deck))
    kings, chiefs = [], []
    for clan in CLANS:
        kings += [_front(board, words, clan, card) for card in deck]
        kings += [_back(board, words, clan, halves) for halves in backs]
        chiefs += [_order(board, words, clan, number) for number in range(len(ACTIONS))]
        down = board.act(ActCard(clan, 0, "", "", False, "", ""))
        chiefs.append(Item(f"{names[clan]}: {words.say('ui.art.hidden')}", 92, 126, down))
    return [
        Group(words.say("ui.art.kings"), kings),
        Group(words.say("ui.art.orders"), chiefs),
        Group(
            words.say("ui.art.goals"), [*(_goal(board, words, card) for card in OBJECTIVES), _goal(board, words, "")]
        ),
        Group(words.say("ui.art.fog"), [*(_token(board, words, token) for token in TOKENS), _token(board, words, "")]),
        Group(words.say("ui.art.field"), [*_ground(board, words), *_forces(canvas, board, words, names)]),
    ]


def _front(board: Board, words: Words, clan: str, card: str) -> Item:
    character, bluff = card.split("/")
    named = words.name("goths", "character", character)
    drawn = board.front(KingCard(clan, "", "", "", "", character=(character, named), bluff=bluff), KING)
    return Item(capital(words.name("goths", "card", card)), *KING, drawn)


def _back(board: Board, words: Words, clan: str, halves: tuple[str, ...]) -> Item:
    named = tuple((half, words.name("goths", "character", half)) for half in halves)
    drawn = board.back(KingCard(clan, "", "", "", "", halves=named))
    return Item(words.say("goths.back", one=named[0][1], other=named[1][1]), *BACK, drawn)


def _order(board: Board, words: Words, clan: str, number: int) -> Item:
    name = words.name("goths", "action", ACTIONS[number])
    drawn = board.act(ActCard(clan, number + 1, ACTIONS[number], name, False, "", ""))
    return Item(f"{number + 1} {name}", 92, 126, drawn)


def _goal(board: Board, words: Words, card: str) -> Item:
    name = words.name("goths", "objective", card) if card else words.say("ui.art.hidden")
    goal = Goal(1, card, name, "", "", False, (), None, "", "", "", None)
    return Item(name, COLUMN, ROW, board.open_goal(goal) if card else board.closed_goal(goal))


def _token(board: Board, words: Words, token: str) -> Item:
    name = words.name("goths", "token", token) if token else words.say("ui.art.hidden")
    state = Token("revealed" if token else "hidden", FORBIDDEN[token] if token else "", False, False, "", "", None)
    return Item(name, 90, 90, f'<g transform="scale(1.8)">{board.fog(CLANS[0], state)}</g>')


def _ground(board: Board, words: Words) -> list[Item]:
    forest, plain, barricade = (
        words.say("goths.label.forest"),
        words.say("goths.label.plain"),
        words.say("goths.label.barricade"),
    )
    return [
        Item(forest, COLUMN, ROW, board.ground("forest") + board.strip(forest)),
        *(Item(plain, COLUMN, ROW, board.ground(f"plain-{k}") + board.strip(plain)) for k in (2, 3)),
        Item(barricade, COLUMN, ROW, board.ground("plain-1") + board.stakes() + board.strip(barricade)),
    ]


def _forces(canvas: Canvas, board: Board, words: Words, names: dict[str, str]) -> list[Item]:
    """Units and catapults."""
    found = []
    for clan, name in names.items():
        paint = canvas.side("goths", clan)
        drawn = canvas.sign(f"unit-{clan}", 0, 0, UNIT[0], paint.fill, paint.on)
        found.append(Item(f"{name}: {words.say('ui.art.unit')}", *UNIT, drawn))
    for state in ("active", "inactive"):
        label = f"{words.say('ui.catapult')}: {words.name('goths', 'catapult', state)}"
        found.append(Item(label, 104, 104, board.machine(state == "active")))
    return found

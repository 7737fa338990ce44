"""Romans Go Home! in the terminal: a column for each turn, a row for each clan, one's own row last.

Everything is made from a view, so it can show nothing the seat may not know.
"""

from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from meadhall.engine.bits import at
from meadhall.games.romans import rules
from meadhall.games.romans.names import POINTS, VALUES
from meadhall.games.romans.state import WARRIORS, Phase
from meadhall.match import View
from meadhall.terminal.pieces import (
    EYE,
    INK,
    MUTED,
    PAPER,
    WOAD,
    Arrangement,
    Options,
    Picture,
    Sign,
    beside,
    block,
    choice_list,
    choice_table,
    drawn,
    folded,
    hem,
    line,
    number,
)
from meadhall.words import Words
from meadhall.words.text import minus

SIGNS = {
    "gold": Sign("#E3A81C", INK, "●", "∙"),
    "green": Sign("#2F7A4B", "#FFFFFF", "▲", "║"),
    "violet": Sign("#7446A6", "#FFFFFF", "◆", "╳"),
    "red": Sign("#B8322A", "#FFFFFF", "■", "═"),
}
TOWER, LEGION_TOWER = f"bold {INK} on #B7A385", "bold #FFFFFF on #A63D31"
FORT_SIGNS = {"unwary": "zZz", "signal": "♨", "tax": "¤", "legion": "SPQR", "ordinary": ""}
LABEL_WIDTH, CARD_WIDTH, TOWER_WIDTH = 14, 10, 8


def header(view: View, words: Words) -> str:
    """Which round and turn it is."""
    position = view.json()
    return f"{words.say('ui.round', round=position['round'])} · {words.say('ui.turn', turn=position['turn'])}"


def board(view: View, words: Words) -> RenderableType:
    """The Wall and all clans as the seat may know them, its own clan last."""
    position = view.json()
    parts: list[RenderableType] = [drawn(wall(position, words)), *fort_effects(position, words), Text("")]
    for clan in position["clans"]:
        if clan != view.seat:
            parts.append(drawn(clan_row(view, position, clan, words)))
    if not view.is_spectator:
        aside = position["clans"][view.seat]["aside"]
        secret = f"{EYE} {words.say('ui.only-you')}"
        if aside:
            secret += f" · {words.say('romans.label.aside')}: {warrior_name(aside, words)}"
        parts += [hem(secret), drawn(clan_row(view, position, view.seat, words))]
    return Group(*parts)


# The Wall


def wall(position: dict[str, Any], words: Words) -> Picture:
    """The six places of the Wall, a column for each turn; the forts still standing close up to the right."""
    standing = position["wall"]
    columns = [
        block(
            [
                Text(words.say("ui.wall"), style="bold"),
                Text(f"♜ {words.say('romans.label.forts')}", style=MUTED),
                Text(f"⚔ {words.say('ui.face-up')}", style=MUTED),
            ],
            LABEL_WIDTH,
        )
    ]
    for column in range(6):
        place = column - 6 + len(standing)
        is_now = column + 1 == position["turn"] and not position["outcome"]
        now = Text(f"▼ {words.say('ui.now')}" if is_now else "", style=f"bold {WOAD}")
        gap = block(["", "", "▁▁▁▁"], CARD_WIDTH, style=MUTED, side="center")
        tower = fort_tower(standing[place]) if place >= 0 else gap
        columns.append([line(now, CARD_WIDTH, side="center"), *tower])
    return beside(columns)


def fort_tower(fort: str) -> Picture:
    """A fort with its value and the sign of its kind."""
    kind = fort.partition("-")[0]
    style = LEGION_TOWER if kind == "legion" else TOWER
    stone = style.rpartition(" on ")[2]
    rows = [Text("█▄█▄▄█▄█", style=stone)]
    for label in (minus(VALUES[fort]), FORT_SIGNS[kind]):
        inside = line(label, TOWER_WIDTH - 2, style, "center")
        rows.append(Text.assemble(("█", stone), inside, ("█", stone)))
    return block(rows, CARD_WIDTH, side="center")


def fort_effects(position: dict[str, Any], words: Words) -> Picture:
    """What the special forts on the Wall do, and which forts are out of the game."""
    kinds = {fort.partition("-")[0] for fort in position["wall"]}
    lines = [
        Text(f"{sign} {words.name('romans', 'effect', kind)}", MUTED)
        for kind, sign in FORT_SIGNS.items()
        if sign and kind in kinds
    ]
    gone = " ".join(minus(VALUES[fort]) for fort in position["discarded_forts"])
    return [*lines, Text(f"{words.say('ui.discarded')}: ♜ {gone}", MUTED)] if gone else lines


# The clans


def clan_row(view: View, position: dict[str, Any], clan: str, words: Words) -> Picture:
    """A clan's name and forts, and its line of warriors: face up, gone, face down, or known to me alone."""
    index = list(position["clans"]).index(clan)
    shown = view.state.shown
    planned = view.state.phase != Phase.PLAN or clan in view.rules["neutrals"]
    cards = [clan_label(view, position["clans"][clan], clan, words)]
    for column, warrior in enumerate(line_of(view, index)):
        if column >= shown and not planned:
            cards.append(block(["", "·"], CARD_WIDTH, style=MUTED, side="center"))
        elif warrior is None:
            cards.append(block([SIGNS[clan].pattern * CARD_WIDTH] * 2, CARD_WIDTH, style=SIGNS[clan].on_fill))
        elif column >= shown or view.state.up[index] >> column & 1:
            cards.append(warrior_card(warrior, clan, column >= shown, words))
        else:
            cards.append(block([" ✗", f" {warrior_name(warrior, words)}"], CARD_WIDTH, style=MUTED))
    return beside(cards)


def clan_label(view: View, state: dict[str, Any], clan: str, words: Words) -> Picture:
    """Who they are, what their forts come to, what their face-up warriors come to."""
    title = [SIGNS[clan].badge(words.name("romans", "clan", clan))]
    if clan == view.seat:
        title.append(Text(words.say("ui.you"), style="italic"))
    elif clan in view.rules["neutrals"]:
        title.append(Text(words.say("romans.label.neutral"), style="italic"))
    values = [VALUES[fort] for fort in state["forts"]]
    strengths = [POINTS[warrior] for warrior in state["face_up"]]
    number = list(view.game.vocabulary(view.rules, "clan")).index(clan)
    forts = total("♜", values, view.state.worth[number])
    lines = [*folded(title, LABEL_WIDTH), *forts, *total("⚔", strengths, view.state.strength_up[number])]
    return block(lines, LABEL_WIDTH)


def total(sign: str, terms: Sequence[int], total: int) -> Picture:
    """All terms and what they come to, which the game has counted."""
    parts = [sign, minus(terms[0] if terms else 0)]
    parts += [minus(term) if term < 0 else f"+{term}" for term in terms[1:]]
    if len(terms) > 1:
        parts.append(f"= {minus(total)}")
    return folded([Text(part) for part in parts], LABEL_WIDTH)


def line_of(view: View, clan: int) -> list[str | None]:
    """A clan's six warriors along the Wall, None for those this seat may not know."""
    numbers = [at(view.state.line[clan], place) for place in range(6)]
    return [WARRIORS[k] if k < len(WARRIORS) else None for k in numbers]


def warrior_card(warrior: str, clan: str, secret: bool, words: Words) -> Picture:
    """A warrior's strength and name on paper; the eye says that only its owner knows it."""
    mark = EYE if secret else SIGNS[clan].charge
    strength = f" {POINTS[warrior]}".ljust(CARD_WIDTH - 2) + mark
    return [
        line(strength, CARD_WIDTH, f"bold {PAPER}"),
        line(f" {warrior_name(warrior, words)}", CARD_WIDTH, PAPER),
    ]


def warrior_name(warrior: str, words: Words) -> str:
    """A warrior's name as it stands on a card."""
    return words.name("romans", "warrior", warrior)


# What the seat may choose


def arrangement(view: View) -> Arrangement | None:
    """The warriors to put in order, where that is what is asked."""
    pending = view.json()["pending"][view.seat]
    if isinstance(pending, list):
        return None
    verb = "plan" if view.state.phase == Phase.PLAN else "reorder"
    return Arrangement(verb, pending["arrange"], pending["take"], warrior_name)


def question(view: View, words: Words) -> str:
    """What the seat must decide, in one sentence."""
    arranging = arrangement(view)
    if arranging:
        return words.say("romans.ask.plan") if arranging.verb == "plan" else words.say("romans.ask.reorder")
    verb = view.choices[0].partition(":")[0]
    if verb == "charm":
        return words.say("romans.ask.charm")
    if verb == "take":
        return words.say("romans.ask.take")
    if verb == "discard":
        return words.say("romans.ask.discard")
    return words.say("romans.ask.pay") if verb == "pay" else words.say("romans.ask.keep")


def options(view: View) -> Options:
    """The choices by the number to type; none where warriors must be put in order."""
    return {} if arrangement(view) else dict(enumerate(view.choices, 1))


def hand(view: View, words: Words) -> RenderableType:
    """What the seat chooses from: its warriors with what they do, or the choices one under the other."""
    arranging = arrangement(view)
    if arranging:
        example = " ".join(str(k) for k in range(arranging.take, 0, -1))
        hint = Text(words.say("ui.numbers-too", example=example), style=MUTED)
        return Group(warriors_table(arranging.pool, words), hint)
    return choice_list({k: described(view, choice, words) for k, choice in options(view).items()})


def described(view: View, choice: str, words: Words) -> str:
    """A choice's label, and what on the table it means."""
    label = words.choice("romans", choice)
    verb, _, what = choice.partition(":")
    position = view.json()
    if verb == "charm":
        warrior = position["clans"][what]["face_up"][-1]
        return f"{label} ({POINTS[warrior]} {warrior_name(warrior, words)})"
    if verb == "take":
        return f"{label} ({words.name('romans', 'short-fort', position['wall'][int(what) - 1])})"
    if what == "weakest":
        weakest = WARRIORS[rules.weakest(view.state, view.number)]
        return f"{label} ({POINTS[weakest]} {warrior_name(weakest, words)})"
    return label


def warriors_table(pool: Sequence[str], words: Words) -> Table:
    """Warriors to be put in order, numbered by their places."""
    table = choice_table()
    for k, warrior in enumerate(pool, 1):
        card = Text(f" {POINTS[warrior]} {warrior_name(warrior, words).ljust(9)} ", style=f"bold {PAPER}")
        table.add_row(number(k), card, Text(words.name("romans", "effect", warrior), MUTED))
    return table

"""Goths Save the Queen in the terminal: the armies march from left and right to meet in the middle.

Everything is made from a view, so it can show nothing the seat may not know.
"""

from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from meadhall.engine.layout import UNKNOWN
from meadhall.games.goths.names import FORBIDDEN
from meadhall.games.goths.rules import chance
from meadhall.games.goths.state import ACTION_CHARACTER, ACTIONS, CARDS, CHARACTERS, CLANS, Chance
from meadhall.match import View
from meadhall.terminal.pieces import (
    EYE,
    INK,
    MUTED,
    PAPER,
    SLATE,
    SMALL_ON_PAPER,
    Arrangement,
    Options,
    Picture,
    Side,
    Sign,
    beside,
    block,
    choice_list,
    choice_table,
    drawn,
    folded,
    line,
    number,
)
from meadhall.words import Words

SIGNS = {
    "ostrogoth": Sign("#E8752B", INK, "☼", "▚"),
    "visigoth": Sign("#F4CF3E", INK, "Ψ", "▒"),
}
EMBLEMS = {"vulture": "◥▼◤", "recruiter": "▐+▌", "catapult": "●╲▄", "barbarian": "◀┃▶"}
# A unit is a helm, a shield with the clan's charge, and the shield's foot.
UNITS = {"ostrogoth": ("╰▄╯", "▐☼▌", "▝▀▘"), "visigoth": (" ▲ ", "▐Ψ▌", " ▼ ")}
TERRAIN_WIDTH, OBJECTIVE_WIDTH, CLAN_WIDTH = 10, 14, 32
LANDSCAPES = {
    "forest": ("#6FA97F on #23392C", (" ▲   ▲  ▲ ", "▟█▙ ▟█▙▟█▙", " ┃   ┃  ┃ ", "          ")),
    "plain": ("#A9B468 on #4B5230", ("          ", "  ″     ″ ", "     ″    ", " ″      ″ ")),
    "barricade": ("#C79A66 on #3A2C20", ("▲▲▲▲▲▲▲▲▲▲", "┃┃┃┃┃┃┃┃┃┃", "╋╋╋╋╋╋╋╋╋╋", "┃┃┃┃┃┃┃┃┃┃")),
}
OBJECTIVE_FACES = {
    "trap": ("#E5A79B on #5A2722", "▼▲▼▲▼▲▼"),
    "plains": ("#A9B468 on #4B5230", "″   ″    ″"),
    "queen": ("#F0D9A0 on #54305A", "♛"),
}
CATAPULTS = {
    "active": ["●╲       ", "  ╲╲ ╱╲  ", "▐███████▌", " ◎     ◎ "],
    "inactive": ["      ╱╱ ", "    ╱╱╲  ", "▐███████▌", " ◎     ◎ "],
}
_MIRROR = str.maketrans("╲╱▐▌", "╱╲▌▐")


def my_clan(view: View) -> str | None:
    """One's own clan; a spectator has none."""
    return None if view.is_spectator else view.seat.partition("-")[0]


def header(view: View, words: Words) -> str:
    """Which turn it is."""
    return words.say("ui.turn", turn=view.json()["turn"])


def board(view: View, words: Words) -> RenderableType:
    """The whole table as the seat may know it, its own clan on the left."""
    position = view.json()
    left = my_clan(view) or CLANS[0]
    camps: list[tuple[str, Side]] = [(left, "left"), (CLANS[1 - CLANS.index(left)], "right")]
    bands = zip(
        [clan_corner(view, position, clan, side, words) for clan, side in camps],
        [terrain(position["clans"][clan], clan, side, words) for clan, side in camps],
        [war_machines(position["clans"][clan], clan, side, words) for clan, side in camps],
        strict=True,
    )
    ours, theirs = bands
    picture: Picture = []
    for place in range(3):
        centre = objective(position, place, words)
        picture += [*beside([ours[place], centre, theirs[place]]), Text("")]
    return drawn(picture[:-1])


# The corner of a clan: its name and its king's cards


def clan_corner(view: View, position: dict[str, Any], clan: str, side: Side, words: Words) -> Picture:
    """Who they are, who has the initiative, the back of the card just played, the cards of failed orders."""
    title = [SIGNS[clan].badge(words.name("goths", "clan", clan))]
    if clan == my_clan(view):
        title.append(Text(words.say("ui.you"), style="italic"))
    if position["initiative"] == clan:
        title.append(Text(f"⚑ {words.say('ui.initiative')}", style="bold"))
    lines = folded(title, CLAN_WIDTH)
    back = position["backs"][clan]
    lines += king_card_back(clan, back, words) if back else [Text(""), Text("")]
    face_up = position["clans"][clan]["face_up"]
    if face_up:
        lines.append(Text(words.say("ui.face-up"), style=MUTED))
    lines += [king_card_front(card, words) for card in face_up]
    return block(lines, CLAN_WIDTH, 5, side=side)


def king_card_back(clan: str, back: Sequence[str], words: Words) -> Picture:
    """The two characters of a back, equal in size and in an order that tells nothing."""
    halves = [character for character in CHARACTERS if character in back]
    names = [words.name("goths", "character", half) for half in halves]
    edge = Text(2 * SIGNS[clan].pattern, style=SIGNS[clan].fill)
    rows = []
    for labels in ([EMBLEMS[half] for half in halves], names):
        first, second = (line(label, 13, f"bold {PAPER}", "center") for label in labels)
        rows.append(Text.assemble(edge, first, ("│", SMALL_ON_PAPER), second, edge))
    return rows


def king_card_front(card: str, words: Words) -> Text:
    """A King card face up: the character large, the bluff small."""
    character, bluff = card.split("/")
    return Text.assemble(
        (f" {EMBLEMS[character]} {words.name('goths', 'character', character)}", f"bold {PAPER}"),
        (f" {words.say('ui.bluff')} {words.name('goths', 'character', bluff)} ", SMALL_ON_PAPER),
    )


# Terrain and objectives


def terrain(state: dict[str, Any], clan: str, side: Side, words: Words) -> Picture:
    """A clan's three Terrain cards, the forest on the outside."""
    names = {
        "forest": words.say("goths.label.forest"),
        "plain": words.say("goths.label.plain"),
        "barricade": words.say("goths.label.barricade"),
    }
    cards = []
    for place, bare in (("terrain-1", "forest"), ("terrain-2", "plain"), ("terrain-3", "plain")):
        kind = "barricade" if place in state["barricades"] else bare
        style, art = LANDSCAPES[kind]
        army = state["units"] if state["place"] == place else 0
        card = [line(names[kind], TERRAIN_WIDTH, PAPER, "center"), *army_on(art, style, clan, army)]
        if place == "terrain-3" and state["fog"] and state["fog"]["state"] != "discarded":
            face = SLATE if state["fog"]["state"] == "hidden" else PAPER
            card[1] = Text.assemble((" ☁ ", face), card[1][3:])
        cards.append(card)
    return beside(cards if side == "left" else cards[::-1])


def army_on(art: Sequence[str], style: str, clan: str, units: int) -> Picture:
    """A landscape of four lines with an army of shields standing in front of it."""
    ground = style.partition(" on ")[2]
    width, army = len(art[0]), 3 * units
    start = (width - army) // 2
    rows = [Text(art[0], style=style)]
    for k, behind in enumerate(art[1:]):
        shields = [shield(clan, k, f" on {ground}")] * units
        rows.append(Text.assemble((behind[:start], style), *shields, (behind[start + army :], style)))
    return rows


def shield(clan: str, part: int, ground: str = "") -> Text:
    """The helm, the charge or the foot of one unit, in the clan's colour on the ground it stands on."""
    left, charge, right = tuple(UNITS[clan][part])
    edge = f"bold {SIGNS[clan].fill}{ground}"
    return Text.assemble((left, edge), (charge, SIGNS[clan].on_fill if part == 1 else edge), (right, edge))


def objective(position: dict[str, Any], place: int, words: Words) -> Picture:
    """A card in the centre: face down, known to me alone, or face up with the army that stands there."""
    card = position["objectives"][place]
    if not card["revealed"]:
        return hidden_objective(position, place, card["card"], words)
    style, charge = OBJECTIVE_FACES[card["card"]]
    title = f"{place + 1} {words.name('goths', 'objective', card['card'])}"
    art = [charge.center(OBJECTIVE_WIDTH), *[" " * OBJECTIVE_WIDTH] * 3]
    armies = [clan for clan in CLANS if position["clans"][clan]["place"] == f"objective-{place + 1}"]
    clan = armies[0] if armies else CLANS[0]
    units = position["clans"][clan]["units"] if armies else 0
    return [line(title, OBJECTIVE_WIDTH, f"bold {PAPER}", "center"), *army_on(art, style, clan, units)]


def hidden_objective(position: dict[str, Any], place: int, known: str | None, words: Words) -> Picture:
    """A face-down card: what this seat saw of it, and for all to see, which clans' warchiefs have looked."""
    lines: list[str | Text] = [Text(f"{place + 1} {words.say('ui.face-down')}", style="bold"), "❖"]
    if known:
        name = f"{EYE} {words.name('goths', 'objective', known)}"
        lines += [Text(name, style=f"bold {PAPER}"), Text(words.say("ui.only-you"), style="italic")]
    else:
        lines += ["", ""]
    sight, seen = f"objective-{place + 1}", position["seen"]
    lookers = [SIGNS[clan].charge for clan in CLANS if sight in seen[f"{clan}-warchief"]]
    lines.append(f"{' '.join(lookers)} {words.say('goths.label.looked')}" if lookers else "")
    return block(lines, OBJECTIVE_WIDTH, 5, SLATE, "center")


# Catapult, reserve, fog


def war_machines(state: dict[str, Any], clan: str, side: Side, words: Words) -> Picture:
    """A clan's catapult, its units in reserve and its fog token."""
    loaded = state["catapult"] == "active"
    art = CATAPULTS[state["catapult"]]
    if side == "right":
        art = [row[::-1].translate(_MIRROR) for row in art]
    machine = block(art, len(art[0]), style=f"bold {SIGNS[clan].fill}" if loaded else MUTED)
    readiness = f" {words.name('goths', 'catapult', state['catapult'])} "
    pill = Text(readiness, style=SIGNS[clan].on_fill) if loaded else Text(f"┆{readiness}┆", style=MUTED)
    reserve = [shield(clan, 1)] * (3 - state["units"]) or [Text(words.say("ui.nothing"))]
    lines = [
        Text.assemble((words.say("ui.catapult"), "bold"), " ", pill),
        Text.assemble(f"{words.say('goths.label.reserve')}: ", *reserve),
        *fog_token(state["fog"], words),
    ]
    caption = block(lines, CLAN_WIDTH - len(art[0]) - 1, 5, side=side)
    return beside([machine, caption] if side == "left" else [caption, machine])


def fog_token(fog: dict[str, Any] | None, words: Words) -> Picture:
    """A clan's token: face down, known to me alone, or in force with the action it forbids."""
    if fog is None:
        return []
    state = words.name("goths", "fog", fog["state"])
    if fog["token"] is None:
        return [Text(f"☁ {words.say('goths.label.fog')}"), Text(state)]
    token = words.name("goths", "token", fog["token"])
    if fog["state"] == "discarded":
        return [Text(f"☁ {token}", style=MUTED), Text(state, style=MUTED)]
    forbidden = Text(f"✗ {words.name('goths', 'action', FORBIDDEN[fog['token']])}")
    if fog["state"] == "hidden":
        return [Text(f"{EYE} {token}", "bold"), forbidden, Text(words.say("ui.only-you"), "italic")]
    return [Text(f"☁ {token}", "bold"), forbidden]


# What the seat may choose


def question(view: View, words: Words) -> str:
    """What the seat must decide, in one sentence."""
    verb = view.choices[0].partition(":")[0]
    if verb == "order":
        return words.say("goths.ask.order")
    if verb == "act":
        lone = my_clan(view) in view.rules["lone_rulers"]
        return words.say("goths.ask.lone-act") if lone else words.say("goths.ask.act")
    if verb == "look":
        return words.say("goths.ask.look")
    return words.say("goths.ask.enter") if verb == "enter" else words.say("goths.ask.token")


def options(view: View) -> Options:
    """The choices by the number to type: an action's own, for the others their place on the screen."""
    if view.choices[0].startswith("act:"):
        return {ACTIONS.index(choice[4:]) + 1: choice for choice in view.choices}
    choices = list(view.choices)
    if choices[0].startswith("order:"):
        choices.sort(key=lambda choice: (back_of(choice), choice))
    return dict(enumerate(choices, 1))


def arrangement(view: View) -> Arrangement | None:
    """Nothing in this game is ever put in order."""
    return None


def back_of(order: str) -> tuple[str, ...]:
    """The two characters on the back of a King card, in the order all backs show them."""
    shown = order.partition(":")[2].split("/")
    return tuple(character for character in CHARACTERS if character in shown)


def hand(view: View, words: Words) -> RenderableType:
    """What lies before the seat to choose from."""
    numbered = options(view)
    if numbered[min(numbered)].startswith("act:"):
        return warchief_cards(view, numbered, words)
    if numbered[1].startswith("order:"):
        return king_cards(view, numbered, words)
    return choice_list({k: words.choice("goths", choice) for k, choice in numbered.items()})


def king_cards(view: View, numbered: Options, words: Words) -> RenderableType:
    """The king's hand, the cards with the same back under that back."""
    clan = my_clan(view) or CLANS[0]
    groups: dict[tuple[str, ...], Picture] = {}
    for k, choice in numbered.items():
        back = back_of(choice)
        character, bluff = choice.partition(":")[2].split("/")
        if back not in groups:
            pattern = 3 * SIGNS[clan].pattern
            emblems = Text(f" {' │ '.join(EMBLEMS[half] for half in back)} ", style=f"bold {PAPER}")
            groups[back] = [line(Text.assemble(pattern, emblems, pattern), 19, SIGNS[clan].fill, "center")]
        name = f" {EMBLEMS[character]} {words.name('goths', 'character', character)}"
        small = f"{words.say('ui.bluff')} {words.name('goths', 'character', bluff)} "
        groups[back] += [
            line(Text.assemble(number(k), name), 19, f"bold {PAPER}"),
            line(small, 19, SMALL_ON_PAPER, "right"),
            line("", 19),
        ]
    piles = list(groups.values())
    rows = [beside(piles[k : k + 4]) for k in range(0, len(piles), 4)]
    return drawn([text for row in rows for text in row])


def chances(view: View) -> dict[str, str]:
    """Whether each character's orders get through, as far as the seat can tell: surely, perhaps or no (G4.1)."""
    clan = view.number // 2
    return {name: Chance(chance(view.state, clan, k)).name.lower() for k, name in enumerate(CHARACTERS)}


def warchief_cards(view: View, numbered: Options, words: Words) -> RenderableType:
    """The nine Warchief cards by character, each group with its chance of getting through."""
    signs = {"surely": "●", "perhaps": "◐", "no": "○"}
    chance_of = chances(view)
    table = choice_table()
    before = ""
    for k, action in enumerate(ACTIONS, 1):
        character = CHARACTERS[ACTION_CHARACTER[k - 1]]
        likely = chance_of[character]
        style = MUTED if likely == "no" else "bold" if likely == "surely" else ""
        group = f"{EMBLEMS[character]} {words.name('goths', 'character', character)}"
        heading = (
            [Text(group, style), Text(f"{signs[likely]} {words.name('goths', 'chance', likely)}", style)]
            if character != before
            else ["", ""]
        )
        before = character
        cell = number(k) if k in numbered else Text(" ✗ ", style=MUTED)
        name = Text(words.name("goths", "action", action), style)
        table.add_row(*heading, cell, name, Text(words.name("goths", "effect", action), MUTED))
    order = view.state.order[view.number // 2]
    if order == UNKNOWN:
        return table
    card = king_card_front(CARDS[order], words)  # only a lone ruler knows it here (G10.4)
    return Group(Text.assemble(f"{EYE} {words.say('ui.only-you')}: ", card), table)

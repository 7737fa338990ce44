"""Romans Go Home! in an analysis in the terminal: the Wall with what each fort was worth, and the lines."""

from collections.abc import Sequence

from rich.console import RenderableType
from rich.text import Text

from meadhall.bots.percent import percent
from meadhall.games.romans.names import POINTS, VALUES
from meadhall.lab.analysis.report import Analysis
from meadhall.lab.analysis.romans_found import FortWorth, Line, Lines, Round
from meadhall.match import Match
from meadhall.terminal.pieces import MUTED, PAPER, WIDTH, Picture, beside, block, drawn, folded, hem, line
from meadhall.terminal.romans import CARD_WIDTH, LABEL_WIDTH, SIGNS, fort_tower, warrior_name
from meadhall.words import Words
from meadhall.words.text import minus

OTHER = "≠"  # a warrior that stands elsewhere in the real line


def report(analysis: Analysis, match: Match, words: Words) -> Sequence[RenderableType]:
    """Every round: how all stood before and after it, its forts, and each clan's lines."""
    parts: list[RenderableType] = [
        Text(words.say("romans.analysis.how"), style=MUTED),
        Text(words.say("romans.analysis.how-sign", sign=OTHER), style=MUTED),
    ]
    for found in analysis.detail.rounds:
        parts += [Text(""), hem(Text(words.say("ui.round", round=found.number), style="bold"))]
        parts += [_stood(analysis, found, words), Text(""), Text(words.say("romans.analysis.worth"), style="bold")]
        parts.append(drawn(beside([_label([], words), *(_fort(fort, words) for fort in found.forts)])))
        for lines in found.lines:
            parts += [Text(""), *_lines(lines, words)]
    return parts


def _chance(chance: float, words: Words) -> str:
    return words.say("romans.analysis.percent", percent=percent(chance))


def _stood(analysis: Analysis, found: Round, words: Words) -> Text:
    """Each side's chance to win when the round was dealt and at its end."""
    stood = []
    for side, before, after in zip(analysis.sides, found.before, found.after, strict=True):
        badge = SIGNS[side].badge(words.name("romans", "clan", side))
        stood.append(Text.assemble(badge, f" {_chance(before, words)} → {_chance(after, words)}"))
    return drawn(folded(stood, WIDTH, "  "))


def _label(lines: Sequence[Text], words: Words) -> Picture:
    return block(lines or [Text(words.say("ui.wall"), style="bold")], LABEL_WIDTH)


def _fort(fort: FortWorth, words: Words) -> Picture:
    """A fort, who took it, and by how much that changed whose chance."""
    taker = Text(f"{SIGNS[fort.captor].charge} ") if fort.captor else Text()
    if fort.turn == 0:
        return [*fort_tower(fort.fort), *block([words.say("romans.analysis.stands")], CARD_WIDTH, style=MUTED)]
    if fort.paid:
        taker.append(words.say("romans.analysis.paid"))
    else:
        name = words.name("romans", "clan", fort.captor) if fort.captor else words.say("romans.analysis.lost")
        taker.append(name)
    part = percent(abs(fort.worth))
    sign = "±" if part == 0 else "+" if fort.worth > 0 else "−"
    worth = words.say("romans.analysis.percent", percent=f"{sign}{part}")
    whose = "" if fort.side == fort.captor else f"{SIGNS[fort.side].charge} "
    said = [line(taker, CARD_WIDTH, side="center"), line(f"{whose}{worth}", CARD_WIDTH, "bold", "center")]
    return [*fort_tower(fort.fort), *said]


def _lines(lines: Lines, words: Words) -> list[RenderableType]:
    """A clan's line, and those that would have been better."""
    parts: list[RenderableType] = [SIGNS[lines.clan].badge(words.name("romans", "clan", lines.clan))]
    rows = [(words.say("romans.analysis.line.laid"), lines.laid)]
    if lines.then is not None and lines.then != lines.laid:
        knew = words.say("romans.analysis.line.then", clan=words.name("romans", "the-clan", lines.clan))
        rows.append((knew, lines.then))
    if lines.hindsight is not None and lines.hindsight != lines.laid:
        rows.append((words.say("romans.analysis.line.hindsight"), lines.hindsight))
    for title, each in rows:
        captures = ("",) * 6 if each.order else each.captures
        cards = _cards(each.warriors, captures, lines, words, each is lines.laid)
        parts.append(drawn(beside([_title(title, each, lines, words), *cards])))
        if each.order:
            again = folded([Text(word) for word in words.say("romans.analysis.line.order").split()], LABEL_WIDTH)
            cards = _cards(each.order, each.captures, lines, words, False)
            parts.append(drawn(beside([_label(again, words), *cards])))
        if each.paid:
            forts = ", ".join(words.name("romans", "fort", fort) for fort in each.paid)
            parts.append(Text(words.say("romans.analysis.line.paid", list=forts), style=MUTED))
    if lines.then == lines.laid:
        parts.append(Text(f"✓ {words.say('romans.analysis.line.fine')}"))
    if lines.hindsight == lines.laid:
        parts.append(Text(f"✓ {words.say('romans.analysis.line.best')}"))
    return parts


def _title(title: str, each: Line, lines: Lines, words: Words) -> Picture:
    """Which line it is, its points, and the chance to win before and after the round."""
    chances = [] if lines.then is None else [Text(f"{_chance(each.expected, words)} → {_chance(each.win, words)}")]
    points = Text(f"♜ {'+' if each.points > 0 else ''}{minus(each.points)}")
    parts = [Text(word) for word in title.split()]
    return _label([*folded(parts, LABEL_WIDTH), points, *chances], words)


def _cards(warriors: Sequence[str], captures: Sequence[str], lines: Lines, words: Words, plain: bool) -> list[Picture]:
    """Six warriors, each with the fort that was taken on its turn; those that lay elsewhere are marked."""
    cards = []
    for place, warrior in enumerate(warriors):
        other = warrior != lines.laid.warriors[place]
        style = PAPER if other or plain else MUTED
        strength = f" {POINTS[warrior]}".ljust(CARD_WIDTH - 2) + (OTHER if other else SIGNS[lines.clan].charge)
        taken = captures[place]
        cards.append(
            [
                line(strength, CARD_WIDTH, style if style == MUTED else f"bold {style}"),
                line(f" {warrior_name(warrior, words)}", CARD_WIDTH, style),
                line(f"♜ {minus(VALUES[taken])}" if taken else "", CARD_WIDTH, "bold", "center"),
            ]
        )
    return cards

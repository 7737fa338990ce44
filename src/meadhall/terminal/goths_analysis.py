"""Goths in the terminal: meant and read, the game's own part of an analysis."""

from collections.abc import Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from meadhall.bots.percent import percent
from meadhall.games.goths.state import ACTIONS
from meadhall.lab.analysis.goths_found import Detail, Order, Pair
from meadhall.lab.analysis.report import Analysis
from meadhall.match import Match
from meadhall.terminal.goths import SIGNS
from meadhall.terminal.pieces import MUTED, PAPER
from meadhall.words import Words
from meadhall.words.text import capital

KINDS = ("character", "action")  # arguments of a sentence that are names
WHOLE, TORN, LED = "━━━", "━╳━", "━▣━"


def report(analysis: Analysis, match: Match, words: Words) -> Sequence[RenderableType]:
    """Each pair's sums, and every order from its back to what was chosen."""
    detail: Detail = analysis.detail
    table = Table.grid(padding=(0, 1), pad_edge=False)
    last = 0
    for order in detail.orders:
        table.add_row(str(order.turn) if order.turn != last else "", *_row(order, words))
        last = order.turn
    title = Text(words.say("goths.analysis.title"), style="bold")
    misread = Table.grid(padding=(0, 1), pad_edge=False)
    for order in detail.orders:
        if not order.understood:
            misread.add_row(*_misread(order, words))
    return [title, *(_pair(pair, words) for pair in detail.pairs), table, _key(words), misread]


def _pair(pair: Pair, words: Words) -> Text:
    understood = words.say("goths.analysis.pair", understood=pair.understood, orders=pair.orders)
    sensible = (
        words.say("goths.analysis.alone")
        if pair.lone
        else words.say("goths.analysis.sensible", likely=round(pair.likely))
    )
    badge = SIGNS[pair.clan].badge(words.side("goths", pair.clan))
    return Text.assemble(badge, f" {understood}. ", (sensible, MUTED))


def _key(words: Words) -> Text:
    """What the threads mean."""
    meanings = {
        WHOLE: words.say("goths.analysis.understood"),
        TORN: words.say("goths.table.story.misread"),
        LED: words.say("goths.analysis.by-face-up"),
    }
    return Text("   ".join(f"{thread} {meaning.lower()}" for thread, meaning in meanings.items()), style=MUTED)


def _misread(order: Order, words: Words) -> list[Text]:
    """Who misread whom, in a sentence."""
    named = {
        arg: words.name("goths", kind, str(value)) if (kind := arg.partition("_")[0]) in KINDS else value
        for arg, value in order.why.args.items()
    }
    sign = SIGNS[order.clan]
    why = capital(words.say(order.why.key, **named))
    return [Text(str(order.turn)), Text(f" {sign.charge} ", style=sign.on_fill), Text(why)]


def _row(order: Order, words: Words) -> list[Text]:
    """The back with its bars, what was meant, the thread, what was chosen."""
    meant = order.meant.partition("/")[0]
    chances = {reading.card.partition("/")[0]: reading.chance for reading in order.readings}
    halves = [
        words.say(
            "goths.analysis.reading",
            character=words.name("goths", "character", each),
            percent=percent(chances.get(each, 0.0)),
        )
        for each in order.back
    ]
    thread = TORN if not order.understood else LED if order.by_face_up else WHOLE
    sign = SIGNS[order.clan]
    number = ACTIONS.index(order.action) + 1
    action = Text(f"{number} {words.name('goths', 'action', order.action)}", style="" if order.understood else "strike")
    return [
        Text(f" {sign.charge} ", style=sign.on_fill),
        Text(f" {' │ '.join(halves)} ", style=PAPER),
        Text(capital(words.name("goths", "character", meant))),
        Text(thread, style="" if order.understood else "bold red"),
        action,
    ]

"""`meadhall analyse`: what a strong bot makes of a finished game, as a report, as JSON or as a page."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from meadhall.cli.files import OutputFile, whole_file
from meadhall.cli.options import add_language
from meadhall.cli.streams import console, progress

if TYPE_CHECKING:
    from meadhall.lab.analysis.report import Analysis
    from meadhall.match import Match
    from meadhall.words import Words

HELP = "look at a finished game with a strong bot: where it turned, and what would have been better"
EPILOG = """\
examples:
  meadhall analyse game.json
  meadhall analyse game.json --html analysis.html    one page with everything in it
  meadhall analyse game.json --json
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("file", metavar="FILE", help="the record of a finished game; - for standard input")
    parser.add_argument("--json", action="store_true", help="print one JSON object with everything")
    parser.add_argument("--html", metavar="PAGE", type=Path, help="write one page that needs no other file")
    add_language(parser)


def run(options: argparse.Namespace) -> None:
    """Analyse a record and report."""
    from meadhall.lab.analysis import check
    from meadhall.match import Match
    from meadhall.words import words

    told = words(options.lang)
    page = OutputFile("--html", options.html) if options.html is not None else None
    match = Match.from_record(whole_file(options.file))
    check(match)
    analysis = _analysed(match)
    if page is not None:
        from meadhall.web.pages.alone import alone

        page.write(alone(analysis, match, told))
    if options.json:
        import msgspec

        from meadhall.web.api.analysed import analysis_info

        print(msgspec.json.encode(analysis_info(analysis, told)).decode())
    elif page is None:
        _print(analysis, match, told)
    elif page.atomic:  # not our own output
        print(told.say("cli.analysis-written", file=options.html))


def _analysed(match: "Match") -> "Analysis":
    """The analysis, with how far it is on standard error."""
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn

    from meadhall.lab.analysis import analyse

    with progress(TextColumn("Analysing"), BarColumn(), TaskProgressColumn()) as bar:
        task = bar.add_task("", total=1.0)
        return analyse(match, lambda done: bar.update(task, completed=done))


def _print(analysis: "Analysis", match: "Match", words: "Words") -> None:
    from meadhall.terminal.analysis import Chosen, Told, Turn, report
    from meadhall.web.pages.insight import insight

    found = insight(analysis, match, words, {})
    game = analysis.game
    told = Told(
        turns=tuple(
            Turn(
                turn.number,
                turn.side,
                turn.turn,
                words.say("ui.analysis.swing", side=words.side(game, turn.side), percent=turn.swing),
                turn.why,
                turn.choice,
            )
            for turn in found.turned
        ),
        chosen=tuple(
            Chosen(words.seat(game, each.seat), each.side, tuple(mark.grade for mark in each.marks), each.said)
            for each in found.choosers
        ),
        starts=tuple((chapter.beat, chapter.label) for chapter in found.chapters),
        beats=found.beats,
        caveat=found.caveat,
    )
    page = console()
    page.print(report(analysis, match, words, told, page.width), width=min(page.width, 100))

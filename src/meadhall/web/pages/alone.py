"""An analysis as one page that needs nothing else: its styles and drawings are in it, and it links to nowhere."""

from markupsafe import Markup

from meadhall.lab.analysis.report import Analysis
from meadhall.match import Match
from meadhall.web import assets
from meadhall.web.pages.insight import insight
from meadhall.web.pages.render import render
from meadhall.words import Words

SHEETS = ("meadhall.css", "controls.css", "pages.css")


def alone(analysis: Analysis, match: Match, words: Words) -> str:
    """The page of an analysis by itself."""
    files = assets.find()
    sheets = [files[name].decode() for name in (*SHEETS, *assets.analysis_sheet_names(analysis.game))]
    found = insight(analysis, match, words, {})
    return render(
        "analysis-alone.html",
        words,
        styles=Markup(f"<style>\n{''.join(sheets)}</style>"),  # our own files, in which no tag can end
        game=analysis.game,
        found=found,
        detail=found.detail,
        outcome=words.outcome(analysis.game, match.outcome.record) if match.outcome else "",
        replay="",
    )

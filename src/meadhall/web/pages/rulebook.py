"""The pages of the rules: the two books, each clause by clause with search, and each on one page."""

from functools import cache

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery
from markupsafe import Markup

from meadhall.faults import Fault
from meadhall.games.game import GAMES
from meadhall.web.edge.session import Asked, language
from meadhall.web.pages import rules as books
from meadhall.web.pages.around import HTML, page
from meadhall.web.pages.render import render
from meadhall.web.shown import figures, summary
from meadhall.words import words as words_of


@get("/rules", media_type=HTML)
async def rules(request: Asked) -> Response[str]:
    """The two rulebooks."""
    return page(request, "rules.html", games=list(GAMES))


@get("/rules/{game:str}", media_type=HTML)
async def rulebook(request: Asked, game: FromPath[str], q: FromQuery[str] = "") -> Response[str]:
    """A rulebook, clause by clause; with a question, what holds its words comes first and is marked."""
    book = _book(game, language(request).lang)
    question = " ".join(q.split())[: books.LONGEST_QUESTION]
    wanted = books.asked(question)
    text = rule_text(game, language(request).lang)
    found = [(block, books.snippet(block, wanted)) for block in books.found(book, wanted)]
    return page(
        request,
        "rulebook.html",
        game=game,
        book=book,
        text=books.marked(text, wanted) if wanted else text,
        question=question,
        found=found,
        longest=books.LONGEST_QUESTION,
    )


@get("/rules/{game:str}/summary", media_type=HTML)
async def one_page(request: Asked, game: FromPath[str]) -> Response[str]:
    """A game's rules on one page, to be printed."""
    sections = summary(game, language(request).lang) if game in GAMES else ()
    if not sections:
        raise NotFoundException
    return page(request, "summary.html", game=game, sections=sections)


def _book(game: str, lang: str) -> books.RulePage:
    if game not in GAMES:
        raise NotFoundException
    try:
        return books.page(game, lang)
    except Fault:  # a game may come without one
        raise NotFoundException from None


@cache
def rule_text(game: str, lang: str) -> Markup:
    """All parts of a rulebook: the same for everybody, so made once."""
    about = {"book": books.page(game, lang), "shown": figures(game, lang)}
    return Markup(render("rule-text.html", words_of(lang), game=game, **about))


HANDLERS = [rules, rulebook, one_page]

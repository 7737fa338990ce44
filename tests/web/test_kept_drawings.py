"""What is kept of drawings: it saves work, and never shows to one what was drawn for another."""

import sys
from itertools import chain

import pytest
from markupsafe import Markup

from meadhall.match import SPECTATOR
from meadhall.tables.table import Table
from meadhall.web.pages.render import render
from meadhall.words import words
from tests.variants import VARIANTS, Variant, random_game
from tests.web.sight import holder_of, page, table_of


def forget() -> None:
    """Drop everything that is kept of what was drawn."""
    modules = [module for name, module in sys.modules.items() if name.startswith("meadhall.web")]
    for each in chain.from_iterable(vars(module).values() for module in modules):
        if hasattr(each, "cache_clear"):
            each.cache_clear()


def told(table: Table, seat: str) -> str:
    """A seat's page with all that has led there."""
    return page(table, holder_of(table.match, seat), "de", fragment=True, since=0)


@pytest.mark.parametrize("variant", VARIANTS[::4], ids=str)
def test_everybody_is_shown_the_same_whoever_was_shown_something_before(variant: Variant) -> None:
    tables = [table_of(random_game(variant, seed, 25).record()) for seed in (1, 2)]
    looking = [(table, seat) for table in tables for seat in (*table.match.seats, SPECTATOR)]
    alone = []
    for table, seat in looking:
        forget()
        alone.append(told(table, seat))
    assert [told(table, seat) for table, seat in looking] == alone
    assert [told(table, seat) for table, seat in reversed(looking)] == alone[::-1]


def test_a_text_is_escaped_and_markup_is_not_whichever_comes_first() -> None:
    text = "<b>bold</b>"
    for title in (text, Markup(text), text):
        shown = render("slip.html", words("en"), slip={"title": title, "detail": ""})
        assert (text in shown) == isinstance(title, Markup)
        assert ("&lt;b&gt;bold&lt;/b&gt;" in shown) != isinstance(title, Markup)

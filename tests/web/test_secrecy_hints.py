"""A hint is made from what the seat knows: in worlds that the seat cannot tell apart it is the same to the byte."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from random import Random

import msgspec
import pytest

from meadhall.bots import evaluate
from meadhall.games.game import GAMES
from meadhall.match import Match
from meadhall.web.pages.hints import reason
from meadhall.web.pages.screens import screen
from meadhall.words import words
from meadhall.words.languages import LANGUAGES
from tests.secrets.worlds import another_world, prefix
from tests.variants import VARIANTS, Variant, random_game
from tests.web.sight import LINK, NOTHING_SHOWN, Record, holder_of, table_of

SOME = (0, 1, 2, 9, 26, 47)  # after so many choices
LANGS = tuple(LANGUAGES)
Pair = tuple[str, Record, Record]


def owing(variant: Variant, seed: int) -> Iterator[Pair]:
    """A seat that owes a choice, and two worlds that it cannot tell apart."""
    record = random_game(variant, seed, 60).record()
    random = Random(f"hints {variant} {seed}")
    for at in sorted({min(at, len(record["choices"])) for at in SOME}):
        now = prefix(record, at)
        for seat in Match.from_record(now).waiting:
            yield seat, now, another_world(now, seat, random)


@cache
def prepared() -> None:
    from meadhall.bots.worker import prepare_levels

    prepare_levels(GAMES)


def hinted(record: Record, seat: str, lang: str) -> tuple[bytes, bytes, str]:
    """All that is sent in answer to somebody who asks for a hint."""
    table = table_of(record)
    evaluation = evaluate(table.match.view(seat))
    holder = holder_of(table.match, seat)
    shown = replace(screen(table, holder, NOTHING_SHOWN, frozenset()), evaluation=evaluation)
    page = shown.html(words(lang), None, LINK, theme="", speed="normal", path="/")
    assert 'id="hint"' in page
    return page.encode(), msgspec.json.encode(evaluation.json()), reason(evaluation.why, record["game"], words(lang))


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_a_hint_is_the_same_in_every_world_its_seat_cannot_rule_out(variant: Variant) -> None:
    prepared()
    compared = 0
    for k, (seat, here, there) in enumerate(owing(variant, 3)):
        lang = LANGS[k % len(LANGS)]
        assert hinted(here, seat, lang) == hinted(there, seat, lang), f"{seat} in {here}"
        compared += 1
    assert compared > 2

"""How long tables stay, in words, for the pages where one is opened, listed, or has ended."""

from math import ceil

from meadhall.tables.housekeeping import Terms
from meadhall.words import Words


def for_opening(terms: Terms, words: Words) -> str:
    """What whoever opens a table should know."""
    return f"{for_list(terms, words)} {for_ended(terms, words)}".strip()


def for_list(terms: Terms, words: Words) -> str:
    """Why no table stays in a list for ever."""
    limits = {"ui.kept.open": terms.open, "ui.kept.games": terms.games}
    return " ".join(words.say(key, n=_days(days)) for key, days in limits.items() if days)


def for_ended(terms: Terms, words: Words, bots_only: bool = False, record: bool = True) -> str:
    """For how long one can look back; where there is a record, that it can be kept for longer."""
    days = terms.bot_records if bots_only else terms.records
    if not days:
        return words.say("ui.kept.always")
    stays = words.say("ui.kept.records", n=_days(days))
    return f"{stays} {words.say('ui.kept.save')}" if record else stays


def _days(days: float) -> int:
    """Whole days: what is promised is not more than what is kept, but for the last hours."""
    return max(1, ceil(days))

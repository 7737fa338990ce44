"""From what a person types to the name of a choice, or to a sentence that says what is wrong with it."""

import re
from collections.abc import Sequence

from meadhall.faults import Fault
from meadhall.terminal.pieces import Arrangement, Options
from meadhall.words import Words


class Misunderstood(Fault):
    """An answer that is none of the choices; the message is for the person who typed it."""


def menu_answer(answer: str, options: Options, words: Words) -> str:
    """The choice with that number or name; the part after the colon will do if only one choice has it."""
    said = answer.strip().casefold()
    if said.isdecimal() and int(said) in options:
        return options[int(said)]
    named = [choice for choice in options.values() if said in (choice, choice.partition(":")[2])]
    if len(named) != 1:
        raise Misunderstood(words.say("ui.not-a-choice", answer=answer.strip()[:40]))
    return named[0]


def arrangement_answer(answer: str, asked: Arrangement, words: Words) -> str:
    """Pieces in the order in which they were named, each by its place in the pool or by its name."""
    said = answer.strip().casefold().removeprefix(f"{asked.verb}:")
    parts = [part for part in re.split(r"[\s,;]+", said) if part]
    if len(parts) == 1 and parts[0].isdecimal() and len(parts[0]) == asked.take:
        parts = list(parts[0])  # 412356: there are never more than seven, so the digits need no gaps
    if len(parts) != asked.take:
        raise Misunderstood(words.say("ui.wrong-count", n=asked.take, given=len(parts)))
    left = list(enumerate(asked.pool, 1))
    laid = []
    for part in parts:
        found = next((each for each in left if part in (str(each[0]), *_names(each[1], asked, words))), None)
        if found is None:
            raise Misunderstood(words.say("ui.not-a-warrior", answer=part))
        left.remove(found)
        laid.append(found[1])
    return f"{asked.verb}:{','.join(laid)}"


def _names(piece: str, asked: Arrangement, words: Words) -> tuple[str, str]:
    return piece, asked.name(piece, words).casefold()


def seats_answer(answer: str, people: Sequence[Sequence[str]], words: Words) -> list[str]:
    """The seats of the people given by number or by a seat's name; nothing at all is the first."""
    taken: list[str] = []
    for part in re.split(r"[\s,;]+", answer.strip().casefold()) if answer.strip() else ["1"]:
        found = [seats for k, seats in enumerate(people, 1) if part == str(k) or part in seats]
        if not found:
            raise Misunderstood(words.say("ui.not-a-choice", answer=part))
        taken += [seat for seat in found[0] if seat not in taken]
    return taken

"""Romans Go Home! in the browser: how a hint names what it speaks of."""

from meadhall.words import Words

# The vocabulary behind an argument of a reason; one that is not here is a number, told as it is.
KINDS = ("warrior", "fort")


def label(choice: str, words: Words) -> str:
    """A choice in few words: a line of warriors by their names alone."""
    warriors = [words.name("romans", "warrior", each) for each in line(choice)]
    return " · ".join(warriors) if warriors else words.choice("romans", choice)


def line(choice: str) -> tuple[str, ...]:
    """The warriors that a choice puts in order, if it does: a plan for all places, a new order for the last (R4.14)."""
    verb, _, rest = choice.partition(":")
    return tuple(rest.split(",")) if verb in ("plan", "reorder") else ()

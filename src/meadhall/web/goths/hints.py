"""Goths Save the Queen in the browser: how a hint names what it speaks of."""

from meadhall.words import Words

# The vocabulary behind an argument of a reason; one that is not here is a number, told as it is.
KINDS = ("character", "action", "sight", "place")


def label(choice: str, words: Words) -> str:
    """A choice in few words: a King card by its name alone."""
    verb, _, card = choice.partition(":")
    return words.name("goths", "card", card) if verb == "order" else words.choice("goths", choice)


def line(choice: str) -> tuple[str, ...]:
    """Nothing in this game is put in order."""
    return ()

"""Small things that are done to texts on every page and in the terminal."""


def minus(value: int) -> str:
    """A number with a minus sign that is as wide as a plus."""
    return str(value).replace("-", "\u2212")


def capital(text: str) -> str:
    """The text with its first letter as a capital."""
    return text[:1].upper() + text[1:]

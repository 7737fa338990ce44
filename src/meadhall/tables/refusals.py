"""Why a table refuses something, by a key of the catalogues, so that it can be said in any language."""

from meadhall.faults import Fault
from meadhall.words import Words, words


class Refusal(Fault):
    """Something a person or a program may not do; nothing has been changed."""

    status = 409

    def __init__(self, key: str, **args: object) -> None:
        self.key, self.args_of_key = key, args
        super().__init__(words("en").say(key, **args))

    def said(self, language: Words) -> str:
        """The refusal in a language."""
        return language.say(self.key, **self.args_of_key)


class NoSuchTable(Refusal):
    """There is no table of that code."""

    status = 404


class Unreadable(Refusal):
    """A stored table that this program cannot replay: of another format, corrupt, or of rules it refuses."""

    status = 410


class NotYours(Refusal):
    """It takes a seat, or the host, to do that."""

    status = 403


class Senseless(Refusal):
    """What was asked for does not exist or is not possible."""

    status = 422


class TooMany(Refusal):
    """Asked for too often, or while the answer to the last time is still on its way."""

    status = 429


class MovedOn(Refusal):
    """A choice for a position that is past."""

    def __init__(self, position: int) -> None:
        self.position = position
        super().__init__("ui.refused.moved-on", position=position)

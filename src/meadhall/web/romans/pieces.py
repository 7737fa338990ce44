"""Romans Go Home!: what the pieces on the page are called, and how each explains itself."""

from collections.abc import Mapping

from meadhall.games.romans.names import POINTS
from meadhall.words import Words
from meadhall.words.text import capital

_ABOUT_WARRIOR = {
    "qween": "romans.table.about.qween",
    "druhid": "romans.table.about.druhid",
    "zvord": "romans.table.about.zvord",
    "axx": "romans.table.about.axx",
    "archr": "romans.table.about.archr",
    "filchy": "romans.table.about.filchy",
    "horsie": "romans.table.about.horsie",
    "charriott": "romans.table.about.charriott",
}
_ABOUT_FORT = {
    "unwary": "romans.table.about.unwary",
    "signal": "romans.table.about.signal",
    "tax": "romans.table.about.tax",
    "legion": "romans.table.about.legion",
    "ordinary": "romans.table.about.ordinary",
}
_KIND = {
    "unwary": "romans.table.kind.unwary",
    "signal": "romans.table.kind.signal",
    "tax": "romans.table.kind.tax",
    "legion": "romans.table.kind.legion",
    "ordinary": "romans.table.kind.ordinary",
}
_NOTE = {
    "unwary": "romans.table.note.unwary",
    "signal": "romans.table.note.signal",
    "tax": "romans.table.note.tax",
    "legion": "romans.table.note.legion",
    "ordinary": "romans.table.note.ordinary",
}
GONE = {
    "wrecked": "romans.table.gone.wrecked",
    "left": "romans.table.gone.left",
    "discarded": "romans.table.gone.discarded",
}


def kind_of(fort: str) -> str:
    """The kind of a fort, without its value."""
    return fort.partition("-")[0]


def warrior_piece(clan: str, place: int) -> str:
    """The name under which a warrior on its line moves on the page."""
    return f"warrior-{clan}-{place}"


class Names:
    """The names of the pieces in one language."""

    def __init__(self, words: Words, people: Mapping[str, str]) -> None:
        self.words = words
        self.people = people

    def clan(self, clan: str) -> str:
        """A clan's name as a label."""
        return self.words.name("romans", "clan", clan)

    def of_clan(self, clan: str) -> str:
        """A clan's name after something that is its own."""
        return self.words.name("romans", "of-clan", clan)

    def the_clan(self, clan: str) -> str:
        """A clan's name in a sentence."""
        return self.words.name("romans", "the-clan", clan)

    def warrior(self, warrior: str) -> str:
        """A warrior's name."""
        return self.words.name("romans", "warrior", warrior)

    def fort(self, fort: str) -> str:
        """A fort's full name."""
        return capital(self.words.name("romans", "fort", fort)).replace("(-", "(\u2212")

    def short_fort(self, fort: str) -> str:
        """A fort's name in a word and its value."""
        return self.words.name("romans", "short-fort", fort).replace(" -", " \u2212")

    def kind(self, fort: str) -> str:
        """The kind of a fort in a word."""
        return self.words.say(_KIND[kind_of(fort)])

    def note(self, fort: str) -> str:
        """What a fort does, in three or four words."""
        return self.words.say(_NOTE[kind_of(fort)])

    def about_warrior(self, warrior: str) -> str:
        """What a warrior does and when, with its strength."""
        about = self.words.say(_ABOUT_WARRIOR[warrior])
        return self.words.say("romans.table.about", name=self.warrior(warrior), points=POINTS[warrior], about=about)

    def about_fort(self, fort: str) -> str:
        """What a fort does and what it is worth."""
        about = self.words.say(_ABOUT_FORT[kind_of(fort)])
        return f"{self.fort(fort)}. {about}"

    def does(self, piece: str) -> str:
        """What a warrior or a kind of fort does, and when."""
        return self.words.say((_ABOUT_WARRIOR | _ABOUT_FORT)[piece])

    def effect(self, piece: str) -> str:
        """What a warrior or a kind of fort does, in one sentence."""
        return capital(self.words.name("romans", "effect", piece))

    def brief(self, warrior: str) -> str:
        """What a warrior does, in as few words as fit on its card."""
        return self.words.name("romans", "brief", warrior)

"""Romans: what one seat knows of a position and the others do not."""

from meadhall.engine.layout import UNKNOWN
from meadhall.games.romans.rules import hidden_count
from meadhall.games.romans.state import Phase
from meadhall.match import View
from meadhall.words import Words


def gaps(mine: View, theirs: View, words: Words) -> list[str]:
    """What only the viewer knows, in sentences."""
    s, seat = mine.plain, mine.number
    if s.phase == Phase.PLAN:
        return [words.say("romans.eyes.hand")]
    said = []
    hidden = hidden_count(s)
    if hidden:
        said.append(words.say("romans.eyes.hidden", n=hidden))
    if s.aside[seat] != UNKNOWN and theirs.plain.aside[seat] == UNKNOWN:
        said.append(words.say("romans.eyes.aside"))
    return said

"""Goths: what one seat knows of a position and another does not."""

from meadhall.engine.layout import UNKNOWN
from meadhall.games.goths.state import CARD_CHARACTER, CHARACTERS, CLANS, Fog, Phase
from meadhall.match import View
from meadhall.words import Words


def gaps(mine: View, theirs: View, words: Words) -> list[str]:
    """What only the viewer knows, then what only the other knows, in sentences."""
    clan = mine.number >> 1
    return [*_hidden_from(mine, theirs, clan, words), *_known_to(mine, theirs, clan, words)]


def _hidden_from(mine: View, theirs: View, clan: int, words: Words) -> list[str]:
    own, other = mine.plain, theirs.plain
    said = []
    if own.phase <= Phase.ACTS and own.back[clan] and own.order[clan] != other.order[clan]:
        meant = CHARACTERS[CARD_CHARACTER[own.order[clan]]]
        said.append(words.say("goths.eyes.order", character=words.name("goths", "character", meant)))
    if own.phase == Phase.ACTS and own.act[clan] != other.act[clan]:
        said.append(words.say("goths.eyes.act"))
    for number in range(3):
        if own.objectives[number] != UNKNOWN and other.objectives[number] == UNKNOWN:
            said.append(words.say("goths.eyes.objective", number=number + 1))
    if own.token[clan] != UNKNOWN and other.token[clan] == UNKNOWN:
        said.append(words.say("goths.eyes.token"))
    return said


def _known_to(mine: View, theirs: View, clan: int, words: Words) -> list[str]:
    """What the other has looked at, or laid face down, without the viewer knowing what it is."""
    if theirs.is_spectator or theirs.number >> 1 != clan:
        return []
    own = mine.plain
    said = []
    warchief = theirs.seat == f"{CLANS[clan]}-warchief"
    if not warchief and own.phase <= Phase.ACTS and own.back[clan] and own.order[clan] == UNKNOWN:
        said.append(words.say("goths.eyes.their-order"))
    for number in range(3):
        if warchief and own.seen[clan] >> number & 1 and own.objectives[number] == UNKNOWN:
            said.append(words.say("goths.eyes.their-objective", number=number + 1))
    if warchief and own.seen[clan] >> 3 & 1 and own.fog[clan] == Fog.HIDDEN and own.token[clan] == UNKNOWN:
        said.append(words.say("goths.eyes.their-token"))
    return said

"""King cards as bots see them: the backs of a deck with the cards behind each, and the characters lying face up."""

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from meadhall.games.goths.state import ACTION_CHARACTER, CARD_BACK, CARD_CHARACTER, GothsState

ACTION_CHARACTERS = np.array(ACTION_CHARACTER)  # [action]


@dataclass(frozen=True)
class Backs:
    """The different backs of a deck, each with the one or two cards that show it (-1: no second card)."""

    bits: tuple[int, ...]
    cards: npt.NDArray[np.int64]  # [back, 2]
    characters: npt.NDArray[np.int64]  # [back, 2]

    def place(self, card: int) -> tuple[int, int]:
        """The index of a card: its back, and which of the two it is."""
        back, which = np.argwhere(self.cards == card)[0]
        return int(back), int(which)


@cache
def backs_of(deck: int) -> Backs:
    """The backs of a deck given as bits over CARDS (G1.3)."""
    cards = [card for card in range(12) if deck >> card & 1]
    bits = tuple(sorted({CARD_BACK[card] for card in cards}))
    by_back = np.full((len(bits), 2), -1)
    for back, shown in enumerate(bits):
        alike = [card for card in cards if CARD_BACK[card] == shown]
        by_back[back, : len(alike)] = alike
    characters = np.where(by_back < 0, 0, np.array(CARD_CHARACTER)[by_back])
    return Backs(bits, by_back, characters)


def face_up_characters(s: GothsState, clan: int) -> int:
    """The characters of the clan's face-up King cards, a bit for each: their orders get through (G4.1)."""
    bits = 0
    for k in range(s.face_up_count[clan]):
        bits |= 1 << CARD_CHARACTER[s.face_up[clan][k]]
    return bits

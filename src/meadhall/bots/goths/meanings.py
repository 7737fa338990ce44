"""What each back means in Goths to a clan that has agreed on nothing: one card, as public reasoning finds it.

A back that might mean either of its cards would hide something from the enemies, but a king and a warchief who mix
apart from each other misunderstand each other as often as they deceive anybody. With one meaning for each back a clan
plays as well as somebody alone whose character the enemies can read, and nobody needs to have agreed on that.
"""

from itertools import product

import numpy as np
import numpy.typing as npt

from meadhall.bots.goths.cards import Backs
from meadhall.bots.goths.equilibrium import Floats
from meadhall.engine.bits import count_bits

Held = npt.NDArray[np.bool_]  # [back, 2]


def meant_cards(backs: Backs, held: Held, face_up: int, natural: Floats | None = None) -> Held:
    """The card that each back means, of those in the king's hand.

    As many characters as possible can be ordered, counting those that lie face up anyway (bits); then those cards are
    meant that people would rather play (`natural`, how often they play each).
    """
    likely = np.zeros(held.shape) if natural is None else natural
    shown = [back for back in range(len(held)) if held[back].any()]
    best, found = (-1, -1.0), np.zeros_like(held)
    for cards in product(*(np.flatnonzero(held[back]).tolist() for back in shown)):
        ordered = face_up
        for back, card in zip(shown, cards, strict=True):
            ordered |= 1 << int(backs.characters[back, card])
        score = count_bits(ordered), float(likely[shown, cards].sum())
        if score > best:
            best = score
            found = np.zeros_like(held)
            found[shown, cards] = True
    return found

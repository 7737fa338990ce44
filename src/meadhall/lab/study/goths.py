"""Goths Save the Queen: what is counted in a game of a study."""

from collections import Counter
from typing import Any

import numpy as np

from meadhall.games.goths.state import ACTION_CHARACTER, ACTIONS, CARDS, CHARACTERS, CLANS, DRAW
from meadhall.match import Match

CHARACTER_OF = {action: CHARACTERS[character] for action, character in zip(ACTIONS, ACTION_CHARACTER, strict=True)}


def card_column(what: str, card: str) -> str:
    """How often a card was given, or got through."""
    return f"{what}_{card.replace('/', '_')}"


def ended(rules: dict[str, Any], states: Any) -> dict[str, Any]:
    """What last positions say: who won (2: nobody), why, and how many turns it took."""
    return {
        "winner": states["winner"].astype(np.int8),
        "ending": states["by"].astype(np.int8),
        "turns": states["turn"].astype(np.int32),
    }


def score(columns: Any, clan: Any) -> Any:
    """What a clan, by number, made of each game; a draw is half a victory."""
    return np.where(columns["winner"] == DRAW, 0.5, columns["winner"] == clan)


def happened(match: Match) -> dict[str, int]:
    """What happened on the way: which orders were given, which got through, and what was read instead."""
    counted: Counter[str] = Counter()
    revealed: dict[Any, Any] = {}
    for event in match.full_events():
        clan = event.args.get("clan")
        if event.code == "revealed":
            revealed[clan] = event.args
        elif event.code in ("understood", "misread"):
            card, action = str(revealed[clan]["card"]), str(revealed[clan]["action"])
            counted[card_column("given", card)] += 1
            counted[f"meant_{card.split('/')[0]}_did_{CHARACTER_OF[action]}"] += 1
            if clan == CLANS[0]:
                counted["orders"] += 1
            if event.code == "understood":
                counted[card_column("through", card)] += 1
                counted[f"through_{clan}"] += 1
    return {name: counted[name] for name in COUNTED}


COUNTED = (
    "orders",
    *(f"through_{clan}" for clan in CLANS),
    *(card_column(what, card) for what in ("given", "through") for card in CARDS),
    *(f"meant_{meant}_did_{did}" for meant in CHARACTERS for did in CHARACTERS),
)

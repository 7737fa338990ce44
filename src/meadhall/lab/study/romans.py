"""Romans Go Home!: what is counted in a game of a study."""

from collections import Counter, defaultdict
from typing import Any

import numpy as np

from meadhall.games.romans.names import VALUES
from meadhall.games.romans.state import CLANS, FORTS, WARRIORS
from meadhall.match import Match

PLACES = range(1, 7)
TWO, FOUR = {"players": list(CLANS[:2])}, {"players": list(CLANS)}  # the rules that most studies play by


def ended(rules: dict[str, Any], states: Any) -> dict[str, Any]:
    """What last positions say: each player's share of the victory, points and forts; why, and in how many turns."""
    players = len(rules["players"])
    won = states["winners"][:, None] >> np.arange(4) & 1
    shares = won / np.maximum(won.sum(axis=1, keepdims=True), 1)
    found: dict[str, Any] = {
        "ending": states["by"].astype(np.int8),
        "turns": (6 * (states["round"].astype(np.int32) - 1) + states["turn"]).astype(np.int32),
        "shared": (won.sum(axis=1) > 1).astype(np.int8),
        "lost": states["lost_count"].astype(np.int8),
    }
    lost = np.arange(18) < states["lost_count"][:, None]
    for kind, fort in enumerate(FORTS):
        found[f"lost_{fort}"] = ((states["lost_forts"] == kind) & lost).sum(axis=1, dtype=np.int8)
    for clan in range(players):
        found[f"share_{clan}"] = shares[:, clan].astype(np.float32)
        found[f"points_{clan}"] = states["worth"][:, clan].astype(np.int16)
        held = np.arange(18) < states["forts_count"][:, clan][:, None]
        for kind, fort in enumerate(FORTS):
            found[f"held_{fort}_{clan}"] = ((states["forts"][:, clan] == kind) & held).sum(axis=1, dtype=np.int8)
    return found


def happened(match: Match) -> dict[str, int]:
    """What happened on the way, of all players together: what each warrior captured, and where."""
    counting = _Counting(set(match.rules["players"]))
    for event in match.full_events():
        counting.take(event.code, event.args)
    counting.end_round()
    return {name: counting.counted[name] for name in COUNTED}


class _Counting:
    """Goes through the events of a game."""

    def __init__(self, players: set[str]) -> None:
        self.players = players
        self.counted: Counter[str] = Counter()
        self.begin_round()

    def begin_round(self) -> None:
        self.dealt: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.laid: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.points: Counter[str] = Counter()
        self.shown: dict[str, tuple[str, int]] = {}

    def take(self, code: str, args: Any) -> None:
        clan = args.get("clan")
        if code == "round":
            self.end_round()
            self.begin_round()
        elif clan not in self.players:
            return
        elif code in ("dealt", "laid"):
            (self.dealt if code == "dealt" else self.laid)[clan][args["warrior"]] += 1
        elif code == "shown":
            self.shown[clan] = args["warrior"], args["place"]
            self.counted[f"shown_{args['warrior']}_{args['place']}"] += 1
        elif code == "captured":
            warrior, place = self.shown[clan]
            value = VALUES[args["fort"]]
            self.points[clan] += value
            self.counted[f"captures_{warrior}"] += 1
            self.counted[f"value_{warrior}_{place}"] += value
        elif code == "paid":
            self.points[clan] -= VALUES[args["fort"]]

    def end_round(self) -> None:
        """Whoever laid a warrior that he had drawn, or put it aside: what did he win in the round?"""
        for clan, dealt in self.dealt.items():
            for warrior in dealt:
                what = "laid" if self.laid[clan][warrior] == dealt[warrior] else "aside"
                self.counted[f"{what}_{warrior}"] += 1
                self.counted[f"points_{what}_{warrior}"] += self.points[clan]


COUNTED = (
    *(f"{what}_{warrior}_{place}" for what in ("shown", "value") for warrior in WARRIORS for place in PLACES),
    *(
        f"{what}_{warrior}"
        for what in ("captures", "laid", "points_laid", "aside", "points_aside")
        for warrior in WARRIORS
    ),
)

"""What an arena found, as data: the same seed gives the same bytes, on any number of cores."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from meadhall.games.game import game_named
from meadhall.lab.arena.arena import Arena, Meeting
from meadhall.lab.arena.crossplay import Cell
from meadhall.lab.arena.intervals import Share, mean_of_deals, share_of_counts
from meadhall.lab.arena.play import FIRST, SECOND, Lapse, Played
from meadhall.words import words

Deals = dict[int, list[Played]]


def score_of(games: list[Played], side: int) -> float:
    """A side's share of the victories of one deal."""
    score = sum(game.score for game in games) / len(games)
    return score if side == FIRST else 1.0 - score


def won(deals: Deals, side: int = FIRST) -> Share:
    """How often a side won, all games of a deal being one observation."""
    return mean_of_deals([score_of(deals[deal], side) for deal in sorted(deals)])


def understood(deals: Deals, side: int) -> Share:
    """The share of a side's orders that got through."""
    by_deal = [deals[deal] for deal in sorted(deals)]
    return share_of_counts(
        [sum(game.through[side] for game in games) for games in by_deal],
        [sum(game.orders for game in games) for games in by_deal],
    )


def _games(deals: Deals) -> list[Played]:
    return [game for deal in sorted(deals) for game in deals[deal]]


def mean_turns(games: Iterable[Played]) -> float | None:
    """How long games were that nobody forfeited."""
    turns = [game.turns for game in games if game.lapse is None]
    return round(sum(turns) / len(turns), 4) if turns else None


@dataclass(frozen=True)
class Standing:
    """An entrant over all its meetings."""

    name: str
    games: int
    won: Share
    draws: int
    turns: float | None
    forfeits: int


def standings(arena: Arena) -> list[Standing]:
    """Every entrant against all the others."""
    return [_standing(arena, entrant.name) for entrant in arena.entrants]


def _standing(arena: Arena, name: str) -> Standing:
    by_deal: dict[int, list[float]] = {}
    games: list[Played] = []
    forfeits = 0
    for meeting, deals in _meetings(arena):
        if name not in (meeting.first.name, meeting.second.name):
            continue
        side = FIRST if name == meeting.first.name else SECOND
        forfeits += sum(game.lapse is not None and game.lapse.side == side for game in _games(deals))
        if side == SECOND and not arena.both_ways:
            continue  # as one of several copies; its own score stands in the meeting the other way round
        games += _games(deals)
        for deal, played in deals.items():
            by_deal.setdefault(deal, []).append(score_of(played, side))
    scores = [sum(by_deal[deal]) / len(by_deal[deal]) for deal in sorted(by_deal)]
    return Standing(name, len(games), mean_of_deals(scores), _draws(games), mean_turns(games), forfeits)


def _draws(games: Iterable[Played]) -> int:
    """Games that no side won alone."""
    return sum(game.lapse is None and 0.0 < game.score < 1.0 for game in games)


def _meetings(arena: Arena) -> Iterable[tuple[Meeting, Deals]]:
    """The meetings of the round robin."""
    return [
        (meeting, deals) for meeting, deals in zip(arena.meetings, arena.played, strict=True) if meeting.couple is None
    ]


def matrix(arena: Arena) -> list[list[Share | None]]:
    """How often the entrant of a row won against that of a column; None for an entrant against itself."""
    place = {entrant.name: k for k, entrant in enumerate(arena.entrants)}
    found: list[list[Share | None]] = [[None] * len(place) for _ in place]
    for meeting, deals in _meetings(arena):
        first, second = place[meeting.first.name], place[meeting.second.name]
        found[first][second] = won(deals)
        if arena.both_ways:
            found[second][first] = won(deals, SECOND)
    return found


def roles(arena: Arena) -> tuple[str, ...]:
    """The names of the roles of a side."""
    return game_named(arena.setting.game).roles


def cells(arena: Arena) -> list[Cell]:
    """The cross-play matrix of a game that is played by partners, row by row."""
    found = []
    for meeting, deals in zip(arena.meetings, arena.played, strict=True):
        if meeting.couple is not None:
            games = _games(deals)
            orders = sum(game.orders for game in games)
            found.append(Cell(*meeting.couple, len(games), won(deals), orders, understood(deals, FIRST)))
    return found


@dataclass(frozen=True)
class Failing:
    """All games that one bot forfeited in one way, and the first of them."""

    bot: str
    kind: str
    games: int
    meeting: str
    game: int  # the first of them, counted from 1 in its meeting
    lapse: Lapse

    def __str__(self) -> str:
        lapse = self.lapse
        games = "1 game" if self.games == 1 else f"{self.games:,} games"
        where = f"game {self.game} of {self.meeting}, turn {lapse.turn}, {lapse.seat}"
        return f"{self.bot} forfeited {games}: {where}: {lapse.said}"


def failings(arena: Arena) -> list[Failing]:
    """One entry for each bot and way to fail."""
    found: dict[tuple[str, str], Failing] = {}
    for meeting, deals in zip(arena.meetings, arena.played, strict=True):
        for deal in sorted(deals):
            for way, game in enumerate(deals[deal]):
                if game.lapse is None:
                    continue
                key = (game.lapse.bot, game.lapse.kind)
                number = deal * arena.setting.sides + way + 1
                first = found.get(key) or Failing(*key, 0, meeting.title, number, game.lapse)
                found[key] = Failing(*key, first.games + 1, first.meeting, first.game, first.lapse)
    return [found[key] for key in sorted(found)]


def caveats(arena: Arena) -> list[str]:
    """What one should know of levels that play these rules by estimates."""
    english = words("en")
    return [f"{level}: {english.say(why.key, **why.args)}" for level, why in arena.caveats.items()]


# As JSON


def as_data(arena: Arena) -> dict[str, Any]:
    """Everything, with no clock and no machine in it."""
    data = {
        "game": arena.setting.game,
        "rules": arena.rules,
        "seed": arena.setting.seed,
        "games": arena.done,
        "asked_for": arena.games,
        "games_a_deal": arena.setting.sides,
        "entrants": [_entrant_data(arena, standing) for standing in standings(arena)],
        "pairings": [_meeting_data(arena, meeting, deals) for meeting, deals in _meetings(arena)],
        "matrix": [[None if cell is None else cell.json() for cell in row] for row in matrix(arena)],
        "forfeits": [_failing_data(failing) for failing in failings(arena)],
        "caveats": caveats(arena),
    }
    if arena.fixed is not None:
        data["crossplay"] = {"fixed": arena.fixed.name, "cells": [_cell_data(arena, cell) for cell in cells(arena)]}
    return data


def _entrant_data(arena: Arena, standing: Standing) -> dict[str, Any]:
    bots = next(list(entrant.bots) for entrant in arena.entrants if entrant.name == standing.name)
    return {
        "name": standing.name,
        "bots": bots,
        "games": standing.games,
        "won": standing.won.json(),
        "draws": standing.draws,
        "turns": standing.turns,
        "forfeits": standing.forfeits,
    }


def _meeting_data(arena: Arena, meeting: Meeting, deals: Deals) -> dict[str, Any]:
    games = _games(deals)
    data = {
        "first": meeting.first.name,
        "second": meeting.second.name,
        "games": len(games),
        "deals": len(deals),
        "won": won(deals).json(),
        "wins": sum(game.score == 1.0 for game in games),
        "draws": _draws(games),
        "turns": mean_turns(games),
    }
    if arena.setting.roles > 1:
        data["orders"] = sum(game.orders for game in games)
        data["through"] = [understood(deals, side).json() for side in (FIRST, SECOND)]
    return data


def _cell_data(arena: Arena, cell: Cell) -> dict[str, Any]:
    return dict(zip(roles(arena), (cell.first, cell.second), strict=True)) | {
        "games": cell.games,
        "won": cell.won.json(),
        "orders": cell.orders,
        "through": cell.through.json(),
    }


def _failing_data(failing: Failing) -> dict[str, Any]:
    lapse = failing.lapse
    return {
        "bot": failing.bot,
        "kind": failing.kind,
        "games": failing.games,
        "first": {"pairing": failing.meeting, "game": failing.game, "turn": lapse.turn, "seat": lapse.seat},
        "said": lapse.said,
    }

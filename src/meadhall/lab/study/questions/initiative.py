"""Does the first initiative help? The Ostrogoths have it on turn 1 (G2.2), and it passes every turn (G3.1)."""

from typing import Any

from meadhall.bots import LEVELS
from meadhall.games.goths.state import DRAW
from meadhall.lab.study import figures
from meadhall.lab.study.estimates import Estimate, share
from meadhall.lab.study.goths import score
from meadhall.lab.study.report import Cell, Section, Table, percent, with_interval
from meadhall.lab.study.samples import by_level
from meadhall.lab.study.studies import Games, Study, sample_of

SAMPLES = by_level("goths", "standard", {})
LENGTHS = ((1, 10), (11, 20), (21, 40), (41, 80), (81, 200))


def _scores(games: Games, level: str) -> Any:
    """What the Ostrogoths, who have the first initiative, made of each game."""
    return score(games[sample_of(SAMPLES, level).name], 0)


def _answer(games: Games) -> list[str]:
    words = {1: "helps", 0: "makes no difference that these games could show", -1: "does harm"}
    found = {level: share(_scores(games, level)) for level in LEVELS}
    lines = [
        f"Among {level} players the first initiative {words[each.beside(0.5)]}: "
        f"whoever has it scores {with_interval(each, percent)}."
        for level, each in found.items()
    ]
    return [*lines, "A draw counts half. Both clans are played by the same bots."]


def _by_level(games: Games) -> Section:
    rows: list[tuple[str, list[Cell]]] = []
    drawn: list[tuple[str, dict[str, Estimate | None]]] = []
    for level in LEVELS:
        columns = games[sample_of(SAMPLES, level).name]
        score = share(_scores(games, level))
        queen = share(columns["ending"] == 0)
        rows.append((level, [score, share(columns["winner"] == 0), share(columns["winner"] == 1), queen]))
        drawn.append((level, {"score": score}))
    return Section(
        "The score of the clan that begins",
        [
            "With equal chances both clans would score 50 %. The first initiative is one turn of showing a King "
            "card before the enemy does; on the next turn it is the enemy's."
        ],
        Table(("level", "first clan's score", "it won", "the other won", "ended by the queen"), rows),
        figures.intervals(drawn, at=0.5, label="score of the Ostrogoths, who have the initiative on turn 1"),
        "The score of the clan that has the first initiative, by level, beside 50 %.",
    )


def _last_turn(games: Games) -> Section:
    """Does it help to have the initiative on the turn that decides the game?"""
    rows: list[tuple[str, list[Cell]]] = []
    drawn: list[tuple[str, dict[str, Estimate | None]]] = []
    for level in LEVELS:
        columns = games[sample_of(SAMPLES, level).name]
        decided = columns["winner"] != DRAW
        holder = (columns["turns"][decided] + 1) % 2  # 0 on odd turns
        held = share(columns["winner"][decided] == holder) if decided.any() else None
        rows.append((level, [held]))
        drawn.append((level, {"held": held}))
    return Section(
        "The initiative on the last turn",
        ["Of games that somebody won: how often did the winner have the initiative on the turn that decided it?"],
        Table(("level", "the winner had it"), rows),
        figures.intervals(drawn, at=0.5, label="winners who had the initiative on the last turn"),
        "How often the winner had the initiative on the last turn, by level.",
    )


def _by_length(games: Games) -> Section:
    rows: list[tuple[str, list[Cell]]] = []
    drawn: list[tuple[str, dict[str, Estimate | None]]] = []
    for low, high in LENGTHS:
        found: dict[str, Estimate | None] = {}
        for level in LEVELS:
            turns = games[sample_of(SAMPLES, level).name]["turns"]
            chosen = _scores(games, level)[(turns >= low) & (turns <= high)]
            found[level] = share(chosen) if len(chosen) >= 20 else None
        rows.append((f"{low} to {high} turns", [found[level] for level in LEVELS]))
        drawn.append((f"{low} to {high}", found))
    return Section(
        "Short games and long ones",
        ["If the start mattered most, it would show in short games. (Fewer than 20 games: nothing is shown.)"],
        Table(("length", *LEVELS), rows),
        figures.intervals(drawn, at=0.5, label="score of the clan that begins, by the length of the game"),
        "The score of the clan that begins, by length of the game and level.",
    )


def _answered(games: Games) -> tuple[list[str], list[Section]]:
    return _answer(games), [_by_level(games), _last_turn(games), _by_length(games)]


STUDY = Study("initiative", "Goths: does the first initiative help?", SAMPLES, _answered)

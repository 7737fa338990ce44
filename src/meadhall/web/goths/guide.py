"""Goths Save the Queen in the browser: for somebody new, who he is, what wins, and what the characters can do."""

from dataclasses import dataclass

from meadhall.games.goths.state import ACTION_CHARACTER, ACTIONS, CHARACTERS
from meadhall.web.goths.pieces import Viewer, brief, effect


@dataclass(frozen=True)
class Deed:
    """An order: its number, which also says how early it acts, its name and what it does."""

    number: int
    action: str
    name: str
    effect: str


@dataclass(frozen=True)
class Kind:
    """A character and the orders a warchief can give for it."""

    character: str
    name: str
    deeds: tuple[Deed, ...]


@dataclass(frozen=True)
class Guide:
    """What to know on the first turn; later it is folded away."""

    clan: str  # "" for a spectator
    you: str
    goal: str
    task: str
    kinds: tuple[Kind, ...]
    first: bool  # nothing has been told yet


def guide(viewer: Viewer) -> Guide:
    """Who the viewer is, the goal in one sentence, his part of it, and the key of characters and orders."""
    if viewer.clan is None:
        you, task = viewer.say("goths.table.guide.you-watch"), viewer.say("goths.table.guide.task-watch")
    else:
        of_clan = viewer.of(viewer.clan)
        if viewer.lone:
            you, task = "goths.table.guide.you-lone", "goths.table.guide.task-lone"
        elif viewer.role == "king":
            you, task = "goths.table.guide.you-king", "goths.table.guide.task-king"
        else:
            you, task = "goths.table.guide.you-warchief", "goths.table.guide.task-warchief"
        you, task = viewer.say(you, of_clan=of_clan), viewer.say(task)
    return Guide(
        clan=viewer.clan or "",
        you=you,
        goal=viewer.say("goths.table.guide.goal"),
        task=task,
        kinds=tuple(
            Kind(
                name,
                viewer.name("character", name),
                tuple(
                    Deed(number + 1, action, brief(viewer, action), effect(viewer, action))
                    for number, action in enumerate(ACTIONS)
                    if ACTION_CHARACTER[number] == k
                ),
            )
            for k, name in enumerate(CHARACTERS)
        ),
        first=viewer.position["turn"] == 1,
    )

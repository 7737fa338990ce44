"""Romans Go Home!, learned in eight steps: from a first line along the Wall to three legions."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from meadhall.games.decks import own_deck
from meadhall.games.romans.names import POINTS
from meadhall.match import View
from meadhall.web.lesson import ALIKE, OTHERWISE, Answer, Choice, Happens, Lesson, Step, happens
from meadhall.web.romans.board import Picture
from meadhall.web.romans.hand import Held, Plan
from meadhall.words import Words

GOLD, GREEN, RED = "gold", "green", "red"
TWO = {"players": [GOLD, RED]}
THREE = {"players": [GOLD, GREEN, RED]}


def facts(view: View, words: Words) -> dict[str, object]:
    """The strength of each warrior by its name, and what each clan has face up."""
    sums = zip(view.game.vocabulary(view.rules, "clan"), view.plain.strength_up, strict=False)
    return {**POINTS, **dict(sums)}


def begin(picture: Picture, begun: str) -> Picture:
    """The table of a step whose line is laid in part: `plan:,axx,...` leaves the first place empty."""
    plan = picture.hand.plan
    assert plan is not None, "only a line can be laid in part"
    return replace(picture, hand=replace(picture.hand, plan=_laid(plan, begun.partition(":")[2].split(","))))


def _laid(plan: Plan, warriors: Sequence[str]) -> Plan:
    """A plan with these warriors in their places, of equals the later ones; nothing is an empty place."""
    left = list(plan.hand)
    places = []
    for place, warrior in zip(plan.places, warriors, strict=True):
        holds: Held | None = next((held for held in reversed(left) if held.warrior == warrior), None)
        if holds is not None:
            left.remove(holds)
        places.append(replace(place, holds=holds))
    return replace(plan, places=tuple(places), left=tuple(left))


def dealt(wall: Sequence[str], **hands: str) -> dict[str, Any]:
    """A set-up whose first Wall and hands are these; a turn may lead on, so later rounds are dealt too."""
    rest = Counter(own_deck("romans")) - Counter(wall)
    return {
        "forts": [*wall, *rest.elements()],
        "hands": [{clan: hand.split() for clan, hand in hands.items()}] * 3,
    }


def laid(setup: dict[str, Any]) -> tuple[Choice, ...]:
    """Everybody's plan: the first six of the hand, as they lie in it."""
    hands = setup["hands"][0]
    return tuple((clan, "plan:" + ",".join(hand[:6])) for clan, hand in hands.items())


def turned_up(clan: str, warrior: str, place: int) -> Happens:
    """A clan reveals a warrior on a turn."""
    return happens("shown", clan=clan, warrior=warrior, place=place)


PLAN_WALL = ("ordinary-3", "ordinary-5", "ordinary-4", "ordinary-5", "ordinary-6", "ordinary-6")
PLAN_HANDS = dealt(
    PLAN_WALL,
    gold="zvord charriott axx horsie druhid filchy archr",
    red="axx archr druhid filchy charriott horsie zvord",
)
PLAN = Step(
    name="plan",
    title="romans.learn.plan.title",
    ask="romans.learn.plan.ask",
    seat=GOLD,
    rules=TWO,
    setup=PLAN_HANDS,
    begun="plan:,axx,horsie,druhid,filchy,archr",
    then=(*laid(PLAN_HANDS)[1:], (RED, "leave:axx")),
    look=("fort-1-1", "data-slot=1"),
    help=("data-warrior=charriott",),
    right=Answer(
        ("plan:charriott,axx,horsie,druhid,filchy,archr", ALIKE),
        "romans.learn.plan.right",
        (happens("captured", clan=GOLD, fort="ordinary-3"), happens("left", clan=GOLD, place=1)),
    ),
    wrong=(
        Answer(
            ("plan:axx,charriott,horsie,druhid,filchy,archr", ALIKE),
            "romans.learn.plan.tie",
            (happens("tie"), happens("fort-discarded", fort="ordinary-3")),
        ),
        Answer(
            ("plan:filchy,axx,horsie,druhid,charriott,archr", ALIKE),
            "romans.learn.plan.filchy",
            (turned_up(GOLD, "filchy", 1), happens("captured", clan=RED, fort="ordinary-3")),
        ),
        Answer((OTHERWISE,), "romans.learn.plan.weak", (happens("captured", clan=RED, fort="ordinary-3"),)),
    ),
)

STAYS_HANDS = dealt(
    PLAN_WALL,
    gold="axx horsie archr filchy druhid charriott zvord",
    green="charriott druhid charriott archr filchy axx zvord",
    red="filchy horsie axx archr druhid charriott zvord",
)
STAYS = Step(
    name="stays",
    title="romans.learn.stays.title",
    ask="romans.learn.stays.ask",
    seat=GOLD,
    rules=THREE,
    setup=STAYS_HANDS,
    before=laid(STAYS_HANDS),
    look=("warrior-gold-1", "warrior-gold-2"),
    turns=2,
    right=Answer(
        ("discard:axx",),
        "romans.learn.stays.right",
        (
            happens("discarded", clan=GOLD, warrior="axx", why="horsie"),
            turned_up(GOLD, "archr", 3),
            happens("captured", clan=GOLD),
        ),
    ),
    wrong=(
        Answer(
            ("discard:horsie",),
            "romans.learn.stays.weak",
            (turned_up(GOLD, "archr", 3), happens("captured", clan=GREEN)),
        ),
    ),
)

CHARM_HANDS = dealt(
    PLAN_WALL,
    gold="druhid qween axx archr filchy horsie charriott",
    green="filchy archr axx druhid zvord horsie charriott",
    red="charriott horsie axx archr druhid filchy zvord",
)
CHARM = Step(
    name="charm",
    title="romans.learn.charm.title",
    ask="romans.learn.charm.ask",
    seat=GOLD,
    rules=THREE,
    setup=CHARM_HANDS,
    before=laid(CHARM_HANDS),
    look=("warrior-green-2", "warrior-red-2"),
    right=Answer(
        ("charm:green",),
        "romans.learn.charm.right",
        (happens("charmed", clan=GOLD, target=GREEN, warrior="archr"), happens("captured", clan=GOLD)),
    ),
    wrong=(
        Answer(
            ("charm:red",),
            "romans.learn.charm.other",
            (
                happens("charmed", clan=GOLD, target=RED, warrior="horsie"),
                happens("highest", clan=GREEN),
                happens("captured", clan=GREEN),
            ),
        ),
    ),
)

TIE_HANDS = dealt(
    PLAN_WALL,
    gold="axx zvord druhid filchy horsie archr charriott",
    green="charriott charriott druhid axx filchy horsie zvord",
    red="filchy druhid axx horsie archr charriott zvord",
)
TIE = Step(
    name="tie",
    title="romans.learn.tie.title",
    ask="romans.learn.tie.ask",
    seat=GOLD,
    rules=THREE,
    setup=TIE_HANDS,
    before=laid(TIE_HANDS),
    then=((RED, "leave:axx"),),
    look=("data-slot=3", "data-warrior=archr"),
    help=("fort-1-3",),
    turns=2,
    right=Answer(
        ("reorder:archr,filchy,horsie,druhid", ALIKE),
        "romans.learn.tie.right",
        (happens("tie-broken", clan=GOLD), happens("captured", clan=GOLD)),
    ),
    wrong=(
        Answer(
            ("reorder:horsie,filchy,druhid,archr", ALIKE),
            "romans.learn.tie.strong",
            (turned_up(GOLD, "horsie", 3), happens("captured", clan=GOLD)),
        ),
        Answer(
            ("reorder:filchy,druhid,horsie,archr", ALIKE),
            "romans.learn.tie.filchy",
            (turned_up(GOLD, "filchy", 3), happens("captured", clan=RED)),
        ),
        Answer((OTHERWISE,), "romans.learn.tie.weak", (happens("highest", clan=RED), happens("captured", clan=RED))),
    ),
)

CRASH_HANDS = dealt(
    PLAN_WALL,
    gold="axx zvord druhid archr horsie charriott filchy",
    green="charriott charriott druhid axx filchy horsie zvord",
    red="axx druhid charriott horsie archr filchy zvord",
)
CRASH = Step(
    name="crash",
    title="romans.learn.crash.title",
    ask="romans.learn.crash.ask",
    seat=GOLD,
    rules=THREE,
    setup=CRASH_HANDS,
    before=laid(CRASH_HANDS),
    look=("data-slot=3", "data-warrior=charriott"),
    help=("fort-1-3",),
    turns=2,
    right=Answer(
        ("reorder:charriott,archr,horsie,druhid", ALIKE),
        "romans.learn.crash.right",
        (
            happens("wrecked", clan=GOLD, place=3),
            happens("wrecked", clan=RED, place=3),
            happens("highest", clan=GOLD),
            happens("captured", clan=GOLD),
        ),
    ),
    wrong=(
        Answer(
            (OTHERWISE,),
            "romans.learn.crash.other",
            (turned_up(RED, "charriott", 3), happens("captured", clan=RED)),
            lacks=(happens("wrecked"),),
        ),
    ),
)

KEEP_HANDS = dealt(
    ("ordinary-1", "unwary-2", "ordinary-5", "ordinary-3", "ordinary-4", "ordinary-6"),
    gold="druhid axx archr horsie charriott filchy zvord",
    red="archr druhid horsie axx charriott filchy zvord",
)
KEEP = Step(
    name="keep",
    title="romans.learn.keep.title",
    ask="romans.learn.keep.ask",
    seat=GOLD,
    rules=TWO,
    setup=KEEP_HANDS,
    before=laid(KEEP_HANDS),
    then=((GOLD, "keep:weakest"), (RED, "discard:druhid")),
    look=("warrior-gold-2",),
    turns=2,
    right=Answer(
        ("keep:axx",),
        "romans.learn.keep.right",
        (
            happens("kept", clan=GOLD, warrior="axx", why="axx"),
            happens("kept", clan=GOLD, warrior="druhid", why="unwary"),
            turned_up(GOLD, "archr", 3),
            happens("captured", clan=GOLD, fort="ordinary-5"),
        ),
    ),
    wrong=(
        Answer(
            ("leave:axx",),
            "romans.learn.keep.gone",
            (happens("left", clan=GOLD, warrior="axx"), happens("captured", clan=RED, fort="ordinary-5")),
        ),
    ),
)

COST_HANDS = dealt(
    ("ordinary-1", "legion-3", "ordinary-5", "ordinary-3", "ordinary-4", "ordinary-6"),
    gold="charriott filchy archr horsie axx druhid charriott",
    red="druhid archr axx horsie charriott filchy zvord",
)
COST = Step(
    name="cost",
    title="romans.learn.cost.title",
    ask="romans.learn.cost.ask",
    seat=GOLD,
    rules=TWO,
    setup=COST_HANDS,
    begun="plan:archr,,horsie,axx,druhid,charriott",
    then=(*laid(COST_HANDS)[1:], (RED, "take:1"), (GOLD, "leave:axx"), (GOLD, "take:1")),
    look=("fort-1-2", "data-slot=2"),
    help=("data-warrior=filchy",),
    turns=2,
    right=Answer(
        ("plan:archr,filchy,horsie,axx,druhid,charriott", ALIKE),
        "romans.learn.cost.right",
        (turned_up(GOLD, "filchy", 2), happens("captured", clan=RED, fort="legion-3")),
    ),
    wrong=(
        Answer(
            (
                "plan:archr,charriott,horsie,axx,druhid,charriott",
                "plan:filchy,druhid,horsie,axx,archr,charriott",
                ALIKE,
            ),
            "romans.learn.cost.took",
            (happens("captured", clan=GOLD, fort="legion-3"),),
        ),
        Answer(
            (OTHERWISE,),
            "romans.learn.cost.spared",
            (happens("turn", turn=2),),
            lacks=(happens("captured", clan=GOLD, fort="legion-3"),),
        ),
    ),
)

LEGION_HANDS = dealt(
    ("ordinary-1", "legion-1", "legion-2", "ordinary-3", "legion-2", "ordinary-6"),
    gold="archr horsie axx druhid charriott filchy zvord",
    green="charriott charriott druhid zvord axx filchy horsie",
    red="charriott charriott druhid zvord archr axx filchy",
)
LEGIONS = Step(
    name="legions",
    title="romans.learn.legions.title",
    ask="romans.learn.legions.ask",
    seat=GOLD,
    rules=THREE,
    setup=LEGION_HANDS,
    before=(*laid(LEGION_HANDS), (GOLD, "keep:axx")),
    look=("fort-1-4", "fort-1-5", "fort-1-6"),
    right=Answer(
        ("take:2",),
        "romans.learn.legions.right",
        (happens("legions", clan=GOLD), happens("won", clan=GOLD, by="legions")),
    ),
    wrong=(
        Answer(
            ("take:1", "take:3"),
            "romans.learn.legions.points",
            (happens("captured", clan=GOLD),),
            lacks=(happens("won"),),
        ),
    ),
)

LESSON = Lesson(
    "romans",
    (PLAN, STAYS, CHARM, TIE, CRASH, KEEP, COST, LEGIONS),
    first_game={"rivals": "2", "level": "easy"},
)

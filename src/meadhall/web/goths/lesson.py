"""Goths Save the Queen, learned in eight steps: the warchief's chair first, then the king's."""

from meadhall.games.goths.state import ACTIONS
from meadhall.match import View
from meadhall.web.lesson import OTHERWISE, Answer, Choice, Lesson, Step, happens
from meadhall.words import Words

KING, CHIEF = "ostrogoth-king", "ostrogoth-warchief"
THEIR_KING, THEIR_CHIEF = "visigoth-king", "visigoth-warchief"
OURS, THEIRS = "ostrogoth", "visigoth"
# Where the queen lies is the same in all steps.
SETUP = {"objectives": ["trap", "plains", "queen"]}


def facts(view: View, words: Words) -> dict[str, object]:
    """The orders by name and number, and what the learner alone has seen of the objectives."""
    named = {action: words.name("goths", "action", action) for action in ACTIONS}
    numbers = {f"{action}_number": number for number, action in enumerate(ACTIONS, 1)}
    secret = [each["card"] for each in view.json()["objectives"] if each["card"] and not each["revealed"]]
    return {**named, **numbers, "seen": ", ".join(words.name("goths", "objective", card) for card in secret)}


def orders(first: str, second: str, turn: int) -> tuple[Choice, ...]:
    """The King cards of a turn, the Ostrogoths' first; they hold the initiative on odd turns (G2.2, G3.1)."""
    cards = ((KING, f"order:{first}"), (THEIR_KING, f"order:{second}"))
    return cards if turn % 2 else cards[::-1]


def acts(ours: str, theirs: str) -> tuple[Choice, ...]:
    """The Warchief cards of a turn."""
    return (CHIEF, f"act:{ours}"), (THEIR_CHIEF, f"act:{theirs}")


UNDERSTOOD = happens("understood", clan=OURS)
MISREAD = happens("misread", clan=OURS)
GONE = (happens("lost", clan=OURS), happens("won", clan=THEIRS, by="elimination"))
OBJECTIVES = ("objective-1", "objective-2", "objective-3")

BACK = Step(
    name="back",
    title="goths.learn.back.title",
    ask="goths.learn.back.ask",
    seat=CHIEF,
    setup=SETUP,
    before=orders("barbarian/vulture", "recruiter/catapult", 1),
    then=((THEIR_CHIEF, "act:recruit"),),
    look=("order-ostrogoth", "act:advance"),
    right=Answer(
        ("act:advance",),
        "goths.learn.back.right",
        (UNDERSTOOD, happens("advanced", clan=OURS)),
        look=("army-ostrogoth",),
    ),
    wrong=(
        Answer(
            ("act:reconnoitre", "act:sabotage"),
            "goths.learn.back.other",
            (MISREAD,),
            look=("order-ostrogoth",),
        ),
        Answer(
            ("act:barricade", "act:axe", "act:rats"),
            "goths.learn.back.stays",
            (UNDERSTOOD,),
            lacks=(happens("advanced", clan=OURS),),
        ),
        Answer((OTHERWISE,), "goths.learn.back.none", (MISREAD,), look=("order-ostrogoth",)),
    ),
)

FACE_UP = Step(
    name="face-up",
    title="goths.learn.up.title",
    ask="goths.learn.up.ask",
    seat=CHIEF,
    setup=SETUP,
    before=(
        *orders("barbarian/vulture", "recruiter/vulture", 1),
        *acts("reconnoitre", "recruit"),
        *orders("catapult/recruiter", "vulture/recruiter", 2),
    ),
    then=((THEIR_CHIEF, "act:reconnoitre"), (THEIR_CHIEF, "look:objective-1")),
    look=("king-ostrogoth-1",),
    right=Answer(
        ("act:barricade", "act:advance", "act:axe", "act:rats"),
        "goths.learn.up.right",
        (happens("understood", clan=OURS, how="face-up"), happens("cards-back", clan=OURS)),
    ),
    wrong=(
        Answer(
            ("act:load", "act:fire"),
            "goths.learn.up.lucky",
            (happens("understood", clan=OURS, how="order"),),
        ),
        Answer(("act:recruit",), "goths.learn.up.guess", (MISREAD,), look=("king-ostrogoth-1", "king-ostrogoth-2")),
        Answer((OTHERWISE,), "goths.learn.up.none", (MISREAD,), look=("king-ostrogoth-1",)),
    ),
)

FIRST = Step(
    name="first",
    title="goths.learn.first.title",
    ask="goths.learn.first.ask",
    seat=CHIEF,
    setup=SETUP,
    before=(
        *orders("barbarian/catapult", "catapult/recruiter", 1),
        *acts("load", "load"),
        *orders("vulture/barbarian", "catapult/recruiter", 2),
    ),
    then=((THEIR_CHIEF, "act:fire"),),
    look=("catapult-visigoth", "king-ostrogoth-1", "order-ostrogoth"),
    right=Answer(
        ("act:sabotage",),
        "goths.learn.first.right",
        (
            happens("first", clan=OURS, action="sabotage", later="fire"),
            happens("sabotaged", clan=OURS),
            happens("no-effect", clan=THEIRS, why="catapult-not-loaded"),
        ),
        look=("catapult-visigoth",),
    ),
    wrong=(
        Answer(
            ("act:barricade",),
            "goths.learn.first.late",
            (happens("first", clan=THEIRS, action="fire", later="barricade"), *GONE),
        ),
        Answer(
            ("act:reconnoitre",),
            "goths.learn.first.look",
            (happens("first", clan=OURS, action="reconnoitre"), happens("looked", clan=OURS), *GONE),
            then=((THEIR_CHIEF, "act:fire"), (CHIEF, "look:objective-1")),
        ),
        Answer((OTHERWISE,), "goths.learn.first.hit", GONE),
    ),
)

FIRE = Step(
    name="fire",
    title="goths.learn.fire.title",
    ask="goths.learn.fire.ask",
    seat=CHIEF,
    setup=SETUP,
    before=(
        *orders("catapult/recruiter", "recruiter/vulture", 1),
        *acts("load", "recruit"),
        *orders("catapult/recruiter", "barbarian/vulture", 2),
    ),
    then=((THEIR_CHIEF, "act:barricade"),),
    look=("catapult-ostrogoth", "army-visigoth"),
    right=Answer(
        ("act:fire",),
        "goths.learn.fire.right",
        (
            happens("first", clan=OURS, action="fire", later="barricade"),
            happens("lost", clan=THEIRS, units=2),
            happens("barricaded", clan=THEIRS),
        ),
        look=("army-visigoth", "catapult-ostrogoth"),
    ),
    wrong=(
        Answer(
            ("act:load",),
            "goths.learn.fire.load",
            (happens("no-effect", clan=OURS, why="catapult-already-active"), happens("barricaded", clan=THEIRS)),
            look=("army-visigoth",),
        ),
        Answer(
            (OTHERWISE,),
            "goths.learn.fire.lost",
            (MISREAD, happens("barricaded", clan=THEIRS)),
            look=("army-visigoth",),
        ),
    ),
)

HIDE = Step(
    name="hide",
    title="goths.learn.hide.title",
    ask="goths.learn.hide.ask",
    seat=CHIEF,
    setup=SETUP,
    before=(
        *orders("barbarian/vulture", "recruiter/vulture", 1),
        *acts("advance", "recruit"),
        *orders("catapult/recruiter", "barbarian/vulture", 2),
        *acts("load", "axe"),
        *orders("barbarian/vulture", "barbarian/catapult", 3),
    ),
    then=((THEIR_CHIEF, "act:axe"),),
    look=("army-ostrogoth",),
    right=Answer(
        ("act:barricade",),
        "goths.learn.hide.right",
        (
            happens("first", clan=OURS, action="barricade", later="axe"),
            happens("protected", clan=OURS, why="barricade", cause="axe"),
        ),
        look=("army-ostrogoth",),
    ),
    wrong=(
        Answer(("act:advance",), "goths.learn.hide.march", (happens("advanced", clan=OURS), *GONE)),
        Answer(
            ("act:axe",),
            "goths.learn.hide.axe",
            (
                happens("first", clan=OURS, action="axe", later="axe"),
                happens("protected", clan=THEIRS, why="forest", cause="axe"),
                *GONE,
            ),
        ),
        Answer((OTHERWISE,), "goths.learn.hide.hit", GONE),
    ),
)

LOOK = Step(
    name="look",
    title="goths.learn.look.title",
    ask="goths.learn.look.ask",
    seat=CHIEF,
    setup=SETUP,
    before=(
        *orders("barbarian/vulture", "barbarian/vulture", 1),
        *acts("advance", "advance"),
        *orders("vulture/recruiter", "barbarian/vulture", 2),
        *acts("reconnoitre", "advance"),
    ),
    look=OBJECTIVES,
    right=Answer(
        ("look:objective-1", "look:objective-2", "look:objective-3"),
        "goths.learn.look.right",
        (happens("looked", clan=OURS), happens("saw", clan=OURS)),
    ),
)

QUEEN = Step(
    name="queen",
    title="goths.learn.queen.title",
    ask="goths.learn.queen.ask",
    seat=CHIEF,
    setup=SETUP,
    before=(
        *orders("barbarian/vulture", "barbarian/vulture", 1),
        *acts("advance", "advance"),
        *orders("vulture/recruiter", "barbarian/vulture", 2),
        *acts("reconnoitre", "advance"),
        (CHIEF, "look:objective-1"),
        *orders("barbarian/vulture", "barbarian/vulture", 3),
        *acts("advance", "advance"),
        (THEIR_CHIEF, "enter:objective-2"),
        *orders("barbarian/catapult", "vulture/recruiter", 4),
        *acts("advance", "sabotage"),
    ),
    look=OBJECTIVES,
    right=Answer(
        ("enter:objective-3",), "goths.learn.queen.right", (happens("won", clan=OURS, by="queen"),), look=OBJECTIVES[2:]
    ),
    wrong=(
        Answer(
            ("enter:objective-1",),
            "goths.learn.queen.trap",
            (happens("turned-up", objective="trap"), happens("lost", clan=OURS, units=1, cause="advance")),
            look=OBJECTIVES[:1],
        ),
    ),
)

REPLY = (THEIR_KING, "order:barbarian/vulture")
MARCH = (REPLY, (CHIEF, "act:advance"), (THEIR_CHIEF, "act:advance"))
SPY = (REPLY, (CHIEF, "act:reconnoitre"), (THEIR_CHIEF, "act:advance"), (CHIEF, "look:objective-1"))
NO_SHOT = (happens("fired", clan=OURS),)

RULE = Step(
    name="king",
    title="goths.learn.king.title",
    ask="goths.learn.king.ask",
    seat=KING,
    setup=SETUP,
    before=(
        *orders("recruiter/vulture", "vulture/recruiter", 1),
        *acts("recruit", "reconnoitre"),
        (THEIR_CHIEF, "look:objective-2"),
        *orders("catapult/recruiter", "barbarian/vulture", 2),
        *acts("load", "advance"),
    ),
    then=(REPLY, (CHIEF, "act:fire"), (THEIR_CHIEF, "act:advance")),
    look=("catapult-ostrogoth", "army-visigoth"),
    right=Answer(
        ("order:catapult/recruiter",),
        "goths.learn.king.right",
        (happens("understood", clan=OURS, action="fire"), happens("won", clan=OURS, by="elimination")),
    ),
    wrong=(
        Answer(
            ("order:catapult/barbarian",), "goths.learn.king.doubt", (happens("misread", action="advance"),), then=MARCH
        ),
        Answer(("order:recruiter/catapult",), "goths.learn.king.same", (happens("misread", action="fire"),)),
        Answer(
            ("order:vulture/recruiter", "order:recruiter/vulture"), "goths.learn.king.none", lacks=NO_SHOT, then=SPY
        ),
        Answer((OTHERWISE,), "goths.learn.king.none", lacks=NO_SHOT, then=MARCH),
    ),
)

LESSON = Lesson(
    "goths",
    (BACK, FACE_UP, FIRST, FIRE, HIDE, LOOK, QUEEN, RULE),
    first_game={"seat": "warchief", "level": "easy"},
)

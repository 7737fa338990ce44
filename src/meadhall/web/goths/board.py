"""Goths Save the Queen in the browser: the picture of a table, made from a view and the events its seat may know."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from meadhall.engine.layout import UNKNOWN
from meadhall.games.game import Event
from meadhall.games.goths.names import FORBIDDEN
from meadhall.games.goths.state import ACTIONS, CARDS, CHARACTERS, CLANS, OBJECTIVES, PLACES, Phase
from meadhall.match import Beat, View
from meadhall.web.goths.ending import Score, scores
from meadhall.web.goths.guide import Guide, guide
from meadhall.web.goths.hand import Hand, hand
from meadhall.web.goths.pieces import Pick, Viewer, order_tip, soft
from meadhall.web.goths.story import Story, story
from meadhall.words import Words


@dataclass(frozen=True)
class Army:
    """Units of a clan, by their numbers: those of the army first, then those in reserve."""

    clan: str
    units: range


@dataclass(frozen=True)
class KingCard:
    """A King card on the cloth: its back, or its front; `secret` is what only the viewer knows of a back."""

    clan: str
    move: str
    name: str
    tip: str
    caption: str
    halves: tuple[tuple[str, str], ...] = ()  # the characters of a back and their names
    character: tuple[str, str] | None = None
    bluff: str = ""
    secret: str = ""
    order: bool = False  # is it this turn's?


@dataclass(frozen=True)
class ActCard:
    """A Warchief card on the cloth: face down until all four cards are turned."""

    clan: str
    number: int  # 0 while it lies face down
    action: str
    action_name: str
    lost: bool
    name: str
    tip: str


@dataclass(frozen=True)
class Token:
    """A fog token on the clan's third terrain."""

    state: str  # hidden, revealed or discarded
    forbids: str  # the order it forbids, "" if unknown
    secret: bool  # known to the viewer alone
    looked: bool
    name: str
    tip: str
    pick: Pick | None
    was: str = ""  # that it lay face down until the game was over


@dataclass(frozen=True)
class Tile:
    """A Terrain card with what stands on it."""

    land: str
    ground: str
    barricade: int  # its number, 0 without one
    army: Army | None
    danger: str  # what threatens one's own army there, "" if nothing does
    token: Token | None
    name: str
    tip: str
    pick: Pick | None


@dataclass(frozen=True)
class Side:
    """Half of the cloth: a clan, its king's cards, its ground, its machines."""

    clan: str
    who: str  # "me" on the left, "foe" on the right
    name: str
    relation: str
    people: tuple[str, ...]  # who sits where, a lone ruler by his name alone
    seats: str  # who sits where, in words
    initiative: str  # "", or what it is called
    initiative_tip: str
    played: KingCard | None
    face_up: tuple[KingCard, ...]
    act: ActCard | None
    tiles: tuple[Tile, ...]
    loaded: bool
    catapult: str
    catapult_name: str
    catapult_tip: str
    reserve: Army
    reserve_count: str
    reserve_name: str
    reserve_tip: str

    @property
    def fan(self) -> bool:
        """Do several cards lie face up, so that each is drawn small?"""
        return len(self.face_up) > 1


@dataclass(frozen=True)
class Goal:
    """An Objective card: face down, with who has looked and what the viewer knows, or face up."""

    number: int
    card: str  # its face if it lies face up, else ""
    card_name: str
    saw: str  # the face of a face-down card the viewer has looked at himself
    label: str  # what a face-down card is or can be, as far as the viewer knows
    secret: bool  # the label says what only he knows
    lookers: tuple[str, ...]
    army: Army | None
    danger: str  # what threatens one's own army there, "" if nothing does
    name: str
    tip: str
    pick: Pick | None
    was: str = ""  # that it lay face down until the game was over


@dataclass(frozen=True)
class Picture:
    """All that the three templates of the table need; what stands beside it is made for a page that shows it."""

    turn: str
    sides: tuple[Side, Side]
    goals: tuple[Goal, ...]
    hand: Hand
    tell: Callable[[], Story]
    teach: Callable[[], Guide]
    scores: tuple[Score, ...]  # when the game is over

    @cached_property
    def story(self) -> Story:
        """What is told beside the board."""
        return self.tell()

    @cached_property
    def guide(self) -> Guide:
        """What somebody new must know."""
        return self.teach()


def picture(
    view: View,
    events: Sequence[Event],
    words: Words,
    people: Mapping[str, str] | None = None,
    beat: Beat | None = None,
) -> Picture:
    """The table as a seat, or a spectator, may see it; with a beat, as it is while that is being told."""
    viewer = Viewer(view, words, beat)
    left = viewer.clan or CLANS[0]
    right = CLANS[1 - CLANS.index(left)]
    sides = (_side(viewer, left, "me", people or {}, events), _side(viewer, right, "foe", people or {}, events))
    return Picture(
        turn=viewer.turn("ui.turn", "goths.table.turn-limit"),
        sides=sides,
        goals=tuple(_goal(viewer, number) for number in (1, 2, 3)),
        hand=hand(viewer),
        tell=partial(story, viewer, events),
        teach=partial(guide, viewer),
        scores=scores(viewer, events, {side.clan: ", ".join(side.people) for side in sides}),
    )


def choice_from(form: Mapping[str, str]) -> str:
    """The name of the choice a sent form holds; "" if nothing was picked."""
    return form.get("choice", "")


# A clan's half of the cloth


def _side(viewer: Viewer, clan: str, who: str, people: Mapping[str, str], events: Sequence[Event]) -> Side:
    state = viewer.position["clans"][clan]
    loaded = state["catapult"] == "active"
    readiness = viewer.name("catapult", state["catapult"])
    reserve = range(state["units"] + 1, 4)
    relation = ""
    if viewer.clan:
        relation = viewer.say("goths.table.ours") if who == "me" else viewer.say("goths.table.theirs")
    return Side(
        clan=clan,
        who=who,
        name=viewer.name("clan", clan),
        relation=relation,
        **_people(viewer, clan, people),
        initiative=viewer.say("goths.table.name.initiative", of_clan=viewer.of(clan))
        if viewer.position["initiative"] == clan
        else "",
        initiative_tip=viewer.say("goths.table.tip.initiative"),
        played=_played(viewer, clan),
        face_up=tuple(_face_up(viewer, clan, number, card) for number, card in enumerate(state["face_up"], 1)),
        act=_act(viewer, clan, events),
        tiles=tuple(_tile(viewer, clan, place) for place in PLACES[:3]),
        loaded=loaded,
        catapult=readiness,
        catapult_name=viewer.say("goths.table.name.catapult", of_clan=viewer.of(clan), state=readiness),
        catapult_tip=viewer.say("goths.table.tip.active") if loaded else viewer.say("goths.table.tip.inactive"),
        reserve=Army(clan, reserve),
        reserve_count=viewer.say("goths.table.reserve", n=len(reserve)),
        reserve_name=viewer.say("goths.table.name.reserve", of_clan=viewer.of(clan), n=len(reserve)),
        reserve_tip=viewer.say("goths.table.tip.reserve"),
    )


def _people(viewer: Viewer, clan: str, people: Mapping[str, str]) -> dict[str, Any]:
    """The names of those who sit there, and a sentence that says which of them is king."""
    seats = ((viewer.say("goths.table.king"), "king"), (viewer.say("goths.table.warchief"), "warchief"))
    sitting = [(title, people[f"{clan}-{role}"]) for title, role in seats if f"{clan}-{role}" in people]
    sentences = [viewer.say("goths.table.sits", seat=title, name=name) for title, name in sitting]
    alone = [name for _, name in sitting[:1]] if clan in viewer.view.rules["lone_rulers"] else []
    return {"people": tuple(alone or sentences), "seats": ". ".join(sentences)}


def _played(viewer: Viewer, clan: str) -> KingCard | None:
    """The King card of this turn, by its back until the reveal, then by its front until it is taken back."""
    card = viewer.order_of(clan)
    face_up = viewer.position["clans"][clan]["face_up"]
    # A failed order becomes the next of the face-up cards (G4.3), so it is called that from the start.
    move = f"king-{clan}-{len(face_up) + 1}"
    back = viewer.position["backs"][clan]
    if back:
        return _back(viewer, clan, move, back, card)
    if card is None or card in face_up or viewer.view.plain.hand[CLANS.index(clan)] >> CARDS.index(card) & 1:
        return None
    character, bluff = card.split("/")
    return KingCard(
        clan,
        move,
        viewer.say("goths.table.name.front", of_clan=viewer.of(clan), card=viewer.name("card", card)),
        viewer.say("goths.table.tip.played"),
        viewer.say("goths.table.laid.now"),
        character=(character, viewer.name("character", character)),
        bluff=bluff,
        order=True,
    )


def _back(viewer: Viewer, clan: str, move: str, back: Sequence[str], card: str | None) -> KingCard:
    halves = tuple(character for character in CHARACTERS if character in back)
    name = viewer.say("goths.table.name.back", of_clan=viewer.of(clan), back=viewer.back(halves))
    secret = ""
    if card:
        name += " " + viewer.say("goths.table.name.meant", card=viewer.name("card", card))
        secret = viewer.name("character", card.split("/")[0])
    if viewer.clan is None:
        caption = viewer.say("goths.table.laid.now")
    elif clan == viewer.clan:
        caption = viewer.say("goths.table.laid.ours")
    else:
        caption = viewer.say("goths.table.laid.theirs")
    named = tuple((half, viewer.name("character", half)) for half in halves)
    about = viewer.say("goths.table.tip.back")
    return KingCard(clan, move, name, about, caption, halves=named, secret=secret, order=True)


def _face_up(viewer: Viewer, clan: str, number: int, card: str) -> KingCard:
    """A failed order's card: from now on its character gets through (G4.1, G4.3)."""
    character, bluff = card.split("/")
    named = viewer.name("character", character)
    return KingCard(
        clan,
        f"king-{clan}-{number}",
        viewer.say("goths.table.name.front", of_clan=viewer.of(clan), card=viewer.name("card", card)),
        viewer.say("goths.table.tip.front", character=named),
        viewer.say("goths.table.face-up"),
        character=(character, named),
        bluff=bluff,
        order=card == viewer.order_of(clan),
    )


def _act(viewer: Viewer, clan: str, events: Sequence[Event]) -> ActCard | None:
    """The Warchief card of this turn. Both lie there from when they are asked for, whoever has sealed one (G3.4)."""
    if viewer.phase == Phase.ACTS:
        name = viewer.say("goths.table.name.act-down", of_clan=viewer.of(clan))
        return ActCard(clan, 0, "", "", False, name, viewer.say("goths.table.tip.act"))
    number = int(viewer.view.plain.act[CLANS.index(clan)])
    if viewer.phase < Phase.ACTS or number == UNKNOWN:
        return None
    action = ACTIONS[number]
    lost = False
    for event in reversed(events):
        if event.code == "turn":
            break
        lost |= event.code == "misread" and event.args["clan"] == clan
    named = viewer.name("action", action)
    name = viewer.say("goths.table.name.act-up", of_clan=viewer.of(clan), number=number + 1, action=named)
    return ActCard(clan, number + 1, action, soft(named), lost, name, order_tip(viewer, action))


# The ground


def _tile(viewer: Viewer, clan: str, place: str) -> Tile:
    state = viewer.position["clans"][clan]
    number = PLACES.index(place) + 1
    army = Army(clan, range(1, state["units"] + 1)) if state["place"] == place else None
    built = place in state["barricades"]
    if built:
        ground, tip = viewer.say("goths.label.barricade"), viewer.say("goths.table.tip.barricaded")
    elif number == 1:
        ground, tip = viewer.say("goths.label.forest"), viewer.say("goths.table.tip.forest")
    else:
        ground, tip = viewer.say("goths.label.plain"), viewer.say("goths.table.tip.plain")
    name = viewer.say(
        "goths.table.name.ground", place=viewer.name("place", place), of_clan=viewer.of(clan), ground=ground
    )
    if army:
        name += " " + _army_name(viewer, clan, state["units"])
    builds_here = army is not None and clan == viewer.clan
    return Tile(
        land="forest" if number == 1 and not built else f"plain-{number}",
        ground=ground,
        barricade=number if built else 0,
        army=army,
        danger=viewer.danger if builds_here else "",
        token=_token(viewer, clan, state["fog"]) if number == 3 and state["fog"] else None,
        name=name,
        tip=tip,
        pick=viewer.pick("build", name) if builds_here else None,
    )


def _army_name(viewer: Viewer, clan: str, units: int) -> str:
    return viewer.say("goths.table.name.army", of_clan=viewer.of(clan), n=units)


def _token(viewer: Viewer, clan: str, fog: Mapping[str, Any]) -> Token:
    """A clan's fog token: face down, known to the viewer alone, in force, or cleared away (G8)."""
    state, token = fog["state"], fog["token"]
    was = _was_hidden(viewer, state != "hidden", token)
    state = "revealed" if was else state
    hidden = state == "hidden"
    looked = "fog" in viewer.position["seen"][f"{clan}-warchief"]
    forbids = FORBIDDEN[token] if token else ""
    named = {"token": viewer.name("token", token), "action": viewer.name("action", forbids)} if token else {}
    if hidden:
        name, tip = viewer.say("goths.table.name.fog", of_clan=viewer.of(clan)), viewer.say("goths.table.tip.fog")
        if looked:
            name += " " + viewer.say("goths.table.name.looked", of_clan=viewer.of(clan))
        if token:
            name += " " + viewer.say("goths.table.name.saw", card=named["token"])
            tip = f"{viewer.say('goths.table.name.saw', card=named['token'])} {tip}"
    else:
        name = viewer.say("goths.table.name.fog-up", of_clan=viewer.of(clan), token=named["token"])
        cleared = state == "discarded"
        tip = (
            viewer.say("goths.table.tip.cleared", token=named["token"])
            if cleared
            else viewer.say("goths.table.tip.forbids", **named)
        )
    pick = viewer.pick("look:fog" if hidden else "disperse", name) if clan == viewer.clan else None
    return Token(state, forbids, hidden and token is not None, looked and hidden, _with(name, was), tip, pick, was)


def _was_hidden(viewer: Viewer, turned_up: bool, card: str | None) -> str:
    """When the game is over what lay face down is opened: a word that says so, for the caption and the name."""
    return viewer.say("ui.over.was-hidden") if viewer.position["outcome"] and card and not turned_up else ""


def _with(name: str, more: str) -> str:
    return f"{name} ({more})" if more else name


# The objectives


def _goal(viewer: Viewer, number: int) -> Goal:
    card = viewer.position["objectives"][number - 1]
    place = f"objective-{number}"
    lookers = tuple(clan for clan in CLANS if place in viewer.position["seen"][f"{clan}-warchief"])
    armies = [clan for clan in CLANS if viewer.position["clans"][clan]["place"] == place]
    army, standing = None, ""
    for clan in armies:
        units = viewer.position["clans"][clan]["units"]
        army, standing = Army(clan, range(1, units + 1)), " " + _army_name(viewer, clan, units)
    label, secret = "", False
    was = _was_hidden(viewer, card["revealed"], card["card"])
    face_up = card["revealed"] or bool(was)
    if face_up:
        named = viewer.name("objective", card["card"])
        name = viewer.say("goths.table.name.up", place=viewer.name("place", place), card=named) + standing
    else:
        label, secret = _known(viewer, card["card"])
        name = _face_down_name(viewer, place, lookers, card["card"], label, secret)
        named = ""
    pick = viewer.pick(f"look:{place}", name, str(number)) or viewer.pick(f"enter:{place}", name, str(number))
    return Goal(
        number=number,
        card=card["card"] if face_up else "",
        card_name=named,
        saw="" if face_up else card["card"] or "",
        label=label,
        secret=secret,
        lookers=() if face_up else lookers,
        army=army,
        danger=viewer.danger if viewer.clan in armies else "",
        name=_with(name, was),
        tip=_goal_tip(viewer, card["card"]),
        pick=pick,
        was=was,
    )


def _known(viewer: Viewer, saw: str | None) -> tuple[str, bool]:
    """What a face-down objective is or can be, for its label, and whether only the viewer can tell."""
    if saw:
        return viewer.name("objective", saw), True
    known = [card for card in viewer.position["objectives"] if card["card"]]
    left = [name for name in reversed(OBJECTIVES) if all(card["card"] != name for card in known)]
    if len(left) == len(OBJECTIVES):
        return "", False
    names = [viewer.name("objective", name) for name in left]
    label = names[0] if len(names) == 1 else viewer.words.say("goths.back", one=names[0], other=names[1])
    return label, not all(card["revealed"] for card in known)


def _face_down_name(
    viewer: Viewer, place: str, lookers: Sequence[str], saw: str | None, label: str, secret: bool
) -> str:
    """A face-down objective's name: who has looked, and what the viewer knows of it."""
    parts = [viewer.say("goths.table.name.down", place=viewer.name("place", place))]
    parts += [viewer.say("goths.table.name.looked", of_clan=viewer.of(clan)) for clan in lookers]
    if saw:
        parts.append(viewer.say("goths.table.name.saw", card=viewer.name("objective", saw)))
    elif label and secret:
        parts.append(viewer.say("goths.table.name.must-secret", card=label))
    elif label:
        parts.append(viewer.say("goths.table.name.must", card=label))
    return " ".join(parts)


def _goal_tip(viewer: Viewer, card: str | None) -> str:
    tips = {
        "trap": "goths.table.tip.trap",
        "plains": "goths.table.tip.plains",
        "queen": "goths.table.tip.queen",
        None: "goths.table.tip.down",
    }
    return viewer.say(tips[card])

"""Goths Save the Queen in the browser: the picture of a table, made from a view and what its seat was told."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from meadhall.games.game import Event
from meadhall.games.goths.names import FORBIDDEN
from meadhall.games.goths.state import CARDS, CHARACTERS, CLANS, OBJECTIVES, PLACES
from meadhall.match import View
from meadhall.web.goths.hand import Hand, hand
from meadhall.web.goths.pieces import CSS, Eyes, Pick
from meadhall.web.goths.story import Story, story
from meadhall.words import Words


@dataclass(frozen=True)
class Army:
    """Units of a clan, by their numbers: those of the army first, then those in reserve."""

    css: str
    units: range


@dataclass(frozen=True)
class KingCard:
    """A King card on the cloth: its back, or its front; `secret` is what only the viewer knows of a back."""

    css: str
    move: str
    name: str
    tip: str
    caption: str
    halves: tuple[tuple[str, str], ...] = ()  # the characters of a back and their names
    character: tuple[str, str] | None = None
    bluff: str = ""
    secret: str = ""


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


@dataclass(frozen=True)
class Tile:
    """A Terrain card with what stands on it."""

    land: str
    ground: str
    barricade: int  # its number, 0 without one
    army: Army | None
    token: Token | None
    name: str
    tip: str
    pick: Pick | None


@dataclass(frozen=True)
class Side:
    """Half of the cloth: a clan, its king's cards, its ground, its machines."""

    clan: str
    css: str
    who: str  # "me" on the left, "foe" on the right
    name: str
    relation: str
    people: str
    seats: str  # who sits where, in words
    initiative: str  # "", or what it is called
    initiative_tip: str
    played: KingCard | None
    face_up: tuple[KingCard, ...]
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
    name: str
    tip: str
    pick: Pick | None


@dataclass(frozen=True)
class Picture:
    """All that the three templates of the table need."""

    turn: str
    sides: tuple[Side, Side]
    goals: tuple[Goal, ...]
    rail: Hand
    story: Story


def picture(
    view: View, told: Sequence[tuple[int, Event]], words: Words, people: Mapping[str, str] | None = None
) -> Picture:
    """The table as a seat, or a spectator, may see it."""
    eyes = Eyes(view, words)
    left = eyes.clan or CLANS[0]
    right = CLANS[1 - CLANS.index(left)]
    return Picture(
        turn=eyes.turn("ui.turn", "goths.table.turn-limit"),
        sides=(_side(eyes, left, "me", people or {}), _side(eyes, right, "foe", people or {})),
        goals=tuple(_goal(eyes, number) for number in (1, 2, 3)),
        rail=hand(eyes),
        story=story(eyes, told),
    )


def choice_from(form: Mapping[str, str]) -> str:
    """The name of the choice a sent form holds; "" if nothing was picked."""
    return form.get("choice", "")


# A clan's half of the cloth


def _side(eyes: Eyes, clan: str, who: str, people: Mapping[str, str]) -> Side:
    state = eyes.position["clans"][clan]
    loaded = state["catapult"] == "active"
    readiness = eyes.name("catapult", state["catapult"])
    reserve = range(state["units"] + 1, 4)
    relation = ""
    if eyes.clan:
        relation = eyes.say("goths.table.ours") if who == "me" else eyes.say("goths.table.theirs")
    return Side(
        clan=clan,
        css=CSS[clan],
        who=who,
        name=eyes.name("clan", clan),
        relation=relation,
        **_people(eyes, clan, people),
        initiative=eyes.say("goths.table.name.initiative", of_clan=eyes.of(clan))
        if eyes.position["initiative"] == clan
        else "",
        initiative_tip=eyes.say("goths.table.tip.initiative"),
        played=_played(eyes, clan),
        face_up=tuple(_face_up(eyes, clan, number, card) for number, card in enumerate(state["face_up"], 1)),
        tiles=tuple(_tile(eyes, clan, place) for place in PLACES[:3]),
        loaded=loaded,
        catapult=readiness,
        catapult_name=eyes.say("goths.table.name.catapult", of_clan=eyes.of(clan), state=readiness),
        catapult_tip=eyes.say("goths.table.tip.active") if loaded else eyes.say("goths.table.tip.inactive"),
        reserve=Army(CSS[clan], reserve),
        reserve_count=eyes.say("goths.table.reserve", n=len(reserve)),
        reserve_name=eyes.say("goths.table.name.reserve", of_clan=eyes.of(clan), n=len(reserve)),
        reserve_tip=eyes.say("goths.table.tip.reserve"),
    )


def _people(eyes: Eyes, clan: str, people: Mapping[str, str]) -> dict[str, str]:
    """The names of those who sit there, and a sentence that says which of them is king."""
    seats = ((eyes.say("goths.table.king"), "king"), (eyes.say("goths.table.warchief"), "warchief"))
    sitting = [(title, people[f"{clan}-{role}"]) for title, role in seats if f"{clan}-{role}" in people]
    names = dict.fromkeys(name for _, name in sitting)  # a lone ruler's name once
    told = (eyes.say("goths.table.sits", seat=title, name=name) for title, name in sitting)
    return {"people": ", ".join(names), "seats": ". ".join(told)}


def _played(eyes: Eyes, clan: str) -> KingCard | None:
    """The King card of this turn, by its back until the reveal, then by its front until it is taken back."""
    card = eyes.order_of(clan)
    face_up = eyes.position["clans"][clan]["face_up"]
    # A failed order becomes the next of the face-up cards (G4.3), so it is called that from the start.
    move = f"king-{CSS[clan]}-{len(face_up) + 1}"
    back = eyes.position["backs"][clan]
    if back:
        return _back(eyes, clan, move, back, card)
    if card is None or card in face_up or eyes.view.state.hand[CLANS.index(clan)] >> CARDS.index(card) & 1:
        return None
    character, bluff = card.split("/")
    return KingCard(
        CSS[clan],
        move,
        eyes.say("goths.table.name.front", of_clan=eyes.of(clan), card=eyes.name("card", card)),
        eyes.say("goths.table.tip.played"),
        eyes.say("goths.table.laid.now"),
        character=(character, eyes.name("character", character)),
        bluff=bluff,
    )


def _back(eyes: Eyes, clan: str, move: str, back: Sequence[str], card: str | None) -> KingCard:
    halves = tuple(character for character in CHARACTERS if character in back)
    name = eyes.say("goths.table.name.back", of_clan=eyes.of(clan), back=eyes.back(halves))
    secret = ""
    if card:
        name += " " + eyes.say("goths.table.name.meant", card=eyes.name("card", card))
        secret = eyes.name("character", card.split("/")[0])
    if eyes.clan is None:
        caption = eyes.say("goths.table.laid.now")
    elif clan == eyes.clan:
        caption = eyes.say("goths.table.laid.ours")
    else:
        caption = eyes.say("goths.table.laid.theirs")
    named = tuple((half, eyes.name("character", half)) for half in halves)
    return KingCard(CSS[clan], move, name, eyes.say("goths.table.tip.back"), caption, halves=named, secret=secret)


def _face_up(eyes: Eyes, clan: str, number: int, card: str) -> KingCard:
    """A failed order's card: from now on its character gets through (G4.1, G4.3)."""
    character, bluff = card.split("/")
    named = eyes.name("character", character)
    return KingCard(
        CSS[clan],
        f"king-{CSS[clan]}-{number}",
        eyes.say("goths.table.name.front", of_clan=eyes.of(clan), card=eyes.name("card", card)),
        eyes.say("goths.table.tip.front", character=named),
        eyes.say("goths.table.face-up"),
        character=(character, named),
        bluff=bluff,
    )


# The ground


def _tile(eyes: Eyes, clan: str, place: str) -> Tile:
    state = eyes.position["clans"][clan]
    number = PLACES.index(place) + 1
    army = Army(CSS[clan], range(1, state["units"] + 1)) if state["place"] == place else None
    built = place in state["barricades"]
    if built:
        ground, tip = eyes.say("goths.label.barricade"), eyes.say("goths.table.tip.barricaded")
    elif number == 1:
        ground, tip = eyes.say("goths.label.forest"), eyes.say("goths.table.tip.forest")
    else:
        ground, tip = eyes.say("goths.label.plain"), eyes.say("goths.table.tip.plain")
    name = eyes.say("goths.table.name.ground", place=eyes.name("place", place), of_clan=eyes.of(clan), ground=ground)
    if army:
        name += " " + _army_name(eyes, clan, state["units"])
    builds_here = army is not None and clan == eyes.clan
    return Tile(
        land="forest" if number == 1 and not built else f"plain-{number}",
        ground=ground,
        barricade=number if built else 0,
        army=army,
        token=_token(eyes, clan, state["fog"]) if number == 3 and state["fog"] else None,
        name=name,
        tip=tip,
        pick=eyes.pick("build", name) if builds_here else None,
    )


def _army_name(eyes: Eyes, clan: str, units: int) -> str:
    return eyes.say("goths.table.name.army", of_clan=eyes.of(clan), n=units)


def _token(eyes: Eyes, clan: str, fog: Mapping[str, Any]) -> Token:
    """A clan's fog token: face down, known to the viewer alone, in force, or cleared away (G8)."""
    state, token = fog["state"], fog["token"]
    hidden = state == "hidden"
    looked = "fog" in eyes.position["seen"][f"{clan}-warchief"]
    forbids = FORBIDDEN[token] if token else ""
    named = {"token": eyes.name("token", token), "action": eyes.name("action", forbids)} if token else {}
    if hidden:
        name, tip = eyes.say("goths.table.name.fog", of_clan=eyes.of(clan)), eyes.say("goths.table.tip.fog")
        if looked:
            name += " " + eyes.say("goths.table.name.looked", of_clan=eyes.of(clan))
        if token:
            name += " " + eyes.say("goths.table.name.saw", card=named["token"])
            tip = f"{eyes.say('goths.table.name.saw', card=named['token'])} {tip}"
    else:
        name = eyes.say("goths.table.name.fog-up", of_clan=eyes.of(clan), token=named["token"])
        cleared = state == "discarded"
        tip = (
            eyes.say("goths.table.tip.cleared", token=named["token"])
            if cleared
            else eyes.say("goths.table.tip.forbids", **named)
        )
    pick = eyes.pick("look:fog" if hidden else "disperse", name) if clan == eyes.clan else None
    return Token(state, forbids, hidden and token is not None, looked and hidden, name, tip, pick)


# The objectives


def _goal(eyes: Eyes, number: int) -> Goal:
    card = eyes.position["objectives"][number - 1]
    place = f"objective-{number}"
    lookers = tuple(clan for clan in CLANS if place in eyes.position["seen"][f"{clan}-warchief"])
    armies = [clan for clan in CLANS if eyes.position["clans"][clan]["place"] == place]
    army, standing = None, ""
    for clan in armies:
        units = eyes.position["clans"][clan]["units"]
        army, standing = Army(CSS[clan], range(1, units + 1)), " " + _army_name(eyes, clan, units)
    label, secret = "", False
    if card["revealed"]:
        named = eyes.name("objective", card["card"])
        name = eyes.say("goths.table.name.up", place=eyes.name("place", place), card=named) + standing
    else:
        label, secret = _known(eyes, card["card"])
        name = _face_down_name(eyes, place, lookers, card["card"], label, secret)
        named = ""
    pick = eyes.pick(f"look:{place}", name, str(number)) or eyes.pick(f"enter:{place}", name, str(number))
    return Goal(
        number=number,
        card=card["card"] if card["revealed"] else "",
        card_name=named,
        saw="" if card["revealed"] else card["card"] or "",
        label=label,
        secret=secret,
        lookers=() if card["revealed"] else tuple(CSS[clan] for clan in lookers),
        army=army,
        name=name,
        tip=_goal_tip(eyes, card["card"]),
        pick=pick,
    )


def _known(eyes: Eyes, saw: str | None) -> tuple[str, bool]:
    """What a face-down objective is or can be, for its label, and whether only the viewer can tell."""
    if saw:
        return eyes.name("objective", saw), True
    known = [card for card in eyes.position["objectives"] if card["card"]]
    left = [name for name in reversed(OBJECTIVES) if all(card["card"] != name for card in known)]
    if len(left) == len(OBJECTIVES):
        return "", False
    names = [eyes.name("objective", name) for name in left]
    label = names[0] if len(names) == 1 else eyes.words.say("goths.back", one=names[0], other=names[1])
    return label, not all(card["revealed"] for card in known)


def _face_down_name(eyes: Eyes, place: str, lookers: Sequence[str], saw: str | None, label: str, secret: bool) -> str:
    """A face-down objective's name: who has looked, and what the viewer knows of it."""
    parts = [eyes.say("goths.table.name.down", place=eyes.name("place", place))]
    parts += [eyes.say("goths.table.name.looked", of_clan=eyes.of(clan)) for clan in lookers]
    if saw:
        parts.append(eyes.say("goths.table.name.saw", card=eyes.name("objective", saw)))
    elif label and secret:
        parts.append(eyes.say("goths.table.name.must-secret", card=label))
    elif label:
        parts.append(eyes.say("goths.table.name.must", card=label))
    return " ".join(parts)


def _goal_tip(eyes: Eyes, card: str | None) -> str:
    tips = {
        "trap": "goths.table.tip.trap",
        "plains": "goths.table.tip.plains",
        "queen": "goths.table.tip.queen",
        None: "goths.table.tip.down",
    }
    return eyes.say(tips[card])

"""Other worlds: records that differ from a given one only in what a seat cannot know of the whole game so far.

What a seat knows is taken here from the record and the full position by G10 and R10, never from the
program's own views and events, which are what these worlds are to test.
"""

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from meadhall.match import SPECTATOR, Match

Record = dict[str, Any]

TOKENS = ("pea-soup", "reduced-numbers", "boar-shortage", "gusts")
NINE = ("qween", "druhid", "zvord", "axx", "archr", "filchy", "horsie", "charriott", "charriott")


def prefix(record: Record, length: int) -> Record:
    """The record as it was after so many choices."""
    return record | {"choices": record["choices"][:length]}


@dataclass(frozen=True)
class Played:
    """A record, the match it leads to, and its choices by index, those together that were owed at the same time.

    The last block is still open. While several seats owe a choice, what one of them chooses is sealed; the last one's
    lets play go on.
    """

    record: Record
    match: Match
    blocks: list[range]

    @cached_property
    def position(self) -> dict[str, Any]:
        return self.match.position()


def played(record: Record) -> Played:
    """A record played to its end."""
    *_, (match, together) = _playing(record)
    return Played(record, match, together)


def blocks(record: Record) -> list[range]:
    """The choices by index, those together that were owed at the same time; the last block is still open."""
    return played(record).blocks


def all_played(record: Record) -> list[Played]:
    """A record as it was after each of its choices, from none to all of them."""
    return [Played(prefix(record, k), match.copy(), together) for k, (match, together) in enumerate(_playing(record))]


def _playing(record: Record) -> Iterator[tuple[Match, list[range]]]:
    """One match, which moves on, and the blocks so far."""
    match = Match.from_record(prefix(record, 0))
    done: list[range] = []
    yield match, [range(0)]
    for k, (seat, choice) in enumerate(record["choices"], 1):
        last = len(match.waiting) == 1
        match.commit(seat, choice)
        start = done[-1].stop if done else 0
        if last:
            done.append(range(start, k))
            start = k
        yield match, [*done, range(start, k)]


def another_world(record: Record, seat: str, random: Random, known: Played | None = None) -> Record:
    """A record of as many choices in which everything the seat cannot know is dealt and chosen anew.

    Whoever has played the record already may say so.
    """
    here = known or played(record)
    other = record | {"setup": copy.deepcopy(record["setup"]), "choices": record["choices"][:]}
    if record["game"] == "goths":
        _other_objectives_and_tokens(here, seat, other, random)
        _other_king_cards(here, seat, other, random)
    else:
        _other_forts(here, other, random)
        _other_hands_to_come(here, other, random)
        for clan in here.position["clans"]:
            if clan != seat:
                _other_warriors(here, clan, other, random)
    *done, still_open = here.blocks
    strangers = {k for k, (chooser, _) in enumerate(record["choices"]) if chooser not in seats_of(seat, record)}
    for k in strangers & {*still_open}:
        _other_sealed_choice(here.match, k, other, random)
    for block in (*done, still_open):
        _other_order([k for k in block if k in strangers], other, random)
    return other


def without_sealed_choices(record: Record, seat: str, random: Random, known: Played | None = None) -> Record:
    """The same, but of the choices that others have sealed, which nobody has seen, one or more are not made yet."""
    here = known or played(record)
    other = another_world(record, seat, random, here)
    start = here.blocks[-1].start  # of as many choices, owed at the same times
    own = [entry for entry in other["choices"][start:] if entry[0] in seats_of(seat, other)]
    others = [entry for entry in other["choices"][start:] if entry[0] not in seats_of(seat, other)]
    kept = random.randrange(len(others)) if others else 0
    return other | {"choices": [*other["choices"][:start], *own, *others[:kept]]}


def seats_of(seat: str, record: Record) -> tuple[str, ...]:
    """The seats whose choices this one knows: its own, and a lone ruler's other one (G10.4)."""
    clan, _, role = seat.partition("-")
    if role and clan in record["rules"].get("lone_rulers", ()):
        return f"{clan}-king", f"{clan}-warchief"
    return () if seat == SPECTATOR else (seat,)


def _other_order(places: list[int], other: Record, random: Random) -> None:
    """Choices owed at the same time stand in any order; the seat's own ones stay where they are."""
    entries = [other["choices"][k] for k in random.sample(places, len(places))]
    for k, entry in zip(places, entries, strict=True):
        other["choices"][k] = entry


def _other_sealed_choice(match: Match, place: int, other: Record, random: Random) -> None:
    """What another has sealed may be any of his options; plans and reorderings were changed with the hands."""
    chooser, choice = other["choices"][place]
    if not choice.startswith(("plan:", "reorder:")):
        other["choices"][place] = [chooser, random.choice(match.choices(chooser))]


# Goths


def _other_objectives_and_tokens(here: Played, seat: str, other: Record, random: Random) -> None:
    """Cards and tokens that lie face down and that the seat has not looked at itself (G10.4)."""
    position, setup = here.position, other["setup"]
    own = seats_of(seat, other)
    seen = {(looker, sight) for looker, sights in position["seen"].items() if looker in own for sight in sights}
    looked_at = {sight for _, sight in seen}
    unknown = [
        k
        for k, objective in enumerate(position["objectives"])
        if not objective["revealed"] and f"objective-{k + 1}" not in looked_at
    ]
    cards = [setup["objectives"][k] for k in unknown]
    for k, card in zip(unknown, random.sample(cards, len(cards)), strict=True):
        setup["objectives"][k] = card
    if "fog" not in setup:
        return
    hidden = [
        clan
        for clan, state in position["clans"].items()
        if state["fog"]["state"] == "hidden" and (f"{clan}-warchief", "fog") not in seen
    ]
    known = {token for clan, token in setup["fog"].items() if clan not in hidden}
    drawn = random.sample([token for token in TOKENS if token not in known], len(hidden))
    setup["fog"] |= dict(zip(hidden, drawn, strict=True))


def _other_king_cards(here: Played, seat: str, other: Record, random: Random) -> None:
    """A King card that lies face down may be another with the same back, if the king could have played it."""
    position = here.position
    for clan, back in position["backs"].items():
        king = f"{clan}-king"
        if back is None or king in seats_of(seat, other):
            continue
        last = max(k for k, (chooser, _) in enumerate(other["choices"]) if chooser == king)
        cards = [
            f"{character}/{bluff}"
            for character, bluff in here.match.rules["king_deck"]
            if sorted((character, bluff)) == back
        ]
        held = [card for card in cards if card not in position["clans"][clan]["face_up"]]
        other["choices"][last] = [king, f"order:{random.choice(held)}"]


# Romans


def _other_forts(here: Played, other: Record, random: Random) -> None:
    """The deck to come in any order, and the Walls drawn as they may have been before R3.1."""
    forts, begun = other["setup"]["forts"], 6 * here.position["round"]
    for start in range(0, begun, 6):
        forts[start : start + 6] = _another_draw(forts[start : start + 6], random)
    forts[begun:] = random.sample(forts[begun:], len(forts) - begun)


def _another_draw(drawn: Sequence[str], random: Random) -> list[str]:
    """Six forts in an order that leads to the same Wall."""
    left, *middle, right = wall(drawn)
    draws = []
    for place in range(5):
        for end in range(6):
            draw = list(middle)
            draw.insert(place, left)
            draw.insert(end, right)
            draws.append(draw)
    return random.choice([draw for draw in draws if wall(draw) == wall(drawn)])


def wall(drawn: Sequence[str]) -> list[str]:
    """The highest positive value to the right end, then the lowest to the left, of equals the nearest (R3.1)."""
    row = list(drawn)
    values = [worth(fort) for fort in row]
    row.append(row.pop(5 - values[::-1].index(max(values))))
    values = [worth(fort) for fort in row]
    row.insert(0, row.pop(values.index(min(value for value in values if value > 0))))
    return row


def worth(fort: str) -> int:
    kind, value = fort.split("-")
    return -int(value) if kind == "legion" else int(value)


def _other_hands_to_come(here: Played, other: Record, random: Random) -> None:
    """Nobody knows what later rounds will bring, not even whether the record says it already."""
    begun, neutrals = here.position["round"], here.match.rules["neutrals"]
    other["setup"]["hands"] = other["setup"]["hands"][:begun] + [
        {clan: random.sample(NINE, 6 if clan in neutrals else 7) for clan in here.position["clans"]}
        for _ in range(random.randint(0, 3 - begun))
    ]


def _other_warriors(here: Played, clan: str, other: Record, random: Random) -> None:
    """What a clan has not shown, in the rounds begun so far: R10.2 and R10.3."""
    position, rounds = here.position, other["setup"]["hands"]
    for number in range(position["round"]):
        is_over = number + 1 < position["round"]
        state = position["clans"][clan]
        shown = 6 if is_over else 0 if state["hand"] else 6 - len(state["hidden"])
        if clan in here.match.rules["neutrals"]:
            rounds[number][clan] = _line_and_rest(rounds[number][clan][:shown], random)[:6]
        else:
            _other_plan(clan, number, shown, other, random)


def _line_and_rest(shown: Sequence[str], random: Random) -> list[str]:
    """All nine: those shown in their order, then the others in any."""
    rest = list(NINE)
    for warrior in shown:
        rest.remove(warrior)
    return [*shown, *random.sample(rest, len(rest))]


def _other_plan(clan: str, number: int, shown: int, other: Record, random: Random) -> None:
    """Another hand, plan and reordering by which a player would have shown the same warriors.

    Nobody sees the order before zvord's reordering, only what is revealed of the one after it.
    """
    own = [k for k, (chooser, _) in enumerate(other["choices"]) if chooser == clan]
    plans = [k for k in own if other["choices"][k][1].startswith("plan:")]
    if number >= len(plans):
        other["setup"]["hands"][number][clan] = random.sample(NINE, 7)
        return
    at, end = plans[number], (*plans, len(other["choices"]))[number + 1]
    plan = _warriors(other["choices"][at])
    reorders = [k for k in own if at < k < end and other["choices"][k][1].startswith("reorder:")]
    first = plan.index("zvord") + 1 if reorders else 6  # from there on the line is the reordered one
    line = plan[:first] + [warrior for k in reorders for warrior in _warriors(other["choices"][k])]
    line = _line_and_rest(line[:shown], random)[:7]
    new_plan = line[:first] + random.sample(line[first:6], 6 - first)
    other["choices"][at] = [clan, "plan:" + ",".join(new_plan)]
    for k in reorders:
        other["choices"][k] = [clan, "reorder:" + ",".join(line[first:6])]
    other["setup"]["hands"][number][clan] = random.sample(line, 7)


def _warriors(entry: Sequence[str]) -> list[str]:
    return entry[1].split(":")[1].split(",")

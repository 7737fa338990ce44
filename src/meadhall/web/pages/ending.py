"""The end of a game, or of a table, in the words that are right for whoever looks: who won, why, and what now."""

from dataclasses import dataclass

from meadhall.games.game import Outcome
from meadhall.lab.analysis import can_analyse
from meadhall.tables.face import PageFace
from meadhall.words import Words

_PLACES = {2: "ui.over.second", 3: "ui.over.third", 4: "ui.over.fourth"}


@dataclass(frozen=True)
class Ending:
    """How it ended: for this viewer, who won, why with the clause behind it, and the same as a text to send on."""

    mood: str  # won, lost, draw, watched or ended
    title: str
    reason: str
    winners: tuple[str, ...] = ()
    clause: str = ""
    share: str = ""
    exchange: bool = False  # would anybody sit elsewhere if seats were exchanged?
    analysis: bool = False  # can a strong bot look at the game again?


def ending(face: PageFace, words: Words) -> Ending | None:
    """The end of a game that is over, or of a table that was closed before."""
    exchange = any(seat != to for seat, to in face.view.game.exchanged(face.rules).items())
    if face.phase == "ended":
        may = words.say("ui.ended.you") if face.mine or face.host else words.say("ui.ended.they")
        reason = f"{words.say('ui.ended.detail')} {may}"
        return Ending("ended", words.say("ui.ended.title"), reason, exchange=exchange)
    outcome = face.view.game.outcome(face.rules, face.view.plain)
    if face.phase != "over" or outcome is None:
        return None
    mood, title = _for_viewer(face, outcome, words)
    clauses = [event.clause for event in face.events if event.code in ("won", "drawn")]
    return Ending(
        mood,
        title,
        words.reason(face.game, outcome),
        tuple(outcome.winners),
        clauses[-1] if clauses else "",
        f"{words.title(face.game)}: {words.outcome(face.game, outcome.record)}",
        exchange,
        can_analyse(face.game),
    )


def _for_viewer(face: PageFace, outcome: Outcome, words: Words) -> tuple[str, str]:
    """What the end is to whoever looks on, and how he is told."""
    if not outcome.winners:
        return "draw", words.say("ui.over.draw")
    own = own_side(face)
    if own is None:
        return "watched", words.victory(face.game, outcome.winners)
    if own in outcome.winners:
        return "won", _won(face, own, [side for side in outcome.winners if side != own], words)
    place = outcome.places.get(own, 2)
    return "lost", words.say(_PLACES[place] if len(outcome.places) > 2 else "ui.over.lost")


def own_side(face: PageFace) -> str | None:
    """The side the viewer plays for; nobody's if he looks on, or if people of several sides look at his device."""
    seats = (face.seat,) if face.seat else face.mine
    sides = {face.view.game.side_of(face.rules, seat) for seat in seats}
    return sides.pop() if len(sides) == 1 else None


def _won(face: PageFace, own: str, sharing: list[str], words: Words) -> str:
    """Who has won with the viewer: those who share the victory, or his partner."""
    if sharing:
        names = [words.side(face.game, side) for side in sharing]
        return words.say("ui.over.won-shared", list=words.listing(names))
    partners = face.view.game.sides(face.rules)[own]
    for place in face.seats:
        if place.seat in partners and place.who == "person" and place.name:
            return words.say("ui.over.won-with", name=place.name)
        if place.seat in partners and place.who == "bot" and place.seat not in face.mine:
            return words.say("ui.over.won-with-bot")
    return words.say("ui.over.won")

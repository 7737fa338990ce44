"""Goths Save the Queen in the browser: what the seat is asked, and the cards in its hand."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from meadhall.engine.layout import UNKNOWN
from meadhall.games.goths.rules import chance
from meadhall.games.goths.state import ACTION_CHARACTER, ACTIONS, CARDS, CHARACTERS, CLANS, PLACES, Chance, Phase
from meadhall.web.goths.pieces import Pick, Speaker, Speech, Viewer, brief, effect, order_tip, soft
from meadhall.words import Words
from meadhall.words.text import capital

_LONG_PROMPT = 44
KEPT = 1000  # hands, some kilobytes each


@dataclass(frozen=True)
class Odds:
    """Whether a character's orders get through: surely, perhaps or no; `mark` fills the circle."""

    mark: str  # full, half or none
    word: str


@dataclass(frozen=True)
class OrderCard:
    """One of the nine Warchief cards."""

    number: int
    action: str
    name: str
    effect: str
    tip: str
    pick: Pick | None
    note: str = ""  # why it cannot be played, or that it is being carried out
    played: bool = False

    @property
    def standing(self) -> str:
        """How a card that cannot be picked is drawn."""
        return "played" if self.played else "resting" if self.note else ""

    @property
    def label(self) -> str:
        """A card that cannot be picked, as it is read out."""
        return f"{self.number} {self.name}. {self.effect}." + (f" {self.note}." if self.note else "")


@dataclass(frozen=True)
class RoyalCard:
    """A King card of the king's own, in his hand or not."""

    card: str
    character: str
    name: str
    bluff: str
    bluff_name: str
    orders: str  # what the character can do
    tip: str
    odds: Odds
    label: str  # a card that cannot be picked, as it is read out
    note: str  # where it lies, if it is not in the hand
    key: str = ""
    laid: bool = False
    pick: Pick | None = None

    @property
    def standing(self) -> str:
        """How a card that cannot be picked is drawn."""
        return "laid" if self.laid else "gone" if self.note else ""


@dataclass(frozen=True)
class Group:
    """Cards that belong together: a character's orders, or King cards with the same back."""

    size: int
    icons: tuple[str, ...]
    label: str
    odds: Odds | None
    orders: tuple[OrderCard, ...] = ()
    cards: tuple[RoyalCard, ...] = ()

    @property
    def dim(self) -> bool:
        """Will none of these orders get through?"""
        return self.odds is not None and self.odds.mark == "none"


@dataclass(frozen=True)
class Hand:
    """What the seat is asked, what it may do about it, and its hand."""

    prompt: str
    hints: tuple[str, ...]
    danger: str = ""  # what threatens one's army
    idle: str = ""  # the button's words while nothing is picked; "" where there is nothing to choose
    hand: str = ""  # the name of the hand; "" without one
    secret: bool = False  # what is picked here is nobody else's business before the reveal
    clan: str = ""
    groups: tuple[Group, ...] = ()
    options: tuple[tuple[Pick, str], ...] = ()  # choices without a thing to click, each with a note

    @property
    def long(self) -> bool:
        """Does the prompt need smaller letters?"""
        return bool(self.options) or len(self.prompt) > _LONG_PROMPT


def hand(viewer: Viewer) -> Hand:
    """What is asked of a seat; a spectator gets a sentence, and when it is over nobody is asked anything."""
    if (viewer.position["outcome"] and not viewer.beat) or viewer.view.is_closed:
        return Hand("", ())
    prompt, hints = _asked(viewer) if viewer.choices else _not_asked(viewer)
    if viewer.clan is None:
        return Hand(prompt, hints)
    king = viewer.role == "king"
    return Hand(
        prompt=prompt,
        hints=hints,
        danger=viewer.danger,
        idle=_idle(viewer) if viewer.choices else "",
        hand=viewer.say("goths.table.hand.cards") if king else viewer.say("goths.table.hand.orders"),
        secret=viewer.phase <= Phase.ACTS and not viewer.beat,
        clan=viewer.clan,
        groups=_king_cards(viewer, viewer.clan) if king else _orders(viewer, viewer.clan),
        options=_options(viewer),
    )


# What is asked


def _not_asked(viewer: Viewer) -> tuple[str, tuple[str, ...]]:
    """One sentence of what is being told, or of what the table waits for, the same for everybody who is not asked."""
    if viewer.beat:
        return viewer.sentence, ()
    after = "goths.table.wait.all" if viewer.phase <= Phase.ACTS else "goths.table.wait.on"
    return viewer.waiting()[0], (viewer.say(after),)


def _asked(viewer: Viewer) -> tuple[str, tuple[str, ...]]:
    clan = viewer.clan or CLANS[0]
    if viewer.phase == Phase.LOOK:
        return viewer.say("goths.table.ask.look"), (viewer.say("goths.table.ask.look-hint"),)
    if viewer.phase == Phase.ENTER:
        return viewer.say("goths.table.ask.enter"), (viewer.say("goths.table.ask.enter-hint"),)
    if viewer.phase == Phase.TOKEN:
        at_home = viewer.position["clans"][clan]["place"] in PLACES[:3]
        hint = "goths.table.ask.token-hint" if at_home else "goths.table.ask.token-away"
        return viewer.say("goths.table.ask.token"), (viewer.say(hint),)
    names = ", ".join(viewer.name("character", character) for character in viewer.surely(clan))
    surely = (viewer.say("goths.table.ask.surely", list=names),) if names else ()
    if viewer.phase != Phase.ACTS:
        asked = "goths.table.ask.order-lone" if viewer.lone else "goths.table.ask.order"
        return viewer.say(asked), (viewer.say("goths.table.ask.order-hint"), *surely)
    own, change = viewer.position["own"], viewer.say("goths.table.ask.change")
    if own:
        action = own.partition(":")[2]
        sealed = {"number": ACTIONS.index(action) + 1, "action": viewer.name("action", action)}
        return viewer.say("goths.table.ask.sealed", **sealed), (change, viewer.say("goths.table.wait.all"))
    if viewer.lone:
        meant = viewer.name("character", _meant(viewer, clan))
        return viewer.say("goths.table.ask.lone", character=meant), (*_resting(viewer, clan), *surely)
    back = (character for character in CHARACTERS if character in viewer.position["backs"][clan])
    return viewer.say("goths.table.ask.act", back=viewer.back(back)), (*surely, change)


def _meant(viewer: Viewer, clan: str) -> str:
    """The character of the King card a lone ruler has laid."""
    return (viewer.order_of(clan) or "").partition("/")[0]


def _resting(viewer: Viewer, clan: str) -> tuple[str, ...]:
    """The order a lone ruler may not give twice running (G9.1)."""
    last = viewer.view.plain.last_act[CLANS.index(clan)]
    return (
        ()
        if last == UNKNOWN
        else (viewer.say("goths.table.ask.not-again", action=viewer.name("action", ACTIONS[last])),)
    )


def _idle(viewer: Viewer) -> str:
    """What the button says before anything is picked, and always where there is no script."""
    words = {
        Phase.FIRST_ORDER: "goths.table.do.order",
        Phase.SECOND_ORDER: "goths.table.do.order",
        Phase.ACTS: "goths.table.do.act",
        Phase.LOOK: "goths.table.do.look",
        Phase.ENTER: "goths.table.do.enter",
        Phase.TOKEN: "goths.table.do.token",
    }
    return viewer.say(words[viewer.phase])


def _options(viewer: Viewer) -> tuple[tuple[Pick, str], ...]:
    """Building where there is no Terrain card to click, which will have no effect (G6.6, G8.4)."""
    pick = viewer.pick("build")
    if pick is None or viewer.position["clans"][viewer.clan]["place"] in PLACES[:3]:
        return ()
    return ((pick, viewer.say("goths.table.ask.no-effect")),)


# The nine orders. Hands are the same in most beats of a telling: what hangs on little is made once.


def _orders(viewer: Viewer, clan: str) -> tuple[Group, ...]:
    number, phase = int(viewer.view.plain.act[CLANS.index(clan)]), viewer.phase
    played = number if phase > Phase.ACTS else UNKNOWN
    if viewer.beat or phase != Phase.ACTS:
        return _nine(viewer.words, _chances(viewer, clan), played)
    picks = tuple(viewer.pick(f"act:{action}", key=str(k)) for k, action in enumerate(ACTIONS, 1))
    return _nine(viewer.words, _chances(viewer, clan), played, picks)


@lru_cache(KEPT)
def _nine(
    words: Words, odds: tuple[Odds | None, ...], played: int, picks: tuple[Pick | None, ...] | None = None
) -> tuple[Group, ...]:
    """All nine, by their characters; while they are asked for, those without a pick may not be played again (G9.1)."""
    speech = Speaker(words)
    resting = speech.say("goths.table.hand.not-twice")
    cards = [
        OrderCard(
            number=number + 1,
            action=action,
            name=soft(speech.name("action", action)),
            effect=effect(speech, action),
            tip=order_tip(speech, action),
            pick=picks[number] if picks else None,
            note=speech.say("goths.table.hand.now")
            if played == number
            else resting
            if picks and picks[number] is None
            else "",
            played=played == number,
        )
        for number, action in enumerate(ACTIONS)
    ]
    return tuple(
        Group(
            size=ACTION_CHARACTER.count(k),
            icons=(character,),
            label=speech.name("character", character),
            odds=odds[k],
            orders=tuple(card for card, of in zip(cards, ACTION_CHARACTER, strict=True) if of == k),
        )
        for k, character in enumerate(CHARACTERS)
    )


_MARK = {Chance.NO: "none", Chance.PERHAPS: "half", Chance.SURELY: "full"}


def _odds(speech: Speech, found: Chance) -> Odds:
    """A chance as it is shown."""
    return Odds(_MARK[found], speech.name("chance", found.name.lower()))


def _chances(viewer: Viewer, clan: str) -> tuple[Odds | None, ...]:
    """Whether each character's orders get through this turn, as far as the viewer can tell (G4.1).

    Before the king lays his card only that is shown which is sure already.
    """
    if viewer.phase > Phase.ACTS:
        return (None,) * len(CHARACTERS)
    found = [Chance(chance(viewer.view.plain, CLANS.index(clan), k)) for k in range(len(CHARACTERS))]
    laid = viewer.position["backs"][clan] is not None
    return tuple(_odds(viewer, each) if laid or each == Chance.SURELY else None for each in found)


# The king's cards


def _king_cards(viewer: Viewer, clan: str) -> tuple[Group, ...]:
    """The king's eight cards, those with the same back together: that is what his warchief will see of them."""
    state = viewer.view.plain
    laid = viewer.order_of(clan) if viewer.position["backs"][clan] is not None else None
    held = state.hand[CLANS.index(clan)]
    lie_open = tuple(character for character in CHARACTERS if viewer.lies_open(clan, character))
    groups = _by_backs(viewer.words, state.deck, held, laid, lie_open)
    return tuple(_picked(viewer, group) for group in groups) if viewer.choices else groups


def _picked(viewer: Viewer, group: Group) -> Group:
    """The same cards, each with its choice."""
    picked = (replace(each, pick=viewer.pick(f"order:{each.card}", key=each.key)) for each in group.cards)
    return replace(group, cards=tuple(picked))


@lru_cache(KEPT)
def _by_backs(words: Words, deck: int, held: int, laid: str | None, lie_open: tuple[str, ...]) -> tuple[Group, ...]:
    """The cards of a deck by their backs; those of a character that lies open surely get through."""
    speech = Speaker(words)
    backs: dict[tuple[str, ...], list[str]] = {}
    for card in sorted((card for number, card in enumerate(CARDS) if deck >> number & 1), key=_back_of):
        backs.setdefault(tuple(CHARACTERS[k] for k in _back_of(card)), []).append(card)
    keys = {card: str(k) for k, card in enumerate((card for cards in backs.values() for card in cards), 1)}
    notes = {
        card: speech.say("goths.table.hand.laid")
        if card == laid
        else ""
        if held >> CARDS.index(card) & 1
        else speech.say("goths.table.hand.up")
        for card in keys
    }
    return tuple(
        Group(
            size=len(cards),
            icons=halves,
            label=speech.back(halves),
            odds=None,
            cards=tuple(
                replace(
                    _royal(speech, card, halves, card.split("/")[0] in lie_open, notes[card]),
                    key=keys[card],
                    laid=card == laid,
                )
                for card in cards
            ),
        )
        for halves, cards in backs.items()
    )


def _back_of(card: str) -> tuple[int, ...]:
    """The characters on a card's back, by their numbers, in the order in which all backs show them."""
    return tuple(sorted(CHARACTERS.index(half) for half in card.split("/")))


def _royal(speech: Speech, card: str, halves: Iterable[str], lies_open: bool, note: str) -> RoyalCard:
    character, bluff = card.split("/")
    # Whether his warchief will read a new card as it is meant, no king can tell.
    odds = _odds(speech, Chance.SURELY if lies_open else Chance.PERHAPS)
    named = speech.name("character", character)
    number = CHARACTERS.index(character)
    orders = [brief(speech, action) for action, of in zip(ACTIONS, ACTION_CHARACTER, strict=True) if of == number]
    tip = capital(speech.say("goths.table.tip.royal", character=named, back=speech.back(halves)))
    return RoyalCard(
        card=card,
        character=character,
        name=named,
        bluff=bluff,
        bluff_name=speech.name("character", bluff),
        orders=", ".join(soft(order) for order in orders),
        tip=f"{tip} {speech.say('goths.table.tip.royal-orders', list=', '.join(orders))}",
        odds=odds,
        label=f"{named}, {speech.say('ui.bluff')} {speech.name('character', bluff)}." + (f" {note}." if note else ""),
        note=note,
    )

"""Goths Save the Queen: the nine actions (G6), the tokens that hamper them (G8) and how a game ends (G7)."""

from meadhall.fields import tell
from meadhall.games.goths.state import (
    DRAW,
    Action,
    Ending,
    Fog,
    GothsState,
    Objective,
    Phase,
    Token,
    Told,
    Why,
)


def own_seats(s: GothsState, clan: int, role: int) -> int:
    """The audience of a secret: one seat's bit, or both of a lone ruler's (G10.4)."""
    return 3 << (2 * clan) if s.lone[clan] else 1 << (2 * clan + role)


def finish(s: GothsState, winner: int, by: int) -> None:
    """The game is over and nothing changes any more (G5.3)."""
    s.winner = winner
    s.by = by
    s.phase = Phase.OVER
    if winner == DRAW:
        tell(s, Told.DRAWN, s.turn)
    else:
        tell(s, Told.WON, winner, by)


def carry_out(s: GothsState, clan: int) -> bool:
    """Carry out the clan's action; true if its warchief must choose something first."""
    act = s.act[clan]
    if act == Action.RECONNOITRE:
        return reconnoitre(s, clan)
    if act == Action.SABOTAGE:
        sabotage(s, clan)
    elif act == Action.RECRUIT:
        recruit(s, clan)
    elif act == Action.LOAD:
        load(s, clan)
    elif act == Action.FIRE:
        fire(s, clan)
    elif act == Action.BARRICADE:
        return barricade(s, clan)
    elif act == Action.ADVANCE:
        return advance(s, clan)
    elif act == Action.AXE:
        axe(s, clan)
    else:
        rats(s, clan)
    return False


def without_effect(s: GothsState, clan: int, why: int) -> None:
    """The action counts as carried out all the same (G4.5, G8.9)."""
    tell(s, Told.NO_EFFECT, clan, s.act[clan], why)


def token_forbids(s: GothsState, clan: int, token: int) -> bool:
    """Is this the clan's token, revealed and not yet discarded? (G8.2)"""
    if s.fog[clan] == Fog.REVEALED and s.token[clan] == token:
        without_effect(s, clan, Why.TOKEN_FORBIDS)  # G8.9
        return True
    return False


def sights(s: GothsState, clan: int) -> int:
    """What the clan's warchief may look at: face-down objectives (G6.1), his own hidden token (G8.3)."""
    things = 7 & ~int(s.revealed)
    if s.fog[clan] == Fog.HIDDEN:
        things |= 8
    return things


def reconnoitre(s: GothsState, clan: int) -> bool:
    """Look at a face-down card (G6.1, G8.3); asked only if there is more than one thing to look at."""
    if token_forbids(s, clan, Token.PEA_SOUP):  # G8.5
        return False
    things = sights(s, clan)
    if things & (things - 1) != 0:
        s.phase = Phase.LOOK
        return True
    for sight in range(4):
        if (things >> sight) & 1:
            look(s, clan, sight)
    return False


def look(s: GothsState, clan: int, sight: int) -> None:
    """All see where the warchief looks; he alone sees what is there (G6.1, G10.3)."""
    s.seen[clan] = int(s.seen[clan]) | (1 << sight)
    tell(s, Told.LOOKED, clan, sight)
    if sight == 3:
        tell(s, Told.SAW_TOKEN, clan, sight, s.token[clan], own_seats(s, clan, 1))
    else:
        tell(s, Told.SAW_CARD, clan, sight, s.objectives[sight], own_seats(s, clan, 1))


def sabotage(s: GothsState, clan: int) -> None:
    """The enemy catapult becomes inactive (G6.2)."""
    if s.catapult[1 - clan]:
        s.catapult[1 - clan] = False
        tell(s, Told.SABOTAGED, clan, 1 - clan)
    else:
        without_effect(s, clan, Why.CATAPULT_ALREADY_INACTIVE)


def recruit(s: GothsState, clan: int) -> None:
    """A unit from the reserve joins the army (G6.3)."""
    if token_forbids(s, clan, Token.REDUCED_NUMBERS):  # G8.6
        return
    if s.units[clan] < 3:
        s.units[clan] += 1
        tell(s, Told.RECRUITED, clan, s.units[clan])
    else:
        without_effect(s, clan, Why.ARMY_FULL)


def load(s: GothsState, clan: int) -> None:
    """The clan's own catapult becomes active (G6.4)."""
    if token_forbids(s, clan, Token.BOAR_SHORTAGE):  # G8.7
        return
    if s.catapult[clan]:
        without_effect(s, clan, Why.CATAPULT_ALREADY_ACTIVE)
    else:
        s.catapult[clan] = True
        tell(s, Told.LOADED, clan)


def fire(s: GothsState, clan: int) -> None:
    """Spend the catapult: two enemy units, unless behind a barricade (G6.5)."""
    if not s.catapult[clan]:
        without_effect(s, clan, Why.CATAPULT_NOT_LOADED)
        return
    s.catapult[clan] = False
    tell(s, Told.FIRED, clan, 1 - clan)
    if behind_barricade(s, 1 - clan):
        tell(s, Told.PROTECTED, 1 - clan, Why.BARRICADE, Action.FIRE)
    else:
        lose_units(s, 1 - clan, 2, Action.FIRE)


def barricade(s: GothsState, clan: int) -> bool:
    """Build (G6.6), or, where its token lies revealed, choose between building and dispersing it (G8.4)."""
    place = s.place[clan]
    if s.fog[clan] == Fog.REVEALED and (place == 2 or (s.fog_anywhere and place > 2)):
        s.phase = Phase.TOKEN
        return True
    build(s, clan)
    return False


def build(s: GothsState, clan: int) -> None:
    """Turn the Terrain card under the army to its barricade side (G6.6)."""
    if s.place[clan] > 2:
        without_effect(s, clan, Why.NO_BARRICADE_SIDE)
    elif behind_barricade(s, clan):
        without_effect(s, clan, Why.BARRICADE_STANDS)
    else:
        s.barricades[clan] = int(s.barricades[clan]) | (1 << int(s.place[clan]))
        tell(s, Told.BARRICADED, clan, s.place[clan])


def disperse(s: GothsState, clan: int) -> None:
    """Discard the clan's token, which ends its effect (G8.4)."""
    s.fog[clan] = Fog.DISCARDED
    tell(s, Told.DISPERSED, clan, s.token[clan])


def open_objectives(s: GothsState, clan: int) -> int:
    """The Objective cards the army may move onto: not its own, not the enemy's (G6.7)."""
    cards = 7
    for army in range(2):
        if s.place[army] > 2:
            cards &= ~(1 << (int(s.place[army]) - 3))
    return cards


def advance(s: GothsState, clan: int) -> bool:
    """One card toward the centre; from terrain-3 on, the warchief chooses an objective (G6.7)."""
    if s.place[clan] < 2:
        s.place[clan] += 1
        tell(s, Told.ADVANCED, clan, s.place[clan])
        if s.place[clan] == 2 and s.fog[clan] == Fog.HIDDEN:
            reveal_token(s, clan)
        return False
    cards = open_objectives(s, clan)
    if cards & (cards - 1) != 0:
        s.phase = Phase.ENTER
        return True
    for objective in range(3):
        if (cards >> objective) & 1:
            enter(s, clan, objective)
    return False


def reveal_token(s: GothsState, clan: int) -> None:
    """The token on terrain-3 is turned up for all (G8.2)."""
    s.fog[clan] = Fog.REVEALED
    tell(s, Told.TOKEN_REVEALED, clan, s.token[clan])
    if s.token[clan] == Token.BOAR_SHORTAGE and s.catapult[clan]:  # G8.7
        s.catapult[clan] = False
        tell(s, Told.BOARS_GONE, clan)


def enter(s: GothsState, clan: int, objective: int) -> None:
    """Move onto an Objective card, turn it up and meet what is there (G6.7)."""
    s.place[clan] = 3 + objective
    tell(s, Told.ENTERED, clan, objective)
    if (int(s.revealed) >> objective) & 1 == 0:
        s.revealed = int(s.revealed) | (1 << objective)
        tell(s, Told.TURNED_UP, clan, objective, s.objectives[objective])
    if s.objectives[objective] == Objective.QUEEN:
        finish(s, clan, Ending.QUEEN)  # G7.1
    elif s.objectives[objective] == Objective.TRAP:
        lose_units(s, clan, 1, Action.ADVANCE)


def axe(s: GothsState, clan: int) -> None:
    """One enemy unit, unless in a forest or behind a barricade (G6.8)."""
    if token_forbids(s, clan, Token.GUSTS):  # G8.8
        return
    tell(s, Told.ATTACKED, clan, Action.AXE)
    if behind_barricade(s, 1 - clan):
        tell(s, Told.PROTECTED, 1 - clan, Why.BARRICADE, Action.AXE)
    elif s.place[1 - clan] == 0:
        tell(s, Told.PROTECTED, 1 - clan, Why.FOREST, Action.AXE)
    else:
        lose_units(s, 1 - clan, 1, Action.AXE)


def rats(s: GothsState, clan: int) -> None:
    """One enemy unit, if it is behind a barricade (G6.9)."""
    tell(s, Told.ATTACKED, clan, Action.RATS)
    if behind_barricade(s, 1 - clan):
        lose_units(s, 1 - clan, 1, Action.RATS)
    else:
        tell(s, Told.PROTECTED, 1 - clan, Why.NO_BARRICADE, Action.RATS)


def behind_barricade(s: GothsState, clan: int) -> bool:
    """Does the army stand on a Terrain card turned to its barricade side?"""
    return s.place[clan] < 3 and (int(s.barricades[clan]) >> int(s.place[clan])) & 1 != 0


def lose_units(s: GothsState, clan: int, units: int, cause: int) -> None:
    """Units go back to the reserve (G6.10); a clan with none left has lost (G7.2)."""
    lost = min(units, int(s.units[clan]))
    s.units[clan] -= lost
    tell(s, Told.LOST, clan, lost, cause)
    if s.units[clan] == 0:
        finish(s, 1 - clan, Ending.ELIMINATION)

"""Romans Go Home!: the steps of a turn in the order of R6.1, each as one or two small functions."""

from meadhall.bits import BLANK, at, inserted, known_first, without
from meadhall.fields import UNKNOWN, tell
from meadhall.games.romans.choices import arranged_place, ask, to_arrange
from meadhall.games.romans.dealing import begin_round, forget_turn
from meadhall.games.romans.pieces import (
    clan_of_bit,
    face_up_kinds,
    face_up_places,
    fort_kinds,
    hidden_count,
    is_legion,
    least_valuable,
    legions,
    players_bits,
    shown_now,
    strength,
    value_of,
    weakest,
    who_shows,
    winners_by_points,
)
from meadhall.games.romans.state import (
    ARRANGEMENTS,
    CHARM,
    DISCARD,
    KEEP_AXX,
    KEEP_WEAKEST,
    NOBODY,
    PAY,
    REORDER,
    TAKE,
    Ending,
    Fort,
    Phase,
    RomansState,
    Told,
    Warrior,
    Why,
)


def lay_plans(s: RomansState) -> None:
    """Every player lays six of his seven warriors and puts one aside (R3.2)."""
    for clan in range(s.players):
        plan = int(s.sealed[clan])
        hand = int(s.hand[clan])
        line = 0
        for k in range(6):
            warrior = at(hand, int(ARRANGEMENTS[plan][k]))
            line |= warrior << (4 * k)
            tell(s, Told.LAID, clan, warrior, k + 1, 1 << clan)
        s.line[clan] = known_first(line, 6)
        s.aside[clan] = at(hand, int(ARRANGEMENTS[plan][6]))
        s.hand[clan] = BLANK
        tell(s, Told.PLANNED, clan)
    s.phase = Phase.REVEAL


def reveal_warriors(s: RomansState) -> None:
    """All reveal (R4.1), charriotts wreck each other (R4.2), a lone qween may charm (R4.3, R4.4)."""
    forget_turn(s)
    tell(s, Told.TURN, s.turn, at(s.wall, 0))
    s.shown += 1
    shows = 0
    for clan in range(s.clans):
        warrior = shown_now(s, clan)
        shows |= 1 << (4 * warrior + clan)
        s.up[clan] = int(s.up[clan]) | (1 << (s.shown - 1))
        s.strength_up[clan] += strength(warrior)
        tell(s, Told.SHOWN, clan, warrior)
    s.shows = shows
    charriotts = who_shows(s, Warrior.CHARRIOTT)
    if charriotts & (charriotts - 1) != 0:
        wreck_charriotts(s, charriotts)
    s.phase = Phase.FIGHT
    qweens = who_shows(s, Warrior.QWEEN)
    if qweens & (qweens - 1) != 0:  # R4.4
        tell(s, Told.QWEENS_CANCEL)
    elif qweens & players_bits(s) != 0:  # R4.3, R8.1
        s.charmer = clan_of_bit(qweens)
        s.phase = Phase.CHARM


def wreck_charriotts(s: RomansState, charriotts: int) -> None:
    """Two or more charriotts revealed on one turn are discarded before points are counted (R4.2)."""
    s.wrecked = charriotts
    for clan in range(s.clans):
        if (charriotts >> clan) & 1:
            discard(s, clan, 1 << (s.shown - 1))
            tell(s, Told.WRECKED, clan)


def discard(s: RomansState, clan: int, places: int) -> None:
    """The warriors at these places of the line, a bit for each, leave in the order revealed."""
    s.up[clan] = int(s.up[clan]) & ~places
    line = int(s.line[clan])
    pile = int(s.discarded[clan])
    count = int(s.discarded_count[clan])
    gone = 0
    for k in range(6):  # no branch: compiled code would guess it wrong half the time
        leaves = (places >> k) & 1
        warrior = leaves * at(line, k)
        pile |= warrior << (4 * count)
        gone += leaves * strength(warrior)
        count += leaves
    s.discarded[clan] = pile
    s.discarded_count[clan] = count
    s.strength_up[clan] -= gone


def charm_targets(s: RomansState) -> int:
    """Rival clans whose warrior of this turn was not just wrecked, a bit for each (R4.3)."""
    return ((1 << int(s.clans)) - 1) & ~int(s.wrecked) & ~(1 << int(s.charmer))


def ask_whom_to_charm(s: RomansState) -> None:
    """Not optional if there is a target (R4.3)."""
    targets = charm_targets(s)
    s.phase = Phase.FIGHT
    if targets & (targets - 1) != 0:
        s.phase = Phase.CHARM
        ask(s, int(s.charmer), targets)
        return
    for target in range(s.clans):
        if (targets >> target) & 1:
            charm(s, target)


def charm(s: RomansState, target: int) -> None:
    """The warrior's points count for the qween's player this turn (R4.3)."""
    s.charmed = target
    tell(s, Told.CHARMED, s.charmer, target, shown_now(s, target))
    s.phase = Phase.FIGHT


def fight(s: RomansState) -> None:
    """The highest total captures the leftmost fort (R4.5 to R4.9)."""
    tell_terms(s)
    taken = 0
    gained = 0
    if s.charmed != NOBODY:  # R4.3; by rule option qween her own point may not count
        taken = strength(shown_now(s, s.charmed))
        gained = taken - int(s.replaces)
    barred = who_shows(s, Warrior.FILCHY)  # R4.6
    best = UNKNOWN
    leaders = 0
    for clan in range(s.clans):
        total = int(s.strength_up[clan])  # R4.5
        total += gained if clan == s.charmer else 0
        total -= taken if clan == s.charmed else 0
        tell(s, Told.TOTAL, clan, total, (barred >> clan) & 1)
        total = UNKNOWN - 1 if (barred >> clan) & 1 else total
        leads = total == best
        beats = total > best  # R4.7
        leaders = 1 << clan if beats else leaders | (leads << clan)
        best = total if beats else best
    archrs = leaders & who_shows(s, Warrior.ARCHR)
    s.phase = Phase.TAKE
    if leaders == 0:
        tell(s, Told.NOBODY_CAN)
        nobody_captures(s)
    elif leaders & (leaders - 1) == 0:
        s.captor = clan_of_bit(leaders)
    elif archrs != 0 and archrs & (archrs - 1) == 0:  # R4.8
        s.captor = clan_of_bit(archrs)
        tell(s, Told.TIE_BROKEN, s.captor, best)
    else:
        tell(s, Told.TIE, best)
        nobody_captures(s)


def tell_terms(s: RomansState) -> None:
    """Report every term of every sum."""
    for clan in range(s.clans):
        for k in range(6):
            if (int(s.up[clan]) >> k) & 1:
                tell(s, Told.TERM, clan, at(s.line[clan], k), clan)
        if s.charmed != NOBODY and clan == s.charmer:
            tell(s, Told.TERM, clan, shown_now(s, s.charmed), s.charmed)


def nobody_captures(s: RomansState) -> None:
    """A fort is discarded without effect and all warriors stay (R4.9, R5.6)."""
    # R9.1: by the author's original rules the fort stays and the rightmost one goes.
    place = int(s.wall_count) - 1 if s.original else 0
    fort = at(int(s.wall), place)
    remove_from_wall(s, place)
    lose_fort(s, fort)
    tell(s, Told.FORT_DISCARDED, fort, s.original)
    s.phase = Phase.AFTER


def lose_fort(s: RomansState, fort: int) -> None:
    """A fort leaves the game."""
    s.lost_forts[s.lost_count] = fort
    s.lost_count += 1


def remove_from_wall(s: RomansState, place: int) -> None:
    """Take a fort out of the Wall; those to its right move up."""
    s.wall = without(int(s.wall), place)
    s.wall_count -= 1


def ask_which_fort(s: RomansState) -> None:
    """The winner takes the leftmost fort, or with druhid the one he chooses (R4.7, R4.10)."""
    clan = int(s.captor)
    if s.wall_count > 1 and clan < s.players and shown_now(s, clan) == Warrior.DRUHID:  # R8.1
        ask(s, clan, ((1 << int(s.wall_count)) - 1) << (TAKE - CHARM))
    else:
        take_fort(s, 0)


def take_fort(s: RomansState, place: int) -> None:
    """The captured fort leaves the Wall; three legions win at once (R5.4)."""
    clan = int(s.captor)
    if place > 0:
        tell(s, Told.SWAPPED, clan, place + 1, at(s.wall, place))
    fort = at(int(s.wall), place)
    remove_from_wall(s, place)
    if place > 1 and not s.original:  # R4.10: the leftmost fort takes its place; R9.2: the others close the gap
        leftmost = at(int(s.wall), 0)
        s.wall = inserted(without(int(s.wall), 0), place - 1, leftmost)
    s.prize = fort
    s.forts[clan][s.forts_count[clan]] = fort
    s.forts_count[clan] += 1
    s.worth[clan] += value_of(fort)
    tell(s, Told.CAPTURED, clan, fort)
    s.phase = Phase.KEEP_AXX
    if is_legion(fort) and clan < s.players and legions(s, clan) >= 3:  # R5.4
        tell(s, Told.LEGIONS, clan)
        finish(s, 1 << clan, Ending.LEGIONS)


def ask_to_keep_axx(s: RomansState) -> None:
    """A clan that captures on the turn of revealing axx may keep it; a neutral does (R4.12, R8.2)."""
    clan = int(s.captor)
    axx = shown_now(s, clan) == Warrior.AXX
    if axx and clan < s.players:
        ask(s, clan, 3 << (KEEP_AXX - CHARM))
    else:
        s.kept_axx = axx
        s.phase = Phase.KEEP_WEAKEST


def ask_to_keep_weakest(s: RomansState) -> None:
    """An unwary fort lets the winner keep his weakest warrior; a neutral does (R5.1, R8.2)."""
    clan = int(s.captor)
    s.phase = Phase.SEND_AWAY
    if s.prize == Fort.UNWARY and s.up[clan] != 0:
        already_kept = s.kept_axx and weakest(s, clan) == Warrior.AXX
        if not already_kept and clan < s.players:
            s.phase = Phase.KEEP_WEAKEST
            ask(s, clan, 3 << (KEEP_WEAKEST - CHARM))
        else:
            s.kept_weakest = not already_kept


def send_away(s: RomansState) -> None:
    """The winner discards his face-up warriors but those he keeps, in the order revealed (R4.11)."""
    clan = int(s.captor)
    kept = 0
    if s.kept_axx:
        kept |= 1 << (s.shown - 1)
    if s.kept_weakest:
        places = face_up_places(s, clan, weakest(s, clan))
        kept |= places if places & (places - 1) == 0 else places & (places - 1)  # R6.2: the first of equals leaves
    leaving = int(s.up[clan]) & ~kept
    tell_parting(s, clan, leaving)
    discard(s, clan, leaving)
    s.phase = Phase.AFTER


def tell_parting(s: RomansState, clan: int, leaving: int) -> None:
    """Report who stays with the winner and who leaves."""
    for k in range(s.shown):
        if (leaving >> k) & 1:
            tell(s, Told.LEFT, clan, at(s.line[clan], k))
        elif (int(s.up[clan]) >> k) & 1:
            axx = s.kept_axx and k == s.shown - 1
            tell(s, Told.KEPT, clan, at(s.line[clan], k), Why.AXX if axx else Why.UNWARY)


def ask_horsie_and_zvord(s: RomansState) -> None:
    """Horsies that did not capture cost a warrior (R4.13); zvords reorder (R4.14); all at once (R6.1)."""
    horsies = losing_horsies(s) & players_bits(s)
    while horsies != 0:
        ask_to_discard(s, clan_of_bit(horsies & -horsies))
        horsies &= horsies - 1
    zvords = who_shows(s, Warrior.ZVORD) & players_bits(s) if hidden_count(s) > 1 else 0
    while zvords != 0:
        clan = clan_of_bit(zvords & -zvords)
        ask(s, clan, to_arrange(s, clan))
        zvords &= zvords - 1
    if s.asked == 0:
        horsie_and_zvord(s)


def losing_horsies(s: RomansState) -> int:
    """The clans that revealed horsie and did not capture, a bit for each (R4.13)."""
    horsies = who_shows(s, Warrior.HORSIE)
    return horsies if s.captor == NOBODY else horsies & ~(1 << int(s.captor))


def ask_to_discard(s: RomansState, clan: int) -> None:
    """A player is asked only if he has different warriors face up."""
    kinds = face_up_kinds(s, clan)
    if kinds & (kinds - 1) != 0:
        ask(s, clan, kinds << (DISCARD - CHARM))


def horsie_and_zvord(s: RomansState) -> None:
    """Carry out what was sealed, and what needs no choice, together (R6.3); then the fort has its effect (R6.1)."""
    horsies = losing_horsies(s)
    while horsies != 0:
        forced_discard(s, clan_of_bit(horsies & -horsies), Why.HORSIE)
        horsies &= horsies - 1
    zvords = who_shows(s, Warrior.ZVORD)
    while zvords != 0:
        clan = clan_of_bit(zvords & -zvords)
        if s.sealed[clan] != UNKNOWN:
            reorder(s, clan, s.sealed[clan] - REORDER)
        zvords &= zvords - 1
    if s.prize == Fort.SIGNAL:  # R5.2
        s.phase = Phase.SIGNAL
    elif s.prize == Fort.TAX:  # R5.3
        s.phase = Phase.TAX
    else:  # R5.5
        s.phase = Phase.END_TURN


def reorder(s: RomansState, clan: int, arrangement: int) -> None:
    """Put the hidden warriors in a new order, which stays secret (R4.14, R6.3)."""
    line = int(s.line[clan])
    shown = int(s.shown)
    new_line = line & ((1 << (4 * shown)) - 1)
    tell(s, Told.REORDERED, clan)
    for k in range(hidden_count(s)):
        warrior = at(line, shown + arranged_place(s, arrangement, k))
        new_line |= warrior << (4 * (shown + k))
        tell(s, Told.NEW_ORDER, clan, warrior, shown + k + 1, 1 << clan)
    s.line[clan] = known_first(new_line, 6)


def forced_discard(s: RomansState, clan: int, why: int) -> None:
    """One face-up warrior leaves: the one chosen, or a neutral's weakest (R8.2), or the only kind there is."""
    if s.sealed[clan] == UNKNOWN:
        warrior = weakest(s, clan)
    else:
        warrior = int(s.sealed[clan]) - DISCARD
    places = face_up_places(s, clan, warrior)
    discard(s, clan, places & -places)  # R6.2: of equals the one revealed first
    tell(s, Told.DISCARDED, clan, warrior, why)


def ask_signal_discards(s: RomansState) -> None:
    """Every clan with a warrior face up must discard one (R5.2)."""
    for clan in range(s.players):
        ask_to_discard(s, clan)
    if s.asked == 0:
        signal_fire(s)


def signal_fire(s: RomansState) -> None:
    """The discards of a signal fort take effect together (R5.2, R6.3)."""
    for clan in range(s.clans):
        if s.up[clan] != 0:
            forced_discard(s, clan, Why.SIGNAL)
    s.phase = Phase.END_TURN


def ask_tax(s: RomansState) -> None:
    """The winner must discard one of his forts (R5.3); a neutral's least valuable goes (R8.2)."""
    clan = int(s.captor)
    kinds = fort_kinds(s, clan)
    if clan < s.players and kinds & (kinds - 1) != 0:
        ask(s, clan, kinds << (PAY - CHARM))
    else:
        pay_tax(s, least_valuable(s, clan))


def pay_tax(s: RomansState, fort: int) -> None:
    """The fort leaves, of equals the one captured first (R5.3, R6.2)."""
    clan = int(s.captor)
    place = 0
    while s.forts[clan][place] != fort:
        place += 1
    s.forts_count[clan] -= 1
    s.worth[clan] -= value_of(fort)
    for k in range(place, s.forts_count[clan]):
        s.forts[clan][k] = s.forts[clan][k + 1]
    s.forts[clan][s.forts_count[clan]] = UNKNOWN
    lose_fort(s, fort)
    tell(s, Told.PAID, clan, fort)
    s.phase = Phase.END_TURN


def end_turn(s: RomansState) -> None:
    """The next turn, the next round (R3.4), or the end (R7.1)."""
    if s.turn < 6:
        s.turn += 1
        s.phase = Phase.REVEAL
    elif s.round < 3:
        s.round += 1
        begin_round(s)
    else:
        finish(s, winners_by_points(s), Ending.POINTS)


def finish(s: RomansState, winners: int, by: int) -> None:
    """The game is over; everything stays as it lies."""
    s.phase = Phase.OVER
    s.winners = winners
    s.by = by
    for clan in range(s.clans):
        tell(s, Told.SCORE, clan, s.worth[clan], s.forts_count[clan])
    for clan in range(s.clans):
        if (winners >> clan) & 1:
            tell(s, Told.WON, clan, by)

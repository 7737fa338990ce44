"""Romans Go Home!: the rules, clause by clause, as plain functions over one record.

They run as they stand at the table and compiled in simulation; `s` is the position, a clan is 0 to 3 in
the order of the table, players first, and a choice is its number (see state.py).
"""

from meadhall.engine.bits import BLANK, at, inserted, known_first, only_bit, without
from meadhall.engine.layout import UNKNOWN, emit
from meadhall.games.romans.state import (
    ARRANGE,
    ARRANGED_IN_ORDER,
    ARRANGEMENTS,
    CHARM,
    CHOICE_COUNT,
    DISCARD,
    FACTORIAL,
    FORT_VALUES,
    HIGHEST_VALUE,
    KEEP_AXX,
    KEEP_WEAKEST,
    LOWEST_VALUE,
    NOBODY,
    PAIR,
    PAY,
    REORDER,
    REORDERED_IN_ORDER,
    REORDERINGS,
    STRENGTHS,
    TAKE,
    Ending,
    EventCode,
    Fort,
    Phase,
    RomansState,
    Warrior,
    Why,
    pair_bit,
)

# How play goes on: choices are sealed until the last one owed is in (R6.3)


def owes(s: RomansState, clan: int) -> bool:
    """Must this clan's player choose before play goes on?"""
    return (int(s.owed) >> clan) & 1 != 0


def next_seat(s: RomansState) -> int:
    """The first clan that owes a choice, -1 at the end."""
    return clan_of_bit(int(s.owed) & -int(s.owed)) if s.owed != 0 else UNKNOWN


def commit(s: RomansState, clan: int, choice: int) -> None:
    """Seal a choice; when it was the last one owed, all take effect together (R6.3) and play goes on."""
    if not allowed(s, clan, choice):
        raise ValueError("that choice is not legal here")
    s.sealed[clan] = choice
    emit(s, EventCode.SEALED, clan, choice, to=1 << clan)
    s.owed = int(s.owed) & ~(1 << clan)
    if s.owed != 0:
        return
    s.asked = 0
    take_effect(s, choice)
    for other in range(4):
        s.sealed[other] = UNKNOWN
        s.options[other] = 0
    while s.asked == 0 and s.phase != Phase.OVER:
        take_steps(s)


def take_effect(s: RomansState, choice: int) -> None:
    """The question is answered: do what was chosen and name the next step."""
    if s.phase == Phase.PLAN:
        lay_plans(s)
    elif s.phase == Phase.CHARM:
        charm(s, choice - CHARM)
    elif s.phase == Phase.TAKE:
        take_fort(s, choice - TAKE)
    elif s.phase == Phase.KEEP_AXX:
        s.kept_axx = choice == KEEP_AXX
        s.phase = Phase.KEEP_WEAKEST
    elif s.phase == Phase.KEEP_WEAKEST:
        s.kept_weakest = choice == KEEP_WEAKEST
        s.phase = Phase.SEND_AWAY
    elif s.phase == Phase.AFTER:
        horsie_and_zvord(s)
    elif s.phase == Phase.SIGNAL:
        signal_fire(s)
    else:
        pay_tax(s, choice - PAY)


def take_steps(s: RomansState) -> None:
    """Go through the steps of a turn in the order of R6.1: each asks what must be asked, or names the next."""
    if s.phase == Phase.REVEAL:
        reveal_warriors(s)
    if s.phase == Phase.CHARM:
        ask_whom_to_charm(s)
    if s.phase == Phase.FIGHT:
        fight(s)
    if s.phase == Phase.TAKE:
        ask_which_fort(s)
    if s.phase == Phase.KEEP_AXX:
        ask_to_keep_axx(s)
    if s.phase == Phase.KEEP_WEAKEST:
        ask_to_keep_weakest(s)
    if s.phase == Phase.SEND_AWAY:
        send_away(s)
    if s.phase == Phase.AFTER:
        ask_horsie_and_zvord(s)
    if s.phase == Phase.SIGNAL:
        ask_signal_discards(s)
    if s.phase == Phase.TAX:
        ask_tax(s)
    if s.phase == Phase.END_TURN:
        end_turn(s)


def ask(s: RomansState, clan: int, options: int) -> None:
    """Wait for a choice of this clan, among others asked at the same time."""
    s.options[clan] = options
    s.asked = int(s.asked) | (1 << clan)
    s.owed = s.asked


# What may be chosen


def allowed(s: RomansState, clan: int, choice: int) -> bool:
    """May the clan's player choose this now? A sealed choice may still be changed."""
    if choice < 0 or choice >= CHOICE_COUNT:
        return False
    if choice >= CHARM:
        return (int(s.options[clan]) >> (choice - CHARM)) & 1 != 0
    if not arranging(s, clan) or (choice < REORDER) != (s.phase == Phase.PLAN):
        return False
    arrangement = choice if choice < REORDER else choice - REORDER
    return arrangement < arrangement_count(s) and keeps_order(s, clan, arrangement)


def arranging(s: RomansState, clan: int) -> bool:
    """Does the clan owe, or may it still change, a plan or a reordering?"""
    return s.options[clan] >= ARRANGE


def arrangement_count(s: RomansState) -> int:
    """How many numbers the arrangement asked for now takes."""
    return 5040 if s.phase == Phase.PLAN else FACTORIAL[hidden_count(s)]


def arranged_place(s: RomansState, arrangement: int, k: int) -> int:
    """The place, in the hand or among the hidden, of the k-th warrior of an arrangement."""
    if s.phase == Phase.PLAN:
        return int(ARRANGEMENTS[arrangement][k])
    skipped = 5 - hidden_count(s)
    return int(REORDERINGS[arrangement][skipped + k]) - skipped


def to_arrange(s: RomansState, clan: int) -> int:
    """The option to arrange warriors; it says where two charriotts lie, as the bit of a pair of places."""
    planning = s.phase == Phase.PLAN
    # REORDERINGS counts hidden places from the end of five; the line's first place is never hidden.
    row = int(s.hand[clan]) if planning else (int(s.line[clan]) | ~(-1 << (4 * int(s.shown)))) >> 4
    places = 0
    for k in range(7):
        places |= (at(row, k) == Warrior.CHARRIOTT) << k
    if places & (places - 1) == 0:
        return ARRANGE
    pair = pair_bit(only_bit(places & -places), only_bit(places & (places - 1)))
    return ARRANGE | ((pair + 1) << PAIR)


def keeps_order(s: RomansState, clan: int, arrangement: int) -> bool:
    """Two charriotts make two numbers of one arrangement: only the one that keeps their order is used."""
    if s.options[clan] == ARRANGE:
        return True
    pair = (int(s.options[clan]) >> PAIR) - 1
    in_order = ARRANGED_IN_ORDER[arrangement] if s.phase == Phase.PLAN else REORDERED_IN_ORDER[arrangement]
    return (int(in_order) >> pair) & 1 != 0


# Pieces (R1)


def strength(warrior: int) -> int:
    """A warrior's points (R1.1)."""
    return (STRENGTHS >> (4 * warrior)) & 15


def value_of(fort: int) -> int:
    """What a fort is worth (R1.2)."""
    return ((FORT_VALUES >> (4 * fort)) & 15) + LOWEST_VALUE


def is_legion(fort: int) -> bool:
    """Is this a legion fort? (R1.2)"""
    return fort >= Fort.LEGION_1 and fort <= Fort.LEGION_3


def players_bits(s: RomansState) -> int:
    """The clans that are players, a bit for each."""
    return (1 << int(s.players)) - 1


def clan_of_bit(bit: int) -> int:
    """The clan that a single bit of four stands for."""
    return (bit >> 1) - (bit >> 3)


def who_shows(s: RomansState, warrior: int) -> int:
    """The clans that revealed this warrior this turn, a bit for each."""
    return (int(s.shows) >> (4 * warrior)) & 15


def shown_now(s: RomansState, clan: int) -> int:
    """The warrior a clan has revealed this turn."""
    return at(int(s.line[clan]), s.shown - 1)


def hidden_count(s: RomansState) -> int:
    """How many warriors each clan still hides once all have planned."""
    return 6 - s.shown


def face_up_kinds(s: RomansState, clan: int) -> int:
    """The different warriors a clan has face up, a bit for each."""
    kinds = 0
    up = int(s.up[clan])
    line = int(s.line[clan])
    for k in range(6):
        kinds |= ((up >> k) & 1) << (at(line, k) & 7)
    return kinds


def face_up_places(s: RomansState, clan: int, warrior: int) -> int:
    """Where on the clan's line this warrior lies face up, a bit for each place."""
    places = 0
    line = int(s.line[clan])
    for k in range(6):
        places |= (at(line, k) == warrior) << k
    return places & int(s.up[clan])


def weakest(s: RomansState, clan: int) -> int:
    """The weakest of a clan's face-up warriors by printed strength (R5.1, R8.2); it must have one."""
    kinds = face_up_kinds(s, clan)
    return only_bit(kinds & -kinds)


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


def fort_kinds(s: RomansState, clan: int) -> int:
    """The different forts a clan holds, a bit for each."""
    kinds = 0
    for k in range(s.forts_count[clan]):
        kinds |= 1 << int(s.forts[clan][k])
    return kinds


def least_valuable(s: RomansState, clan: int) -> int:
    """A clan's least valuable fort, of equals the one captured first (R8.2)."""
    fort = int(s.forts[clan][0])
    for k in range(1, s.forts_count[clan]):
        if value_of(int(s.forts[clan][k])) < value_of(fort):
            fort = int(s.forts[clan][k])
    return fort


def legions(s: RomansState, clan: int) -> int:
    """How many legion forts a clan holds; one paid as tax no longer counts (R5.4)."""
    count = 0
    for k in range(s.forts_count[clan]):
        count += is_legion(s.forts[clan][k])
    return count


def remove_from_wall(s: RomansState, place: int) -> None:
    """Take a fort out of the Wall; those to its right move up."""
    s.wall = without(int(s.wall), place)
    s.wall_count -= 1


def lose_fort(s: RomansState, fort: int) -> None:
    """A fort leaves the game."""
    s.lost_forts[s.lost_count] = fort
    s.lost_count += 1


# A round (R3)


def set_up(s: RomansState) -> None:
    """The position at the start of round 1; deck, hands and options are in place already."""
    s.lost_count = 0
    s.winners = 0
    s.by = UNKNOWN
    for k in range(18):
        s.lost_forts[k] = UNKNOWN
    for clan in range(4):
        s.forts_count[clan] = 0
        s.worth[clan] = 0
        for k in range(18):
            s.forts[clan][k] = UNKNOWN
    s.round = 1
    begin_round(s)


def begin_round(s: RomansState) -> None:
    """Draw the Wall (R3.1) and the hands (R3.2, R3.3); every player owes a plan."""
    s.turn = 1
    s.shown = 0
    s.phase = Phase.PLAN
    s.asked = players_bits(s)
    s.owed = s.asked
    emit(s, EventCode.ROUND, s.round)
    draw_wall(s)
    forget_turn(s)
    for clan in range(4):
        s.sealed[clan] = UNKNOWN
        s.aside[clan] = UNKNOWN
        s.up[clan] = 0
        s.strength_up[clan] = 0
        s.discarded[clan] = 0
        s.discarded_count[clan] = 0
        draw_warriors(s, clan, clan < s.players)
        s.options[clan] = to_arrange(s, clan) if clan < s.players else 0


def draw_wall(s: RomansState) -> None:
    """Six forts; the highest positive one goes to the right end, then the lowest to the left end (R3.1)."""
    start = 6 * (s.round - 1)
    wall = BLANK & ~0xFFFFFF
    highest = 0
    for k in range(6):
        fort = int(s.draw_pile[start + k])
        s.draw_pile[start + k] = UNKNOWN
        wall |= fort << (4 * k)
        highest = max(highest, 8 * value_of(fort) + k)  # of equals the rightmost
    wall = inserted(without(wall, highest & 7), 5, at(wall, highest & 7))
    lowest = 8 * HIGHEST_VALUE + 7
    for k in range(6):
        value = value_of(at(wall, k))
        lowest = min(lowest, 8 * value + k if value > 0 else lowest)  # of equals the leftmost
    s.wall = inserted(without(wall, lowest & 7), 0, at(wall, lowest & 7))
    s.wall_count = 6
    for k in range(6):
        emit(s, EventCode.FORT_DRAWN, at(s.wall, k), k + 1)


def draw_warriors(s: RomansState, clan: int, player: bool) -> None:
    """A player takes his seven into his hand (R3.2), a neutral lays its six (R3.3)."""
    row = s.deals[s.round - 1][clan]
    s.deals[s.round - 1][clan] = BLANK
    s.hand[clan] = row if player else BLANK
    s.line[clan] = BLANK if player else row
    if player:
        for k in range(7):
            emit(s, EventCode.DEALT, clan, at(row, k), to=1 << clan)


def lay_plans(s: RomansState) -> None:
    """Every player lays six of his seven warriors and puts one aside (R3.2)."""
    for clan in range(s.players):
        plan = int(s.sealed[clan])
        hand = int(s.hand[clan])
        line = 0
        for k in range(6):
            warrior = at(hand, int(ARRANGEMENTS[plan][k]))
            line |= warrior << (4 * k)
            emit(s, EventCode.LAID, clan, warrior, k + 1, to=1 << clan)
        s.line[clan] = known_first(line, 6)
        s.aside[clan] = at(hand, int(ARRANGEMENTS[plan][6]))
        s.hand[clan] = BLANK
        emit(s, EventCode.PLANNED, clan)
    s.phase = Phase.REVEAL


# A turn (R4), its steps in the order of R6.1


def forget_turn(s: RomansState) -> None:
    """Clear what belongs to one turn only."""
    s.shows = 0
    s.wrecked = 0
    s.charmer = NOBODY
    s.charmed = NOBODY
    s.captor = NOBODY
    s.prize = UNKNOWN
    s.kept_axx = False
    s.kept_weakest = False


def reveal_warriors(s: RomansState) -> None:
    """All reveal (R4.1), charriotts wreck each other (R4.2), a lone qween may charm (R4.3, R4.4)."""
    forget_turn(s)
    emit(s, EventCode.TURN, s.turn, at(s.wall, 0))
    s.shown += 1
    shows = 0
    for clan in range(s.clans):
        warrior = shown_now(s, clan)
        shows |= 1 << (4 * warrior + clan)
        s.up[clan] = int(s.up[clan]) | (1 << (s.shown - 1))
        s.strength_up[clan] += strength(warrior)
        emit(s, EventCode.SHOWN, clan, warrior)
    s.shows = shows
    charriotts = who_shows(s, Warrior.CHARRIOTT)
    if charriotts & (charriotts - 1) != 0:
        wreck_charriotts(s, charriotts)
    s.phase = Phase.FIGHT
    qweens = who_shows(s, Warrior.QWEEN)
    if qweens & (qweens - 1) != 0:  # R4.4
        emit(s, EventCode.QWEENS_CANCEL)
    elif qweens & players_bits(s) != 0:  # R4.3, R8.1
        s.charmer = clan_of_bit(qweens)
        s.phase = Phase.CHARM


def wreck_charriotts(s: RomansState, charriotts: int) -> None:
    """Two or more charriotts revealed on one turn are discarded before points are counted (R4.2)."""
    s.wrecked = charriotts
    for clan in range(s.clans):
        if (charriotts >> clan) & 1:
            discard(s, clan, 1 << (s.shown - 1))
            emit(s, EventCode.WRECKED, clan)


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


def charm_targets(s: RomansState) -> int:
    """Rival clans whose warrior of this turn was not just wrecked, a bit for each (R4.3)."""
    return ((1 << int(s.clans)) - 1) & ~int(s.wrecked) & ~(1 << int(s.charmer))


def charm(s: RomansState, target: int) -> None:
    """The warrior's points count for the qween's player this turn (R4.3)."""
    s.charmed = target
    emit(s, EventCode.CHARMED, s.charmer, target, shown_now(s, target))
    s.phase = Phase.FIGHT


def fight(s: RomansState) -> None:
    """The highest total captures the leftmost fort (R4.5 to R4.9)."""
    emit_terms(s)
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
        emit(s, EventCode.TOTAL, clan, total, (barred >> clan) & 1)
        total = UNKNOWN - 1 if (barred >> clan) & 1 else total
        leads = total == best
        beats = total > best  # R4.7
        leaders = 1 << clan if beats else leaders | (leads << clan)
        best = total if beats else best
    archrs = leaders & who_shows(s, Warrior.ARCHR)
    s.phase = Phase.TAKE
    if leaders == 0:
        emit(s, EventCode.NOBODY_CAN)
        nobody_captures(s)
    elif leaders & (leaders - 1) == 0:
        s.captor = clan_of_bit(leaders)
    elif archrs != 0 and archrs & (archrs - 1) == 0:  # R4.8
        s.captor = clan_of_bit(archrs)
        emit(s, EventCode.TIE_BROKEN, s.captor, best)
    else:
        emit(s, EventCode.TIE, best)
        nobody_captures(s)


def emit_terms(s: RomansState) -> None:
    """Report every term of every sum."""
    for clan in range(s.clans):
        for k in range(6):
            if (int(s.up[clan]) >> k) & 1:
                emit(s, EventCode.TERM, clan, at(s.line[clan], k), clan)
        if s.charmed != NOBODY and clan == s.charmer:
            emit(s, EventCode.TERM, clan, shown_now(s, s.charmed), s.charmed)


def nobody_captures(s: RomansState) -> None:
    """A fort is discarded without effect and all warriors stay (R4.9, R5.6)."""
    # R9.1: by the author's original rules the fort stays and the rightmost one goes.
    place = int(s.wall_count) - 1 if s.original else 0
    fort = at(int(s.wall), place)
    remove_from_wall(s, place)
    lose_fort(s, fort)
    emit(s, EventCode.FORT_DISCARDED, fort, s.original)
    s.phase = Phase.AFTER


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
        emit(s, EventCode.SWAPPED, clan, place + 1, at(s.wall, place))
    fort = at(int(s.wall), place)
    remove_from_wall(s, place)
    if place > 1 and not s.original:  # R4.10: the leftmost fort takes its place; R9.2: the others close the gap
        leftmost = at(int(s.wall), 0)
        s.wall = inserted(without(int(s.wall), 0), place - 1, leftmost)
    s.prize = fort
    s.forts[clan][s.forts_count[clan]] = fort
    s.forts_count[clan] += 1
    s.worth[clan] += value_of(fort)
    emit(s, EventCode.CAPTURED, clan, fort)
    s.phase = Phase.KEEP_AXX
    if is_legion(fort) and clan < s.players and legions(s, clan) >= 3:  # R5.4
        emit(s, EventCode.LEGIONS, clan)
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
    emit_parting(s, clan, leaving)
    discard(s, clan, leaving)
    s.phase = Phase.AFTER


def emit_parting(s: RomansState, clan: int, leaving: int) -> None:
    """Report who stays with the winner and who leaves."""
    for k in range(s.shown):
        if (leaving >> k) & 1:
            emit(s, EventCode.LEFT, clan, at(s.line[clan], k))
        elif (int(s.up[clan]) >> k) & 1:
            axx = s.kept_axx and k == s.shown - 1
            emit(s, EventCode.KEPT, clan, at(s.line[clan], k), Why.AXX if axx else Why.UNWARY)


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


def forced_discard(s: RomansState, clan: int, why: int) -> None:
    """One face-up warrior leaves: the one chosen, or a neutral's weakest (R8.2), or the only kind there is."""
    if s.sealed[clan] == UNKNOWN:
        warrior = weakest(s, clan)
    else:
        warrior = int(s.sealed[clan]) - DISCARD
    places = face_up_places(s, clan, warrior)
    discard(s, clan, places & -places)  # R6.2: of equals the one revealed first
    emit(s, EventCode.DISCARDED, clan, warrior, why)


def reorder(s: RomansState, clan: int, arrangement: int) -> None:
    """Put the hidden warriors in a new order, which stays secret (R4.14, R6.3)."""
    line = int(s.line[clan])
    shown = int(s.shown)
    new_line = line & ((1 << (4 * shown)) - 1)
    emit(s, EventCode.REORDERED, clan)
    for k in range(hidden_count(s)):
        warrior = at(line, shown + arranged_place(s, arrangement, k))
        new_line |= warrior << (4 * (shown + k))
        emit(s, EventCode.NEW_ORDER, clan, warrior, shown + k + 1, to=1 << clan)
    s.line[clan] = known_first(new_line, 6)


# Forts with an effect (R5)


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
    emit(s, EventCode.PAID, clan, fort)
    s.phase = Phase.END_TURN


# The end (R7)


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
        emit(s, EventCode.SCORE, clan, s.worth[clan], s.forts_count[clan])
    for clan in range(s.clans):
        if (winners >> clan) & 1:
            emit(s, EventCode.WON, clan, by)


def winners_by_points(s: RomansState) -> int:
    """The best of the players, a bit for each; of all clans in a game of one player (R7.1, R7.2)."""
    candidates = s.clans if s.players == 1 else s.players
    best = 0
    winners = 1
    for clan in range(1, candidates):
        difference = compare(s, clan, best)
        if difference > 0:
            best = clan
            winners = 1 << clan
        elif difference == 0:
            winners |= 1 << clan
    return winners


def compare(s: RomansState, one: int, other: int) -> int:
    """Above 0 if the one clan ranks above the other: points, forts, most valuable forts in turn (R7.1)."""
    if s.worth[one] != s.worth[other]:
        return s.worth[one] - s.worth[other]
    if s.forts_count[one] != s.forts_count[other]:
        return s.forts_count[one] - s.forts_count[other]
    for value in range(HIGHEST_VALUE, LOWEST_VALUE - 1, -1):
        difference = forts_worth(s, one, value) - forts_worth(s, other, value)
        if difference != 0:
            return difference
    return 0


def forts_worth(s: RomansState, clan: int, value: int) -> int:
    """How many forts of this value a clan holds."""
    count = 0
    for k in range(s.forts_count[clan]):
        if value_of(int(s.forts[clan][k])) == value:
            count += 1
    return count

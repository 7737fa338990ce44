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
    LEGIONS,
    LOWEST_VALUE,
    NOBODY,
    PAIR,
    PAY,
    REORDER,
    REORDERED_IN_ORDER,
    REORDERINGS,
    SIX_PLACES,
    STRENGTHS,
    TAKE,
    Counts,
    Ending,
    EventCode,
    Fort,
    Phase,
    RomansState,
    Verdict,
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
    while s.asked == 0 and s.phase != Phase.OVER:
        take_steps(s)


def take_effect(s: RomansState, choice: int) -> None:
    """The question is answered: do what was chosen and name the next step."""
    if s.phase == Phase.PLAN:
        lay_plans(s)
        return
    if s.phase == Phase.AFTER:
        horsie_and_zvord(s)
        return
    if s.phase == Phase.SIGNAL:
        signal_fire(s)
        return
    unseal(s)
    if s.phase == Phase.CHARM:
        charm(s, choice - CHARM)
    elif s.phase == Phase.TAKE:
        take_fort(s, choice - TAKE)
    elif s.phase == Phase.KEEP_AXX:
        s.kept_axx = choice == KEEP_AXX
        s.phase = Phase.KEEP_WEAKEST
    elif s.phase == Phase.KEEP_WEAKEST:
        s.kept_weakest = choice == KEEP_WEAKEST
        s.phase = Phase.SEND_AWAY
    else:
        pay_tax(s, choice - PAY)


def unseal(s: RomansState) -> None:
    """The choices that were sealed are being carried out: nobody has one sealed, or anything to choose, any more."""
    for clan in range(4):
        s.sealed[clan] = UNKNOWN
        s.options[clan] = 0


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
    return in_order(s.phase == Phase.PLAN, arrangement, pair_to_keep(int(s.options[clan])))


def pair_to_keep(options: int) -> int:
    """The pair of places, by its bit, where two charriotts lie; -1 without two."""
    return (options >> PAIR) - 1


def in_order(plan: bool, arrangement: int, pair: int) -> bool:
    """Does an arrangement keep the order of a pair of places (-1: of none)?"""
    pairs = ARRANGED_IN_ORDER[arrangement] if plan else REORDERED_IN_ORDER[arrangement]
    return pair < 0 or (int(pairs) >> pair) & 1 != 0


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


def leaving_place(s: RomansState, clan: int, warrior: int) -> int:
    """The place, as a bit, of the face-up warrior that leaves: of equals the one revealed first (R6.2)."""
    places = face_up_places(s, clan, warrior)
    return places & -places


def kept_weakest_place(s: RomansState, clan: int) -> int:
    """The place, as a bit, of the weakest warrior that is kept (R5.1): the first of equals leaves (R6.2)."""
    places = face_up_places(s, clan, weakest(s, clan))
    return places if places & (places - 1) == 0 else places & (places - 1)


def points_at(s: RomansState, clan: int, places: int) -> int:
    """The printed strengths of the warriors at these places of a clan's line, a bit for each, together."""
    line = int(s.line[clan])
    points = 0
    for k in range(6):  # no branch: compiled code would guess it wrong half the time
        points += ((places >> k) & 1) * strength(at(line, k) & 7)
    return points


def strength_without(s: RomansState, clan: int, places: int) -> int:
    """What a clan's face-up warriors come to without those at these places."""
    return int(s.strength_up[clan]) - points_at(s, clan, places)


def discard(s: RomansState, clan: int, places: int) -> None:
    """The warriors at these places of the line, a bit for each, leave in the order revealed."""
    s.up[clan] = int(s.up[clan]) & ~places
    s.strength_up[clan] = strength_without(s, clan, places)
    line = int(s.line[clan])
    pile = int(s.discarded[clan])
    count = int(s.discarded_count[clan])
    for k in range(6):
        leaves = (places >> k) & 1
        pile |= (leaves * at(line, k)) << (4 * count)
        count += leaves
    s.discarded[clan] = pile
    s.discarded_count[clan] = count


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


def first_held(s: RomansState, clan: int, fort: int) -> int:
    """Where among a clan's forts the one stands that leaves: of equals the one captured first (R6.2)."""
    place = 0
    while s.forts[clan][place] != fort:
        place += 1
    return place


def worth_with(s: RomansState, clan: int, fort: int) -> int:
    """What a clan's forts come to with one more."""
    return int(s.worth[clan]) + value_of(fort)


def worth_without(s: RomansState, clan: int, fort: int) -> int:
    """What a clan's forts come to without one of them."""
    return int(s.worth[clan]) - value_of(fort)


def legions(s: RomansState, clan: int) -> int:
    """How many legion forts a clan holds; one paid as tax no longer counts (R5.4)."""
    count = 0
    for k in range(s.forts_count[clan]):
        count += is_legion(s.forts[clan][k])
    return count


def wins_by_legions(s: RomansState, clan: int, fort: int) -> bool:
    """Would this fort be a player's third legion? (R5.4)"""
    return is_legion(fort) and clan < s.players and legions(s, clan) >= 2


def near_legion_victory(s: RomansState, clan: int) -> bool:
    """Is a player one legion short of victory, and can another still come to him? (R5.4)"""
    accounted = 0
    for other in range(s.clans):
        accounted += legions(s, other)
    for k in range(s.lost_count):
        accounted += is_legion(s.lost_forts[k])
    return accounted < LEGIONS and wins_by_legions(s, clan, Fort.LEGION_1)


def remaining(s: RomansState, row: int, place: int, captured: bool) -> int:
    """A row of the Wall without the fort at a place: those to its right move up.

    If it was captured from further right, the leftmost fort takes its place (R4.10), but not by R9.2.
    """
    row = without(row, place)
    if captured and place > 1 and not s.original:
        return inserted(without(row, 0), place - 1, at(row, 0))
    return row


def remove_from_wall(s: RomansState, place: int, captured: bool) -> None:
    """Take a fort out of the Wall."""
    s.wall = remaining(s, int(s.wall), place, captured)
    s.wall_laid = remaining(s, int(s.wall_laid), place, captured)
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
            s.forts_laid[clan][k] = UNKNOWN
    s.round = 1
    begin_round(s)


def begin_round(s: RomansState) -> None:
    """Draw the Wall (R3.1) and the hands (R3.2, R3.3); every player owes a plan."""
    s.turn = 1
    s.shown = 0
    s.phase = Phase.PLAN
    s.asked = players_bits(s)
    s.owed = s.asked
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
    emit_round(s)


def emit_round(s: RomansState) -> None:
    """Report the Wall to all and to every player his hand."""
    emit(s, EventCode.ROUND, s.round)
    for k in range(6):
        emit(s, EventCode.FORT_DRAWN, at(s.wall, k), k + 1)
    for clan in range(s.players):
        for k in range(7):
            emit(s, EventCode.DEALT, clan, at(s.hand[clan], k), to=1 << clan)


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
    s.wall_laid = SIX_PLACES
    s.wall_count = 6


def draw_warriors(s: RomansState, clan: int, player: bool) -> None:
    """A player takes his seven into his hand (R3.2), a neutral lays its six (R3.3)."""
    row = s.deals[s.round - 1][clan]
    s.deals[s.round - 1][clan] = BLANK
    s.hand[clan] = row if player else BLANK
    s.line[clan] = BLANK if player else row


def lay_plans(s: RomansState) -> None:
    """Every player lays six of his seven warriors and puts one aside (R3.2)."""
    for clan in range(s.players):
        plan = int(s.sealed[clan])
        hand = int(s.hand[clan])
        line = 0
        for k in range(6):
            warrior = at(hand, int(ARRANGEMENTS[plan][k]))
            line |= warrior << (4 * k)
        s.line[clan] = known_first(line, 6)
        s.aside[clan] = at(hand, int(ARRANGEMENTS[plan][6]))
        s.hand[clan] = BLANK
    unseal(s)
    s.phase = Phase.REVEAL
    for clan in range(s.players):
        for k in range(6):
            emit(s, EventCode.LAID, clan, at(s.line[clan], k), k + 1, to=1 << clan)
        emit(s, EventCode.PLANNED, clan)


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
    s.shows = shows
    for clan in range(s.clans):
        emit(s, EventCode.SHOWN, clan, shown_now(s, clan), s.shown)
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
    for clan in range(s.clans):
        if (charriotts >> clan) & 1:
            emit(s, EventCode.WRECKED, clan, Warrior.CHARRIOTT, s.shown)


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
    s.phase = Phase.FIGHT
    emit(s, EventCode.CHARMED, s.charmer, target, shown_now(s, target))


def newest_counts(s: RomansState, clan: int, charmed: int) -> int:
    """How the warrior a clan revealed this turn counts, as Counts, if `charmed` is the charmed clan or -1 (R4.3)."""
    if charmed != NOBODY and clan == charmed:
        return Counts.AWAY
    if charmed != NOBODY and clan == s.charmer and s.replaces:  # rule option qween
        return Counts.SILENT
    return Counts.COUNTS


def total(s: RomansState, clan: int, charmed: int) -> int:
    """A clan's points this turn (R4.5), if `charmed` is the charmed clan or -1."""
    points = int(s.strength_up[clan])
    if newest_counts(s, clan, charmed) != Counts.COUNTS:
        points -= strength(shown_now(s, clan))
    if charmed != NOBODY and clan == s.charmer:  # R4.3
        points += strength(shown_now(s, charmed))
    return points


def barred(s: RomansState) -> int:
    """The clans that cannot capture this turn, a bit for each (R4.6)."""
    return who_shows(s, Warrior.FILCHY)


def highest(s: RomansState, charmed: int) -> tuple[int, int]:
    """The highest total of those that can capture, and who has it, a bit for each clan; -1 and 0 if none can (R4.7)."""
    cannot = barred(s)
    best = -1
    leaders = 0
    for clan in range(s.clans):
        points = -2 if (cannot >> clan) & 1 else total(s, clan, charmed)
        leads = points == best
        beats = points > best
        leaders = 1 << clan if beats else leaders | (leads << clan)
        best = points if beats else best
    return best, leaders


def verdict(s: RomansState, charmed: int) -> tuple[int, int, int]:
    """How the fight ends: Verdict, the clan that captures or -1, the highest total (R4.7 to R4.9)."""
    best, leaders = highest(s, charmed)
    archrs = leaders & who_shows(s, Warrior.ARCHR)
    if leaders == 0:
        return Verdict.NOBODY_CAN, NOBODY, best
    if leaders & (leaders - 1) == 0:
        return Verdict.HIGHEST, clan_of_bit(leaders), best
    if archrs != 0 and archrs & (archrs - 1) == 0:
        return Verdict.TIE_BROKEN, clan_of_bit(archrs), best
    return Verdict.TIE, NOBODY, best


def fight(s: RomansState) -> None:
    """The highest total captures the leftmost fort (R4.5 to R4.9)."""
    emit_sums(s)
    how, captor, best = verdict(s, int(s.charmed))
    s.captor = captor
    s.phase = Phase.TAKE
    if how == Verdict.HIGHEST:
        emit(s, EventCode.HIGHEST, captor, best)
    elif how == Verdict.TIE_BROKEN:
        emit(s, EventCode.TIE_BROKEN, captor, best)
    elif how == Verdict.TIE:
        emit(s, EventCode.TIE, best)
    else:
        emit(s, EventCode.NOBODY_CAN)
    if captor == NOBODY:
        nobody_captures(s)


def term(s: RomansState, clan: int, place: int, charmed: int) -> tuple[int, int, int]:
    """A warrior of a clan's sum, the clan it lies before, and how it counts, as Counts (R4.3, R4.5).

    Places 0 to 5 are those of the clan's line; 6 is for a rival's warrior that it charmed.
    """
    if place == 6:
        if charmed != NOBODY and clan == s.charmer:
            return shown_now(s, charmed), charmed, Counts.GOT
        return UNKNOWN, UNKNOWN, Counts.NOTHING
    if (int(s.up[clan]) >> place) & 1 == 0:
        return UNKNOWN, UNKNOWN, Counts.NOTHING
    counts = newest_counts(s, clan, charmed) if place == s.shown - 1 else Counts.COUNTS
    return at(int(s.line[clan]), place), clan, counts


def emit_sums(s: RomansState) -> None:
    """Report every term of every clan's sum with how it counts, then the totals."""
    charmed = int(s.charmed)
    for clan in range(s.clans):
        for place in range(7):
            warrior, owner, counts = term(s, clan, place, charmed)
            if counts != Counts.NOTHING:
                emit(s, EventCode.TERM, clan, warrior, owner, counts, strength(warrior))
    for clan in range(s.clans):
        emit(s, EventCode.TOTAL, clan, total(s, clan, charmed), (barred(s) >> clan) & 1)


def nobody_captures(s: RomansState) -> None:
    """A fort is discarded without effect and all warriors stay (R4.9, R5.6)."""
    # R9.1: by the author's original rules the fort stays and the rightmost one goes.
    place = int(s.wall_count) - 1 if s.original else 0
    fort = at(int(s.wall), place)
    laid = at(int(s.wall_laid), place)
    remove_from_wall(s, place, False)
    lose_fort(s, fort)
    s.phase = Phase.AFTER
    emit(s, EventCode.FORT_DISCARDED, fort, place + 1, laid + 1, s.original)


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
    fort = at(int(s.wall), place)
    laid = at(int(s.wall_laid), place)
    won = wins_by_legions(s, clan, fort)
    remove_from_wall(s, place, True)
    s.prize = fort
    s.forts[clan][s.forts_count[clan]] = fort
    s.forts_laid[clan][s.forts_count[clan]] = 6 * (s.round - 1) + laid
    s.worth[clan] = worth_with(s, clan, fort)
    s.forts_count[clan] += 1
    s.phase = Phase.KEEP_AXX
    if place > 0:
        emit(s, EventCode.SWAPPED, clan, place + 1, fort)
    emit(s, EventCode.CAPTURED, clan, fort, place + 1, laid + 1)
    if won:  # R5.4
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
        kept |= kept_weakest_place(s, clan)
    leaving = int(s.up[clan]) & ~kept
    discard(s, clan, leaving)
    s.phase = Phase.AFTER
    emit_parting(s, clan, leaving)


def emit_parting(s: RomansState, clan: int, leaving: int) -> None:
    """Report who stays with the winner and who has left."""
    for k in range(s.shown):
        if (leaving >> k) & 1:
            emit(s, EventCode.LEFT, clan, at(s.line[clan], k), k + 1)
        elif (int(s.up[clan]) >> k) & 1:
            axx = s.kept_axx and k == s.shown - 1
            emit(s, EventCode.KEPT, clan, at(s.line[clan], k), Why.AXX if axx else Why.UNWARY, k + 1)


def ask_horsie_and_zvord(s: RomansState) -> None:
    """Horsies that did not capture cost a warrior (R4.13); zvords reorder (R4.14); all at once (R6.1)."""
    horsies = losing_horsies(s) & players_bits(s)
    while horsies != 0:
        ask_to_discard(s, clan_of_bit(horsies & -horsies))
        horsies &= horsies - 1
    zvords = new_orders(s)
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
    zvords = new_orders(s)
    discards = forced_discards(s, horsies)
    orders = chosen_orders(s, zvords)
    unseal(s)
    carry_out_discards(s, horsies, discards, Why.HORSIE)
    carry_out_orders(s, zvords, orders)
    if s.prize == Fort.SIGNAL:  # R5.2
        s.phase = Phase.SIGNAL
    elif s.prize == Fort.TAX:  # R5.3
        s.phase = Phase.TAX
    else:  # R5.5
        s.phase = Phase.END_TURN


def forced_discards(s: RomansState, clans: int) -> int:
    """Which warriors leave, eight bits for each of these clans: a bit for the place on its line.

    It is the one chosen, or a neutral's weakest (R8.2), or the only kind there is.
    """
    discards = 0
    while clans != 0:
        clan = clan_of_bit(clans & -clans)
        warrior = int(s.sealed[clan]) - DISCARD if s.sealed[clan] != UNKNOWN else weakest(s, clan)
        discards |= leaving_place(s, clan, warrior) << (8 * clan)
        clans &= clans - 1
    return discards


def carry_out_discards(s: RomansState, clans: int, discards: int, why: int) -> None:
    """The warriors leave, all together (R6.3)."""
    while clans != 0:
        clan = clan_of_bit(clans & -clans)
        discard(s, clan, (discards >> (8 * clan)) & 63)
        clans &= clans - 1
    for clan in range(4):
        places = (discards >> (8 * clan)) & 63
        if places != 0:
            emit(s, EventCode.DISCARDED, clan, at(s.line[clan], only_bit(places)), why, only_bit(places) + 1)


def new_orders(s: RomansState) -> int:
    """The clans whose players put their hidden warriors in a new order, a bit for each (R4.14, R8.1)."""
    return who_shows(s, Warrior.ZVORD) & players_bits(s) if hidden_count(s) > 1 else 0


def chosen_orders(s: RomansState, clans: int) -> int:
    """The arrangements these clans have chosen, eight bits for each."""
    orders = 0
    while clans != 0:
        clan = clan_of_bit(clans & -clans)
        orders |= (int(s.sealed[clan]) - REORDER) << (8 * clan)
        clans &= clans - 1
    return orders


def carry_out_orders(s: RomansState, clans: int, orders: int) -> None:
    """Hidden warriors lie in a new order, which stays secret (R4.14, R6.3)."""
    left = clans
    while left != 0:
        clan = clan_of_bit(left & -left)
        reorder(s, clan, (orders >> (8 * clan)) & 127)
        left &= left - 1
    for clan in range(4):
        if (clans >> clan) & 1:
            emit(s, EventCode.REORDERED, clan)
            for k in range(s.shown, 6):
                emit(s, EventCode.NEW_ORDER, clan, at(s.line[clan], k), k + 1, to=1 << clan)


def reorder(s: RomansState, clan: int, arrangement: int) -> None:
    """Put a clan's hidden warriors in a new order."""
    line = int(s.line[clan])
    shown = int(s.shown)
    new_line = line & ((1 << (4 * shown)) - 1)
    for k in range(hidden_count(s)):
        warrior = at(line, shown + arranged_place(s, arrangement, k))
        new_line |= warrior << (4 * (shown + k))
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
    clans = 0
    for clan in range(s.clans):
        clans |= (s.up[clan] != 0) << clan
    discards = forced_discards(s, clans)
    unseal(s)
    carry_out_discards(s, clans, discards, Why.SIGNAL)
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
    place = first_held(s, clan, fort)
    laid = int(s.forts_laid[clan][place])
    s.worth[clan] = worth_without(s, clan, fort)
    s.forts_count[clan] -= 1
    for k in range(place, s.forts_count[clan]):
        s.forts[clan][k] = s.forts[clan][k + 1]
        s.forts_laid[clan][k] = s.forts_laid[clan][k + 1]
    s.forts[clan][s.forts_count[clan]] = UNKNOWN
    s.forts_laid[clan][s.forts_count[clan]] = UNKNOWN
    lose_fort(s, fort)
    s.phase = Phase.END_TURN
    emit(s, EventCode.PAID, clan, fort, laid // 6 + 1, laid % 6 + 1)


# The end (R7)


def end_turn(s: RomansState) -> None:
    """The next turn, the next round (R3.4), or the end (R7.1)."""
    if s.turn < 6:
        s.turn += 1
        s.phase = Phase.REVEAL
    elif s.round < 3:
        emit(s, EventCode.ROUND_OVER, s.round)
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

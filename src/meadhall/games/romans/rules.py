"""Romans Go Home!: the rules, clause by clause, as plain functions over one record.

They run as they stand at the table and compiled in simulation; `s` is the position, a clan is 0 to 3 in
the order of the table, players first, and a choice is its number (see state.py).
"""

from meadhall.dice import roll
from meadhall.fields import UNKNOWN, tell
from meadhall.games.romans.state import (
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
    PAY,
    REORDER,
    REORDERINGS,
    STRENGTHS,
    TAKE,
    Ending,
    Fort,
    Phase,
    RomansState,
    Told,
    Warrior,
    Why,
)


def set_up(s: RomansState) -> None:
    """The position at the start of round 1; deck, hands and options are in place already."""
    s.lost_count = 0
    s.winners = 0
    s.by = UNKNOWN
    for k in range(18):
        s.lost_forts[k] = UNKNOWN
    for clan in range(4):
        s.forts_count[clan] = 0
        for k in range(18):
            s.forts[clan][k] = UNKNOWN
    s.round = 1
    begin_round(s)


def deal(s: RomansState, dice: list[int]) -> None:
    """Shuffle the fort deck and deal every round's warriors (R3.1, R3.2, R3.3)."""
    place = 0
    for fort in range(11):
        for _ in range(s.fort_deck[fort]):
            s.draw_pile[place] = fort
            place += 1
    shuffle_piles(s, dice, 0)
    for later_round in range(3):
        for clan in range(4):
            deal_warriors(s, dice, later_round, clan)
    s.dealt = 3


def shuffle_piles(s: RomansState, dice: list[int], first: int) -> None:
    """Shuffle the fort deck from place `first` on."""
    for k in range(17, first, -1):
        other = first + roll(dice, k + 1 - first)
        fort = s.draw_pile[k]
        s.draw_pile[k] = s.draw_pile[other]
        s.draw_pile[other] = fort


def deal_warriors(s: RomansState, dice: list[int], later_round: int, clan: int) -> None:
    """Seven of nine for a player (R3.2), six in order for a neutral (R3.3), none for a clan not in play."""
    count = 0
    if clan < s.clans:
        count = 7 if clan < s.players else 6
    left = 9
    pool = 0x876543210  # the nine warriors, four bits each, the second charriott as 8
    for k in range(7):
        s.deals[later_round][clan][k] = UNKNOWN
        if k < count:
            pick = 4 * roll(dice, left)
            s.deals[later_round][clan][k] = min((pool >> pick) & 15, 7)
            pool = (pool & ((1 << pick) - 1)) | ((pool >> (pick + 4)) << pick)
            left -= 1


def begin_round(s: RomansState) -> None:
    """Draw the Wall (R3.1) and the hands (R3.2, R3.3); every player owes a plan."""
    s.turn = 1
    s.shown = 0
    s.phase = Phase.PLAN
    s.asked = (1 << int(s.players)) - 1
    tell(s, Told.ROUND, s.round)
    draw_wall(s)
    forget_turn(s)
    for clan in range(4):
        s.sealed[clan] = UNKNOWN
        s.aside[clan] = UNKNOWN
        s.face_up_count[clan] = 0
        s.strength_up[clan] = 0
        s.discarded_count[clan] = 0
        for k in range(6):
            s.face_up[clan][k] = UNKNOWN
            s.discarded[clan][k] = UNKNOWN
            s.line[clan][k] = UNKNOWN
        for k in range(7):
            warrior = s.deals[s.round - 1][clan][k]
            s.deals[s.round - 1][clan][k] = UNKNOWN
            s.hand[clan][k] = UNKNOWN
            if clan < s.players:
                s.hand[clan][k] = warrior
                tell(s, Told.DEALT, clan, warrior, 0, 1 << clan)
            elif k < 6:
                s.line[clan][k] = warrior


def forget_turn(s: RomansState) -> None:
    """Clear what belongs to one turn only."""
    s.wrecked = 0
    s.charmer = NOBODY
    s.charmed = NOBODY
    s.captor = NOBODY
    s.prize = UNKNOWN
    s.kept_axx = False
    s.kept_weakest = False


def draw_wall(s: RomansState) -> None:
    """Six forts; the highest positive one goes to the right end, the lowest to the left end (R3.1)."""
    start = 6 * (s.round - 1)
    highest = 0
    for k in range(6):
        s.wall[k] = s.draw_pile[start + k]
        s.draw_pile[start + k] = UNKNOWN
        if value_of(int(s.wall[k])) >= value_of(int(s.wall[highest])):
            highest = k
    s.wall_count = 6
    fort = s.wall[highest]
    for k in range(highest, 5):
        s.wall[k] = s.wall[k + 1]
    s.wall[5] = fort
    lowest = UNKNOWN
    for k in range(6):
        value = value_of(int(s.wall[k]))
        if value > 0 and (lowest == UNKNOWN or value < value_of(int(s.wall[lowest]))):
            lowest = k
    fort = s.wall[lowest]
    for k in range(lowest, 0, -1):
        s.wall[k] = s.wall[k - 1]
    s.wall[0] = fort
    for k in range(6):
        tell(s, Told.FORT_DRAWN, s.wall[k], k + 1)


def value_of(fort: int) -> int:
    """What a fort is worth (R1.2)."""
    return ((FORT_VALUES >> (4 * fort)) & 15) + LOWEST_VALUE


def strength(warrior: int) -> int:
    """A warrior's points (R1.1)."""
    return (STRENGTHS >> (4 * warrior)) & 15


# Who owes what


def owes(s: RomansState, clan: int) -> bool:
    """Must this clan's player choose before play goes on?"""
    return (int(s.asked) >> clan) & 1 != 0 and s.sealed[clan] == UNKNOWN


def hidden_count(s: RomansState) -> int:
    """How many warriors each clan still hides once all have planned."""
    return 6 - s.shown


def arranging(s: RomansState, clan: int) -> bool:
    """Does the clan owe, or may it still change, a plan or a reordering?"""
    if (int(s.asked) >> clan) & 1 == 0:
        return False
    return s.phase == Phase.PLAN or (s.phase == Phase.AFTER and shown_now(s, clan) == Warrior.ZVORD)


def menu(s: RomansState, clan: int) -> int:
    """What the clan may choose when it does not arrange warriors: a bit for each choice from CHARM on."""
    if (int(s.asked) >> clan) & 1 == 0 or arranging(s, clan):
        return 0
    if s.phase == Phase.CHARM:
        return charm_targets(s)
    if s.phase == Phase.TAKE:
        return ((1 << int(s.wall_count)) - 1) << (TAKE - CHARM)
    if s.phase == Phase.KEEP_AXX:
        return 3 << (KEEP_AXX - CHARM)
    if s.phase == Phase.KEEP_WEAKEST:
        return 3 << (KEEP_WEAKEST - CHARM)
    if s.phase == Phase.TAX:
        return fort_kinds(s, clan) << (PAY - CHARM)
    return face_up_kinds(s, clan) << (DISCARD - CHARM)


def arrangement_count(s: RomansState) -> int:
    """How many numbers the arrangement asked for now takes."""
    return 5040 if s.phase == Phase.PLAN else FACTORIAL[hidden_count(s)]


def arranged_place(s: RomansState, arrangement: int, k: int) -> int:
    """The place, in the hand or among the hidden, of the k-th warrior of an arrangement."""
    if s.phase == Phase.PLAN:
        return int(ARRANGEMENTS[arrangement][k])
    skipped = 5 - hidden_count(s)
    return int(REORDERINGS[arrangement][skipped + k]) - skipped


def keeps_equals_in_order(s: RomansState, clan: int, arrangement: int) -> bool:
    """Two charriotts make two numbers of one arrangement: only the one that keeps their order is used."""
    planning = s.phase == Phase.PLAN
    count = 7 if planning else hidden_count(s)
    one = UNKNOWN
    other = UNKNOWN
    for k in range(count):
        warrior = s.hand[clan][k] if planning else s.line[clan][s.shown + k]
        if warrior == Warrior.CHARRIOTT:
            if one == UNKNOWN:
                one = k
            else:
                other = k
    if other == UNKNOWN:
        return True
    for k in range(6 if planning else count):
        place = arranged_place(s, arrangement, k)
        if place == one:
            return True
        if place == other:
            return False
    return True


def allowed(s: RomansState, clan: int, choice: int) -> bool:
    """May the clan's player choose this now? A sealed choice may still be changed."""
    if choice < 0 or choice >= CHOICE_COUNT:
        return False
    if choice >= CHARM:
        return (menu(s, clan) >> (choice - CHARM)) & 1 != 0
    if not arranging(s, clan) or (choice < REORDER) != (s.phase == Phase.PLAN):
        return False
    arrangement = choice if choice < REORDER else choice - REORDER
    return arrangement < arrangement_count(s) and keeps_equals_in_order(s, clan, arrangement)


def commit(s: RomansState, clan: int, choice: int) -> None:
    """Seal a choice; when it was the last one owed, all take effect together (R6.3) and play goes on."""
    if not allowed(s, clan, choice):
        raise ValueError("that choice is not legal here")
    s.sealed[clan] = choice
    tell(s, Told.SEALED, clan, choice, 0, 1 << clan)
    for other in range(s.players):
        if owes(s, other):
            return
    s.asked = 0
    take_effect(s, choice)
    for other in range(4):
        s.sealed[other] = UNKNOWN
    while s.asked == 0 and s.phase != Phase.OVER:
        take_step(s)


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


def take_step(s: RomansState) -> None:
    """One step of a turn in the order of R6.1: it asks what must be asked, or happens and names the next."""
    if s.phase == Phase.REVEAL:
        reveal_warriors(s)
    elif s.phase == Phase.CHARM:
        ask_whom_to_charm(s)
    elif s.phase == Phase.FIGHT:
        fight(s)
    elif s.phase == Phase.TAKE:
        ask_which_fort(s)
    elif s.phase == Phase.KEEP_AXX:
        ask_to_keep_axx(s)
    elif s.phase == Phase.KEEP_WEAKEST:
        ask_to_keep_weakest(s)
    elif s.phase == Phase.SEND_AWAY:
        send_away(s)
    elif s.phase == Phase.AFTER:
        ask_horsie_and_zvord(s)
    elif s.phase == Phase.SIGNAL:
        ask_signal_discards(s)
    elif s.phase == Phase.TAX:
        ask_tax(s)
    else:
        end_turn(s)


# The steps of a turn


def lay_plans(s: RomansState) -> None:
    """Every player lays six of his seven warriors and puts one aside (R3.2)."""
    for clan in range(s.players):
        places = 21
        for k in range(6):
            place = int(ARRANGEMENTS[s.sealed[clan]][k])
            places -= place
            s.line[clan][k] = s.hand[clan][place]
            tell(s, Told.LAID, clan, s.line[clan][k], k + 1, 1 << clan)
        s.aside[clan] = s.hand[clan][places]
        for k in range(7):
            s.hand[clan][k] = UNKNOWN
        tell(s, Told.PLANNED, clan)
    s.phase = Phase.REVEAL


def reveal_warriors(s: RomansState) -> None:
    """All reveal (R4.1), charriotts wreck each other (R4.2), a lone qween may charm (R4.3, R4.4)."""
    forget_turn(s)
    tell(s, Told.TURN, s.turn, s.wall[0])
    s.shown += 1
    charriotts = 0
    qweens = 0
    for clan in range(s.clans):
        warrior = shown_now(s, clan)
        s.face_up[clan][s.face_up_count[clan]] = warrior
        s.face_up_count[clan] += 1
        s.strength_up[clan] += strength(warrior)
        tell(s, Told.SHOWN, clan, warrior)
        charriotts += warrior == Warrior.CHARRIOTT
        if warrior == Warrior.QWEEN:
            qweens += 1
            s.charmer = clan
    if charriotts > 1:
        wreck_charriotts(s)
    if qweens > 1:  # R4.4
        tell(s, Told.QWEENS_CANCEL, qweens)
    if qweens == 1 and s.charmer < s.players:  # R4.3, R8.1
        s.phase = Phase.CHARM
    else:
        s.charmer = NOBODY
        s.phase = Phase.FIGHT


def shown_now(s: RomansState, clan: int) -> int:
    """The warrior a clan has revealed this turn."""
    return int(s.line[clan][s.shown - 1])


def wreck_charriotts(s: RomansState) -> None:
    """Two or more charriotts revealed on one turn are discarded before points are counted (R4.2)."""
    for clan in range(s.clans):
        if shown_now(s, clan) == Warrior.CHARRIOTT:
            s.wrecked = int(s.wrecked) | (1 << clan)
            discard(s, clan, s.face_up_count[clan] - 1)
            tell(s, Told.WRECKED, clan)


def discard(s: RomansState, clan: int, place: int) -> None:
    """A face-up warrior leaves; those revealed after it close up."""
    s.strength_up[clan] -= strength(int(s.face_up[clan][place]))
    s.discarded[clan][s.discarded_count[clan]] = s.face_up[clan][place]
    s.discarded_count[clan] += 1
    s.face_up_count[clan] -= 1
    for k in range(place, s.face_up_count[clan]):
        s.face_up[clan][k] = s.face_up[clan][k + 1]
    s.face_up[clan][s.face_up_count[clan]] = UNKNOWN


def charm_targets(s: RomansState) -> int:
    """Rival clans whose warrior of this turn was not just wrecked, a bit for each (R4.3)."""
    return ((1 << int(s.clans)) - 1) & ~int(s.wrecked) & ~(1 << int(s.charmer))


def ask_whom_to_charm(s: RomansState) -> None:
    """Not optional if there is a target (R4.3)."""
    targets = charm_targets(s)
    s.phase = Phase.FIGHT
    if targets & (targets - 1) != 0:
        s.phase = Phase.CHARM
        s.asked = 1 << int(s.charmer)
        return
    for target in range(s.clans):
        if (targets >> target) & 1:
            charm(s, target)


def charm(s: RomansState, target: int) -> None:
    """The warrior's points count for the qween's player this turn (R4.3)."""
    s.charmed = target
    tell(s, Told.CHARMED, s.charmer, target, shown_now(s, target))
    s.phase = Phase.FIGHT


def total(s: RomansState, clan: int) -> int:
    """The points of a clan's face-up warriors, as changed by the charm (R4.5)."""
    sum_up = int(s.strength_up[clan])
    if s.charmed != NOBODY:
        taken = strength(shown_now(s, s.charmed))
        if clan == s.charmer:
            sum_up += taken
            if s.replaces:  # R4.3, rule option qween: her own point does not count
                sum_up -= 1
        elif clan == s.charmed:
            sum_up -= taken
    return sum_up


def fight(s: RomansState) -> None:
    """The highest total captures the leftmost fort (R4.6 to R4.9)."""
    tell_terms(s)
    best = UNKNOWN
    leaders = 0
    archrs = 0
    leader = NOBODY
    archr = NOBODY
    for clan in range(s.clans):
        warrior = shown_now(s, clan)
        points_up = total(s, clan)
        tell(s, Told.TOTAL, clan, points_up, warrior == Warrior.FILCHY)
        if warrior == Warrior.FILCHY:  # R4.6
            continue
        if points_up > best:  # R4.7
            best = points_up
            leader = clan
            leaders = 0
            archrs = 0
        if points_up == best:
            leaders += 1
            if warrior == Warrior.ARCHR:
                archrs += 1
                archr = clan
    s.phase = Phase.TAKE
    if leaders == 1:
        s.captor = leader
    elif leaders > 1 and archrs == 1:  # R4.8
        tell(s, Told.TIE_BROKEN, archr, best)
        s.captor = archr
    else:
        nobody_captures(s, leaders, best)


def tell_terms(s: RomansState) -> None:
    """Report every term of every sum."""
    for clan in range(s.clans):
        for k in range(s.face_up_count[clan]):
            tell(s, Told.TERM, clan, s.face_up[clan][k], clan)
        if s.charmed != NOBODY and clan == s.charmer:
            tell(s, Told.TERM, clan, shown_now(s, s.charmed), s.charmed)


def nobody_captures(s: RomansState, leaders: int, best: int) -> None:
    """A fort is discarded without effect and all warriors stay (R4.9, R5.6)."""
    if leaders == 0:
        tell(s, Told.NOBODY_CAN)
    else:
        tell(s, Told.TIE, best)
    # R9.1: by the author's original rules the fort stays and the rightmost one goes.
    fort = remove_from_wall(s, s.wall_count - 1 if s.original else 0)
    lose_fort(s, fort)
    tell(s, Told.FORT_DISCARDED, fort)
    s.phase = Phase.AFTER


def lose_fort(s: RomansState, fort: int) -> None:
    """A fort leaves the game."""
    s.lost_forts[s.lost_count] = fort
    s.lost_count += 1


def remove_from_wall(s: RomansState, place: int) -> int:
    """Take a fort out of the Wall; those to its right move up."""
    fort = int(s.wall[place])
    s.wall_count -= 1
    for k in range(place, s.wall_count):
        s.wall[k] = s.wall[k + 1]
    s.wall[s.wall_count] = UNKNOWN
    return fort


def ask_which_fort(s: RomansState) -> None:
    """The winner takes the leftmost fort, or with druhid the one he chooses (R4.7, R4.10)."""
    clan = int(s.captor)
    if s.wall_count > 1 and clan < s.players and shown_now(s, clan) == Warrior.DRUHID:  # R8.1
        s.asked = 1 << clan
    else:
        take_fort(s, 0)


def take_fort(s: RomansState, place: int) -> None:
    """The captured fort leaves the Wall; three legions win at once (R5.4)."""
    clan = int(s.captor)
    if place > 0:
        tell(s, Told.SWAPPED, clan, place + 1, s.wall[place])
    fort = int(s.wall[place])
    if s.original:  # R9.2
        remove_from_wall(s, place)
    else:
        s.wall[place] = s.wall[0]  # R4.10
        remove_from_wall(s, 0)
    s.prize = fort
    s.forts[clan][s.forts_count[clan]] = fort
    s.forts_count[clan] += 1
    tell(s, Told.CAPTURED, clan, fort)
    s.phase = Phase.KEEP_AXX
    if is_legion(fort) and clan < s.players and legions(s, clan) >= 3:  # R5.4
        tell(s, Told.LEGIONS, clan)
        finish(s, 1 << clan, Ending.LEGIONS)


def is_legion(fort: int) -> bool:
    """Is this a legion fort? (R1.2)"""
    return fort >= Fort.LEGION_1 and fort <= Fort.LEGION_3


def legions(s: RomansState, clan: int) -> int:
    """How many legion forts a clan holds; one paid as tax no longer counts (R5.4)."""
    count = 0
    for k in range(s.forts_count[clan]):
        count += is_legion(s.forts[clan][k])
    return count


def ask_to_keep_axx(s: RomansState) -> None:
    """A clan that captures on the turn of revealing axx may keep it; a neutral does (R4.12, R8.2)."""
    clan = int(s.captor)
    axx = shown_now(s, clan) == Warrior.AXX
    if axx and clan < s.players:
        s.asked = 1 << clan
    else:
        s.kept_axx = axx
        s.phase = Phase.KEEP_WEAKEST


def weakest(s: RomansState, clan: int) -> int:
    """The weakest of a clan's face-up warriors by printed strength (R5.1, R8.2), -1 if it has none."""
    warrior = UNKNOWN
    for k in range(s.face_up_count[clan]):
        if warrior == UNKNOWN or s.face_up[clan][k] < warrior:
            warrior = int(s.face_up[clan][k])
    return warrior


def ask_to_keep_weakest(s: RomansState) -> None:
    """An unwary fort lets the winner keep his weakest warrior; a neutral does (R5.1, R8.2)."""
    clan = int(s.captor)
    s.phase = Phase.SEND_AWAY
    if s.prize == Fort.UNWARY and s.face_up_count[clan] > 0:
        already_kept = s.kept_axx and weakest(s, clan) == Warrior.AXX
        if not already_kept and clan < s.players:
            s.phase = Phase.KEEP_WEAKEST
            s.asked = 1 << clan
        else:
            s.kept_weakest = not already_kept


def send_away(s: RomansState) -> None:
    """The winner discards his face-up warriors but those he keeps, in the order revealed (R4.11, R6.2)."""
    clan = int(s.captor)
    spared = UNKNOWN
    if s.kept_weakest:
        warrior = weakest(s, clan)
        for k in range(s.face_up_count[clan]):
            if s.face_up[clan][k] == warrior:
                spared = k
    before = int(s.face_up_count[clan])
    kept = 0
    for k in range(before):
        warrior = int(s.face_up[clan][kept])
        if k == spared:
            tell(s, Told.KEPT, clan, warrior, Why.UNWARY)
            kept += 1
        elif s.kept_axx and warrior == Warrior.AXX:
            tell(s, Told.KEPT, clan, warrior, Why.AXX)
            kept += 1
        else:
            discard(s, clan, kept)
            tell(s, Told.LEFT, clan, warrior)
    s.phase = Phase.AFTER


def ask_horsie_and_zvord(s: RomansState) -> None:
    """Horsies that did not capture cost a warrior (R4.13); zvords reorder (R4.14); all at once (R6.1)."""
    asked = 0
    for clan in range(s.players):
        warrior = shown_now(s, clan)
        if warrior == Warrior.HORSIE and clan != s.captor:
            kinds = face_up_kinds(s, clan)
            if kinds & (kinds - 1) != 0:
                asked |= 1 << clan
        elif warrior == Warrior.ZVORD and hidden_count(s) > 1:
            asked |= 1 << clan
    s.asked = asked
    if asked == 0:
        horsie_and_zvord(s)


def horsie_and_zvord(s: RomansState) -> None:
    """Carry out what was sealed, and what needs no choice, together (R6.3); then the fort has its effect (R6.1)."""
    for clan in range(s.clans):
        warrior = shown_now(s, clan)
        if warrior == Warrior.HORSIE and clan != s.captor:
            forced_discard(s, clan, Why.HORSIE)
        elif warrior == Warrior.ZVORD and s.sealed[clan] != UNKNOWN:
            reorder(s, clan, s.sealed[clan] - REORDER)
    if s.prize == Fort.SIGNAL:  # R5.2
        s.phase = Phase.SIGNAL
    elif s.prize == Fort.TAX:  # R5.3
        s.phase = Phase.TAX
    else:  # R5.5
        s.phase = Phase.END_TURN


def reorder(s: RomansState, clan: int, arrangement: int) -> None:
    """Put the hidden warriors in a new order, which stays secret (R4.14, R6.3)."""
    line = 0
    count = hidden_count(s)
    for k in range(count):
        line |= int(s.line[clan][s.shown + arranged_place(s, arrangement, k)]) << (4 * k)
    tell(s, Told.REORDERED, clan)
    for k in range(count):
        s.line[clan][s.shown + k] = (line >> (4 * k)) & 15
        tell(s, Told.NEW_ORDER, clan, s.line[clan][s.shown + k], s.shown + k + 1, 1 << clan)


def face_up_kinds(s: RomansState, clan: int) -> int:
    """The different warriors a clan has face up, a bit for each."""
    kinds = 0
    for k in range(s.face_up_count[clan]):
        kinds |= 1 << int(s.face_up[clan][k])
    return kinds


def fort_kinds(s: RomansState, clan: int) -> int:
    """The different forts a clan holds, a bit for each."""
    kinds = 0
    for k in range(s.forts_count[clan]):
        kinds |= 1 << int(s.forts[clan][k])
    return kinds


def forced_discard(s: RomansState, clan: int, why: int) -> None:
    """One face-up warrior leaves: the one chosen, or a neutral's weakest (R8.2), or the only kind there is."""
    if s.sealed[clan] == UNKNOWN:
        warrior = weakest(s, clan)
    else:
        warrior = int(s.sealed[clan]) - DISCARD
    for k in range(s.face_up_count[clan]):
        if s.face_up[clan][k] == warrior:
            discard(s, clan, k)  # R6.2: the one revealed first
            break
    tell(s, Told.DISCARDED, clan, warrior, why)


def ask_signal_discards(s: RomansState) -> None:
    """Every clan with a warrior face up must discard one (R5.2); only a player with a choice is asked."""
    asked = 0
    for clan in range(s.players):
        kinds = face_up_kinds(s, clan)
        if kinds & (kinds - 1) != 0:
            asked |= 1 << clan
    s.asked = asked
    if asked == 0:
        signal_fire(s)


def signal_fire(s: RomansState) -> None:
    """The discards of a signal fort take effect together (R5.2, R6.3)."""
    for clan in range(s.clans):
        if s.face_up_count[clan] > 0:
            forced_discard(s, clan, Why.SIGNAL)
    s.phase = Phase.END_TURN


def ask_tax(s: RomansState) -> None:
    """The winner must discard one of his forts (R5.3); a neutral's least valuable goes (R8.2)."""
    clan = int(s.captor)
    kinds = fort_kinds(s, clan)
    if clan < s.players and kinds & (kinds - 1) != 0:
        s.asked = 1 << clan
    else:
        pay_tax(s, least_valuable(s, clan))


def least_valuable(s: RomansState, clan: int) -> int:
    """A clan's least valuable fort, of equals the one captured first (R8.2)."""
    fort = int(s.forts[clan][0])
    for k in range(1, s.forts_count[clan]):
        if value_of(int(s.forts[clan][k])) < value_of(fort):
            fort = int(s.forts[clan][k])
    return fort


def pay_tax(s: RomansState, fort: int) -> None:
    """The fort leaves, of equals the one captured first (R5.3, R6.2)."""
    clan = int(s.captor)
    place = 0
    while s.forts[clan][place] != fort:
        place += 1
    s.forts_count[clan] -= 1
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


# The end


def points(s: RomansState, clan: int) -> int:
    """What a clan's forts are worth together."""
    worth = 0
    for k in range(s.forts_count[clan]):
        worth += value_of(int(s.forts[clan][k]))
    return worth


def forts_worth(s: RomansState, clan: int, value: int) -> int:
    """How many forts of this value a clan holds."""
    count = 0
    for k in range(s.forts_count[clan]):
        if value_of(int(s.forts[clan][k])) == value:
            count += 1
    return count


def compare(s: RomansState, one: int, other: int) -> int:
    """Above 0 if the one clan ranks above the other: points, forts, most valuable forts in turn (R7.1)."""
    if points(s, one) != points(s, other):
        return points(s, one) - points(s, other)
    if s.forts_count[one] != s.forts_count[other]:
        return s.forts_count[one] - s.forts_count[other]
    for value in range(HIGHEST_VALUE, LOWEST_VALUE - 1, -1):
        difference = forts_worth(s, one, value) - forts_worth(s, other, value)
        if difference != 0:
            return difference
    return 0


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


def finish(s: RomansState, winners: int, by: int) -> None:
    """The game is over; everything stays as it lies."""
    s.phase = Phase.OVER
    s.asked = 0
    s.winners = winners
    s.by = by
    for clan in range(s.clans):
        tell(s, Told.SCORE, clan, points(s, clan), s.forts_count[clan])
    for clan in range(s.clans):
        if (winners >> clan) & 1:
            tell(s, Told.WON, clan, by)

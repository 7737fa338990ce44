"""`meadhall play`: a game in the terminal, with bots on the seats that nobody takes."""

import argparse
import sys
from pathlib import Path
from typing import Any

from meadhall.cli.files import OutputFile
from meadhall.cli.options import add_language, add_rule_options, rules_from, seed
from meadhall.cli.streams import console, dump
from meadhall.faults import Fault
from meadhall.games.game import GAMES

HELP = "play in the terminal"
EPILOG = """\
examples:
  meadhall play goths --seat ostrogoth-warchief --bots hard
  meadhall play goths --bots easy,ostrogoth-king=hard         a strong king for you, weak enemies
  meadhall play romans --bots green=hard,violet=./mine.py     the other seats get medium
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("game", choices=list(GAMES), nargs="?", help="which game (asked if left out)")
    parser.add_argument("--seat", action="append", metavar="SEAT", help="a seat to take; may be given several times")
    parser.add_argument(
        "--bots",
        metavar="BOT",
        help="who plays the other seats: random, easy, medium, hard or a file of your own; or SEAT=BOT,SEAT=BOT,... "
        "(default: medium)",
    )
    parser.add_argument("--seed", help="deal from this number or text (default: by chance)")
    parser.add_argument("--save", type=Path, metavar="FILE", help="write the record of the game here at the end")
    add_language(parser)
    add_rule_options(parser)


def run(options: argparse.Namespace) -> None:
    """Play, and write the record of the game as far as it got."""
    import random

    from meadhall.games.game import game_named
    from meadhall.match import Match
    from meadhall.terminal import play
    from meadhall.terminal.company import Company, read_bots
    from meadhall.terminal.play import check_seats
    from meadhall.words import words

    told = words(options.lang)
    game = options.game or _ask_game(told)
    rules = rules_from(game, options, game_named(game).usual_rules)
    saved = OutputFile("--save", options.save) if options.save is not None else None
    dealt = seed(options.seed) if options.seed is not None else random.SystemRandom().randrange(10**9)
    match = Match.new(game, rules, dealt)
    check_seats(match, options.seat or ())
    try:
        bots = read_bots(options.bots, match)
    except Fault as fault:
        raise Fault(f"--bots: {fault}") from None
    try:
        play(match, Company(bots, dealt), options.seat, options.lang, console())
    finally:  # also if nobody reads the screen any more, or a bot has failed
        if saved is not None:
            saved.write(dump(match.record()) + "\n")
    if saved is not None:
        print(told.say("cli.saved", file=str(options.save)))


def _ask_game(told: Any) -> str:
    """Which game a person wants, by number; the first one where nobody can answer."""
    names = list(GAMES)
    if not sys.stdin.isatty():
        return names[0]
    for number, name in enumerate(names, 1):
        print(f" {number}  {told.title(name)}")
    while True:
        answer = input(f"{told.say('ui.which-game')} › ").strip().lower()
        if answer in names:
            return answer
        if answer.isdecimal() and 1 <= int(answer) <= len(names):
            return names[int(answer) - 1]

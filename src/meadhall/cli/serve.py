"""`meadhall serve`: the tables in the browser."""

import argparse
import os

from meadhall.cli.browser import announce
from meadhall.cli.terms import TERMS, add_terms

HELP = "the tables in the browser"
EPILOG = None
# The options that are settings of the server too, and so can be given in the environment.
SETTINGS = (
    "db",
    "trusted_proxies",
    "rate_limit",
    "address_connections",
    "address_streams",
    "grace",
    "bot_pause",
    "bot_processes",
    "log_level",
    "archive",
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: this machine only)")
    parser.add_argument("--port", type=int, default=8000, help="port to listen on (default: 8000)")
    parser.add_argument(
        "--db", metavar="WHERE", help="SQLite file or postgresql:// address (default: in your data folder)"
    )
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="processes; more than one needs PostgreSQL")
    parser.add_argument(
        "--trusted-proxies",
        metavar="WHERE",
        help="addresses and networks, with commas between them, of proxies whose word about their visitors is believed "
        "(default: 127.0.0.1,::1)",
    )
    parser.add_argument(
        "--rate-limit", metavar="N", help="requests a second for each address (default: 50; 0: no limit)"
    )
    parser.add_argument(
        "--address-connections",
        metavar="N",
        help="connections at a time from each address (default: 250; 0: no limit)",
    )
    parser.add_argument(
        "--address-streams", metavar="N", help="live streams at a time to each address (default: 100; 0: no limit)"
    )
    parser.add_argument("--grace", metavar="SECONDS", help="until an absent player counts as gone (default: 60)")
    parser.add_argument(
        "--bot-pause",
        metavar="SECONDS",
        help="how long bots seem to think, a number or FROM-TO (default: 0.7-1.9; 0: not at all)",
    )
    parser.add_argument(
        "--bot", action="append", metavar="FILE", help="a bot of your own to offer; may be given several times"
    )
    parser.add_argument(
        "--bot-processes", metavar="N", help="that think, in each process of the server (default: one a core in all)"
    )
    add_terms(parser)
    parser.add_argument(
        "--archive", metavar="FOLDER", help="write records there before they are removed (default: they are not kept)"
    )
    parser.add_argument("--log-level", metavar="LEVEL", help="debug, info, warning or error (default: info)")
    parser.add_argument("--open", action="store_true", help="show the tables in your browser once they are there")


def run(options: argparse.Namespace) -> None:
    """Serve until stopped."""
    from meadhall.web.serve import serve
    from meadhall.web.settings import Settings

    named = (*SETTINGS, *(term.name for term in TERMS))
    given = {name: getattr(options, name) for name in named if getattr(options, name) is not None}
    if options.bot:
        given["bots"] = os.pathsep.join(options.bot)
    settings = Settings.from_environment(options=given)

    serve(options.host, options.port, options.workers, settings, lambda link: announce(link, options.open))

"""Romans: what `meadhall solve romans` found out: how standings promise to win, and how strong players lay their lines.

`standings[players - 1, clans - 2, round - 1]` are the weights of a standing after that round (see `romans_turns`),
`habits[clans - 2]` ever deeper habits of players (see `romans_habits`), the first one answering thoughtless rivals.
"""

from functools import cache

from meadhall.bots.solved import Arrays, TableFault, load

# Players and clans, players included, for which there are standings (R2.1).
COMPANIES = ((1, 2), (1, 3), (2, 2), (2, 3), (2, 4), (3, 3), (3, 4), (4, 4))


@cache
def table() -> Arrays | None:
    """The tables; None if there are none that fit the rules."""
    try:
        return load("romans").arrays
    except TableFault:
        return None

"""The solved values of Romans, made by `meadhall solve romans`: a value function, and policies of strong players.

`values[players - 1, clans - 2, round - 1]` are the weights of the value function after that round (see `rollout`),
`policies[clans - 2]` ever deeper policies of planning (see `plan_policy`), the first a response to unskilled rivals.
"""

from functools import cache

from meadhall.bots.solved import Arrays, SolvedFault, load

# Numbers of players and of clans, players included, for which there are values (R2.1).
PLAYER_COUNTS = ((1, 2), (1, 3), (2, 2), (2, 3), (2, 4), (3, 3), (3, 4), (4, 4))


@cache
def solved_values() -> Arrays | None:
    """The arrays; None if there are none that fit the rules."""
    try:
        return load("romans").arrays
    except SolvedFault:
        return None

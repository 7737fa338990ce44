"""The level `easy`: common sense for every decision, one turn or one round ahead, no search."""

from random import Random

from meadhall.match import View


def choose(view: View, dice: Random) -> str:
    """What a sensible newcomer would choose, with a little whim so that games differ."""
    if view.game.name == "goths":
        from meadhall.bots.easy_goths import choose as choose_goths

        return choose_goths(view, dice)
    from meadhall.bots.easy_romans import choose as choose_romans

    return choose_romans(view, dice)

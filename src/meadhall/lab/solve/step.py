"""What it takes to make a table step by step, with progress to show and a place to go on from."""

from dataclasses import dataclass

from meadhall.bots.solved import Arrays


@dataclass(frozen=True)
class Step:
    """So much is done; `arrays` is all that is needed to go on from here, and in the end the table itself."""

    done: int
    total: int
    figure: float  # how far it still is from settling
    what: str
    arrays: Arrays

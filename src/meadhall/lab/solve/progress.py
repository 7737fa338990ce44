"""The progress of a solver: how far it is, and all it needs to be resumed from there."""

from dataclasses import dataclass

from meadhall.bots.solved import Arrays


@dataclass(frozen=True)
class Step:
    """So much of the work is done; `arrays` is all that is needed to resume, and in the end the solution."""

    done: int
    total: int
    residual: float  # how much the last iteration still changed; small once it has converged
    what: str
    arrays: Arrays

"""Goths Save the Queen for PettingZoo: `env`, `raw_env` without its guards, and `parallel_env`."""

from typing import Any

from meadhall.envs.zoo import MeadhallEnv, MeadhallParallelEnv, wrapped

__all__ = ["env", "parallel_env", "raw_env"]


def raw_env(**options: Any) -> MeadhallEnv:
    """The environment as it is: an illegal action is a ValueError."""
    return MeadhallEnv("goths", **options)


def env(**options: Any) -> Any:
    """The environment as PettingZoo's classic games come; every option of the rules is a keyword."""
    return wrapped(raw_env(**options))


def parallel_env(**options: Any) -> MeadhallParallelEnv:
    """The environment for learners that want an action of everybody at every step."""
    return MeadhallParallelEnv("goths", **options)

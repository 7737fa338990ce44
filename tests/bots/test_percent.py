"""Chances as people read them, in hints and in what bots say."""

import pytest

from meadhall.bots.percent import percent


@pytest.mark.parametrize(
    ("chance", "said"), [(0.0, 0), (1e-9, 1), (0.004, 1), (0.5, 50), (0.996, 99), (1.0, 100), (1.0000001, 100)]
)
def test_only_what_is_certain_is_said_to_be_so(chance: float, said: int) -> None:
    assert percent(chance) == said

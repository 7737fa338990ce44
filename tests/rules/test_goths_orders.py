"""Goths: orders, reveal and order of resolution (G1 to G5)."""

from tests.table import GOTHS_SETUP, Table


def test_G6_4_load_makes_the_own_catapult_active(speed: str) -> None:
    table = Table(speed, "goths", {}, GOTHS_SETUP)
    table.choose(
        ("ostrogoth-king", "order:catapult/barbarian"),
        ("visigoth-king", "order:recruiter/vulture"),
        ("ostrogoth-warchief", "act:load"),
        ("visigoth-warchief", "act:recruit"),
    )
    assert table.clan("ostrogoth")["catapult"] == "active"

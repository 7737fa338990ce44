"""The screens that pages are looked at on."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Size:
    """A screen: how large it is, and whether it is touched."""

    name: str
    width: int
    height: int
    touch: bool = False

    @property
    def upright_phone(self) -> bool:
        """Too narrow for a board beside anything: such a page may scroll."""
        return self.width < 500


ALL = (
    Size("phone", 390, 844, touch=True),
    Size("side", 844, 390, touch=True),
    Size("small", 360, 740, touch=True),
    Size("tablet", 820, 1180, touch=True),
    Size("laptop", 1366, 650),
    Size("short", 1280, 640),
    Size("full", 1920, 1080),
    Size("large", 2560, 1440),
)
SIZES = {size.name: size for size in ALL}
# One is enough of two screens that hardly differ: the other is for the checks.
PICTURED = tuple(name for name in SIZES if name != "short")
TWO = ("phone", "laptop")

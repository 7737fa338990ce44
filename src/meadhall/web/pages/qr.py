"""QR codes of links to tables, made in a thread and for a price: the link holds a host that anybody may make up."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from io import BytesIO

import segno
from markupsafe import Markup

KEPT = 256  # codes, of two or three kilobytes
COST = 10  # requests
MASK = 3  # one of eight patterns, any of which can be read; comparing all takes ten times as long as making one


class Codes:
    """The codes that were asked for last; one at a time is made."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._made: OrderedDict[str, Markup] = OrderedDict()
        self._making = asyncio.Lock()

    async def get(self, link: str, pay: Callable[[float], bool]) -> Markup | None:
        """The code of a link; None where it is not there and whoever asks cannot pay for it."""
        if link not in self._made:
            if not pay(COST):
                return None
            async with self._making:
                if link not in self._made:
                    self._made[link] = await asyncio.to_thread(qr_code, link)
        self._made.move_to_end(link)
        while len(self._made) > self._kept:
            self._made.popitem(last=False)
        return self._made[link]


def qr_code(link: str) -> Markup:
    """The link as a QR code: one path, in the colour of the text around it."""
    image = BytesIO()
    code = segno.make(link, micro=False, mask=MASK)
    code.save(image, kind="svg", xmldecl=False, svgns=True, omitsize=True, border=2)
    return Markup(image.getvalue().decode())

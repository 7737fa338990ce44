"""Pictures as PNG. The words in them are outlines: nothing hangs on the fonts of the machine."""

from meadhall.web.drawing.canvas import Drawing


def rasterised(svg: str) -> bytes:
    """An SVG of ours as PNG, in its own size."""
    import resvg_py  # only where a picture is made

    return bytes(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True))


def png(drawing: Drawing, size: tuple[int, int] | None = None) -> bytes:
    """A picture as PNG."""
    return rasterised(drawing.svg(size))

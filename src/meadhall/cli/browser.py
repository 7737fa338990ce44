"""Saying where a server is, and showing it in a browser."""

import os
import sys

from meadhall.cli.streams import abandon_output


def announce(link: str, show: bool) -> None:
    """Print where to look, and have a browser look there if that is wanted."""
    try:
        print(f"Meadhall: {link}", flush=True)
    except OSError:
        abandon_output()  # a server runs as well where nobody reads this
    # Only where there is a screen: a browser in this terminal would get in the way.
    if show and (sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        import webbrowser

        webbrowser.open(link)

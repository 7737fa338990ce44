"""Fixtures for the tests of pages."""

from tests.web.browser import chromium, visit
from tests.web.playhouse import desk, enter, stage, troubles
from tests.web.playing import complaints, guest
from tests.web.server import server

__all__ = ["chromium", "complaints", "desk", "enter", "guest", "server", "stage", "troubles", "visit"]

"""Fixtures for the tests of pages."""

from tests.web.browser import chromium, visit
from tests.web.playhouse import desk, enter, stage, troubles
from tests.web.playing import complaints, guest
from tests.web.server import running_server, server

__all__ = ["chromium", "complaints", "desk", "enter", "guest", "running_server", "server", "stage", "troubles", "visit"]

"""Fixtures for the tests of pages."""

from tests.web.playhouse import desk, enter, stage, troubles
from tests.web.playing import complaints, guest
from tests.web.server import running_server, server

__all__ = ["complaints", "desk", "enter", "guest", "running_server", "server", "stage", "troubles"]

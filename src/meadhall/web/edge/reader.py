"""How far a client has come with a request: enough of HTTP to bound what it sends, read by the server's own parser."""

from enum import Enum, auto

import httptools

PIECE = 2048  # bytes that are looked at, and handed on, at a time
LONGEST_URL = 8 * 1024  # bytes; an address that holds a whole record has half of it
LARGEST_HEAD = 32 * 1024  # bytes
MOST_FIELDS = 100  # lines of a head, and of what may follow a body
LARGEST_BODY = 1024 * 1024  # bytes as they come; each route refuses less than that, and has said so by then
BAD, TOO_LARGE, URL_TOO_LONG, HEAD_TOO_LARGE = 400, 413, 414, 431


class Place(Enum):
    """Where in a request a connection is."""

    BETWEEN = auto()
    HEAD = auto()
    BODY = auto()


MOST = {  # bytes at each place, and the status that refuses more
    Place.BETWEEN: (PIECE, BAD),
    Place.HEAD: (LARGEST_HEAD, HEAD_TOO_LARGE),
    Place.BODY: (LARGEST_BODY, TOO_LARGE),
}


class Reader:
    """Follows the requests of one connection; the names of its methods that begin with `on_` are the parser's."""

    def __init__(self) -> None:
        self.place = Place.BETWEEN
        self.heads = 0  # that were complete
        self._size = 0  # bytes at this place, at most a piece too many
        self._url = self._fields = 0
        self._parser: httptools.HttpRequestParser | None = httptools.HttpRequestParser(self)
        # As the server's: what follows the last request of a connection is no error.
        self._parser.set_dangerous_leniencies(lenient_data_after_close=True)

    def feed(self, piece: bytes) -> int | None:
        """Look at what has come, a piece at most; the status that refuses it, if it is too much."""
        before = self.place, self.heads
        if self._parser is not None:
            try:
                self._parser.feed_data(piece)
            except httptools.HttpParserUpgrade:
                pass  # the server says no to it, and goes on
            except httptools.HttpParserError:
                self.close()  # the server finds the same fault, and says so
        self._size = len(piece) + (self._size if before == (self.place, self.heads) else 0)
        return self._fault()

    def _fault(self) -> int | None:
        if self._url > LONGEST_URL:
            return URL_TOO_LONG
        if self._fields > MOST_FIELDS:
            return HEAD_TOO_LARGE
        most, status = MOST[self.place]
        return status if self._size > most + PIECE else None

    def close(self) -> None:
        """Read no further; the parser and its reader hold each other."""
        self._parser = None

    def on_message_begin(self) -> None:
        """The first byte of a request."""
        self.place = Place.HEAD
        self._url = self._fields = 0

    def on_url(self, url: bytes) -> None:
        """A part of its address."""
        self._url += len(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """A line of its head."""
        self._fields += 1

    def on_headers_complete(self) -> None:
        """All of its head."""
        self.place = Place.BODY
        self.heads += 1

    def on_message_complete(self) -> None:
        """All of it."""
        self.place = Place.BETWEEN

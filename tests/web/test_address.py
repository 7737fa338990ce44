"""Whose request it is: behind proxies that are trusted, through those that are not, and by network."""

from collections.abc import Iterator

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meadhall.faults import Fault
from meadhall.web.edge.address import Proxies, network_of, read_address, read_networks
from meadhall.web.edge.files import connections_at_most, raise_limit
from meadhall.web.edge.guard import BURST, Buckets
from meadhall.web.edge.toll import Streams
from tests.variants import tried
from tests.web.server import PATIENCE, Server
from tests.web.visitor import cookies_set

PROXIES = Proxies(read_networks("10.0.0.0/8, 192.0.2.1,fd00::/8"))


@pytest.mark.parametrize(
    ("peer", "forwarded", "visitor"),
    [
        ("10.0.0.1", [b"198.51.100.7"], "198.51.100.7"),
        ("192.0.2.1", [b"198.51.100.7:4711"], "198.51.100.7"),
        ("fd00::5", [b"2001:db8::7"], "2001:db8::7"),
        ("::ffff:10.0.0.1", [b"[2001:db8::7]:443"], "2001:db8::7"),
        ("10.0.0.1", [b"203.0.113.9, 198.51.100.7, 10.0.0.2"], "198.51.100.7"),
        ("10.0.0.1", [b"203.0.113.9", b"198.51.100.7 , 10.0.0.2"], "198.51.100.7"),
        ("10.0.0.1", [b"10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        # Who is not trusted may say what he likes.
        ("192.0.2.2", [b"198.51.100.7"], "192.0.2.2"),
        ("", [b"198.51.100.7"], ""),
        # What is no address ends the list: nobody trusted has written what stands before it.
        ("10.0.0.1", [b"unknown"], "10.0.0.1"),
        ("10.0.0.1", [b""], "10.0.0.1"),
        ("10.0.0.1", [b"198.51.100.7, unknown"], "10.0.0.1"),
        ("10.0.0.1", [b"198.51.100.7, _hidden, 10.0.0.2"], "10.0.0.2"),
        ("10.0.0.1", [b"198.51.100.7:http"], "10.0.0.1"),
        ("10.0.0.1", [b"[198.51.100.7"], "198.51.100.7"),
        ("10.0.0.1", [b"198.51.100.256"], "10.0.0.1"),
        ("10.0.0.1", [b"1" * 5000], "10.0.0.1"),
    ],
)
def test_the_visitor_is_the_nearest_address_that_no_trusted_proxy_stands_at(
    peer: str, forwarded: list[bytes], visitor: str
) -> None:
    assert PROXIES.visitor(peer, forwarded) == visitor


@tried(100)
@given(st.lists(st.binary(max_size=40), max_size=4))
def test_whatever_is_forwarded_gives_an_address_or_changes_nothing(forwarded: list[bytes]) -> None:
    assert PROXIES.visitor("192.0.2.2", forwarded) == "192.0.2.2"
    assert read_address(PROXIES.visitor("10.0.0.1", forwarded)) is not None


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("198.51.100.7", "198.51.100.7"),
        ("::ffff:198.51.100.7", "198.51.100.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:DB8:1:2::", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("somewhere", "somewhere"),
    ],
)
def test_limits_go_by_the_network_that_one_customer_has(address: str, network: str) -> None:
    assert network_of(address) == network


def test_who_changes_his_address_within_his_network_has_the_same_limits() -> None:
    buckets = Buckets(10 / BURST)
    assert [buckets.take((f"2001:db8::{k:x}", 1), 1) for k in range(12)] == [True] * 10 + [False] * 2
    assert buckets.take(("2001:db8:0:1::1", 1), 1)


def test_live_streams_are_counted_for_each_address_and_in_all() -> None:
    streams = Streams(by_address=2, most=3)
    assert [streams.begin("a"), streams.begin("a")] == [None, None]
    assert streams.begin("a") == (429, "ui.refused.streams")
    assert streams.begin("b") is None
    assert streams.begin("b") == (503, "ui.refused.full")
    streams.end("a")
    assert streams.begin("b") is None
    unlimited = Streams(0, 0)
    assert {unlimited.begin("a") for _ in range(1000)} == {None}


def test_there_is_room_for_files_besides_connections() -> None:
    raise_limit()
    most = connections_at_most(10**9)
    assert 0 < connections_at_most(0) <= most
    assert connections_at_most(5) == 5


@pytest.mark.parametrize("text", ["10.0.0.0/33", "proxy.example", "10.0.0.1/8", "*", "127.0.0.1;::1", "1.2.3"])
def test_a_proxy_must_be_an_address_or_a_network(text: str) -> None:
    with pytest.raises(Fault, match="neither an address nor a network"):
        read_networks(f"127.0.0.1, {text}")
    assert not read_networks("")


# Behind a proxy at another address


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    options = ("--trusted-proxies", "127.0.0.8/30", "--rate-limit", "5")
    with Server(tmp_path_factory.mktemp("proxied"), *options) as running:
        yield running


def through(server: Server, address: str, **headers: str) -> httpx.Client:
    """A client that comes from an address, as a proxy or for itself."""
    transport = httpx.HTTPTransport(local_address=address)
    host = {"host": "meadhall.example", "origin": "https://meadhall.example"}
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Client(base_url=server.url, transport=transport, headers=host | given, timeout=PATIENCE)


def test_behind_a_trusted_proxy_links_are_https_and_cookies_secure(proxied: Server) -> None:
    seats = {f"seat-{seat}": "open" for seat in ("gold", "green")} | {"seat-gold": "me"}
    for address, secure in (("127.0.0.9", True), ("127.0.0.1", False)):
        proxy = through(proxied, address, x_forwarded_for=f"203.0.113.{secure:d}", x_forwarded_proto="https")
        opened = proxy.post("/host", data={"game": "romans", **seats})
        assert opened.status_code == 303
        assert ("secure" in cookies_set(opened)["meadhall"]) is secure
        proxy.cookies.set("meadhall", opened.cookies["meadhall"])
        page = proxy.get(opened.headers["location"])
        assert page.status_code == 200
        assert ("https://meadhall.example/t/" in page.text) is secure
        assert ("http://meadhall.example/t/" in page.text) is not secure


def test_behind_a_trusted_proxy_each_visitor_has_limits_of_his_own(proxied: Server) -> None:
    def answers(address: str, *visitors: str) -> set[int]:
        proxy = through(proxied, address)
        return {proxy.get("/healthz", headers={"x-forwarded-for": each}).status_code for each in visitors}

    several = [f"198.51.100.{k}" for k in range(60)]
    assert answers("127.0.0.9", *several) == {200}
    assert answers("127.0.0.9", *["2001:db8::1"] * 60) == {200, 429}
    assert answers("127.0.0.20", *several) == {200, 429}  # who is no proxy of ours is one visitor


@pytest.mark.parametrize("scheme", ["ftp", "https, http", "javascript", "", "https://"])
def test_a_scheme_that_makes_no_sense_is_ignored(scheme: str, proxied: Server) -> None:
    proxy = through(proxied, "127.0.0.10", x_forwarded_for="198.51.100.99", x_forwarded_proto=scheme)
    answer = proxy.post("/settings", data={"lang": "de"})
    assert answer.status_code == 303
    assert "secure" not in cookies_set(answer)["lang"]

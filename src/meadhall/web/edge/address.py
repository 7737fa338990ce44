"""Who is at the other end: the address limits go by, and what proxies that we trust say of it."""

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from meadhall.faults import Fault, show

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
SITE = 64  # bits of an IPv6 address that a provider gives to one customer; the rest he chooses as he likes
LONGEST = 64  # characters: no address is longer, with its port
SCHEMES = ("http", "https")


def read_address(text: str) -> Address | None:
    """An address as it stands in a header: with or without a port, in brackets or not; None if it is none."""
    text = text.strip()
    if len(text) > LONGEST:
        return None
    if text.startswith("["):
        text, _, port = text[1:].partition("]")
        if port and not (port[0] == ":" and port[1:].isdecimal()):
            return None
    elif text.count(":") == 1:
        text, _, port = text.partition(":")
        if not port.isdecimal():
            return None
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return (address.ipv4_mapped or address) if isinstance(address, IPv6Address) else address


@lru_cache(maxsize=4096)
def network_of(address: str) -> str:
    """What limits go by: an IPv4 address, or the network of an IPv6 address; anything else as it is."""
    found = read_address(address.partition("%")[0])
    if isinstance(found, IPv6Address):
        return str(IPv6Network((found, SITE), strict=False))
    return address if found is None else str(found)


def read_networks(text: str) -> tuple[Network, ...]:
    """Addresses and networks with commas between them; a Fault names one that is neither."""
    found = []
    for part in filter(None, (each.strip() for each in text.split(","))):
        try:
            found.append(ip_network(part))
        except ValueError as error:
            hint = "; its host bits must be 0" if "host bits" in str(error) else ""
            raise Fault(f"{show(part)} is neither an address nor a network such as 10.0.0.0/8{hint}") from None
    return tuple(found)


class Proxies:
    """The proxies whose word about their visitors we take."""

    def __init__(self, trusted: Iterable[Network]) -> None:
        self._trusted = tuple(trusted)
        self._trusts = lru_cache(maxsize=4096)(self._includes)

    def __contains__(self, address: str) -> bool:
        return bool(self._trusted) and self._trusts(address)

    def _includes(self, address: str) -> bool:
        found = read_address(address.partition("%")[0])
        return found is not None and any(found in network for network in self._trusted)

    def visitor(self, peer: str, forwarded: Iterable[bytes]) -> str:
        """The address of whoever asks: the nearest one that no trusted proxy stands at.

        Each proxy adds whom it has heard to the right end, so the list is believed from there on for as long as
        trusted proxies have written it, and up to what is no address.
        """
        hops = ",".join(line.decode("latin-1") for line in forwarded).split(",")
        for hop in reversed(hops):
            found = read_address(hop) if peer in self else None
            if found is None:
                break
            peer = str(found)
        return peer


class Forwarded:
    """ASGI middleware: behind a trusted proxy, the visitor's address and scheme instead of the proxy's."""

    def __init__(self, app: ASGIApp, proxies: Proxies) -> None:
        self.app = app
        self.proxies = proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a request on, as the visitor sent it."""
        if scope["type"] == ScopeType.HTTP and (client := scope["client"]) and client[0] in self.proxies:
            given = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
            visitor = self.proxies.visitor(client[0], given) if given else client[0]
            if visitor != client[0]:
                scope["client"] = (visitor, 0)
            said = [value for name, value in scope["headers"] if name == b"x-forwarded-proto"]
            scheme = said[-1].decode("latin-1").rpartition(",")[2].strip().lower() if said else ""
            if scheme in SCHEMES:
                scope["scheme"] = scheme
        await self.app(scope, receive, send)

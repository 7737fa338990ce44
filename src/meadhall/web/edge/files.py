"""Open files: every connection is one, and so the limit that a process has for them bounds how many there can be."""

import resource

WANTED = 16_384  # open files
KEPT_FREE = 256  # for the store, bots and everything else that is no connection
ENOUGH = 5_000  # connections; each takes some memory too


def raise_limit() -> None:
    """Have this process, and those it starts, open as many files as it may and has a use for."""
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED if most == resource.RLIM_INFINITY else min(WANTED, most)
    if now != resource.RLIM_INFINITY and now < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def connections_at_most(wished: int) -> int:
    """How many connections this process can have: as many as wished for, or as is sensible, if there is room."""
    now, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    room = WANTED if now == resource.RLIM_INFINITY else max(now - KEPT_FREE, now // 2)
    return min(wished or ENOUGH, room)

"""Best of five: how fast work goes when nothing else is in its way."""

import time
from collections.abc import Callable

REPEATS = 5


def best_rate(work: Callable[[], int], seconds: float) -> float:
    """How much is done in a second in the best of five repeats; `work` does some and says how much."""
    work()  # compiles, fills caches
    calls = 1
    while _run(work, calls)[1] < seconds:
        calls *= 2
    repeats = [_run(work, calls) for _ in range(REPEATS)]
    return max(done / passed for done, passed in repeats)


def _run(work: Callable[[], int], calls: int) -> tuple[int, float]:
    """How much was done, and in what time: the core's time, so that other programs on it do not count."""
    start = time.process_time()
    done = sum(work() for _ in range(calls))
    return done, time.process_time() - start


def best_time(work: Callable[[], object]) -> float:
    """The seconds a person waits in the best of five repeats."""
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)

"""Shards on a Ray cluster: of this machine, for as long as a command runs, or of many machines.

Ray gives a shard to another worker if one dies at it. Ray itself is imported only when somebody connects.
"""

import hashlib
import os
import pickle
import re
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager, suppress
from functools import cache, partial
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar, cast

from meadhall.bots.forkserver import ENVIRONMENT, answered
from meadhall.bots.patience import be_patient
from meadhall.engine.cores import cores_at_hand
from meadhall.faults import Fault, show

Result = TypeVar("Result")
Value = TypeVar("Value")
FORMS = "ray (of this machine, or of RAY_ADDRESS) or ray:HOST:PORT (a cluster's head), such as ray:10.0.0.5:6379"
MISSING = '--on ray needs Ray, which is not installed; pip install "meadhall[cluster]"'
AUTHENTICATION = ("RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH")
TOKEN = "set RAY_AUTH_MODE=token, and RAY_AUTH_TOKEN or RAY_AUTH_TOKEN_PATH as on the cluster's head"
CONNECTING, JOINING = 5.0, 40.0  # seconds for an address to answer, and for a cluster to be joined
DEATHS = 5  # of workers at the same shard before it is given up
COUNTED_EVERY = 2.0  # seconds: machines may join a cluster
LONGEST_FOLDER = 30  # letters: with what Ray adds, the name of a socket has 107 at most
QUIET: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
JOIN = "import sys, ray; ray.init(address=sys.argv[1], log_to_driver=False, logging_level='ERROR')"


def check_place(text: str) -> str:
    """The text of `--on`, if it says where; a Fault if not."""
    _address(text)
    return text


def _address(text: str) -> str | None:
    """The address of a cluster's head, or None for a Ray of our own."""
    kind, _, address = text.partition(":")
    if kind != "ray" or text == "ray:":
        raise Fault(f"must be {FORMS}; not {show(text)}")
    if not address:
        address = os.environ.get("RAY_ADDRESS", "")
        if address in ("", "local"):
            return None
        text = f"ray:{address}"
    if address.startswith(("//", "ray://", "http")):
        raise Fault(f"{show(text)} is for Ray Client or for jobs; run meadhall on a machine of the cluster, on {FORMS}")
    if address != "auto" and not re.fullmatch(r"[^\s:/]+:\d{1,5}|\[[0-9a-fA-F:]+\]:\d{1,5}", address):
        raise Fault(f"must be {FORMS}; not {show(text)}")
    return address


class RayExecutor(Executor):
    """The workers of a Ray cluster that this process has joined."""

    def __init__(self, ray: Any, most: int | None) -> None:
        self.ray, self._most = ray, most
        self._work = ray.remote(max_retries=DEATHS, retry_exceptions=False)(_answered)
        self._cores, self._counted = 1, 0.0

    @property
    def cores(self) -> int:
        """How many shards are done at once."""
        if time.monotonic() - self._counted > COUNTED_EVERY:
            self._cores = max(1, int(self.ray.cluster_resources().get("CPU", 0)))
            self._counted = time.monotonic()
        return min(self._cores, self._most or self._cores)

    def ahead(self) -> int:
        """Two for each worker, so that none waits for us; or as many as we may use."""
        cores = self.cores
        return cores if cores == self._most else 2 * cores

    def submit(self, function: Callable[..., Result], /, *arguments: Any, **named: Any) -> Future[Result]:
        """Have a function of a module called by a worker; what it raises comes back as it was raised."""
        if named:
            function = partial(function, **named)
        answer: Future[Result] = Future()
        reference = self._work.remote(code_here(), function, *arguments)

        def take_in(done: Future[bytes]) -> None:
            if not answer.set_running_or_notify_cancel():
                return
            try:
                well, value = pickle.loads(done.result())
            except BaseException as problem:
                answer.set_exception(_told(problem))
            else:
                answer.set_result(value) if well else answer.set_exception(value)

        def give_up(given: Future[Result]) -> None:
            if given.cancelled():
                with suppress(Exception):  # it may be done, or the cluster gone
                    self.ray.cancel(reference)

        answer.add_done_callback(give_up)
        reference.future().add_done_callback(take_in)
        return answer

    def put(self, value: Value) -> Value:
        """A reference to a value in Ray's store: a function that is given it gets the value, to be read only."""
        return cast(Value, self.ray.put(value))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster, which ends all that is still running for us."""
        self.ray.shutdown()


# Connecting


@contextmanager
def connected(place: str, cores: int | None = None) -> Iterator[RayExecutor]:
    """The workers of a place such as `ray`, as many as there are or no more than `cores`; a Fault if it has none."""
    address = _address(place)
    if find_spec("ray") is None:
        raise Fault(MISSING)
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nobody is told, and nothing is printed about it
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # a warning about graphics cards
    if address is None:
        _keep_apart()
    import ray

    _silence()
    with _own(ray, cores) if address is None else _joined(ray, address), RayExecutor(ray, cores) as workers:
        yield workers


def _silence() -> None:
    """Have Ray print nothing of workers and machines it has lost: it would go to standard output, amid our JSON.

    There is no setting for that. Should a later Ray call it something else, a test finds out.
    """
    printing: Any = import_module("ray._private.worker")
    if hasattr(printing, "print_to_stdstream"):
        printing.print_to_stdstream = lambda *_, **__: None


def _keep_apart() -> None:
    """Let nobody else use our own Ray: a token of this process, unless the user has chosen how Ray keeps its doors.

    Ray would make one of its own, but keep it in the home folder, where it changes what every later cluster asks for.
    """
    if "ray" not in sys.modules and not any(os.environ.get(name) for name in AUTHENTICATION):
        os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}


@contextmanager
def _own(ray: Any, cores: int | None) -> Iterator[None]:
    """A Ray of this machine that ends with us, and whose files go with it."""
    parent = None if len(tempfile.gettempdir()) <= LONGEST_FOLDER else "/tmp"
    folder = tempfile.mkdtemp(prefix="meadhall-", dir=parent)
    try:
        with _faults("Ray does not start on this machine"):
            ray.init(
                address="local",
                num_cpus=cores or cores_at_hand(),
                include_dashboard=False,
                runtime_env={"env_vars": ENVIRONMENT},
                _temp_dir=folder,
                **QUIET,
            )
        yield
    finally:
        ray.shutdown()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _joined(ray: Any, address: str) -> Iterator[None]:
    """A cluster that runs already, and goes on without us."""
    if address != "auto":
        _check_reachable(address)
    try:
        with _faults(f"the Ray cluster at {address} cannot be joined"):
            ray.init(address=address, runtime_env={"env_vars": ENVIRONMENT}, **QUIET)
        yield
    finally:
        ray.shutdown()


def _check_reachable(address: str) -> None:
    """A Fault unless a cluster answers there, found out in a process of its own: Ray would try for minutes."""
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), CONNECTING).close()
    except (OSError, OverflowError) as problem:
        why = getattr(problem, "strerror", None) or problem
        raise Fault(f"nothing answers at {address} ({why}); is `ray start --head` running there?") from None
    try:
        tried = subprocess.run([sys.executable, "-c", JOIN, address], capture_output=True, text=True, timeout=JOINING)
    except subprocess.TimeoutExpired:
        raise Fault(f"what answers at {address} is no Ray cluster that this machine belongs to") from None
    if "AuthToken" in tried.stderr:
        raise Fault(f"the Ray cluster at {address} wants its token: {TOKEN}")
    if tried.returncode != 0:
        said = next((line for line in reversed(tried.stderr.splitlines()) if "Error" in line), "")
        raise Fault(f"the Ray cluster at {address} cannot be joined: {said or tried.stderr[-300:]}")


@contextmanager
def _faults(what: str) -> Iterator[None]:
    try:
        yield
    except (OSError, RuntimeError, ValueError, TimeoutError) as problem:
        raise Fault(f"{what}: {problem}") from None


def _told(problem: BaseException) -> BaseException:
    """What went wrong between us and a worker, in our words."""
    kind = type(problem).__name__
    if kind in ("WorkerCrashedError", "NodeDiedError", "OutOfMemoryError", "LocalRayletDiedError"):
        return Fault(f"workers of the cluster died {DEATHS + 1} times at the same work; is there enough memory?")
    if "ModuleNotFoundError" in str(problem) or kind == "RuntimeEnvSetupError":
        last = str(problem).strip().splitlines()[-1:]
        return Fault(f"a worker of the cluster cannot run Meadhall; install it on every machine ({' '.join(last)})")
    return problem


# In a worker


@cache
def code_here() -> str:
    """What results depend on: a digest of this package, and the versions of what computes."""
    digest, package = hashlib.blake2b(digest_size=6), Path(__file__).parents[1]
    for room in ("engine", "games", "bots", "lab"):
        for file in sorted((package / room).rglob("*")):
            if file.suffix in (".py", ".toml", ".npz"):
                digest.update(file.relative_to(package).as_posix().encode())
                digest.update(file.read_bytes())
    return f"meadhall {version('meadhall')} {digest.hexdigest()}, NumPy {version('numpy')}, Numba {version('numba')}"


def _answered(code: str, function: Callable[..., Any], *arguments: Any) -> bytes:
    """What a function returns or raises. Other code might find something else, so it does not count."""
    be_patient()
    return answered(_checked, code, function, *arguments)


def _checked(code: str, function: Callable[..., Any], *arguments: Any) -> Any:
    if code_here() != code:
        raise Fault(f"install the same on every machine: a worker has {code_here()}, but this is {code}")
    return function(*arguments)

"""Every Python we support that is on this machine: `python tests/pythons.py` prints a line VERSION PATH for each.

Needs nothing but the standard library, so that any Python can run it.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

VERSIONS = ("3.11", "3.12", "3.13")


def _candidates(version: str) -> Iterator[str]:
    """Where one may be: on the path, or among the versions that pyenv or uv has installed."""
    name = f"python{version}"
    for folder in os.get_exec_path():
        found = shutil.which(name, path=folder)
        if found:
            yield found
    home = Path.home()
    pyenv = Path(os.environ.get("PYENV_ROOT") or home / ".pyenv")
    data = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    for folder, pattern in ((pyenv / "versions", f"{version}*"), (data / "uv" / "python", f"cpython-{version}*")):
        yield from sorted(map(str, folder.glob(f"{pattern}/bin/{name}")))


def _is(program: str, version: str) -> bool:
    """Does it run, and is it what its name says? The stand-ins of pyenv may do neither."""
    code = "import sys; print('%d.%d' % sys.version_info[:2], sys.implementation.name)"
    try:
        done = subprocess.run([program, "-I", "-c", code], capture_output=True, text=True, check=False)
    except OSError:
        return False
    return done.returncode == 0 and done.stdout.split() == [version, "cpython"]


@cache
def interpreters() -> dict[str, str]:
    """The programs by version; versions that are not here are left out."""
    found = {}
    for version in VERSIONS:
        program = next((each for each in _candidates(version) if _is(each, version)), None)
        if program is not None:
            found[version] = program
    return found


if __name__ == "__main__":
    if not interpreters():
        sys.exit(f"there is no Python {', '.join(VERSIONS)} on this machine")
    for version, program in interpreters().items():
        print(version, program)

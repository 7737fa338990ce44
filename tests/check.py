"""The tests that a change most likely breaks, in well under a minute: `make check`.

    python -m tests.check

Rules as they stand, records, the contract of games, words and pictures of pages; whatever belongs to the rooms that
differ from the branch `main`; and test files that have been changed. What failed last time comes first. Compiled rules,
browsers and the strength of bots are left to `make test`, and it says which files those are.
"""

import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from fnmatch import fnmatch
from pathlib import Path

TESTS = Path(__file__).parent
TOP = TESTS.parent

ALWAYS = (
    "tests/rules/*",
    "tests/samples/*",
    "tests/golden/*",
    "tests/contract/test_[!bm]*.py",  # beats and moments take longer than all the others
    "tests/test_words.py",
    "tests/test_rulebook.py",
    "tests/test_readme.py",
    "tests/web/test_*_picture.py",
)
IF_CHANGED = {
    "src/meadhall/engine/*": ("tests/test_codecache.py",),
    "src/meadhall/games/*": ("tests/contract/*", "tests/secrets/test_redeal.py"),
    "src/meadhall/match.py": ("tests/contract/*",),
    "src/meadhall/bots/*": ("tests/bots/test_sense_*.py", "tests/bots/test_own_*.py"),
    "src/meadhall/lab/*": ("tests/lab/test_arena.py",),
    "src/meadhall/store/*": ("tests/store/*",),
    "src/meadhall/tables/*": ("tests/web/test_tables.py", "tests/web/test_table_choices.py"),
    "src/meadhall/web/*": ("tests/web/test_forms.py", "tests/web/test_api.py", "tests/web/test_headers.py"),
    "src/meadhall/terminal/*": ("tests/test_terminal.py",),
    "src/meadhall/cli/*": ("tests/test_cli*.py", "tests/docs/test_pages.py"),
    "docs/*": ("tests/docs/test_pages.py",),
}
SLOW = (
    "tests/twins/*",
    "tests/bots/test_str*.py",
    "tests/web/test_browser_*.py",
    "tests/web/test_boxes.py",
    "tests/web/test_script*.py",
    "tests/web/test_pages.py",
    "tests/web/test_crash.py",
    "tests/web/test_processes.py",
    "tests/lab/test_cluster.py",
    "tests/test_wheel.py",
)


def matches(path: str, patterns: Iterable[str]) -> bool:
    return any(fnmatch(path, pattern) for pattern in patterns)


def chosen(tests: Iterable[str], changed: Iterable[str]) -> list[str]:
    """The test files to run, given all there are and the files that have been changed."""
    changed = set(changed)
    wanted = list(ALWAYS)
    for room, patterns in IF_CHANGED.items():
        if any(fnmatch(path, room) for path in changed):
            wanted.extend(patterns)
    return [path for path in tests if matches(path, wanted) or (path in changed and not matches(path, SLOW))]


def changed_files() -> list[str]:
    """Files that differ from where this branch left `main`, or from the last commit, new ones included."""

    def git(*words: str) -> list[str]:
        done = subprocess.run(["git", *words], cwd=TOP, capture_output=True, text=True, check=False)
        return done.stdout.splitlines()

    base = git("merge-base", "HEAD", "main") or ["HEAD"]
    return git("diff", "--name-only", base[0]) + git("ls-files", "--others", "--exclude-standard")


def by_folder(paths: Iterable[str]) -> str:
    """Test files in few words: their names without what all of them have."""
    folders = defaultdict(list)
    for path in paths:
        folders[str(Path(path).parent)].append(Path(path).stem.removeprefix("test_"))
    return "\n".join(f"  {folder}: {', '.join(names)}" for folder, names in sorted(folders.items()))


def main() -> int:
    tests = sorted(str(path.relative_to(TOP)) for path in TESTS.rglob("test_*.py"))
    running = chosen(tests, changed_files())
    options = ["-n", "2", "--dist", "loadfile", "--failed-first", "-k", "not compiled"]
    status = subprocess.run([sys.executable, "-m", "pytest", *options, *running], cwd=TOP, check=False).returncode
    print(f"Not run, but by `make test`: rules compiled, and\n{by_folder(sorted(set(tests) - set(running)))}")
    return status


if __name__ == "__main__":
    sys.exit(main())

"""The lists of test files, for their order and for a quick check, name what exists and choose what they should."""

from fnmatch import fnmatch

from tests import check, order

FILES = [str(path.relative_to(check.TOP)) for path in check.TESTS.rglob("test_*.py")]
NAMED = {
    *(f"tests/{pattern}.py" for pattern in (*order.LONGEST, *order.NEED_COMPILED_CODE)),
    *check.ALWAYS,
    *check.SLOW,
    *(pattern for patterns in check.IF_CHANGED.values() for pattern in patterns),
}


def test_every_pattern_names_a_test_file_and_every_room_exists() -> None:
    assert [pattern for pattern in NAMED if not any(fnmatch(file, pattern) for file in FILES)] == []
    assert [room for room in check.IF_CHANGED if not (check.TOP / room.removesuffix("/*")).exists()] == []


def test_long_files_come_first_and_those_that_need_compiled_code_last() -> None:
    nodes = ["tests/rules/test_goths_fog.py::a", "tests/store/test_log.py::b", "tests/web/test_pages.py::c[d::e]"]
    assert [node[-1] for node in sorted(nodes, key=order.rank)] == ["]", "b", "a"]


def test_a_quick_check_runs_what_was_changed_unless_it_is_slow() -> None:
    always = check.chosen(FILES, [])
    assert "tests/rules/test_goths_fog.py" in always
    changed = ["src/meadhall/store/base.py", "tests/secrets/test_the_proof.py", "tests/web/test_pages.py", "README.md"]
    more = set(check.chosen(FILES, changed)) - set(always)
    assert {path for path in more if not path.startswith("tests/store/")} == {"tests/secrets/test_the_proof.py"}
    assert "tests/store/test_log.py" in more

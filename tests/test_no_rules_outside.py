"""Nothing outside `games/` adds up strengths or values of forts: whoever wants a sum asks the rules for it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCES = Path(__file__).parent.parent / "src" / "meadhall"
# Where people read what the rules did: there a number may be shown, never worked out.
TELLERS = ("web", "words", "terminal", "tables", "cli", "api")
# What is printed on pieces, and what the state adds up.
PRINTED = {"POINTS", "VALUES", "STRENGTH", "STRENGTHS", "FORT_VALUE", "FORT_VALUES"}
ASKED = {"strength", "value_of", "points_at"}
FIELDS = {"strength_up", "worth", "points"}
# The packed or raw tables are the rules' own; others show one printed number at a time by its name.
RAW = {"STRENGTH", "STRENGTHS", "FORT_VALUE", "FORT_VALUES"}
FOLDS = {"sum", "accumulate", "reduce", "fsum", "min"}


def files() -> list[Path]:
    return [path for folder in TELLERS for path in sorted((SOURCES / folder).rglob("*.py"))]


def called(node: ast.Call) -> str:
    """The name of the function that is called."""
    function = node.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def is_text(node: ast.AST) -> bool:
    """Is this a text, where + puts together and does not add?"""
    if isinstance(node, ast.Call):
        return called(node) == "str" or (isinstance(node.func, ast.Attribute) and is_text(node.func.value))
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def speaks_of_strength(node: ast.AST) -> bool:
    """Is a printed strength or value, or one of the state's sums, among what this expression is made of?"""
    for each in ast.walk(node):
        if isinstance(each, ast.Name) and each.id in PRINTED:
            return True
        if isinstance(each, ast.Attribute) and each.attr in FIELDS | PRINTED:
            return True
        if isinstance(each, ast.Call) and called(each) in ASKED:
            return True
    return False


def added_up(tree: ast.AST) -> Iterator[int]:
    """The lines on which strengths or values are added, subtracted, summed or ranked."""
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
            text = is_text(node.left) or is_text(node.right)
            adds = not text and speaks_of_strength(node)
        elif isinstance(node, ast.AugAssign):
            adds = speaks_of_strength(node.value)
        else:
            adds = isinstance(node, ast.Call) and called(node) in FOLDS and speaks_of_strength(node)
        if adds:
            yield node.lineno


def raw_tables(tree: ast.AST) -> set[str]:
    return {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("meadhall.games")
        for alias in node.names
        if alias.name in RAW
    }


def test_nobody_who_tells_adds_up_what_the_rules_add_up() -> None:
    assert len(files()) > 40
    found = [
        f"{path.relative_to(SOURCES)}:{line}"
        for path in files()
        for line in added_up(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert found == []


def test_the_tables_of_strengths_and_values_are_read_in_games_alone() -> None:
    found = {
        str(path.relative_to(SOURCES)): raw_tables(ast.parse(path.read_text(encoding="utf-8"))) for path in files()
    }
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize(
    "source",
    [
        "total = sum(POINTS[warrior] for warrior in up)",
        "total = state.worth[0] + VALUES[fort]",
        "left = s.strength_up[clan] - strength(warrior)",
        "weakest = min(up, key=lambda each: POINTS[each])",
        "total += term.points",
        "total = rules.value_of(one) + rules.value_of(other)",
    ],
)
def test_the_check_finds_such_sums(source: str) -> None:
    assert list(added_up(ast.parse(source))) == [1]


def test_the_check_lets_a_printed_number_be_shown() -> None:
    assert list(added_up(ast.parse("label = f'{name} {POINTS[warrior]}'; gain = '+' + str(POINTS[warrior])"))) == []

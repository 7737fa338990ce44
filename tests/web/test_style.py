"""Templates, style sheets and scripts like code: short lines, no logic in pages, sheets that cannot collide."""

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from jinja2 import Environment, nodes

from meadhall.web import assets
from meadhall.web.folders import game_folders, shared
from meadhall.web.pages.render import loader

WEB = shared()
GAMES = game_folders()
TEMPLATES = sorted(WEB.rglob("templates/*.html"))
SHEETS = {name: data.decode() for name, data in assets.find().items() if name.endswith(".css")}
SCRIPTS = {name: data.decode() for name, data in assets.find().items() if name.endswith(".js")}
SHARED = [*sorted((WEB / "templates").iterdir()), *sorted((WEB / "static").iterdir())]
WIDEST = 140
LONGEST = 500
CLASS = re.compile(r"\.(-?[A-Za-z_][\w-]*)")


def named(path: Path) -> str:
    return str(path.relative_to(WEB))


every_template = pytest.mark.parametrize("template", TEMPLATES, ids=named)
every_sheet = pytest.mark.parametrize("sheet", SHEETS)
every_game = pytest.mark.parametrize("game", GAMES)


# Lines


@pytest.mark.parametrize(
    "path", [path for path in WEB.rglob("*") if path.suffix in (".html", ".css", ".js", ".svg")], ids=named
)
def test_no_line_is_too_wide_to_read(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [number for number, line in enumerate(lines, 1) if len(line) > WIDEST] == []


# Templates


@every_template
def test_a_template_chooses_and_repeats_and_computes_nothing(template: Path) -> None:
    tree = Environment().parse(template.read_text(encoding="utf-8"))
    arithmetic = (nodes.Add, nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv, nodes.Mod, nodes.Pow, nodes.Slice)
    assert [type(each).__name__ for each in tree.find_all(arithmetic)] == []
    assert {each.name for each in tree.find_all(nodes.Filter)} <= {"length", "join", "reverse"}
    branches = [each.test for each in tree.find_all((nodes.If, nodes.CondExpr))]
    asked = [each for test in branches for each in test.find_all(nodes.Const)]
    assert not {each.value for each in asked} & set(GAMES), "a branch on a game's name"


def test_what_is_drawn_once_for_all_pages_hangs_on_its_arguments_alone_and_has_a_name_of_its_own() -> None:
    """Nothing in such a macro may come from the page, nor be about who looks; words are those of a language."""
    names: list[str] = []
    for template in TEMPLATES:
        tree = Environment().parse(template.read_text(encoding="utf-8"))
        calls = [each for each in tree.find_all(nodes.Call) if getattr(each.node, "name", "") == "once"]
        drawn = [each.args[0].name for each in calls if isinstance(each.args[0], nodes.Name)]
        assert len(drawn) == len(calls)
        macros = {each.name: each for each in tree.find_all(nodes.Macro)}
        imported = {each.target for each in tree.find_all(nodes.Import) if not each.with_context}
        reached = list(drawn)
        for name in reached:
            used = {each for part in macros[name].body for each in part.find_all(nodes.Name)}
            own = {each.name for each in macros[name].args} | {each.name for each in used if each.ctx == "store"}
            others = {each.name for each in used} - own - imported - {"say", "words", "loop", "caller"}
            fixed = {each.target.name for each in tree.find_all(nodes.Assign) if isinstance(each.target, nodes.Name)}
            assert others <= set(macros) | fixed, f"{name} uses {others - set(macros) - fixed}"
            reached += sorted(others - fixed - set(reached))
        names += drawn
    assert names
    assert len(set(names)) == len(names)


@every_template
def test_a_template_holds_no_style_and_no_script(template: Path) -> None:
    text = template.read_text(encoding="utf-8")
    assert not re.search(r"\sstyle=|<style|\son\w+=|<script(?![^>]*\ssrc=)", text)


@every_game
def test_every_game_has_the_same_templates_and_sheets(game: str) -> None:
    tables = {"board", "guide", "hand", "over", "parts", "pieces", "story", "told"}
    parts = {"about", "analysis", "credits", "form", "scene", "seats", "shown", "symbols"} | tables
    assert {path.stem for path in (GAMES[game] / "templates").iterdir()} == parts
    found = {name for name in SHEETS if name.startswith(f"{game}/")}
    sheets = ("style", "board", "hand", "story", "widths", "telling", "analysis", "shown")
    assert found == {f"{game}/{part}.css" for part in sheets}


@pytest.mark.parametrize("path", SHARED, ids=named)
def test_what_all_games_share_names_none_of_them(path: Path) -> None:
    text = path.read_text(encoding="utf-8").lower()
    assert [game for game in GAMES if re.search(rf"\b{game}\b", text)] == []


# Sheets


Rule = tuple[tuple[str, ...], tuple[str, ...]]


def selectors(text: str) -> Iterator[tuple[str, ...]]:
    """Every rule of a sheet as the selectors that lead to it, from the outermost in; media queries are left out."""
    open_rules: list[str] = []
    for head, end in re.findall(r"([^{};]*)([{};])", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)):
        if end == "{":
            open_rules.append(" ".join(head.split()))
            if not open_rules[-1].startswith("@"):
                yield tuple(each for each in open_rules if not each.startswith("@"))
        elif end == "}":
            open_rules.pop()
    assert open_rules == []


def parts(selector: str) -> list[str]:
    """A list of selectors one by one; what is between brackets stays together."""
    return re.split(r",\s*(?![^()]*\))", selector)


def classes(text: str) -> set[str]:
    """Every class that a sheet has a rule for, or asks for."""
    return {name for path in selectors(text) for selector in path for name in CLASS.findall(selector)}


@pytest.mark.parametrize("sheet", [name for name in SHEETS if "/" in name])
def test_a_games_sheet_reaches_only_what_is_its_own(sheet: str) -> None:
    game = sheet.partition("/")[0]
    for path in selectors(SHEETS[sheet]):
        assert all(re.match(rf"\.{game}(-[a-z]+)?$", each) for each in parts(path[0])), path[0]
        for inner in path[1:]:
            # Relative to what is around it: `&` may follow a state of the page, but not hide in brackets.
            for each in parts(inner):
                outside = re.sub(r"\([^()]*(\([^()]*\)[^()]*)*\)", "", each)
                assert "&" not in each or re.match(r"((html)?(:not)?(\.js)? )?&", outside), each
                assert "&" in outside or "&" not in each


@every_sheet
def test_no_sheet_is_too_long_to_overlook(sheet: str) -> None:
    assert len(SHEETS[sheet].splitlines()) <= LONGEST


def test_a_table_links_every_sheet_of_its_game_those_first_that_others_override() -> None:
    for game in GAMES:
        linked = [address.split("/", 3)[3] for address in assets.sheets(game)]
        elsewhere = [f"{game}/analysis.css", f"{game}/shown.css"]
        assert sorted([*linked, *elsewhere]) == sorted(name for name in SHEETS if name.startswith(f"{game}/"))
        assert (linked[0], linked[-1]) == (f"{game}/style.css", f"{game}/widths.css")


def test_no_class_begins_a_rule_in_two_sheets() -> None:
    """But for the sheets of one game: all of them are inside its class."""
    homes: dict[str, set[str]] = defaultdict(set)
    for name, text in SHEETS.items():
        for path in selectors(text):
            outermost = path[0] if not path[0].startswith(":where") else path[1] if len(path) > 1 else ""
            for each in parts(outermost):
                if found := re.match(r"\.([\w-]+)", each):
                    homes[found[1]].add(name.rpartition("/")[0] or name)
    assert {each: sorted(names) for each, names in homes.items() if len(names) > 1} == {}


@every_sheet
def test_no_class_is_numbered_through(sheet: str) -> None:
    """A row of classes such as w-5, w-10, w-15 stands for a number that should be one."""
    numbered: dict[str, set[str]] = defaultdict(set)
    for name in classes(SHEETS[sheet]):
        if found := re.fullmatch(r"(.*?)-?(\d+)", name):
            numbered[found[1]].add(found[2])
    # A style sheet cannot compare two numbers: what stands for a picked option is listed, in one rule.
    listed = {"for"} if len(re.findall(r"\.for-2\b", SHEETS[sheet])) == 1 else set()
    assert {name: found for name, found in numbered.items() if len(found) > 4 and name not in listed} == {}


def written() -> tuple[set[str], set[str]]:
    """Classes in the templates: those written out, and how those begin whose end is a value."""
    whole, begun = set(), set()
    for template in TEMPLATES:
        text = re.sub(r"\{#.*?#\}|\{%.*?%\}", " ", template.read_text(encoding="utf-8"), flags=re.DOTALL)
        for _, value in re.findall(r"""\bclass=(["'])(.*?)\1(?=[\s/>])""", text, flags=re.DOTALL):
            for word in re.sub(r"\{\{.*?\}\}", "\0", value, flags=re.DOTALL).split():
                if "\0" not in word:
                    whole.add(word)
                elif not word.startswith("\0"):
                    begun.add(word.partition("\0")[0])
    return whole, begun


def test_every_class_of_a_template_has_a_style_or_serves_a_script() -> None:
    styled = {name for text in SHEETS.values() for name in classes(text)}
    served = {name for text in SCRIPTS.values() for name in CLASS.findall(text)}
    whole, begun = written()
    assert sorted(whole - styled - served) == []
    assert [start for start in begun if not any(name.startswith(start) for name in styled)] == []


@every_sheet
def test_every_class_of_a_sheet_is_used(sheet: str) -> None:
    """By a template, a script, or a value that Python gives to a template."""
    sources = [path for path in WEB.rglob("*") if path.suffix in (".html", ".js", ".py")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    words = set(re.findall(r"[\w-]+", text))
    _, begun = written()
    numbered = {name for name in classes(SHEETS[sheet]) if any(name.startswith(start) for start in begun)}
    assert sorted(classes(SHEETS[sheet]) - words - numbered) == []


# A game is a folder


def test_a_third_game_is_found_by_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "pennies"
    (folder / "templates").mkdir(parents=True)
    (folder / "templates" / "board.html").write_text("a coin")
    (folder / "style.css").write_text(".pennies { color: red }")
    (folder / "coin.js").write_text("export const wire = () => {};")
    roots = [str(WEB), str(tmp_path)]
    assert set(game_folders(roots)) == {*GAMES, "pennies"}
    found = assets.find(roots)
    assert set(found) - set(assets.find()) == {"pennies/style.css", "pennies/coin.js"}
    assert found["pennies/style.css"] != found["goths/style.css"]
    environment = Environment(loader=loader(roots))
    assert environment.get_template("pennies/board.html").render() == "a coin"
    assert environment.loader is not None
    assert environment.loader.get_source(environment, "goths/board.html")[0] != "a coin"


def test_files_of_games_have_addresses_of_their_own() -> None:
    addresses = [assets.asset(name) for name in assets.find()]
    assert len(set(addresses)) == len(addresses)
    assert len({address.split("/")[2] for address in addresses}) == 1, (
        "modules that import each other must change together"
    )
    with pytest.raises(KeyError, match=r"goths/none\.css"):
        assets.asset("goths/none.css")

"""Parts of the pages that are made from the code, written anew by `python -m docs.generated`, which `make docs` does.

A part stands between `<!-- made: NAME WORD -->` and `<!-- end -->`; a test compares it with what is made here.
"""

import argparse
import re
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from pathlib import Path

from docs import calibration
from meadhall.cli import COMMANDS, command_named
from meadhall.cli.options import add_rule_options
from meadhall.envs.__main__ import page as observations
from meadhall.games.game import GAMES, EventName, game_named
from meadhall.games.options import Option

DOCS = Path(__file__).parent
PART = re.compile(r"(?<=<!-- made: )(\w+)( \w+)?( -->\n).*?(?=<!-- end -->)", re.DOTALL)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    cells = [head, ["---"] * len(head), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "".join(f"| {' | '.join(row)} |\n" for row in cells)


def code(text: object) -> str:
    """Something that stands in records, or is typed, as it is."""
    return f"`{text}`"


# The games


def options(game: str) -> str:
    """The options of a game's rules, as it declares them."""
    head = ("option", "may be", "default", "on the command line", "what it does")
    rows = [
        (code(each.name), _values(each), _default(each), code(_typed(each)), each.help)
        for each in game_named(game).options
    ]
    return table(head, rows)


def _values(option: Option) -> str:
    named = ", ".join(code(f'"{name}"') for name in option.values)
    kinds = {
        "flag": "`true`, `false`",
        "one-of": named,
        "names": f"a list of {named}",
        "number": "a whole number from 1, `null`",
        "deck": "a list of cards",
    }
    return kinds[option.kind]


def _default(option: Option) -> str:
    if option.required:
        return "must be given"
    if option.kind == "deck":
        return f"`meadhall deck {next(game for game in GAMES if option in game_named(game).options)}`"
    written = {False: "false", None: "null"}
    return code(written.get(option.default, f'"{option.default}"') if option.default != [] else "[]")


def _typed(option: Option) -> str:
    if option.kind == "deck":
        return "--deck FILE"
    return f"--{option.name.replace('_', '-')} {option.metavar}".strip()


def choices(game: str) -> str:
    """The choices of a game that have names of their own, by number."""
    state = import_module(f"meadhall.games.{game}.state")
    rows = [(str(number), code(name)) for number, name in enumerate(state.CHOICES)]
    half = -(-len(rows) // 2)
    return table(
        ("number", "choice") * 2, ((*left, *right) for left, right in zip(rows[:half], rows[half:], strict=True))
    )


def events(game: str) -> str:
    """What can happen: the code of each event, its arguments, and the clauses behind it."""
    named = {event.code: event for event in game_named(game).events.values()}
    rows = [
        (code(name), ", ".join(code(argument) for argument, _ in event.args), _clauses(game, event))
        for name, event in sorted(named.items())
    ]
    return table(("event", "its arguments", "clause"), rows)


def _clauses(game: str, event: EventName) -> str:
    """One clause, or one of two; where there are more, the event itself says which."""
    if callable(event.clause):
        return "that of the case"
    found = [event.clause] if isinstance(event.clause, str) else sorted(set(event.clause))
    linked = [f"[{clause}](../rulebook/en/{game}.md#{clause})" for clause in found]
    return " or ".join(linked) if len(found) < 3 else "that of the case"


# The command line


def commands() -> str:
    """Every command with all its arguments."""
    parsers = {name: _parser(name) for name in COMMANDS}
    parts = [_described(f"meadhall {name}", command_named(name).HELP, parser) for name, parser in parsers.items()]
    with_rules = [code(name) for name, parser in parsers.items() if _rule_groups(parser)]
    return "\n".join([*parts, _rules(f"{', '.join(with_rules[:-1])} and {with_rules[-1]}")])


def _parser(name: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"meadhall {name}", add_help=False)
    command_named(name).add_options(parser)
    return parser


def _rule_groups(parser: argparse.ArgumentParser) -> list[argparse._ArgumentGroup]:
    return [group for group in parser._action_groups if (group.title or "").startswith("rules of ")]


def _described(name: str, said: str, parser: argparse.ArgumentParser) -> str:
    """A command, and those below it."""
    groups = _rule_groups(parser)
    apart = {id(action) for group in groups for action in group._group_actions}
    below = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    apart |= {id(action) for action in below} | {
        id(each) for each in parser._actions if "--help" in each.option_strings
    }
    rows = _rows(parser, [action for action in parser._actions if id(action) not in apart])
    text = f"## {name}\n\n{said[0].upper()}{said[1:]}.\n"
    text += f"\n{table(('argument', 'what it is'), rows)}" if rows else ""
    text += "\nAnd the [options of the rules](#options-of-the-rules).\n" if groups else ""
    for action in below:
        helps = {each.dest: each.help or "" for each in action._choices_actions}
        for word, inner in action.choices.items():
            text += f"\n#{_described(f'{name} {word}', helps[word], inner)}"
    return text


def _rules(commands: str) -> str:
    parser = argparse.ArgumentParser(add_help=False)
    add_rule_options(parser)
    parts = [f"## Options of the rules\n\nOf {commands}. An option of the other game is refused.\n"]
    for game, group in zip(GAMES, _rule_groups(parser), strict=True):
        parts.append(f"### {game}\n\n{table(('option', 'what it does'), _rows(parser, group._group_actions))}")
    return "\n".join(parts)


def _rows(parser: argparse.ArgumentParser, actions: Iterable[argparse.Action]) -> list[tuple[str, str]]:
    formatter = parser._get_formatter()
    rows = []
    for action in actions:
        value = str(action.metavar or action.dest.upper()) if action.nargs != 0 else ""
        typed = f"{', '.join(action.option_strings)} {value}".strip()
        said = formatter._expand_help(action) if action.help else ""
        listed = f"one of {', '.join(map(str, action.choices))}" if action.choices and not said else said
        rows.append((code(typed), listed + (" (must be given)" if action.option_strings and action.required else "")))
    return rows


MAKERS: dict[str, Callable[..., str]] = {
    "options": options,
    "choices": choices,
    "events": events,
    "commands": commands,
    "calibration": calibration.table,
}


def renewed(text: str) -> str:
    """A page with all its parts made anew."""

    def made(part: re.Match[str]) -> str:
        words = (part[2] or "").split()
        return f"{part[1]}{part[2] or ''}{part[3]}\n{MAKERS[part[1]](*words)}\n"

    return PART.sub(made, text)


def pages() -> dict[Path, str]:
    """Every page that has such parts, or is one, as it should be."""
    found = {path: path.read_text(encoding="utf-8") for path in sorted(DOCS.rglob("*.md"))}
    whole = {DOCS / f"observations-{game}.md": observations(game) for game in GAMES}
    whole[DOCS / "calibration-romans.svg"] = calibration.picture()
    return {path: renewed(text) for path, text in found.items() if PART.search(text)} | whole


if __name__ == "__main__":
    for path, text in pages().items():
        if path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"docs/{path.relative_to(DOCS)} is new")

"""What an arena found, as tables to read."""

from collections.abc import Callable

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from meadhall.lab.arena.arena import Arena
from meadhall.lab.arena.intervals import Share
from meadhall.lab.arena.report import caveats, cells, failings, matrix, roles, standings

Labelled = list[tuple[str, Share | None]]


def print_arena(console: Console, arena: Arena) -> None:
    """The report people want to read."""
    setting = arena.setting
    title = f"{arena.done:,} games of {setting.game}, seed {escape(str(setting.seed))}"
    if arena.done < arena.games:
        title += f" (stopped early: {arena.games:,} were asked for)"
    console.print(f"\n[bold]{title}[/bold]")
    for line in _notes(arena):
        console.print(f"[dim]{escape(line)}[/dim]", soft_wrap=True)
    if len(arena.entrants) > 1:
        console.print(_standings(arena))
        rows = matrix(arena)
        against = "won against" if arena.both_ways else f"won against {setting.sides - 1} copies of"
        console.print(
            _square("Every pairing", against, [e.name for e in arena.entrants], lambda i, j: [("", rows[i][j])])
        )
    if arena.fixed is not None and cells(arena):
        console.print(_partners(arena, arena.fixed.name))
    for failing in failings(arena):
        console.print(f"[bold red]![/bold red] {escape(str(failing))}", soft_wrap=True)


def _notes(arena: Arena) -> list[str]:
    setting = arena.setting
    how = "twice, sides exchanged" if arena.both_ways else f"{setting.sides} times, once from each seat"
    notes = [f"Every deal is played {how}. In brackets: 95 % intervals."]
    if setting.rules.get("turn_limit"):
        notes.append(f"After {setting.rules['turn_limit']} turns a game is a draw, which counts half.")
    if setting.sides > 2:
        notes.append(f"One against {setting.sides - 1} copies of another; a fair share is {1 / setting.sides:.0%}.")
    return notes + caveats(arena)


def _standings(arena: Arena) -> Table:
    table = Table(title="Against all others", title_justify="left", title_style="bold")
    for heading in ("bot", "won", "draws", "turns", "games", "forfeited"):
        table.add_column(heading, justify="left" if heading == "bot" else "right")
    for one in sorted(standings(arena), key=lambda one: -(one.won.share or 0.0)):
        draws = f"{one.draws / one.games:.1%}" if one.games else "-"
        turns = "-" if one.turns is None else f"{one.turns:.1f}"
        table.add_row(escape(one.name), str(one.won), draws, turns, f"{one.games:,}", f"{one.forfeits:,}")
    return table


def _partners(arena: Arena, fixed: str) -> Table:
    found = {(cell.first, cell.second): cell for cell in cells(arena)}
    names = list(dict.fromkeys(cell.first for cell in found.values()))

    def both(i: int, j: int) -> Labelled:
        cell = found[names[i], names[j]]
        return [("through ", cell.through), ("won ", cell.won)]

    title = f"As partners, against {escape(fixed)}: orders that got through, and games won"
    return _square(title, ", and ".join(roles(arena)), names, both)


def _square(title: str, corner: str, names: list[str], cell: Callable[[int, int], Labelled]) -> Table:
    """A matrix of shares, one or more of them a cell."""
    table = Table(title=title, title_justify="left", title_style="bold", show_lines=True)
    table.add_column(corner)
    for name in names:
        table.add_column(escape(name), justify="right", overflow="fold")
    for i, name in enumerate(names):
        table.add_row(escape(name), *("\n".join(_lines(cell(i, j))) for j in range(len(names))))
    return table


def _lines(shares: Labelled) -> list[str]:
    """Each share over its interval, which keeps columns narrow."""
    return [f"{label}{str(share).replace(' ', chr(10))}" for label, share in shares if share is not None]

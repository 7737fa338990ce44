"""Sections that several studies have: a field of numbers, drawn and listed."""

from collections.abc import Callable, Sequence

from meadhall.lab.study import figures
from meadhall.lab.study.estimates import Estimate
from meadhall.lab.study.report import Form, Section, Table, percent


def field(
    title: str,
    words: Sequence[str],
    shown: str,
    corner: str,
    rows: Sequence[str],
    columns: Sequence[str],
    found: Callable[[str, str], Estimate | None],
    form: Form = percent,
    listed: Form = percent,
    label: Callable[[str], str] = str,
) -> Section:
    """What was found for each row and column; the figure writes it by `form`, the table below by `listed`."""
    cells = {row: [found(row, column) for column in columns] for row in rows}
    values = [[None if cell is None else cell.value for cell in cells[row]] for row in rows]
    return Section(
        title,
        words,
        Table((corner, *columns), list(cells.items()), listed),
        figures.heat([label(row) for row in rows], columns, values, form),
        shown,
    )

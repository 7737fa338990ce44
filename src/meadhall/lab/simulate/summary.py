"""What a simulation found, as data and as tables to read."""

from typing import Any

from rich.console import Console, Group, RenderableType
from rich.table import Table

from meadhall.games.game import game_named
from meadhall.lab.simulate import Simulation, batch_module
from meadhall.lab.simulate.counts import DECISIONS, share


def as_data(simulation: Simulation) -> dict[str, Any]:
    """The numbers of a simulation; the same seed gives the same ones but for the times."""
    decisions = int(simulation.tally[DECISIONS])
    common = {
        "game": simulation.game,
        "rules": simulation.rules,
        "seed": simulation.seed,
        "games": simulation.done,
        "asked_for": simulation.games,
        "decisions": decisions,
        "decisions_per_game": share(decisions, simulation.done),
    }
    full = game_named(simulation.game).check_rules(simulation.rules)
    found: dict[str, Any] = batch_module(simulation.game).report(simulation.tally, full)
    times = {
        "cores": simulation.cores,
        "seconds": round(simulation.seconds, 6),
        "compile_seconds": round(simulation.compile_seconds, 6),
        "decisions_per_second": round(decisions / simulation.seconds) if simulation.seconds else 0,
    }
    return common | found | times


def print_summary(console: Console, simulation: Simulation) -> None:
    """The summary people want to read."""
    data, counted = as_data(simulation), batch_module(simulation.game)
    title = f"{data['games']:,} random games of {data['game']}, seed {data['seed']}"
    if data["games"] < data["asked_for"]:
        title += f" (stopped early: {data['asked_for']:,} were asked for)"
    console.print(f"\n[bold]{title}[/bold]")
    console.print(_facts(data, counted.FACTS))
    console.print(_wins(data, counted.UNDECIDED, counted.BY_SIDE))
    heading, key, form = counted.CHART
    console.print(_bars(heading, data[key], form))


def _facts(data: dict[str, Any], more: tuple[tuple[str, str], ...]) -> RenderableType:
    facts = Table.grid(padding=(0, 2))
    rows = [("decisions", f"{data['decisions']:,}, {data['decisions_per_game']:.1f} a game")]
    rows += [(name, form.format(**data)) for name, form in more]
    speed = f"{data['decisions_per_second'] / 1e6:.1f} million decisions a second on {data['cores']} cores"
    rows.append(("speed", f"{speed} ({data['seconds']:.2f} s, compiling {data['compile_seconds']:.1f} s apart)"))
    for name, value in rows:
        facts.add_row(f"[dim]{name}[/dim]", value)
    return facts


def _wins(data: dict[str, Any], undecided: tuple[str, str], by_side: tuple[str, ...]) -> RenderableType:
    ways = list(next(iter(data["wins"].values())))
    table = Table(title="Who wins, and how", title_justify="left", title_style="bold")
    means = (name.replace("_", " ") for name in by_side)
    for heading in ("clan", "games won", *(f"by {way}" for way in ways), *means):
        table.add_column(heading, justify="left" if heading == "clan" else "right")
    for clan, won in data["wins"].items():
        shares = [f"{share(count, data['games']):.1%}" for count in (sum(won.values()), *won.values())]
        table.add_row(clan, *shares, *(f"{data[name][clan]:.2f}" for name in by_side))
    label, key = undecided
    table.add_row(label, f"{share(data[key], data['games']):.1%}")
    return table


def _bars(title: str, shares: dict[str, float], form: str) -> RenderableType:
    table = Table.grid(padding=(0, 2))
    most = max(shares.values()) or 1
    for name, part in shares.items():
        table.add_row(name, form.format(part), "█" * round(30 * part / most))
    return Group(f"[bold]{title}[/bold]", table)

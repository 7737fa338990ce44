"""What a simulation found, as data and as tables to read."""

from typing import Any

from rich.console import Console, Group, RenderableType
from rich.table import Table

from meadhall.games.game import game_named
from meadhall.games.goths import batch as goths
from meadhall.games.goths.state import ACT, ACTIONS, CLANS
from meadhall.games.romans import batch as romans
from meadhall.games.romans.state import Phase
from meadhall.lab.simulate import Simulation


def _share(part: float, whole: float) -> float:
    return round(part / whole, 6) if whole else 0.0


def as_data(simulation: Simulation) -> dict[str, Any]:
    """The numbers of a simulation; the same seed gives the same ones but for the times."""
    tally = simulation.tally
    decisions = int(tally[goths.DECISIONS])
    common = {
        "game": simulation.game,
        "rules": simulation.rules,
        "seed": simulation.seed,
        "games": simulation.done,
        "asked_for": simulation.games,
        "decisions": decisions,
        "decisions_per_game": _share(decisions, simulation.done),
    }
    found = _goths(simulation) if simulation.game == "goths" else _romans(simulation)
    times = {
        "cores": simulation.cores,
        "seconds": round(simulation.seconds, 6),
        "compile_seconds": round(simulation.compile_seconds, 6),
        "decisions_per_second": round(decisions / simulation.seconds) if simulation.seconds else 0,
    }
    return common | found | times


def _goths(simulation: Simulation) -> dict[str, Any]:
    tally = simulation.tally
    games = simulation.done
    chosen = {name: int(tally[goths.CHOSEN + ACT + k]) for k, name in enumerate(ACTIONS)}
    carried_out = {name: int(tally[goths.CARRIED_OUT + k]) for k, name in enumerate(ACTIONS)}
    wins = {
        clan: {"queen": int(tally[goths.QUEEN + k]), "elimination": int(tally[goths.ELIMINATION + k])}
        for k, clan in enumerate(CLANS)
    }
    return {
        "turns_per_game": _share(tally[goths.TURNS], games),
        "longest_game": int(tally[goths.LONGEST]),
        "wins": wins,
        "draws": int(tally[goths.DRAWS]),
        "orders": int(tally[goths.ORDERS]),
        "orders_through": int(tally[goths.THROUGH]),
        "share_through": _share(tally[goths.THROUGH], tally[goths.ORDERS]),
        "actions_chosen": {name: _share(count, sum(chosen.values())) for name, count in chosen.items()},
        "actions_carried_out": {name: _share(count, sum(carried_out.values())) for name, count in carried_out.items()},
    }


def _romans(simulation: Simulation) -> dict[str, Any]:
    tally = simulation.tally
    games = simulation.done
    rules = game_named("romans").check_rules(simulation.rules)
    clans = (*rules["players"], *rules["neutrals"])
    return {
        "turns_per_game": _share(tally[romans.TURNS], games),
        "wins": {
            clan: {
                "points": int(tally[romans.WON_BY_POINTS + k]),
                "legions": int(tally[romans.WON_BY_LEGIONS + k]),
            }
            for k, clan in enumerate(clans)
        },
        "shared_wins": int(tally[romans.SHARED]),
        "mean_points": {clan: _share(tally[romans.POINTS + k], games) for k, clan in enumerate(clans)},
        "mean_forts": {clan: _share(tally[romans.FORTS_HELD + k], games) for k, clan in enumerate(clans)},
        "forts_lost_per_game": _share(tally[romans.UNCAPTURED], games),
        "questions_per_game": {
            phase.name.lower().replace("_", "-"): _share(tally[romans.ASKED + phase], games)
            for phase in Phase
            if phase <= Phase.TAX
        },
    }


def print_summary(console: Console, simulation: Simulation) -> None:
    """The summary people want to read."""
    data = as_data(simulation)
    title = f"{data['games']:,} random games of {data['game']}, seed {data['seed']}"
    if data["games"] < data["asked_for"]:
        title += f" (stopped early: {data['asked_for']:,} were asked for)"
    console.print(f"\n[bold]{title}[/bold]")
    console.print(_facts(data))
    console.print(_wins(data))
    if data["game"] == "goths":
        console.print(_bars("Actions carried out", data["actions_carried_out"], "{:.1%}"))
    else:
        console.print(_bars("Questions asked, a game", data["questions_per_game"], "{:.2f}"))


def _facts(data: dict[str, Any]) -> RenderableType:
    facts = Table.grid(padding=(0, 2))
    rows = [("decisions", f"{data['decisions']:,}, {data['decisions_per_game']:.1f} a game")]
    if data["game"] == "goths":
        rows.append(("length", f"{data['turns_per_game']:.1f} turns on average, {data['longest_game']:,} at most"))
        rows.append(("orders that got through", f"{data['share_through']:.1%} of {data['orders']:,}"))
    else:
        rows.append(("length", f"{data['turns_per_game']:.1f} turns on average, of 18"))
        rows.append(("forts lost to nobody or to tax", f"{data['forts_lost_per_game']:.1f} a game"))
    speed = f"{data['decisions_per_second'] / 1e6:.1f} million decisions a second on {data['cores']} cores"
    rows.append(("speed", f"{speed} ({data['seconds']:.2f} s, compiling {data['compile_seconds']:.1f} s apart)"))
    for name, value in rows:
        facts.add_row(f"[dim]{name}[/dim]", value)
    return facts


def _wins(data: dict[str, Any]) -> RenderableType:
    ways = list(next(iter(data["wins"].values())))
    table = Table(title="Who wins, and how", title_justify="left", title_style="bold")
    extra = ("mean_points", "mean_forts") if data["game"] == "romans" else ()
    for heading in ("clan", "games won", *(f"by {way}" for way in ways), *(name.replace("_", " ") for name in extra)):
        table.add_column(heading, justify="left" if heading == "clan" else "right")
    for clan, won in data["wins"].items():
        shares = [f"{_share(count, data['games']):.1%}" for count in (sum(won.values()), *won.values())]
        table.add_row(clan, *shares, *(f"{data[name][clan]:.2f}" for name in extra))
    undecided = ("draws", data["draws"]) if data["game"] == "goths" else ("shared", data["shared_wins"])
    table.add_row(undecided[0], f"{_share(undecided[1], data['games']):.1%}")
    return table


def _bars(title: str, shares: dict[str, float], form: str) -> RenderableType:
    table = Table.grid(padding=(0, 2))
    most = max(shares.values()) or 1
    for name, share in shares.items():
        table.add_row(name, form.format(share), "█" * round(30 * share / most))
    return Group(f"[bold]{title}[/bold]", table)

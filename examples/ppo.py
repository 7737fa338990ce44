"""A policy that learns by playing itself: PPO with an entropy bonus on very many games side by side.

    pip install "meadhall[learn]"
    python examples/ppo.py goths --seeds 2 --out trained

Every seed learns in a process of its own, on one core. Each policy becomes a bot file that needs nothing but NumPy
(`examples/ppo_bot.py` with its weights filled in); in the end these files meet in `meadhall arena`. What came of it:
docs/learning.md.
"""

import argparse
import base64
import io
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import cycle, pairwise
from multiprocessing import get_context
from pathlib import Path
from random import Random
from textwrap import wrap
from typing import Any

import numpy as np

from meadhall.bots import RANDOM, choose
from meadhall.engine.cores import cores_at_hand
from meadhall.envs import VectorEnv, vector
from meadhall.envs.vectorised import numbers_of
from meadhall.match import View

try:
    import matplotlib
    import torch
except ModuleNotFoundError as missing:
    MISSING = missing.name
    torch: Any = None

Array = np.ndarray[Any, Any]
Chooser = Callable[[Array, Array], Array]  # observations and masks in, actions out
CLANS = ("gold", "green", "violet", "red")
GREY, COLOURS = "#808080", ("#1f8fd0", "#e07b1a", "#2fa05a", "#b05fc0")
PATTERN = "This file is the pattern: the training script copies it and fills in the three names below.\n"
CLIP = 0.2
VALUE_SHARE = 0.5
LARGEST_GRADIENT = 0.5
RIVALS = (RANDOM, "easy")  # who a policy is tried against while it learns, and never learns from


@dataclass(frozen=True)
class Plan:
    """What is learned, by which means and for how long."""

    game: str
    options: dict[str, Any]  # of the environment
    team: int  # seats of one side, which stand next to each other
    entropy: float  # the bonus
    ahead: float  # how far an advantage looks ahead, the lambda of GAE; nothing is discounted, as games end
    temperature: float  # of the bot
    decisions: int  # to learn from
    minutes: float = 0.0  # if not 0, so long instead
    ignored: tuple[str, ...] = ()  # parts of an observation that the network does not get
    places: int = 256  # games side by side
    steps: int = 64  # decisions in each of them before the network learns
    hidden: int = 128
    epochs: int = 4
    batch: int = 1024
    rate: float = 2e-3
    trials: int = 400  # games of an evaluation
    evaluations: int = 16

    def env(self, n: int, seed: int | str) -> VectorEnv:
        return vector(self.game, n, seed, cores=1, **self.options)


@dataclass(frozen=True)
class Learned:
    """What a seed came to."""

    seed: int
    layers: list[Array]
    decisions: list[int]  # at each evaluation ...
    won: dict[str, list[float]]  # ... how much of the games was won against each level of RIVALS ...
    entropy: list[float]  # ... and how undecided the policy was


# Playing


def ranges_of(env: VectorEnv, steps: int = 300) -> tuple[Array, Array]:
    """The least and the greatest of each number of an observation in random play."""
    least = greatest = env.observations[0].astype(np.float32)
    for _ in range(steps):
        least = np.minimum(least, env.observations.min(axis=0))
        greatest = np.maximum(greatest, env.observations.max(axis=0))
        env.step(env.sample())
    return least, greatest


def credit(seats: Array, values: Array, rewards: Array, dones: Array, ahead: float) -> tuple[Array, Array]:
    """The advantage of every step, and of which steps it is known; all arrays are (steps, places) or longer.

    A seat's step is judged by the same seat's next one in that game, or else by what the end of that game gave to this
    seat (generalised advantage estimation over its own steps). Of the last step of a seat before the arrays end there
    is nothing to be known: it only judges the one before.
    """
    advantages, known = np.zeros(values.shape, np.float32), np.zeros(values.shape, np.bool_)
    next_value, next_advantage, is_known = (np.zeros(rewards.shape[1:], kind) for kind in (np.float32, float, np.bool_))
    for step in reversed(range(len(seats))):
        over = dones[step]
        next_value[over], next_advantage[over], is_known[over] = rewards[step][over], 0, True
        acting = np.arange(len(over)), seats[step]
        known[step] = is_known[acting]
        gained = next_value[acting] - values[step] + ahead * next_advantage[acting]
        advantages[step] = np.where(known[step], gained, 0)
        next_value[acting], next_advantage[acting], is_known[acting] = values[step], advantages[step], True
    return advantages, known


class Rivals:
    """A level of our own bots in games side by side; a line that it lays at once is handed out warrior by warrior."""

    def __init__(self, env: VectorEnv, level: str, seed: int) -> None:
        self.env, self.level, self.dice = env, level, Random(seed)
        self.numbers = numbers_of(env.game.name)
        self.laying: list[list[int]] = [[] for _ in range(env.n)]

    def actions(self, places: Iterable[int]) -> Iterator[int]:
        """What the level does in the games at these places, for whoever is to act there."""
        views = self.env.views(self.env.seats)
        for place in places:
            seat = self.env.agents[self.env.seats[place]]
            if not self.laying[place]:
                self.laying[place] = self.asked(View(self.env.game, self.env.rules, seat, views[place].tobytes()))
            yield self.laying[place].pop(0)

    def asked(self, view: View) -> list[int]:
        """The actions that come to what the level chooses."""
        name, numbers = choose(self.level, view, self.dice), self.numbers
        if name.startswith(("plan:", "reorder:")):
            return [numbers.WARRIORS.index(warrior) for warrior in name.partition(":")[2].split(",")]
        choice = view.game.choice_id(view.rules, view.plain, view.number, name)
        return [choice - numbers.CHARM + numbers.KINDS if self.env.one_by_one else choice]


def evaluate(plan: Plan, chooser: Chooser, level: str, seed: int) -> float:
    """The share of games that one side wins against a level, from every side alike; a draw is shared."""
    env = plan.env(plan.trials, f"evaluation {seed}")
    rivals = Rivals(env, level, seed)
    sides = len(env.agents) // plan.team
    ours = np.arange(plan.trials) % sides
    won = np.full(plan.trials, np.nan)
    while np.isnan(won).any():  # the first game of each place, so that short games do not count more often
        actions, mine = env.sample(), env.seats // plan.team == ours
        actions[mine] = chooser(env.observations[mine], env.masks[mine])
        if level != RANDOM:
            others = np.flatnonzero(~mine & np.isnan(won))
            actions[others] = list(rivals.actions(others))
        env.step(actions)
        first = env.dones & np.isnan(won)
        gained = env.rewards[np.arange(plan.trials), ours * plan.team]
        won[first] = ((gained * (sides - 1) + 1) / sides)[first]
    return float(won.mean())


# Learning


class Learner:
    """A network and how it learns."""

    def __init__(self, plan: Plan, seed: int) -> None:
        self.plan = plan
        self.env = plan.env(plan.places, f"training {seed}")
        least, greatest = ranges_of(self.env)
        self.env.reset()
        wanted = [entry.part not in plan.ignored for entry in self.env.layout.entries()]
        self.used = np.flatnonzero((least < greatest) & wanted)  # what never changes teaches nothing
        self.scale = np.maximum(-least, greatest)[self.used]
        layers = []
        sizes = (len(self.used), plan.hidden, plan.hidden)
        for size, following in pairwise(sizes):
            layers += [torch.nn.Linear(size, following), torch.nn.ReLU()]
        # One more output than actions: the value of the position to the seat that is to act.
        self.net = torch.nn.Sequential(*layers, torch.nn.Linear(plan.hidden, self.env.action_count + 1))
        with torch.no_grad():
            self.net[-1].weight *= 0.1
        self.optimiser = torch.optim.Adam(self.net.parameters(), lr=plan.rate, eps=1e-5)

    def asked(self, observations: Array, masks: Array) -> tuple[Any, Any]:
        """The logarithms of the chances of all actions, and the values."""
        out = self.net(torch.from_numpy(observations[:, self.used] / self.scale))
        logits = out[:, :-1].masked_fill(~torch.from_numpy(masks), -1e9)
        return torch.log_softmax(logits, dim=1), out[:, -1]

    def choose_as_bot(self, observations: Array, masks: Array) -> Array:
        """An action for each observation, drawn as the bot file will draw it."""
        with torch.no_grad():
            logs, _ = self.asked(observations, masks)
        return torch.multinomial(torch.softmax(logs / self.plan.temperature, dim=1), 1)[:, 0].numpy()

    def choose(self, observations: Array, masks: Array) -> tuple[Array, Array, Array]:
        """An action for each observation, drawn from the policy; the logarithm of its chance; the values."""
        with torch.no_grad():
            logs, values = self.asked(observations, masks)
        actions = torch.multinomial(logs.exp(), 1)
        return actions[:, 0].numpy(), logs.gather(1, actions)[:, 0].numpy(), values.numpy()

    def play(self) -> dict[str, Array]:
        """Some steps of all games, each seat played by the same network."""
        env, kept = self.env, []
        for _ in range(self.plan.steps):
            seats, observations, masks = env.seats.copy(), env.observations.copy(), env.masks.copy()
            actions, logs, values = self.choose(observations, masks)
            env.step(actions)
            kept.append((seats, observations, masks, actions, logs, values, env.rewards.copy(), env.dones.copy()))
        names = ("seats", "observations", "masks", "actions", "logs", "values", "rewards", "dones")
        return {name: np.stack(each) for name, each in zip(names, zip(*kept, strict=True), strict=True)}

    def learn(self, played: dict[str, Array], left: float) -> float:
        """Some epochs of PPO, at a rate that falls as less is left; gives the mean entropy of the policy."""
        advantages, known = credit(*(played[name] for name in ("seats", "values", "rewards", "dones")), self.plan.ahead)
        returns = torch.from_numpy((advantages + played["values"])[known])
        gained = torch.from_numpy(advantages[known])
        gained = (gained - gained.mean()) / (gained.std() + 1e-8)
        actions, old = (torch.from_numpy(played[name][known]) for name in ("actions", "logs"))
        observations, masks = (played[name][known] for name in ("observations", "masks"))
        self.optimiser.param_groups[0]["lr"] = self.plan.rate * max(left, 0.0)
        entropies = []
        for _ in range(self.plan.epochs):
            for some in torch.randperm(len(actions)).split(self.plan.batch):
                logs, values = self.asked(observations[some.numpy()], masks[some.numpy()])
                ratio = (logs.gather(1, actions[some, None])[:, 0] - old[some]).exp()
                better = torch.min(ratio * gained[some], ratio.clamp(1 - CLIP, 1 + CLIP) * gained[some]).mean()
                entropy = -(logs.exp() * logs).sum(dim=1).mean()
                missed = (values - returns[some]).square().mean()
                self.optimiser.zero_grad()
                (VALUE_SHARE * missed - better - self.plan.entropy * entropy).backward()
                torch.nn.utils.clip_grad_norm_(self.net.parameters(), LARGEST_GRADIENT)
                self.optimiser.step()
                entropies.append(entropy.item())
        return float(np.mean(entropies))

    def layers(self) -> list[Array]:
        """Weights and biases, made for observations as they are."""
        narrow, *others = (each.detach().numpy() for each in self.net.parameters())
        wide = np.zeros((len(narrow), self.env.layout.size), np.float32)
        wide[:, self.used] = narrow / self.scale
        return [wide, *others]


def train(plan: Plan, seed: int) -> Learned:
    """Learn from nothing; the same seed learns the same from so many decisions, though not from so many minutes."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    learner = Learner(plan, seed)
    found = Learned(seed, [], [], {level: [] for level in RIVALS}, [])
    paused, decisions, spent, entropies = time.process_time(), 0, 0.0, []
    while spent < 1:
        entropies.append(learner.learn(learner.play(), 1 - spent))
        decisions += plan.places * plan.steps
        minutes = (time.process_time() - paused) / 60
        spent = minutes / plan.minutes if plan.minutes else decisions / plan.decisions
        if spent * plan.evaluations >= len(found.entropy) + 1 or spent >= 1:
            pause = time.process_time()
            found.decisions.append(decisions)
            found.entropy.append(float(np.mean(entropies)))
            entropies = []
            for level, won in found.won.items():
                won.append(evaluate(plan, learner.choose_as_bot, level, len(won)))
            told = ", ".join(f"{won[-1]:6.1%} against {level}" for level, won in found.won.items())
            print(f"seed {seed}: {minutes:4.1f} min, {decisions:9,} decisions: {told}", flush=True)
            paused += time.process_time() - pause
    found.layers.extend(learner.layers())
    return found


# What comes of it


def bot_file(plan: Plan, seed: int, layers: list[Array]) -> str:
    """The pattern of a bot with its three names filled in, and where it comes from."""
    packed = io.BytesIO()
    np.savez_compressed(packed, *(each.astype(np.float16) for each in layers))
    weights = "\n".join(wrap(base64.b64encode(packed.getvalue()).decode(), 118))
    told = f"{plan.minutes:g} minutes" if plan.minutes else f"{plan.decisions:,} decisions"
    text = (Path(__file__).parent / "ppo_bot.py").read_text("utf-8")
    for unfilled, filled in (
        (PATTERN, f"Seed {seed}, after {told}; docs/learning.md tells how it plays.\n"),
        ('GAME = ""', f'GAME = "{plan.game}"'),
        ("TEMPERATURE = 1.0", f"TEMPERATURE = {plan.temperature}"),
        ('WEIGHTS = ""', f'WEIGHTS = """\n{weights}\n"""'),
    ):
        assert text.count(unfilled) == 1, unfilled
        text = text.replace(unfilled, filled)
    return text


def draw(plan: Plan, learned: list[Learned], file: Path) -> None:
    """The curves over decisions: games won against each level, and entropy; readable on light and on dark ground."""
    matplotlib.use("svg")
    matplotlib.rcParams |= dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor"), GREY)
    matplotlib.rcParams |= dict.fromkeys(("xtick.color", "ytick.color", "grid.color"), GREY)
    matplotlib.rcParams |= {"svg.hashsalt": plan.game, "svg.fonttype": "none", "axes.grid": True, "grid.alpha": 0.3}
    from matplotlib import pyplot

    figure, (above, below) = pyplot.subplots(2, 1, sharex=True, figsize=(7, 5), height_ratios=(2, 1))
    for each, colour in zip(learned, cycle(COLOURS)):
        millions = np.array(each.decisions) / 1e6
        for (level, won), line in zip(each.won.items(), ("-", "--"), strict=True):
            above.plot(millions, 100 * np.array(won), line, color=colour, label=f"seed {each.seed} against {level}")
        below.plot(millions, each.entropy, color=colour)
    above.set(title=f"{plan.game}: self-play PPO", ylabel="games won, %", ylim=(0, 101))
    above.legend(loc="lower right", framealpha=0)
    below.set(xlabel="decisions, millions", ylabel="entropy, nats")
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None}, transparent=True)


def meet(plan: Plan, files: list[Path], games: int) -> None:
    """All policies, random and `easy` in the arena; in Goths also every seed's king with every seed's warchief."""
    everybody, policies = ",".join([*RIVALS, *map(str, files)]), ",".join(map(str, files))
    if plan.game == "goths":
        common = ["arena", "goths", "--turn-limit", "200"]
        rows = [[*common, "--games", str(games), "--cross-games", "0", "--bots", everybody]]
        if len(files) > 1:  # they have met already: two games, as no arena is without any
            rows.append([*common, "--games", "2", "--cross-games", str(games), "--fixed", "easy", "--bots", policies])
    else:
        players = ",".join(plan.options["players"])
        rows = [["arena", "romans", "--games", str(games), "--players", players, "--bots", everybody]]
    for row in rows:
        print("meadhall", *row, flush=True)
        subprocess.run([sys.executable, "-m", "meadhall", *row], check=True)


def positive(kind: type) -> Callable[[str], Any]:
    """A reader of numbers above 0."""

    def read(text: str) -> Any:
        number = kind(text)
        if not 0 < number < 1e12:
            raise ValueError
        return number

    read.__name__ = "whole number above 0" if kind is int else "number above 0"
    return read


def options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Self-play PPO; every seed's policy becomes a bot file.")
    parser.add_argument("game", choices=("goths", "romans"))
    long = parser.add_mutually_exclusive_group()
    long.add_argument("--decisions", type=positive(int), help="to learn from (goths: 4,000,000; romans: 6,000,000)")
    long.add_argument("--minutes", type=positive(float), help="of a core, instead: then no two runs learn the same")
    parser.add_argument("--seeds", type=positive(int), default=2, help="how many policies are trained (2)")
    parser.add_argument("--players", type=int, choices=(2, 3, 4), help="of romans (2)")
    parser.add_argument("--games", type=positive(int), default=400, help="of each pairing in the arena (400)")
    parser.add_argument("--out", type=Path, default=Path("trained"), metavar="DIR", help="for files (trained)")
    parser.add_argument("--quick", action="store_true", help="a tiny network that learns nothing, to try it all out")
    return parser


def plan_of(given: argparse.Namespace) -> Plan:
    changed = {"minutes": given.minutes or 0.0}
    if given.quick:
        changed |= {"places": 32, "steps": 32, "hidden": 16, "epochs": 1, "trials": 16, "evaluations": 2}
    usual = 2048 if given.quick else 4_000_000 if given.game == "goths" else 6_000_000
    decisions = given.decisions or usual
    if given.game == "goths":
        # Without a look at the clock, what is learned holds for any turn limit.
        clock = ("turn", "turns_left")
        return Plan("goths", {"turn_limit": 60}, 2, 0.08, 0.95, 0.5, decisions, ignored=clock, **changed)
    options = {"players": list(CLANS[: given.players or 2]), "one_by_one": True}
    return Plan("romans", options, 1, 0.05, 0.7, 0.5, decisions, **changed)


def main() -> None:
    parser = options()
    given = parser.parse_args()
    if given.game == "goths" and given.players:
        parser.error("--players is an option of romans; goths always has four seats")
    if torch is None:
        parser.error(f'{MISSING} is not installed; this example needs: pip install "meadhall[learn]"')
    try:
        given.out.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        parser.error(f"--out must be a directory to write to: {given.out}: {problem.strerror}")
    plan = plan_of(given)
    processes = min(given.seeds, cores_at_hand())
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        learned = list(pool.map(train, [plan] * given.seeds, range(1, given.seeds + 1)))
    files = [given.out / f"{plan.game}-ppo-seed{each.seed}.py" for each in learned]
    for file, each in zip(files, learned, strict=True):
        file.write_text(bot_file(plan, each.seed, each.layers), "utf-8")
    curve = given.out / f"{plan.game}-ppo.svg"
    draw(plan, learned, curve)
    print("written:", *files, curve, flush=True)
    meet(plan, files, 2 if given.quick else given.games)


if __name__ == "__main__":
    main()

"""Both games for PettingZoo: agents act one after the other, each seeing what its seat may know."""

import random
from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

try:
    import gymnasium
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise ImportError('PettingZoo is not installed: pip install "meadhall[envs]"') from error

from meadhall.envs.slots import Slot
from meadhall.envs.vectorised import numbers_of
from meadhall.games.game import SPECTATOR
from meadhall.match import Match
from meadhall.words import words

RENDER_MODES = ("human", "ansi", "svg", "rgb_array")
ILLEGAL = ("random", "error")  # what a parallel environment makes of an action that may not be taken
Observed = dict[str, Any]


class MeadhallEnv(AECEnv):  # type: ignore[misc]
    """A game in which whoever owes a choice acts next; of several that owe one, each in turn, unseen by the others.

    An observation is a dictionary of `observation` (int8, index by index as `layout` says) and `action_mask`. Rewards
    come at the end: 1 to winners, -1 to losers, 0 for a draw, and between them where a victory is shared.
    """

    def __init__(
        self,
        game: str,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        one_by_one: bool = False,
        viewpoint: str = SPECTATOR,
        **options: Any,
    ) -> None:
        super().__init__()
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"render_mode must be None or one of {', '.join(RENDER_MODES)}, not {render_mode!r}")
        if max_cycles is not None and (isinstance(max_cycles, bool) or max_cycles < 1):
            raise ValueError(f"max_cycles must be None or a whole number from 1, not {max_cycles!r}")
        self._numbers = numbers_of(game)
        if one_by_one and not hasattr(self._numbers, "ONE_BY_ONE"):
            raise ValueError(f"nothing is put in order in {game}, so there is no one_by_one")
        first = Match.new(game, self._usual(game) | options, 0)
        self.metadata = {
            "name": f"{game}_v1",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.game, self.rules, self.layout = first.game, first.rules, self._numbers.LAYOUT
        self.render_mode, self.max_cycles, self.one_by_one = render_mode, max_cycles, one_by_one
        self.possible_agents: list[str] = list(first.seats)
        if viewpoint not in (*self.possible_agents, SPECTATOR):
            raise ValueError(
                f"viewpoint must be {SPECTATOR} or one of {', '.join(self.possible_agents)}, not {viewpoint!r}"
            )
        self.viewpoint = viewpoint
        self.agents: list[str] = []
        self._random = random.Random()

    @staticmethod
    def _usual(game: str) -> dict[str, Any]:
        from meadhall.games.game import game_named

        known = game_named(game)
        return known.usual_rules | known.smallest_rules

    # Spaces

    @cached_property
    def _action_space(self) -> dict[str, Any]:
        count = int(self._numbers.ONE_BY_ONE if self.one_by_one else self.game.choice_count)
        return {agent: gymnasium.spaces.Discrete(count) for agent in self.possible_agents}

    @cached_property
    def _observation_space(self) -> dict[str, Any]:
        entries = list(self.layout.entries())
        least, most = (np.array([getattr(entry, name) for entry in entries], np.int8) for name in ("least", "most"))
        count = int(self._action_space[self.possible_agents[0]].n)
        spaces = gymnasium.spaces
        return {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(least, most, dtype=np.int8),
                    "action_mask": spaces.Box(0, 1, (count,), np.int8),
                }
            )
            for agent in self.possible_agents
        }

    def action_space(self, agent: str) -> Any:
        """The actions by number: the choices of the game, or the parts of one."""
        return self._action_space[agent]

    def observation_space(self, agent: str) -> Any:
        """What an observation may be."""
        return self._observation_space[agent]

    # Play

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deal a game: the same one for the same seed; without one, the next of the last seed given."""
        if seed is not None:
            self._random = random.Random(seed)
        self.match = Match.new(self.game.name, self.rules, self._random.getrandbits(62))
        self._slot = self._empty_slot()
        self._made = 0
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._next()

    def _next(self) -> str:
        """Whose turn it is; the first agent once the game is over."""
        seat = self._numbers.next_seat(self.match.state)
        return self.possible_agents[seat] if seat >= 0 else self.possible_agents[0]

    def observe(self, agent: str) -> Observed:
        """What an agent knows, and what it may do if it owes a choice; who else does is not for it to see."""
        seat = self.possible_agents.index(agent)
        ended = self.terminations.get(agent, True) or self.truncations.get(agent, True)
        asked = not ended and self.game.owes(self.match.state, seat)
        slot = self._slot if agent == self.agent_selection else self._empty_slot()
        observation = np.zeros(self.layout.size, np.int8)
        self._numbers.observe(self.game.reveal(self.match.state, seat), seat, slot, observation)
        mask = np.zeros(int(self.action_space(agent).n), np.int8)
        if asked:
            slot.mask = 0  # nothing is written there yet
            self._numbers.write_mask(self.match.state, slot, seat, mask)
        return {"observation": observation, "action_mask": mask}

    def _empty_slot(self) -> Slot:
        slot = Slot()
        slot.one_by_one = self.one_by_one
        return slot

    def step(self, action: Any) -> None:
        """Take the action of the agent whose turn it is; a ValueError, and nothing is done, if it may not be taken."""
        if not self.agents:
            raise ValueError("the game is over and all its agents are gone; reset() begins another")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.commit(agent, action)
        self._cumulative_rewards[agent] = 0.0
        self._accumulate_rewards()

    def commit(self, agent: str, action: Any) -> None:
        """Play an action, and find who is next and what it brought."""
        seat = self.possible_agents.index(agent)
        self.check(agent, action)
        choice = self._numbers.choose(self.match.state, self._slot, seat, int(action))
        self._clear_rewards()
        if choice < 0:
            return
        self.match.commit(agent, int(choice))
        self._made += 1
        outcome = self.match.outcome
        if outcome is not None:
            self.rewards = {each: float(outcome.returns[each]) for each in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.max_cycles is not None and self._made >= self.max_cycles * len(self.possible_agents):
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self._next()
        if self.render_mode == "human":
            self.render()

    def check(self, agent: str, action: Any) -> None:
        """A ValueError that says what is legal, unless the agent may take this action now."""
        seat = self.possible_agents.index(agent)
        if isinstance(action, int | np.integer) and self._numbers.may_take(
            self.match.state, self._slot, seat, int(action)
        ):
            return
        legal = np.flatnonzero(self.observe(agent)["action_mask"])
        shown = ", ".join(map(str, legal[:12])) + (f" and {len(legal) - 12} more" if len(legal) > 12 else "")
        raise ValueError(f"{agent} may not take action {action!r}; legal are {shown}")

    # To look at

    def render(self) -> Any:
        """The table as `viewpoint` sees it: printed, as text, as SVG, or as an array of pixels."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render_mode")
            return None
        if self.render_mode in ("human", "ansi"):
            text = self._text()
            return print(text) if self.render_mode == "human" else text
        from meadhall.web.drawing import draw

        view, events = self.match.view(self.viewpoint), self.match.events(self.viewpoint)
        drawing = draw(view, events, words("en"))
        return drawing.svg() if self.render_mode == "svg" else _pixels(drawing)

    def _text(self) -> str:
        from rich.console import Console

        from meadhall.terminal.play import drawing_of

        view, drawing = self.match.view(self.viewpoint), drawing_of(self.game.name)
        console = Console(width=100, force_terminal=True, color_system="truecolor")
        with console.capture() as shown:
            console.print(drawing.header(view, words("en")))
            console.print(drawing.board(view, words("en")))
        return shown.get()

    def close(self) -> None:
        """Nothing is open."""

    def __str__(self) -> str:
        return str(self.metadata["name"])


def _pixels(drawing: Any) -> Any:
    from io import BytesIO

    from PIL import Image

    from meadhall.web.drawing.png import png

    return np.asarray(Image.open(BytesIO(png(drawing))).convert("RGB"))


def wrapped(env: MeadhallEnv) -> Any:
    """As PettingZoo's classic games come: who takes an illegal action loses by it and the game ends, with a warning."""
    ended = wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(ended))


class MeadhallParallelEnv(ParallelEnv):  # type: ignore[misc]
    """The same game for learners that want an action of everybody at every step: whoever is not asked is not heard.

    `infos[agent]["asked"]` says who is. What an asked agent may not do is an error, or by `illegal="random"` replaced
    by something it may do, as its info then says.
    """

    def __init__(self, game: str, max_cycles: int | None = None, illegal: str = "error", **options: Any) -> None:
        if illegal not in ILLEGAL:
            raise ValueError(f"illegal must be one of {', '.join(ILLEGAL)}, not {illegal!r}")
        self._env = MeadhallEnv(game, **options)
        self.illegal, self.max_cycles = illegal, max_cycles
        self.metadata = self._env.metadata | {"is_parallelizable": True}
        self.possible_agents = self._env.possible_agents
        self.render_mode = self._env.render_mode
        self.agents: list[str] = []

    def action_space(self, agent: str) -> Any:
        """The actions by number."""
        return self._env.action_space(agent)

    def observation_space(self, agent: str) -> Any:
        """What an observation may be."""
        return self._env.observation_space(agent)

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Observed], dict[str, dict[str, Any]]]:
        """Deal a game."""
        self._env.reset(seed)
        self.agents = list(self.possible_agents)
        self._cycles = 0
        return self._observed(), self._infos({})

    def step(self, actions: Mapping[str, Any]) -> tuple[Any, ...]:
        """Let everybody who is asked act at once: none of them sees what the others do."""
        if not self.agents:
            raise ValueError("the game is over and all its agents are gone; reset() begins another")
        replaced: dict[str, Any] = {}
        for agent in self._asked():
            replaced |= self._act(agent, actions)
        self._cycles += 1
        over = any(self._env.terminations.values())
        late = not over and self.max_cycles is not None and self._cycles >= self.max_cycles
        found = (
            self._observed(),
            dict(self._env.rewards),
            dict.fromkeys(self.agents, over),
            dict.fromkeys(self.agents, late),
            self._infos(replaced),
        )
        if over or late:
            self.agents = []
        return found

    def _asked(self) -> list[str]:
        """Who owes a choice now, in the order in which they are taken."""
        match = self._env.match
        owing = [agent for k, agent in enumerate(self.possible_agents) if match.game.owes(match.state, k)]
        return [self._env.agent_selection] if self._env.one_by_one else owing

    def _act(self, agent: str, actions: Mapping[str, Any]) -> dict[str, Any]:
        """Take an agent's action, or another for it; what was replaced."""
        try:
            self._env.check(agent, actions.get(agent))
        except ValueError:
            if self.illegal == "error":
                raise
            mask = self._env.observe(agent)["action_mask"]
            self._env.commit(agent, int(np.flatnonzero(mask)[self._env._random.randrange(int(mask.sum()))]))
            return {agent: actions.get(agent)}
        self._env.commit(agent, actions[agent])
        return {}

    def _observed(self) -> dict[str, Observed]:
        return {agent: self._env.observe(agent) for agent in self.possible_agents}

    def _infos(self, replaced: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
        asked = self._asked() if self._env.match.outcome is None else []
        illegal = {agent: {"illegal": action} for agent, action in replaced.items()}
        return {agent: {"asked": agent in asked} | illegal.get(agent, {}) for agent in self.possible_agents}

    def render(self) -> Any:
        """The table, as for agents that act in turn."""
        return self._env.render()

    def close(self) -> None:
        """Nothing is open."""

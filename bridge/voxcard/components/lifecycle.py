"""Components of a bridge: started in order, run, looked after, stopped in reverse."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import KW_ONLY, dataclass
from functools import partial

from voxcard.tasks import Tasks

log = logging.getLogger(__name__)

LOOK_S = 1.0  # who is missing, what did not come back
SWEEP_S = 10.0  # what is older than its time

Step = Callable[[], Awaitable[None] | None]


def _nothing() -> None:
    """A step that a component does not have."""


@dataclass(frozen=True, slots=True)
class Component:
    """What a part of the bridge does in the bridge's life; most do only some of it.

    `start` may raise VoxcardError: the bridge does not start then. `stop` comes at the end in any
    case, also when `start` raised. `run` is a task, started again when it ends. `leave` is for
    last words, while every task still runs. `look` is called each LOOK_S, `sweep` each SWEEP_S,
    `link(up)` when the connection to the broker comes or goes; these must be quick.
    """

    name: str
    _: KW_ONLY
    start: Step = _nothing
    run: Callable[[], Awaitable[None]] | None = None
    look: Callable[[], None] | None = None
    sweep: Callable[[], None] | None = None
    link: Callable[[bool], None] = lambda up: None
    leave: Step = _nothing
    stop: Step = _nothing


class Lifecycle:
    """Brings `components` through their lives; `tasks` is entered while they run."""

    def __init__(self, components: Sequence[Component], tasks: Tasks) -> None:
        self._components = tuple(components)
        self._tasks = tasks

    @asynccontextmanager
    async def started(self) -> AsyncIterator[None]:
        """Start every component, and stop in reverse what was begun."""
        async with AsyncExitStack() as stack:
            for component in self._components:
                stack.push_async_callback(_take, component.stop)
                await _take(component.start)
            yield

    async def run(self) -> None:
        """Run the tasks of every component until cancelled, then let each leave."""
        async with self._tasks:
            for component in self._components:
                self._keep(component)
            try:
                await asyncio.get_running_loop().create_future()
            finally:
                for component in self._components:
                    await _leave(component)

    def link(self, up: bool) -> None:
        """The connection to the broker came or went."""
        for component in self._components:
            component.link(up)

    def _keep(self, component: Component) -> None:
        if component.run is not None:
            self._tasks.keep(component.run, component.name)
        if component.look is not None:
            look = partial(_every, LOOK_S, component.look)
            self._tasks.keep(look, f"look of {component.name}")
        if component.sweep is not None:
            sweep = partial(_every, SWEEP_S, component.sweep)
            self._tasks.keep(sweep, f"sweep of {component.name}")


async def _every(pause_s: float, work: Callable[[], None]) -> None:
    while True:
        await asyncio.sleep(pause_s)
        work()


async def _leave(component: Component) -> None:
    """What one raises keeps no other from its last words."""
    try:
        await _take(component.leave)
    except Exception:
        log.exception("%s failed as it left", component.name)


async def _take(step: Step) -> None:
    waiting = step()
    if waiting is not None:
        await waiting

"""The type of functions that run blocking work off the event loop."""

from collections.abc import Callable
from typing import ParamSpec, Protocol, TypeVar

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


class Offload(Protocol):
    """Calls a function in a thread, as asyncio.to_thread does."""

    async def __call__(
        self,
        function: Callable[Parameters, Result],
        /,
        *args: Parameters.args,
        **kwargs: Parameters.kwargs,
    ) -> Result:
        """What `function` returns or raises."""

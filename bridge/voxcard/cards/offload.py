"""Computing that would hold up the event loop, and is therefore done elsewhere."""

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

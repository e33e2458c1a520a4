"""Makes one function of the bridge raise at its next call, whoever holds a reference to it."""

import inspect
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import voxcard

ROOT = Path(voxcard.__file__).parent


class InjectedError(Exception):
    """What no part of the bridge expects."""


class Fault:
    """`function` raises InjectedError at its next call, and works again after that.

    `on_fired()` is called then, from whatever thread it is.
    """

    _armed: "Fault | None" = None

    def __init__(self, function: types.FunctionType, on_fired: Callable[[], object]) -> None:
        self.fired = False
        self._on_fired = on_fired
        self._function = function
        self._code = function.__code__
        Fault._armed = self
        function.__code__ = _RAISING[_kind(function)].__code__

    def disarm(self) -> None:
        self._function.__code__ = self._code
        Fault._armed = None

    @staticmethod
    def fire() -> None:
        fault = Fault._armed
        assert fault is not None
        fault.disarm()
        fault.fired = True
        fault._on_fired()
        raise InjectedError(f"injected into {fault._function.__qualname__}")


# The code of these runs in another function: it sees nothing but what it imports.


def _raises(*_: Any, **__: Any) -> None:
    from fakes.faults import Fault

    Fault.fire()


async def _raises_awaited(*_: Any, **__: Any) -> None:
    from fakes.faults import Fault

    Fault.fire()


async def _raises_iterated(*_: Any, **__: Any) -> Any:
    from fakes.faults import Fault

    Fault.fire()
    yield


def _raises_generated(*_: Any, **__: Any) -> Any:
    from fakes.faults import Fault

    Fault.fire()
    yield


_RAISING: dict[str, Any] = {
    "plain": _raises,
    "coroutine": _raises_awaited,
    "async generator": _raises_iterated,
    "generator": _raises_generated,
}


def _kind(function: types.FunctionType) -> str:
    if inspect.iscoroutinefunction(function):
        return "coroutine"
    if inspect.isasyncgenfunction(function):
        return "async generator"
    return "generator" if inspect.isgeneratorfunction(function) else "plain"


def functions(*folders: str) -> Iterator[types.FunctionType]:
    """Every function and method of these folders and files of the bridge that is imported.

    Closures are left out: their code cannot be exchanged.
    """
    for name, module in sorted(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if not name.startswith("voxcard.") or not file:
            continue
        if Path(file).relative_to(ROOT).as_posix().startswith(folders):
            yield from _functions_of(vars(module), name)


def _functions_of(values: Any, module: str) -> Iterator[types.FunctionType]:
    for value in list(values.values()):
        if isinstance(value, type) and value.__module__ == module:
            yield from _functions_of(vars(value), module)
        value = value.fget if isinstance(value, property) else value
        value = getattr(value, "__func__", value)
        if isinstance(value, types.FunctionType) and value.__module__ == module:
            wrapped = inspect.unwrap(value)
            if not wrapped.__code__.co_freevars and wrapped.__name__ != "__init__":
                yield wrapped


class Reached:
    """The functions among `candidates` that are called while it is entered, in any order."""

    def __init__(self, candidates: Iterator[types.FunctionType]) -> None:
        self._by_code = {function.__code__: function for function in candidates}
        self._codes: set[types.CodeType] = set()

    def __enter__(self) -> "Reached":
        def profile(frame: types.FrameType, event: str, _: Any) -> None:
            if event == "call" and frame.f_code in self._by_code:
                self._codes.add(frame.f_code)

        self._profile: Callable[..., None] = profile
        sys.setprofile(profile)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def names(self) -> dict[str, types.FunctionType]:
        """The functions by module and qualified name."""
        found = (self._by_code[code] for code in self._codes)
        return {f"{each.__module__}.{each.__qualname__}": each for each in found}

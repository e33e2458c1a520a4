"""All the tools that a board's parts make possible, declared, and the way to call them."""

import asyncio
import gc

import log
from link.device_link import BlobError
from seldom import forget
from toolbox.registry import Registry, ToolError, declared
from toolbox.rpc import Rpc

CALL_MS = 60000  # longest tool call
# A heap with so much free is one of PSRAM: there the tools stay, and are not read from files anew.
ROOMY_BYTES = 1 << 20
_GROUPS = (
    "toolbox.system",
    "toolbox.sound",
    "toolbox.display",
    "toolbox.camera",
    "toolbox.timers",
)


async def _in_time(coroutine):
    """Await a tool's work for as long as a call may last."""
    try:
        return await asyncio.wait_for_ms(coroutine, CALL_MS)
    except asyncio.TimeoutError:
        raise ToolError("It took over %d s and was given up. Try again." % (CALL_MS // 1000))


def _group(name: str):
    """The module of some tools, which lies in the heap no longer than they do."""
    module = __import__("toolbox." + name, None, None, ("*",))
    forget(*_GROUPS)
    return module


def _changed(change):
    def changed(name, value):
        try:
            change(name, value)
        except OSError as error:
            raise ToolError(
                "The %s is set, but only until the next restart: it cannot be stored (%s)."
                % (name, error)
            )

    return changed


def _all_of(board, settings, view, link, about, changed, restart, uptime_s, timers):
    """Each tool; a board reads the modules of those that it has."""
    install = _group("system").install
    yield from declared(install, board, settings, about, restart, uptime_s, view.screen)
    sound = _group("sound")
    yield from declared(sound.install, changed)
    yield from declared(sound.install_volumes, changed)
    confirm = board.display and view.confirm
    yield from declared(sound.install_microphone, settings, changed, confirm)
    if board.display is not None:
        dimmable = board.display.brightness is not None
        install = _group("display").install
        yield from declared(install, view, changed, dimmable, link.send_blob)
    if board.camera is not None:
        sign, install = view.take_photo_sign, _group("camera").install
        yield from declared(install, board.camera, settings, sign, link.send_blob)
    yield from _group("timers").tools(timers)


def tools_of(board, settings, view, link, about, change, restart, uptime_s, timers):
    """The Rpc of a device; it answers over `link`, which carries its pictures too.

    `change(name, value)` sets a setting, OSError when it cannot be stored. No tool may keep
    anything between two calls: in a small heap each is declared anew
    for every list and call.
    """
    changed = _changed(change)
    parts = board, settings, view, link, about, changed, restart, uptime_s, timers
    registry = Registry()
    if gc.mem_free() >= ROOMY_BYTES:
        registry.tools = list(_all_of(*parts))
    else:
        registry.later = lambda: _all_of(*parts)
    return Rpc(
        registry,
        {"name": board.id, "version": about["firmware"]},
        send=lambda payload: link.post("mcp", payload=payload),
        spawn=asyncio.create_task,
        limit=_in_time,
        confirm=None if board.display is None else view.confirm,
        fault=lambda name, error: log.exception("tool", name, error),
        problems=(ToolError, BlobError),
    )

"""All the tools that a board's parts make possible, declared, and the way to call them."""

import asyncio
import sys

import log
from link.device_link import BlobError
from toolbox import sound, system
from toolbox.registry import Registry, ToolError
from toolbox.rpc import Rpc

CALL_MS = 60000  # longest tool call


async def _in_time(coroutine):
    """Await a tool's work for as long as a call may last."""
    try:
        return await asyncio.wait_for_ms(coroutine, CALL_MS)
    except asyncio.TimeoutError:
        raise ToolError("It took over %d s and was given up. Try again." % (CALL_MS // 1000))


def _later(timers):
    def later():
        from toolbox import timers as tools

        # What they are made of lies in the heap no longer than they do.
        del sys.modules["toolbox.timers"]
        if hasattr(sys.modules.get("toolbox"), "timers"):
            delattr(sys.modules["toolbox"], "timers")
        return tools.tools(timers)

    return later


def tools_of(board, settings, view, link, about, change, restart, uptime_s, timers):
    """The Rpc of a device; it answers over `link`, which carries its pictures too.

    `change(name, value)` sets a setting, OSError when it cannot be stored.
    """

    def changed(name, value):
        try:
            change(name, value)
        except OSError as error:
            raise ToolError(
                "The %s is set, but only until the next restart: it cannot be stored (%s)."
                % (name, error)
            )

    registry = Registry()
    registry.later = _later(timers)
    system.install(registry, board, settings, about, restart, uptime_s)
    sound.install(registry, changed)
    sound.install_microphone(registry, settings, changed, board.display and view.confirm)
    # A board reads those that it needs.
    if board.display is not None:
        from toolbox import display

        dimmable = board.display.brightness is not None
        display.install(registry, view, changed, dimmable, link.send_blob)
    if board.camera is not None:
        from toolbox import camera

        camera.install(registry, board.camera, settings, view.take_photo_sign, link.send_blob)
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

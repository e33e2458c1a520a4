"""All the tools that a board's parts make possible, declared, and the way to call them.

Nothing else of this folder is imported by the rest of the firmware: where the heap is short, the
tools are read into it when the bridge asks for them and are given up after.
"""

import asyncio

import log
from toolbox import camera, display, sound, system
from toolbox.registry import Registry, ToolError
from toolbox.rpc import Rpc

CALL_MS = 60000  # longest tool call


async def _in_time(coroutine):
    """Await a tool's work for as long as a call may last."""
    try:
        return await asyncio.wait_for_ms(coroutine, CALL_MS)
    except asyncio.TimeoutError:
        raise ToolError("It took over %d s and was given up. Try again." % (CALL_MS // 1000))


def tools_of(
    board, settings, view, who, change, send_picture, as_picture, restart, post, problems
):
    """The Rpc of a device.

    `change(name, value)` sets a setting, OSError when it cannot be stored; `send_picture(kind,
    name, picture)` sends a hal.board.Picture, `as_picture(bytes)` makes one; `post(payload)` sends
    an answer; `problems` are the exceptions of these that say a sentence for people.
    """

    def changed(name, value):
        try:
            change(name, value)
        except OSError as error:
            raise ToolError(
                "The %s is set, but only until the next restart: it cannot be stored (%s)."
                % (name, error)
            )

    def send_bytes(kind, name, data):
        return send_picture(kind, name, as_picture(data))

    registry = Registry()
    system.install(registry, board, settings, who, restart)
    sound.install(registry, changed)
    if board.display is not None:
        dimmable = board.display.brightness is not None
        display.install(registry, view, changed, dimmable, send_bytes)
    if board.camera is not None:
        camera.install(registry, board.camera, settings, view.take_photo_sign, send_picture)
    return Rpc(
        registry,
        {"name": board.id, "version": who["firmware"]},
        send=post,
        spawn=asyncio.create_task,
        limit=_in_time,
        confirm=None if board.display is None else view.confirm,
        fault=lambda name, error: log.exception("tool", "%s failed" % name, error),
        problems=(ToolError,) + problems,
    )

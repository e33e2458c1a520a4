"""What a device is while it is set up: no voice, a screen, a page. In the place of app.App."""

import asyncio
import gc

import log
from home import HELD, watch_line
from supervisor import keep_running

POLL_MS = 20
BY_HAND_MS = 180000  # so long a person who asked for it has at the least


async def run(board, settings, change, why) -> None:
    """Set the device up; comes back when it has to restart. `why` is a sentence for a person.

    `change(name, value)` keeps a setting.
    """
    view = _view_of(board, settings)
    starts = [("board", board.run), ("screen", view and view.run)]
    tasks = [
        asyncio.create_task(keep_running(name, start, lambda text: None))
        for name, start in starts
        if start is not None
    ]
    tasks += [asyncio.create_task(_turn_pages(board.buttons, view))] if view else []
    line = watch_line(board, settings)
    try:
        while not await _is_done((board, settings, view, change), why):
            await asyncio.sleep_ms(5000)
    finally:
        for task in tasks + ([line] if line else []):
            task.cancel()


async def _is_done(parts, why):
    from provisioning.setup import Setup

    try:
        gc.collect()
        await Setup(*parts).run(why, BY_HAND_MS if why == HELD else 0)
        return True
    except (OSError, MemoryError) as error:
        log.error("setup", "it is tried again (%s: %s)" % (type(error).__name__, error))
        return False


def _view_of(board, settings):
    """A screen without a voice; None without a screen."""
    if board.display is None:
        return None
    from screen.view import View

    view = View(board.display, name=settings.get("name"), theme=settings.get("theme"))
    if board.display.brightness is not None:
        board.display.brightness(settings.get("brightness"))
    return view


async def _turn_pages(buttons, view):
    """Any button shows the next page."""
    was_down = False
    while True:
        down = any(button.pressed() for button in buttons)
        if down and not was_down:
            view.next_page()
        was_down = down
        await asyncio.sleep_ms(POLL_MS)

"""The idle face of a device with timers: what is left of each, large where there is room."""

from screen.cells import clip, width
from screen.layout import foot_row, text, title_bar
from screen.scenes import say
from voxwire.card import layout
from voxwire.type.roles import BAD, BAR, INK, WARN

MISSED = "missed"
HINT_TALK = "press: talk"
_BADGES = {"offline": "×", "connecting": "…"}


def timer_picture(screen, rows, name, state):
    """The whole screen; `rows` are (what is left or when, what it is), the next one first."""
    grid = layout(screen)
    items = title_bar(screen, grid, name or "Voxcard", _BADGES.get(state, ""), BAR)
    cell, body = screen.cell, grid.body
    y = body.y
    if _has_room(screen, body, rows[0]):
        items += _large(screen, body, rows[0])
        y += 3 * cell[1]
        rows = rows[1:]
    for when, label in rows[: (body.y + body.rows * cell[1] - y) // cell[1]]:
        items += _row(screen, body, y, when, label)
        y += cell[1]
    more = "" if state == "ready" else "No connection" if state == "offline" else "Connecting"
    return items + foot_row(screen, grid.foot, grid.rule, say(more or HINT_TALK), 0, 1)


def _has_room(screen, body, row):
    return body.rows >= 3 and screen.cell[1] >= 16 and 2 * width(row[0]) <= body.cols


def _large(screen, body, row):
    """The next one: its time twice as high, what it is under it."""
    cell = (2 * screen.cell[0], 2 * screen.cell[1])
    when, label = row
    middle = lambda words, wide: body.x + (body.cols * screen.cell[0] - width(words) * wide) // 2  # noqa: E731
    label = clip(say(label), body.cols, True)
    ink = _ink(when)
    when = say(when)
    return [
        text(cell, middle(when, cell[0]), body.y, when, ink),
        text(screen.cell, middle(label, screen.cell[0]), body.y + cell[1], label),
    ]


def _row(screen, body, y, when, label):
    """One row: what it is on the left, when on the right."""
    cell = screen.cell
    ink, when = _ink(when), say(when)
    label = clip(say(label), max(0, body.cols - width(when) - 1), True)
    x = body.x + (body.cols - width(when)) * cell[0]
    return [text(cell, body.x, y, label), text(cell, x, y, when, ink)]


def _ink(when):
    return BAD if when == MISSED else WARN if when.startswith("|") else INK

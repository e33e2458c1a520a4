"""Screens other than cards: voice states, notices, questions, the sign of the camera."""

from collections import namedtuple

from languages import say
from voxwire.card import Area, layout
from voxwire.type.roles import ACCENT, BAD, BAR, BAR_INK, DIM, GOOD, PAPER, WARN

from screen.cells import width, wrap
from screen.icons import SIDE
from screen.layout import (
    Item,
    centred,
    fill,
    foot_row,
    text,
    title_bar,
)

# What the screen knows of the voice: state, what to do or what goes on, the words understood,
# the sentence spoken, the progress of a tool, loudness 0..10; how many of the words are final, the
# sentence spoken before.
Talk = namedtuple(
    "Talk",
    ("state", "detail", "transcript", "sentence", "progress", "level", "settled", "before"),
)

# state -> (icon, headline of the band, colour of the band, text when there is none to show)
STATES = {
    "starting": ("card", "", PAPER, "Starting"),
    "connecting": ("waves", "", PAPER, "Connecting"),
    "ready": ("microphone", "", BAR, "Press to talk"),
    "listening": ("microphone", "Listening", GOOD, "Speak now"),
    "thinking": ("thinking", "Thinking", WARN, "One moment"),
    "speaking": ("speaker", "Speaking", BAR, ""),
    "offline": ("offline", "Offline", BAR, "No connection. Trying again."),
    "error": ("problem", "Problem", BAD, "Something went wrong. Try again."),
}
# A sign of the state in the title band of a card that stays up meanwhile.
BADGES = {"listening": "●", "thinking": "…", "speaking": "♪", "offline": "×", "error": "!"}
HINT_CONFIRM = "hold: yes · press: no"
HINT_CLOSE = "press: close"
HINT_STOP = "press: stop"
LEVELS = 10


def state_picture(screen, talk, name, device_id):
    """The whole screen for a voice state; `name` and `device_id` are the device's own."""
    state = talk.state if talk.state in STATES else "ready"
    icon, headline, paper, words = STATES[state]
    if state in ("starting", "connecting"):
        grid = layout(screen, False)
        items = _hero(screen, grid.body, icon, "Voxcard\n" + say(talk.detail or words))
        return items + foot_row(screen, grid.foot, -1, device_id, 0, 1)
    grid = layout(screen)
    items = title_bar(screen, grid, say(headline) or name or "Voxcard", "", paper)
    said = talk.sentence if state == "speaking" else ""
    if state in ("listening", "thinking") and talk.transcript:
        said = "“" + talk.transcript + "”"
    # Where the foot is empty, its row is one more for the text.
    footless = state in ("speaking", "offline", "error")
    area = _whole(screen, grid) if footless else grid.body
    if said:
        items += _lines(screen, area, said)
    else:
        items += _hero(screen, area, icon, say(talk.detail or words))
    return items + _state_foot(screen, grid, state, talk, device_id)


def _state_foot(screen, grid, state, talk, device_id):
    if state == "listening":
        return _level(screen, grid.foot, talk.level)
    note = {"thinking": talk.progress, "ready": device_id}.get(state)
    return foot_row(screen, grid.foot, grid.rule, note or "", 0, 1)


def _level(screen, area, level):
    """How loud it is: a thin line that grows from the left."""
    if not area.rows:
        return []
    wide, high = area.cols * screen.cell[0], screen.cell[1] // 3
    y = area.y + (screen.cell[1] - high) // 2
    items = [fill(area.x, y + high // 2, wide, 1, DIM)]
    if level > 0:
        items.append(fill(area.x, y, wide * min(level, LEVELS) // LEVELS, high, GOOD))
    return items


def notice_picture(screen, icon, title, words, paper=BAR, hint=HINT_CLOSE):
    """A message over everything else, and what a press does to it."""
    grid = layout(screen)
    items = title_bar(screen, grid, say(title), "", paper)
    items += _hero(screen, grid.body, icon, say(words))
    return items + foot_row(screen, grid.foot, grid.rule, say(hint), 0, 1)


def confirm_picture(screen, question):
    """A question to be answered with the button."""
    return notice_picture(screen, "question", "Please confirm", question, WARN, HINT_CONFIRM)


def photo_picture(screen):
    """The sign that the camera is used: nobody in the room can overlook it."""
    cell = screen.cell
    doublings = _doublings(screen.height - 2 * cell[1])
    side = SIDE << doublings
    y = (screen.height - side - cell[1]) // 2
    area = Area(0, y + side, screen.width // cell[0], 1)
    icon = Item("icon", (screen.width - side) // 2, y, side, side, ("camera", doublings),
                BAR_INK, BAD)  # fmt: skip
    words = say("Taking a photo")
    if width(words) > area.cols:
        words = say("Photo")
    words = centred(cell, area, words, BAR_INK, BAD, True)
    return [fill(0, 0, screen.width, screen.height, BAD), icon, words]


def _whole(screen, grid):
    """The body and, on a rectangular screen, the foot's row too."""
    body = grid.body
    if screen.shape == "round":
        return body
    return Area(body.x, body.y, body.cols, (screen.height - body.y) // screen.cell[1])


def _type(screen, area, words):
    """(cell, area, lines): twice the size where a panel has pixels for it and all fits."""
    wide, high = screen.cell
    if high >= 16:
        large = Area(area.x, area.y, area.cols // 2, area.rows // 2)
        lines = wrap(words, large.cols, large.rows + 1)
        # A word that had to be cut is no gain.
        if len(lines) <= large.rows and all(width(word) <= large.cols for word in words.split()):
            return (2 * wide, 2 * high), large, lines
    return screen.cell, area, wrap(words, area.cols, area.rows)


def _lines(screen, area, words):
    """Text from the top of an area, on a round screen in its middle."""
    cell, area, lines = _type(screen, area, words)
    return _block(cell, area, lines, screen.shape == "round")


def _block(cell, area, lines, middle):
    items = []
    y = area.y + (area.rows - len(lines)) * cell[1] // 2 if middle else area.y
    for line in lines:
        row = Area(area.x, y, area.cols, 1)
        items.append(centred(cell, row, line) if middle else text(cell, area.x, y, line))
        y += cell[1]
    return items


def _doublings(room):
    """How often an icon can be doubled in so many px."""
    return 2 if room >= 4 * SIDE else 1 if room >= 2 * SIDE else 0


def _hero(screen, area, icon, words):
    """An icon with text beside it on a low screen, under it on a high one."""
    wide, high = area.cols * screen.cell[0], area.rows * screen.cell[1]
    if area.rows < 3:
        return _block(screen.cell, area, wrap(words, area.cols, area.rows), True)
    if screen.shape != "round" and wide >= 2 * high:
        return _beside(screen, area, icon, words)
    return _under(screen, area, icon, words)


def _icon(icon, doublings, x, y):
    side = SIDE << doublings
    return Item("icon", x, y, side, side, (icon, doublings), ACCENT, PAPER)


def _beside(screen, area, icon, words):
    wide, high = screen.cell[0], area.rows * screen.cell[1]
    doublings = _doublings(high - 2)
    side = SIDE << doublings
    gap = wide * 4 // 3
    x = area.x + side + gap
    beside = Area(x, area.y, area.cols - -(-(side + gap) // wide), area.rows)
    if len(wrap(words, beside.cols, area.rows + 1)) > area.rows:
        # More to say than fits beside a picture.
        return _block(screen.cell, area, wrap(words, area.cols, area.rows), False)
    cell, beside, lines = _type(screen, beside, words)
    y = area.y + (high - len(lines) * cell[1]) // 2
    beside = Area(x, y, beside.cols, len(lines))
    picture = _icon(icon, doublings, area.x + gap // 4, area.y + (high - side) // 2)
    return [picture] + _block(cell, beside, lines, False)


def _under(screen, area, icon, words):
    high = area.rows * screen.cell[1]
    gap = screen.cell[1] // 2
    # Large words must leave room for a large icon; small ones may leave the smallest.
    rows = area.rows - -(-(4 * SIDE + gap) // screen.cell[1])
    cell, room, lines = _type(screen, Area(area.x, area.y, area.cols, rows), words)
    if cell == screen.cell:
        room = Area(area.x, area.y, area.cols, area.rows - -(-(SIDE + gap) // screen.cell[1]))
        lines = wrap(words, room.cols, room.rows + 1)
    texts = len(lines) * cell[1]
    if cell == screen.cell and len(lines) > room.rows:
        return _block(screen.cell, area, wrap(words, area.cols, area.rows), False)
    doublings = _doublings(high - texts - gap)
    side = SIDE << doublings
    y = area.y + (high - side - gap - texts) // 2
    below = Area(area.x, y + side + gap, room.cols, len(lines))
    return [_icon(icon, doublings, (screen.width - side) // 2, y)] + _block(
        cell, below, lines, True
    )

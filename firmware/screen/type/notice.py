"""Notices, questions, what rings, the camera's sign, a start and the button's guide, in type."""

from languages import say
from voxwire.type.roles import (
    ACCENT,
    BAD,
    BAR,
    BAR_INK,
    DIM,
    GOOD,
    INK,
    PAPER,
    RAISED,
    TRACK,
    WARN,
)
from voxwire.type.scale import cap_px

from screen.layout import Item
from screen.scenes import HINT_CLOSE
from screen.type import icons
from screen.type.talk import pill

# Pages of what the button does: icon, its colour, words.
GUIDE = (
    (icons.MICROPHONE, GOOD, "Press to talk"),
    (icons.FORWARD, BAR, "Press again: next page"),
    (icons.CHECK, WARN, "Hold: choose or close"),
)
HINT_NEXT = "press: next"
# Rows from which on an icon stands over its headline, and not beside it.
_HIGH = 200


def notice_picture(setter, icon, title, words, paper=BAR, hint=""):
    """An icon on its colour, a headline, words, and what a press does."""
    asks = icon == icons.QUESTION
    names = (
        (setter.sizes.headline, setter.sizes.title) + setter.texts[1:] if asks else setter.texts
    )
    if setter.screen.height >= _HIGH:
        head, top = _poster(setter, icon, title, paper, asks)
        foot, bottom = hint_line(setter, hint)
        name, lines = setter.fit(names, words, top, bottom)
        if not lines[-1].endswith("…"):
            return head + setter.put(name, lines, top, bottom) + foot
    # On a low panel, or with much to say, the icon stands beside the headline.
    head, top = pill(setter, icon, title, BAD if paper == RAISED else paper)
    top += setter.margin // 3
    for each in (hint,) if asks else (hint, ""):
        foot, bottom = hint_line(setter, each)
        name, lines = setter.fit(names, words, top, bottom)
        if not lines[-1].endswith("…"):
            return head + setter.put(name, lines, top, bottom) + foot
    return head + setter.fitted((setter.cells,), words, top, bottom) + foot


def _poster(setter, icon, title, paper, asks):
    """(an icon over a headline, the row below them)."""
    sizes, top = setter.sizes, setter.top
    ink = INK if paper == RAISED else BAR_INK
    items, side = setter.disc(icon, top, setter.screen.height * 2 // 5, ink, paper)
    if paper == RAISED:
        items += _badge(setter, (setter.screen.width + side) // 2, top + side, side * 2 // 5)
    top += side + setter.margin // 2
    names = (sizes.headline, sizes.title, sizes.body, sizes.caption)[2 if asks else 0 :]
    name, lines = setter.fit(names, title, top, top + setter.height(names[0]), 1)
    bottom = top + setter.height(name)
    ink = DIM if asks else INK
    return items + setter.put(name, lines, top, bottom, ink), bottom + setter.margin // 3


def _badge(setter, right, bottom, side):
    """A cross at the foot of a disc: what that stands for is missing."""
    face = setter.largest("i", side * 3 // 4)
    edge, inset = max(2, side // 10), (side - cap_px(face)) // 2
    x, y = right - side, bottom - side
    around = side + 2 * edge
    return [
        Item("box", x - edge, y - edge, around, around, around // 2, PAPER, PAPER),
        Item("box", x, y, side, side, side // 2, BAD, PAPER),
        setter.line(face, x + inset, y + inset + cap_px(face), icons.CLOSE, BAR_INK, BAD),
    ]


def hint_line(setter, hint):
    """(the line that says what a press does, the row above it)."""
    if not hint:
        return [], setter.bottom
    name, wide = setter.sizes.caption, setter.screen.width - 2 * setter.margin
    if not setter.is_round and setter.width(name, hint) > wide:
        top = setter.bottom - setter.height(name, 2)
        return setter.fitted((name, setter.cells), hint, top, setter.bottom, DIM), top
    baseline = setter.lowest(name, setter.width(name, hint))
    return [setter.middle(name, baseline, hint, DIM)], baseline - cap_px(name) - setter.margin // 2


def missing_picture(setter, headline, words, time):
    """There is no bridge: what is known of it, and the time where there is room for that."""
    for hint in (time, ""):
        items = notice_picture(setter, icons.WIFI, headline, words, RAISED, hint)
        if any(item.ink == RAISED for item in items):
            break
    return items


def start_picture(setter, words, device_id):
    """The device starts or connects."""
    return notice_picture(setter, icons.WIFI, "Voxcard", words, BAR, device_id)


def photo_picture(setter):
    """The sign that the camera is used: nobody in the room can overlook it."""
    screen, sizes = setter.screen, setter.sizes
    face = setter.largest("i", screen.height * 2 // 5)
    side = cap_px(face)
    high = setter.height(sizes.headline, 2)
    words = say("Taking a photo")
    y = (screen.height - side - high - setter.margin) // 2
    icon = setter.line(face, (screen.width - side) // 2, y + side, icons.CAMERA, BAR_INK, BAD)
    names = (sizes.headline, sizes.title, sizes.caption)
    paper = Item("fill", 0, 0, screen.width, screen.height, None, BAD, PAPER)
    below = y + side + setter.margin
    return [paper, icon] + setter.fitted(names, words, below, below + high, BAR_INK, BAD)


def bar(setter, percent):
    """How far a press that is held has come: a thin bar at the foot."""
    high = max(3, setter.screen.height // 40)
    y = setter.screen.height - high - (setter.screen.height // 24 if setter.is_round else 0)
    x, wide = setter.room(y, y + high)
    radius = high // 2
    return [
        Item("box", x, y, wide, high, radius, TRACK, PAPER),
        Item("box", x, y, max(high, wide * percent // 100), high, radius, ACCENT, PAPER),
    ]


def guide_picture(setter, index):
    """Page `index` of what the button does, for who has just set up the device."""
    icon, paper, words = GUIDE[index]
    sizes, last = setter.sizes, index == len(GUIDE) - 1
    items, bottom = hint_line(setter, say(HINT_CLOSE if last else HINT_NEXT))
    size = max(5, setter.screen.height // 30)
    bottom -= size
    items += _page_dots(setter, bottom, size, index)
    disc, side = setter.disc(icon, setter.top, setter.screen.height * 2 // 5, BAR_INK, paper)
    names = (sizes.headline, sizes.title, sizes.body, sizes.caption)
    top = setter.top + side
    return items + disc + setter.fitted(names, say(words), top, bottom - setter.margin // 2)


def _page_dots(setter, y, size, index):
    """Which of the pages it is."""
    x = (setter.screen.width - size * (3 * len(GUIDE) - 2)) // 2
    return [
        Item("box", x + 3 * size * each, y, size, size, size // 2,
             ACCENT if each == index else TRACK, PAPER)
        for each in range(len(GUIDE))
    ]  # fmt: skip

"""Notices, questions, what rings, the camera's sign and how far a start is, in type."""

from languages import say
from voxwire.type.roles import ACCENT, BAD, BAR, BAR_INK, DIM, INK, PAPER, RAISED, TRACK
from voxwire.type.scale import cap_px

from screen.layout import Item
from screen.type import icons
from screen.type.talk import pill

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

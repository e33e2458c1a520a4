"""The button in three pictures with words, for who has just set up the device."""

from languages import say
from voxwire.type.roles import ACCENT, BAR, BAR_INK, GOOD, PAPER, TRACK, WARN

from screen.layout import Item
from screen.scenes import HINT_CLOSE
from screen.type import icons
from screen.type.notice import hint_line

# (icon, its colour, words)
PAGES = (
    (icons.MICROPHONE, GOOD, "Press to talk"),
    (icons.FORWARD, BAR, "Press again: next page"),
    (icons.CHECK, WARN, "Hold: choose or close"),
)
HINT_NEXT = "press: next"


def guide_picture(setter, index):
    """Page `index` of it, from 0."""
    icon, paper, words = PAGES[index]
    sizes, last = setter.sizes, index == len(PAGES) - 1
    items, bottom = hint_line(setter, say(HINT_CLOSE if last else HINT_NEXT))
    size = max(5, setter.screen.height // 30)
    bottom -= size
    items += _dots(setter, bottom, size, index)
    disc, side = setter.disc(icon, setter.top, setter.screen.height * 2 // 5, BAR_INK, paper)
    names = (sizes.headline, sizes.title, sizes.body, sizes.caption)
    top = setter.top + side
    return items + disc + setter.fitted(names, say(words), top, bottom - setter.margin // 2)


def _dots(setter, y, size, index):
    """Which of the pages it is."""
    x = (setter.screen.width - size * (3 * len(PAGES) - 2)) // 2
    return [
        Item("box", x + 3 * size * each, y, size, size, size // 2,
             ACCENT if each == index else TRACK, PAPER)
        for each in range(len(PAGES))
    ]  # fmt: skip

"""A page that the bridge laid out, as the items of a picture."""

from voxwire.type.drawing import Box, Photo, Smooth, Text
from voxwire.type.roles import (
    ACCENT,
    BAD_INK,
    BAR,
    BAR_INK,
    DIM,
    GOOD_INK,
    INK,
    PAPER,
    RAISED,
    WARN_INK,
)
from voxwire.type.scale import cap_px

from screen.layout import Item

_RADIUS = 8
SIGN_PX_MAX = 40  # of an emoji among text
# Of the sign of a voice state (screen.scenes.BADGES).
BADGES = {"●": GOOD_INK, "…": WARN_INK, "♪": ACCENT, "×": DIM, "!": BAD_INK}


def drawn_picture(screen, page, highlight=0, badge="", acted=""):
    """The items of a DrawnPage; `badge` and `acted` as page_picture has them."""
    items = [_ITEMS[type(item)](screen, item) for item in page.items]
    for index, choice in enumerate(page.options):
        items += _choice(screen, choice, index == highlight, choice.id == acted)
    if page.code:
        code = page.code
        side = (code.modules + 2 * code.quiet) * code.scale
        # No badge: a code is not redrawn while it is up.
        return items + [Item("qr", code.x, code.y, side, side, code, INK, PAPER)]
    return items + _badge(screen, badge) if badge else items


def type_item(screen, x, baseline, face, words, ink=INK, paper=PAPER):
    """A text from its pen on, in a box that holds its marks."""
    cap = cap_px(screen.faces[face])
    above = cap * 3 // 2
    return Item("type", x, baseline - above, 0, above + cap // 2, (face, words), ink, paper)


def _text(screen, item):
    return type_item(screen, item.x, item.y, item.face, item.text, item.ink, item.paper)


def _box(_screen, item):
    return Item("box", item.x, item.y, item.width, item.height, item.radius, item.ink, PAPER)


def _smooth(_screen, item):
    what = (item.blob, item.index)
    return Item("smooth", item.x, item.y, item.width, item.height, what, item.ink, PAPER)


def _photo(_screen, item):
    kind = "sign" if item.width <= SIGN_PX_MAX else "image"
    return Item(kind, item.x, item.y, item.width, item.height, item.blob, INK, PAPER)


_ITEMS = {Text: _text, Box: _box, Smooth: _smooth, Photo: _photo}


def _choice(screen, choice, marked, acted):
    """A row to choose: bright where the highlight is, with a sign where it was taken."""
    ink, paper = (BAR_INK, BAR) if marked else (INK, RAISED)
    items = [Item("box", choice.x, choice.y, choice.width, choice.height, _RADIUS, paper, PAPER)]
    cap = cap_px(screen.faces[choice.face])
    x = choice.x + cap * 2 // 3
    if acted:
        sign = cap // 2
        y = choice.y + (choice.height - sign) // 2
        items.append(
            Item("box", x, y, sign, sign, sign // 2, ACCENT if not marked else ink, paper)
        )
        x += cap
    if not isinstance(choice.label, str):
        what = (choice.label.blob, choice.label.index)
        room = choice.x + choice.width - x
        items.append(Item("smooth", x, choice.y, room, choice.height, what, ink, paper))
        return items
    lines = choice.label.split("\n")
    pitch = cap * 17 // 10
    y = choice.y + (choice.height + cap - (len(lines) - 1) * pitch) // 2
    for line in lines:
        items.append(type_item(screen, x, y, choice.face, line, ink, paper))
        y += pitch
    return items


def _badge(screen, badge):
    """What the voice does, as a dot of its colour in the corner that pages leave free."""
    ink, side = BADGES.get(badge, DIM), max(6, screen.height // 24)
    if screen.shape == "round":
        return [
            Item("box", (screen.width - side) // 2, side // 2, side, side, side // 2, ink, PAPER)
        ]
    return [Item("box", screen.width - side - 2, 2, side, side, side // 2, ink, PAPER)]

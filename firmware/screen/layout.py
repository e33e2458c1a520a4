"""Lays a card's page out as a list of items to draw.

A picture is a list of Item, painted in order over paper. It is all values: two pictures are
compared to find the rows that changed, and a test reads a picture without a panel.
"""

from collections import namedtuple

from voxwire.card import Area, ChoicePage, ImagePage, QrPage, layout, qr_layout
from voxwire.type.roles import ACCENT, BAR, BAR_INK, DIM, INK, PAPER

from screen.cells import clip, width

# kind and what it draws: "fill" None (a rectangle of `ink`); "text", "bold" and "big" (twice as
# high and wide, and bold) the text; "icon" (name, doublings); "qr" a QrPage; "strip" (blob, index,
# flush right); "image" blob ("sign": a small one whose first colour is the paper); "type" (face,
# text) from its pen on, x and the baseline y + `height` - face's descent; "box" the radius of its
# corners; "smooth" (blob, index). ink and paper are roles of the theme (voxwire.type.roles).
Item = namedtuple("Item", ("kind", "x", "y", "width", "height", "what", "ink", "paper"))

# Up to this many pages are dots on a round screen; more are a number.
_DOTS_MAX = 9
HINT_CHOOSE = "hold: choose"


def fill(x, y, wide, high, ink):
    """A rectangle."""
    return Item("fill", x, y, wide, high, None, ink, PAPER)


def text(cell, x, y, line, ink=INK, paper=PAPER, bold=False):
    """A line of text from its left edge on."""
    kind = "bold" if bold else "text" if cell[1] < 32 else "big"
    return Item(kind, x, y, width(line) * cell[0], cell[1], line, ink, paper)


def centred(cell, area, line, ink=INK, paper=PAPER, bold=False):
    """A line of text in the middle of an area's row, clipped to it."""
    line = clip(line, area.cols)
    x = area.x + (area.cols * cell[0] - width(line) * cell[0]) // 2
    return text(cell, x, area.y, line, ink, paper, bold)


def words(cell, x, y, cols, what, ink, paper, bold=False):
    """A title or a label in one row: text, or a strip (a Line of voxwire.card)."""
    if isinstance(what, str):
        return text(cell, x, y, clip(what, cols, True), ink, paper, bold)
    what = (what.blob, what.index, what.style == "sr")
    return Item("strip", x, y, cols * cell[0], cell[1], what, ink, paper)


def title_bar(screen, grid, title, badge="", paper=BAR):
    """The title in a band of its own; `badge` is one sign at its end."""
    cell, area = screen.cell, grid.title
    band = fill(0, 0, screen.width, grid.bar, paper)
    if screen.shape == "round" and isinstance(title, str):
        line = badge + " " + title if badge else title
        return [band, centred(cell, area, line, BAR_INK, paper, True)]
    cols = area.cols - (2 if badge else 0)
    items = [band, words(cell, area.x, area.y, cols, title, BAR_INK, paper, True)]
    if badge:
        x = area.x + (area.cols - 1) * cell[0]
        items.append(text(cell, x, area.y, badge, BAR_INK, paper))
    return items


def foot_row(screen, area, rule, note, index, count):
    """The foot: a note, and which page this is."""
    if not area.rows:
        return []
    if screen.shape == "round":
        return _round_foot(screen, area, note, index, count)
    items = []
    number = "%d/%d" % (index + 1, count) if count > 1 else ""
    if rule >= 0 and (note or number):
        items.append(fill(area.x, rule, area.cols * screen.cell[0], 1, DIM))
    room = area.cols - (len(number) + 1 if number else 0)
    # Half a word says less than none.
    if note and (width(note) <= room or room >= 10):
        items.append(text(screen.cell, area.x, area.y, clip(note, room), DIM))
    if number:
        x = area.x + (area.cols - len(number)) * screen.cell[0]
        items.append(text(screen.cell, x, area.y, number))
    return items


def _round_foot(screen, area, note, index, count):
    items = []
    y = area.y
    if note:
        items.append(centred(screen.cell, area, note, DIM))
        y += screen.cell[1] + 2
    if count > _DOTS_MAX:
        below = Area(area.x, y, area.cols, 1)
        items.append(centred(screen.cell, below, "%d/%d" % (index + 1, count)))
    elif count > 1:
        size = screen.cell[0] * 3 // 4
        x = (screen.width - (2 * count - 1) * size) // 2
        y += (screen.cell[1] - size) // 2
        for page in range(count):
            ink = ACCENT if page == index else DIM
            if page == index:
                items.append(fill(x - 1, y - 1, size + 2, size + 2, ink))
            else:
                items.append(fill(x + size // 4, y + size // 4, size // 2, size // 2, ink))
            x += 2 * size
    return items


def body_lines(cell, area, lines):
    """A card's lines in an area, one a row; what does not fit is left away."""
    items = []
    y = area.y
    for line in lines[: area.rows]:
        if line.style in ("s", "sr"):
            what = (line.blob, line.index, line.style == "sr")
            wide = area.cols * cell[0]
            items.append(Item("strip", area.x, y, wide, cell[1], what, INK, PAPER))
        elif line.style == "h":
            items += _heading(cell, area, y, line.text)
        elif line.style == "b":
            items.append(_big(cell, area, y, line.text))
        elif line.style == "f":
            items += _field(cell, area, y, line)
        elif line.text:
            items.append(text(cell, area.x, y, clip(line.text, area.cols, True)))
        y += cell[1]
    return items


def _heading(cell, area, y, line):
    """Bold where a cell has room for it, underlined where it has not."""
    line = clip(line, area.cols, True)
    if cell[0] >= 8:
        return [text(cell, area.x, y, line, ACCENT, PAPER, True)]
    wide = width(line) * cell[0] - 1
    return [text(cell, area.x, y, line, ACCENT), fill(area.x, y + cell[1] - 1, wide, 1, ACCENT)]


def _big(cell, area, y, line):
    """Twice as large, over this row and the next."""
    line = clip(line, area.cols // 2, True)
    wide = 2 * width(line) * cell[0]
    return Item("big", area.x, y, wide, 2 * cell[1], line, INK, PAPER)


def _field(cell, area, y, line):
    """A name from the left, dim, and its value up to the right edge."""
    value = line.text[line.index :]
    x = area.x + (area.cols - width(value)) * cell[0]
    items = [text(cell, x, y, value)]
    if line.index:
        items.insert(0, text(cell, area.x, y, line.text[: line.index - 2], DIM))
    return items


def page_picture(screen, card, index, highlight=0, badge="", acted=""):
    """The picture of one page of a card.

    `badge` is a sign of what the voice does, `acted` the id of the option that was taken.
    """
    page = card.pages[index]
    if hasattr(page, "items"):
        from screen.type.page import drawn_picture  # few panels have faces of type

        return drawn_picture(screen, page, highlight, badge, acted)
    if isinstance(page, QrPage):
        # No badge: a code is not redrawn while it is up.
        return _qr_picture(screen, card, page, index)
    if isinstance(page, ImagePage) and not _image_fits(screen, page):
        x, y = (screen.width - page.width) // 2, (screen.height - page.height) // 2
        return [Item("image", x, y, page.width, page.height, page.blob, INK, PAPER)]
    grid = layout(screen, bool(page.title))
    items = title_bar(screen, grid, page.title, badge) if page.title else []
    note = card.foot
    if isinstance(page, ChoicePage):
        items += _choices(screen, grid.body, page, highlight, acted)
        note = note or HINT_CHOOSE
    elif isinstance(page, ImagePage):
        items += _image(screen, grid.body, page)
    else:
        items += body_lines(screen.cell, grid.body, page.lines)
    if badge and not page.title:
        note = badge + " " + note
    return items + foot_row(screen, grid.foot, grid.rule, note, index, len(card.pages))


def _choices(screen, area, page, highlight, acted):
    """The question, then as many options as fit around the highlighted one."""
    cell = screen.cell
    lines = page.lines[: max(0, area.rows - 1)]
    items = body_lines(cell, area, lines)
    rows = area.rows - len(lines)
    first = max(0, min(highlight - rows // 2, len(page.options) - rows))
    wide = area.cols * cell[0]
    for row, option in enumerate(page.options[first : first + rows]):
        y = area.y + (len(lines) + row) * cell[1]
        marked = first + row == highlight
        if marked:
            items.append(fill(area.x, y, wide, cell[1], BAR))
        ink, paper = (BAR_INK, BAR) if marked else (INK, PAPER)
        sign = "✓" if option.id == acted else "▸" if marked else "·"
        items.append(text(cell, area.x, y, sign, ink, paper))
        x, cols = area.x + 2 * cell[0], area.cols - 2
        items.append(words(cell, x, y, cols, option.label, ink, paper))
    return items


def _image_fits(screen, page):
    area = layout(screen, bool(page.title)).body
    lines = len(page.lines) * screen.cell[1]
    return page.height + lines <= area.rows * screen.cell[1]


def _image(screen, area, page):
    free = area.rows * screen.cell[1] - page.height - len(page.lines) * screen.cell[1]
    x, y = (screen.width - page.width) // 2, area.y + free // 2
    items = [Item("image", x, y, page.width, page.height, page.blob, INK, PAPER)]
    for line in page.lines:
        below = Area(area.x, y + page.height, area.cols, 1)
        items += _caption(screen.cell, below, line, DIM)
        y += screen.cell[1]
    return items


def _caption(cell, area, line, ink=INK):
    """A line below a picture or a code: in the middle, or where its strip stands."""
    if line.style == "":
        return [centred(cell, area, line.text, ink)]
    return body_lines(cell, area, (line,))


def _qr_picture(screen, card, page, index):
    """The code with its texts beside or around it."""
    cell = screen.cell
    areas = qr_layout(screen, page.modules, page.scale, page.quiet)
    items = []
    if page.title and areas.title.rows:
        items += _qr_title(screen, areas, page.title)
    items.append(Item("qr", areas.x, areas.y, areas.side, areas.side, page, INK, PAPER))
    if areas.caption.rows == 1 or screen.shape == "round":
        if page.lines and areas.caption.rows:
            items += _caption(cell, areas.caption, page.lines[0])
    else:
        items += body_lines(cell, areas.caption, page.lines)
    note = "" if screen.shape == "round" else card.foot
    return items + foot_row(screen, areas.foot, -1, note, index, len(card.pages))


def _qr_title(screen, areas, title):
    cell, area = screen.cell, areas.title
    if screen.shape == "round":
        if isinstance(title, str):
            return [centred(cell, area, title, ACCENT, PAPER, True)]
        return [words(cell, area.x, area.y, area.cols, title, ACCENT, PAPER)]
    beside = area.x >= areas.x + areas.side
    x = areas.x + areas.side + 2 if beside else 0
    band = fill(x, 0, screen.width - x, layout(screen).bar, BAR)
    return [band, words(cell, area.x, area.y, area.cols, title, BAR_INK, BAR, True)]

"""The cut-down card: finished pages a small screen can show, and where on the screen they go.

On the wire one JSON object (short keys, it crosses a radio and sits in a small heap):
`id`, `rev`, `pages`, and where they apply `foot`, `ttl` (s), `prio`, `play` {`auto`,`loop`},
`res` (ids of the blobs it is drawn from; pictures may come after it).
A page has `k`: "t" text with `l` lines; "q" QR with `n` modules a side, `d` rows (base64, a row
padded to whole bytes, first module in the top bit, 1 = dark), `s` px a module, `z` quiet modules,
`l` caption lines; "a" choices with `o` [[id, label], ...] and `l` question lines; "i" picture
with `b` blob id, `w`, `h`, `l` caption lines. Any page may carry `t` (its title) and `ms` (how
long it shows when the card plays by itself). A line is text, ["h", text] (heading),
["b", text] (twice as large; the line after it is its lower half, empty or a field that stands
beside it), ["f", name, value] (a field: the name left, maybe empty, the value flush right), or
["s", blob id, index, right] (a strip drawn by the bridge; right 1 = flush right). A title or a
label is text or a strip.
A page of kind "d" was laid out by the bridge, for a panel with faces of type
(voxwire.type.drawing).
"""

from binascii import a2b_base64
from collections import namedtuple

from voxwire.errors import WireError
from voxwire.fields import read
from voxwire.value import ARRAY, STRING, check, integer

PAGES_MAX = 24
WIRE_BYTES_MAX = 4096
PAGE_MS_MAX = 3600000

Card = namedtuple(
    "Card", ("id", "rev", "pages", "foot", "ttl_s", "priority", "auto", "loop", "resources")
)
TextPage = namedtuple("TextPage", ("title", "lines", "ms"))
QrPage = namedtuple("QrPage", ("title", "lines", "ms", "modules", "rows", "scale", "quiet"))
ChoicePage = namedtuple("ChoicePage", ("title", "lines", "ms", "options"))
ImagePage = namedtuple("ImagePage", ("title", "lines", "ms", "blob", "width", "height"))
Option = namedtuple("Option", ("id", "label"))
# style: "", "h", "b", "f", "s", "sr"; index: of the strip, or where in the text a field's value is
Line = namedtuple("Line", ("style", "text", "blob", "index"))

_CARD = (
    "id:string rev:0..1000000000=0 pages:array foot:string= ttl:0..2678400=0 prio:0..100=0"
    " play:object? res:array?"
)
_QR = "n:21..177 d:string s:1..16 z:0..8=1"
_IMAGE = "b:1..65535 w:1..1024 h:1..1024"
_BLOB, _INDEX, _MS = integer(1, 65535), integer(0, 65535), integer(0, PAGE_MS_MAX)


def text_line(text: str) -> Line:
    """A plain line."""
    return Line("", text, None, None)


def heading(text: str) -> Line:
    """A line that stands out."""
    return Line("h", text, None, None)


def big(text: str) -> Line:
    """A line twice as high and wide, which takes the row after its own too."""
    return Line("b", text, None, None)


def field(name: str, value: str) -> Line:
    """A name and its value in one row, the value flush right; its text is `name: value`."""
    text = name + ": " + value if name else value
    return Line("f", text, None, len(text) - len(value))


def strip(blob: int, index: int, right: bool = False) -> Line:
    """A line the bridge drew: picture `index` of blob `blob`."""
    return Line("sr" if right else "s", "", blob, index)


def row_bytes(modules: int) -> int:
    """Bytes of one packed QR row."""
    return (modules + 7) // 8


def _read_line(data, part: str) -> Line:
    if isinstance(data, str):
        return text_line(data)
    if isinstance(data, list) and data:
        if data[0] in ("h", "b") and len(data) == 2 and isinstance(data[1], str):
            return Line(data[0], data[1], None, None)
        if data[0] == "f" and len(data) == 3 and all(isinstance(each, str) for each in data):
            return field(data[1], data[2])
        if data[0] == "s" and len(data) == 4:
            blob = check(data[1], _BLOB, part)
            return strip(blob, check(data[2], _INDEX, part), data[3] == 1)
    raise WireError(part, "is no line")


def _read_words(data, part: str):
    """A title or a label: text, or a strip."""
    if isinstance(data, list):
        line = _read_line(data, part)
        if line.blob is not None:
            return line
    return check(data, STRING, part)


def _read_qr(data, title, lines, ms, part: str) -> QrPage:
    modules, packed, scale, quiet = read(_QR, data, part)
    return QrPage(title, lines, ms, modules, _read_rows(modules, packed, part), scale, quiet)


def _read_rows(modules: int, packed: str, part: str) -> bytes:
    if (modules - 17) % 4:
        raise WireError(part + ".n", "is no QR size")
    try:
        rows = a2b_base64(packed)
    except ValueError:
        raise WireError(part + ".d", "is not base64")
    if len(rows) != modules * row_bytes(modules):
        raise WireError(part + ".d", "has the wrong length")
    return rows


def _read_choices(data, title, lines, ms, part: str) -> ChoicePage:
    options = []
    for pair in check(data.get("o"), ARRAY, part + ".o"):
        if not isinstance(pair, list) or len(pair) != 2:
            raise WireError(part + ".o", "must hold [id, label] pairs")
        options.append(
            Option(check(pair[0], STRING, part + ".o"), _read_words(pair[1], part + ".o"))
        )
    if not options:
        raise WireError(part + ".o", "is empty")
    return ChoicePage(title, lines, ms, tuple(options))


def _read_page(data, part: str):
    if not isinstance(data, dict):
        raise WireError(part, "must be a JSON object")
    kind = data.get("k")
    title = _read_words(data.get("t") or "", part + ".t")
    ms = check(data.get("ms") or 0, _MS, part + ".ms")
    lines = tuple(
        _read_line(line, part + ".l") for line in check(data.get("l") or [], ARRAY, part + ".l")
    )
    if kind == "t":
        return TextPage(title, lines, ms)
    if kind == "q":
        return _read_qr(data, title, lines, ms, part)
    if kind == "a":
        return _read_choices(data, title, lines, ms, part)
    if kind == "i":
        blob, width, height = read(_IMAGE, data, part)
        return ImagePage(title, lines, ms, blob, width, height)
    if kind == "d":
        return _read_drawn(data, ms, part)
    raise WireError(part + ".k", "is no page kind")


def _read_drawn(data, ms, part: str):
    try:
        from voxwire.type import drawing  # few panels have faces of type
    except ImportError:
        raise WireError(part, "is laid out in type, of which this device has none")
    items = drawing.read_items(check(data.get("g"), ARRAY, part + ".g"), part + ".g")
    choices = drawing.read_choices(
        check(data.get("o") or [], ARRAY, part + ".o"), _read_words, part + ".o"
    )
    code = None
    if data.get("n") is not None:
        modules, packed, scale, quiet = read(_QR, data, part)
        x, y = read("x:0..1024 y:0..1024", data, part)
        rows = _read_rows(modules, packed, part)
        code = drawing.Code(x, y, modules, rows, scale, quiet)
    return drawing.DrawnPage("", (), ms, items, choices, code)


def from_data(data) -> Card:
    """The card in a JSON object; WireError naming the first wrong place."""
    card_id, rev, pages, foot, ttl, priority, play, resources = read(_CARD, data, "card")
    if not 1 <= len(pages) <= PAGES_MAX:
        raise WireError("card.pages", "must be 1 to %d" % PAGES_MAX)
    play = play or {}
    return Card(
        card_id,
        rev,
        tuple(_read_page(page, "card.pages.%d" % index) for index, page in enumerate(pages)),
        foot,
        ttl,
        priority,
        bool(play.get("auto")),
        bool(play.get("loop")),
        tuple(check(blob, _BLOB, "card.res") for blob in resources or ()),
    )


# Where things go. Both sides use it: the bridge to break lines, the device to draw them.

# Corner in px and the cells that fit; 0 rows: no room for it on this screen.
Area = namedtuple("Area", ("x", "y", "cols", "rows"))
Layout = namedtuple(
    "Layout",
    (
        "title",  # one row
        "body",
        "foot",  # one row: foot text left, page indicator right; both centred on round screens
        "bar",  # px from the top edge that the title's band covers, 0 without a title
        "rule",  # y of the hairline above the foot, -1 without
    ),
)
QrLayout = namedtuple(
    "QrLayout",
    ("x", "y", "side", "caption", "title", "foot"),  # the light square in px, then three areas
)

_NONE = Area(0, 0, 0, 0)
# Rows of body text on a round screen fill this much of the diameter, in 1/100: fewer rows are
# longer ones, and title and foot still find a chord of half the diameter above and below.
_ROUND_BODY = 54
# A column of fewer cells beside a QR code says nothing.
_BESIDE_MIN = 5


def _air(screen) -> int:
    """Spare px around a band of text: none where every row counts."""
    if screen.cell[1] < 16:
        return 0
    return 2 if screen.height >= 160 else 1


def _chord(screen, top: int, bottom: int) -> Area:
    """The row of cells that fits a round screen between two heights, inside a small margin."""
    cell_width = screen.cell[0]
    diameter = min(screen.width, screen.height)
    away = max(abs(diameter - 2 * top), abs(diameter - 2 * bottom))
    square = diameter * diameter - away * away
    # Integers only: the two interpreters' floats must not disagree by a cell.
    length = 0
    while (length + 1) * (length + 1) <= square:
        length += 1
    cols = max(0, length - cell_width) // cell_width
    x = (screen.width - cols * cell_width) // 2
    return Area(x, top + (screen.height - diameter) // 2, cols, 1)


def _round_layout(screen, titled: bool) -> Layout:
    cell_height = screen.cell[1]
    diameter = min(screen.width, screen.height)
    air = 2 + 2 * _air(screen)
    rows = diameter * _ROUND_BODY // 100 // cell_height
    top = (diameter - rows * cell_height) // 2
    bottom = top + rows * cell_height
    title = _chord(screen, top - air - cell_height, top - air)
    foot = _chord(screen, bottom + air, bottom + air + cell_height)
    body = _chord(screen, top, bottom)
    body = Area(body.x, body.y, body.cols, rows)
    return Layout(title, body, foot, body.y - air // 2 if titled else 0, -1)


def layout(screen, titled: bool = True) -> Layout:
    """Title, body and foot of a page on a capability's screen.

    Without a title the body of a rectangular screen starts at the top edge; lines broken for a
    titled page always fit an untitled one.
    """
    if screen.shape == "round":
        return _round_layout(screen, titled)
    cell_width, cell_height = screen.cell
    air = _air(screen)
    cols = (screen.width - 4 * air) // cell_width
    x = (screen.width - cols * cell_width) // 2
    bar = cell_height + (2 * air or 1) if titled else 0
    foot = Area(x, screen.height - cell_height - air, cols, 1)
    rule = foot.y - max(1, air)
    if rule - bar < cell_height:
        # Hardly two rows: they are title and body.
        foot, rule = Area(x, foot.y, cols, 0), -1
    room = (screen.height if rule < 0 else rule) - bar
    rows = max(1, room // cell_height)
    y = bar + max(0, room - rows * cell_height) // 2 if titled else air
    return Layout(Area(x, air, cols, 1), Area(x, y, cols, rows), foot, bar, rule)


def qr_layout(screen, modules: int, scale: int, quiet: int) -> QrLayout:
    """The light square of a QR page with its title, caption and foot beside or around it."""
    cell_width = screen.cell[0]
    side = (modules + 2 * quiet) * scale
    if screen.shape == "round":
        return _qr_round(screen, side)
    beside = (screen.width - side - 4) // cell_width
    if screen.width > screen.height and beside >= _BESIDE_MIN:
        return _qr_beside(screen, side, beside)
    return _qr_below(screen, side)


def _qr_beside(screen, side: int, cols: int) -> QrLayout:
    spare = screen.width - side - 4 - cols * screen.cell[0]
    y = (screen.height - side) // 2
    x = min(y, spare)
    grid = layout(screen)
    # Four columns stay free between the square and the text, so that the code keeps its edge.
    text_x = x + side + 4 + (spare - x) // 2
    return QrLayout(
        x,
        y,
        side,
        Area(text_x, grid.body.y, cols, grid.body.rows),
        Area(text_x, grid.title.y, cols, 1),
        Area(text_x, grid.foot.y, cols, grid.foot.rows),
    )


def _qr_below(screen, side: int) -> QrLayout:
    cell_width, cell_height = screen.cell
    grid = layout(screen)
    x = (screen.width - side) // 2
    text_x, cols = grid.foot.x, grid.foot.cols
    spare = screen.height - side
    foot = screen.height - grid.foot.y
    rows = (spare - grid.bar - foot - 4) // cell_height
    if rows >= 1:
        rows = min(rows, 3)
        free = spare - grid.bar - foot - rows * cell_height
        y = grid.bar + free // 3
        caption = Area(text_x, grid.foot.y - rows * cell_height - free // 3, cols, rows)
        return QrLayout(x, y, side, caption, grid.title, grid.foot)
    rows = (spare - 2) // cell_height
    if rows >= 2:
        caption = Area(text_x, screen.height - rows * cell_height, cols, rows - 1)
        y = (caption.y - side) // 2
        return QrLayout(x, y, side, caption, _NONE, grid.foot)
    if rows == 1 and cols > 10:
        # One row for both: the host, and 2/5 at its end.
        y = screen.height - cell_height
        foot_x = text_x + (cols - 5) * cell_width
        return QrLayout(
            x, (y - side) // 2, side, Area(text_x, y, cols - 6, 1), _NONE, Area(foot_x, y, 5, 1)
        )
    return QrLayout(x, spare // 2, side, _NONE, _NONE, _NONE)


def _qr_round(screen, side: int) -> QrLayout:
    cell_height = screen.cell[1]
    diameter = min(screen.width, screen.height)
    top = (diameter - side) // 2
    title = _chord(screen, max(0, top - 4 - cell_height), max(0, top - 4))
    below = top + side + 4
    caption = _chord(screen, below, below + cell_height)
    foot = _chord(screen, below + cell_height, below + 2 * cell_height)
    if title.cols < _BESIDE_MIN:
        title = caption = _NONE
    if foot.cols < _BESIDE_MIN:
        foot = _NONE
    x, y = (screen.width - side) // 2, (screen.height - side) // 2
    return QrLayout(x, y, side, caption, title, foot)

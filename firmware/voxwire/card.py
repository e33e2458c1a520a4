"""The cut-down card: finished pages a small screen can show, and where on the screen they go.

On the wire one JSON object (short keys, it crosses a radio and sits in a small heap):
`id`, `rev`, `pages`, and where they apply `foot`, `ttl` (s), `prio`, `play` {`auto`,`loop`},
`res` (ids of the blobs that must be there before the card is drawn).
A page has `k`: "t" text with `l` lines; "q" QR with `n` modules a side, `d` rows (base64, a row
padded to whole bytes, first module in the top bit, 1 = dark), `s` px a module, `z` quiet modules,
`l` caption lines; "a" choices with `o` [[id, label], ...] and `l` question lines; "i" picture
with `b` blob id, `w`, `h`, `l` caption lines. Any page may carry `t` (its title) and `ms` (how
long it shows when the card plays by itself). A line is text, ["h", text] (heading), or
["s", blob id, index, right] (a strip drawn by the bridge; right 1 = flush right).
"""

from binascii import a2b_base64, b2a_base64
from collections import namedtuple

from voxwire.errors import WireError
from voxwire.fields import check, optional, read, required

PAGES_MAX = 24
WIRE_BYTES_MAX = 4096

Card = namedtuple(
    "Card", ("id", "rev", "pages", "foot", "ttl_s", "priority", "auto", "loop", "resources")
)
TextPage = namedtuple("TextPage", ("title", "lines", "ms"))
QrPage = namedtuple("QrPage", ("title", "lines", "ms", "modules", "rows", "scale", "quiet"))
ChoicePage = namedtuple("ChoicePage", ("title", "lines", "ms", "options"))
ImagePage = namedtuple("ImagePage", ("title", "lines", "ms", "blob", "width", "height"))
Option = namedtuple("Option", ("id", "label"))
Line = namedtuple("Line", ("style", "text", "blob", "index"))  # style: "", "h", "s", "sr"

_CARD = (
    required("id", "string"),
    optional("rev", "integer", 0),
    required("pages", "list"),
    optional("foot", "string", ""),
    optional("ttl", "integer", 0),
    optional("prio", "integer", 0),
    optional("play", "object"),
    optional("res", "list"),
)
_QR = (
    required("n", "integer"),
    required("d", "string"),
    required("s", "integer"),
    optional("z", "integer", 1),
)
_IMAGE = (required("b", "integer"), required("w", "integer"), required("h", "integer"))


def text_line(text: str) -> Line:
    """A plain line."""
    return Line("", text, None, None)


def heading(text: str) -> Line:
    """A line that stands out."""
    return Line("h", text, None, None)


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
        if data[0] == "h" and len(data) == 2 and isinstance(data[1], str):
            return heading(data[1])
        if data[0] == "s" and len(data) == 4:
            blob = check(data[1], "integer", part)
            return strip(blob, check(data[2], "integer", part), data[3] == 1)
    raise WireError(part, "is no line")


def _write_line(line: Line):
    if line.style == "":
        return line.text
    if line.style == "h":
        return ["h", line.text]
    return ["s", line.blob, line.index, 1 if line.style == "sr" else 0]


def _read_qr(data, title, lines, ms, part: str) -> QrPage:
    modules, packed, scale, quiet = read(_QR, data, part)
    if not 21 <= modules <= 177 or (modules - 17) % 4:
        raise WireError(part + ".n", "is no QR size")
    if not 1 <= scale <= 16 or not 0 <= quiet <= 8:
        raise WireError(part + ".s", "is out of range")
    try:
        rows = a2b_base64(packed)
    except ValueError:
        raise WireError(part + ".d", "is not base64")
    if len(rows) != modules * row_bytes(modules):
        raise WireError(part + ".d", "has the wrong length")
    return QrPage(title, lines, ms, modules, rows, scale, quiet)


def _read_choices(data, title, lines, ms, part: str) -> ChoicePage:
    options = []
    for pair in check(data.get("o"), "list", part + ".o"):
        if not isinstance(pair, list) or len(pair) != 2:
            raise WireError(part + ".o", "must hold [id, label] pairs")
        options.append(
            Option(check(pair[0], "string", part + ".o"), check(pair[1], "string", part + ".o"))
        )
    if not options:
        raise WireError(part + ".o", "is empty")
    return ChoicePage(title, lines, ms, tuple(options))


def _read_page(data, part: str):
    if not isinstance(data, dict):
        raise WireError(part, "must be a JSON object")
    kind = data.get("k")
    title = check(data.get("t") or "", "string", part + ".t")
    ms = check(data.get("ms") or 0, "integer", part + ".ms")
    lines = tuple(
        _read_line(line, part + ".l") for line in check(data.get("l") or [], "list", part + ".l")
    )
    if kind == "t":
        return TextPage(title, lines, ms)
    if kind == "q":
        return _read_qr(data, title, lines, ms, part)
    if kind == "a":
        return _read_choices(data, title, lines, ms, part)
    if kind == "i":
        blob, width, height = read(_IMAGE, data, part)
        if not 1 <= width <= 1024 or not 1 <= height <= 1024:
            raise WireError(part + ".w", "is out of range")
        return ImagePage(title, lines, ms, blob, width, height)
    raise WireError(part + ".k", "is no page kind")


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
        tuple(check(blob, "integer", "card.res") for blob in resources or ()),
    )


def _page_data(page):
    data = {}
    if page.title:
        data["t"] = page.title
    if page.lines:
        data["l"] = [_write_line(line) for line in page.lines]
    if page.ms:
        data["ms"] = page.ms
    if isinstance(page, QrPage):
        data["k"] = "q"
        data["n"] = page.modules
        data["d"] = b2a_base64(page.rows).decode().strip()
        data["s"] = page.scale
        data["z"] = page.quiet
    elif isinstance(page, ChoicePage):
        data["k"] = "a"
        data["o"] = [[option.id, option.label] for option in page.options]
    elif isinstance(page, ImagePage):
        data["k"] = "i"
        data["b"] = page.blob
        data["w"] = page.width
        data["h"] = page.height
    else:
        data["k"] = "t"
    return data


def to_data(card: Card):
    """The JSON object of a card; parts at their default are left out."""
    data = {"id": card.id, "rev": card.rev, "pages": [_page_data(page) for page in card.pages]}
    for key, value in (
        ("foot", card.foot),
        ("ttl", card.ttl_s),
        ("prio", card.priority),
        ("res", list(card.resources)),
    ):
        if value:
            data[key] = value
    if card.auto or card.loop:
        data["play"] = {"auto": card.auto, "loop": card.loop}
    return data


# Where things go. Both sides use it: the bridge to break lines, the device to draw them.

Area = namedtuple("Area", ("x", "y", "cols", "rows"))  # px of the corner, cells that fit
Layout = namedtuple("Layout", ("title", "body", "foot"))  # three areas, title and foot of one row
QrLayout = namedtuple("QrLayout", ("x", "y", "side", "caption"))  # light square in px, text area

# Side of the square inscribed in a circle, in 1/1000 of its diameter.
_INSCRIBED = 707


def layout(screen) -> Layout:
    """Title row, body rows and foot row of a text page on a capability's screen."""
    cell_width, cell_height = screen.cell
    if screen.shape == "round":
        side = min(screen.width, screen.height) * _INSCRIBED // 1000
        width = height = side
    else:
        width, height = screen.width, screen.height
    cols, rows = width // cell_width, height // cell_height
    x = (screen.width - cols * cell_width) // 2
    y = (screen.height - rows * cell_height) // 2
    foot_y = y + (rows - 1) * cell_height
    return Layout(
        Area(x, y, cols, 1),
        Area(x, y + cell_height, cols, rows - 2),
        Area(x, foot_y, cols, 1),
    )


def qr_layout(screen, modules: int, scale: int, quiet: int) -> QrLayout:
    """The light square of a QR page and the text area beside or below it (0 cells: no room)."""
    cell_width, cell_height = screen.cell
    side = (modules + 2 * quiet) * scale
    beside = (screen.width - side) // cell_width
    below = (screen.height - side) // cell_height
    if screen.shape == "round":
        middle = Area(0, 0, 0, 0)
        return QrLayout((screen.width - side) // 2, (screen.height - side) // 2, side, middle)
    if beside * (screen.height // cell_height) >= below * (screen.width // cell_width):
        # One column stays dark between the square and the text.
        caption = Area(
            side + 4, 0, (screen.width - side - 4) // cell_width, screen.height // cell_height
        )
        if caption.cols < 4:
            caption = Area(0, 0, 0, 0)
            return QrLayout((screen.width - side) // 2, (screen.height - side) // 2, side, caption)
        return QrLayout(0, (screen.height - side) // 2, side, caption)
    cols = screen.width // cell_width
    x = (screen.width - cols * cell_width) // 2
    return QrLayout((screen.width - side) // 2, 0, side, Area(x, side, cols, below))

"""Counts, clips and breaks text by the cells of a screen."""

# East Asian Wide and Fullwidth, and pictographs (UAX 11), as blocks: they take two cells.
_WIDE = (
    (0x1100, 0x115F),
    (0x2E80, 0x303E),
    (0x3041, 0xA4CF),
    (0xA960, 0xA97F),
    (0xAC00, 0xD7A3),
    (0xF900, 0xFAFF),
    (0xFE30, 0xFE6F),
    (0xFF00, 0xFF60),
    (0xFFE0, 0xFFE6),
    (0x1F300, 0x1F64F),
    (0x1F680, 0x1F6FF),
    (0x1F900, 0x1FAFF),
    (0x20000, 0x3FFFD),
)
# Marks that sit on the character before them, joiners and controls: no cell. In order, as above.
_ZERO = (
    (0x300, 0x36F),
    (0x483, 0x489),
    (0x1AB0, 0x1AFF),
    (0x1DC0, 0x1DFF),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x20D0, 0x20FF),
    (0x302A, 0x302D),
    (0x3099, 0x309A),
    (0xFE00, 0xFE0F),
    (0xFE20, 0xFE2F),
    (0xFEFF, 0xFEFF),
    (0x1F3FB, 0x1F3FF),  # the skin of the emoji before it
    (0xE0020, 0xE01EF),  # tags, selectors
)
_PICTOGRAPHS = 0x1F000


def cells(code):
    """Cells a character takes: 2 wide, 0 for a mark on the one before, else 1."""
    if code < 0x300:
        return 1
    for first, last in _ZERO:
        if code < first:
            break
        if code <= last:
            return 0
    for first, last in _WIDE:
        if code < first:
            break
        if code <= last:
            return 2
    return 1


def codes(text):
    """The code points of a text; unlike its characters they are no objects on a heap."""
    code = left = 0
    for byte in text.encode():
        if byte < 0x80:
            yield byte
        elif byte < 0xC0:
            code = code << 6 | byte & 0x3F
            left -= 1
            if not left:
                yield code
        elif byte < 0xE0:
            code, left = byte & 0x1F, 1
        elif byte < 0xF0:
            code, left = byte & 0x0F, 2
        else:
            code, left = byte & 0x07, 3


def width(text, least=False):
    """Cells a line of text takes; `least` counts every pictograph as one."""
    total = len(text)
    if total == len(text.encode()):
        return total
    for code in codes(text):
        if code >= 0x300 and not (least and code >= _PICTOGRAPHS):
            total += cells(code) - 1
    return total


def clip(text, cols, least=False):
    """`text` in at most `cols` cells, ended by an ellipsis where something is lost.

    `least` is for lines that the bridge measured: of pictographs some are wide and some are not,
    too many to list here, and such a line must not be cut for them.
    """
    # No character takes more than two cells.
    if 2 * len(text) <= cols or width(text, least) <= cols:
        return text
    if cols < 1:
        return ""
    # One cell for the ellipsis.
    used, kept = 1, 0
    for code in codes(text):
        used += cells(code)
        if used > cols:
            break
        kept += 1
    return text[:kept].rstrip() + "…"


def wrap(text, cols, rows):
    """Lines of at most `cols` cells, at most `rows` of them; the last is clipped when more is."""
    lines, line, used = [], "", 0
    for word in _words(text, cols):
        if word == "\n" or (used and used + 1 + width(word) > cols):
            lines.append(line)
            line, used = "", 0
        if word != "\n":
            line = line + " " + word if used else word
            used = width(line)
    if used:
        lines.append(line)
    if len(lines) <= rows:
        return lines
    return lines[: rows - 1] + [clip(lines[rows - 1] + " " + lines[rows], cols)] if rows else []


def _words(text, cols):
    """Words no longer than a row, with a newline for each that the text holds."""
    for number, paragraph in enumerate(text.split("\n")):
        if number:
            yield "\n"
        for word in paragraph.split():
            while width(word) > cols:
                cut = max(1, len(clip(word, cols + 1)) - 1)
                yield word[:cut]
                word = word[cut:]
            if word:
                yield word

"""Text in cells: how wide it is, where a line may break, which script it is in."""

import re
import unicodedata
from collections.abc import Iterator

from voxcard.cards.text.sanitize import clean

ELLIPSIS = "…"

# Our own line breaking: uniseg 0.10 (UAX 14) takes 52 ms a KB, the whole budget of a card is 2,
# and it breaks Korean inside words, which keep together here.
# Breaking before these, or after the openers, would look wrong in any script (UAX 14 CL and OP).
_CLOSERS = frozenset(
    ")]}»”’!?.,:;%、。，．！？：；）」』】》〉ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ"
)
_OPENERS = frozenset("([{«“‘（「『【《〈")
_BREAK_AFTER = frozenset("-/\u200b")
_WORDS = re.compile(r" +|[^ ]+")
# Scripts that a fixed-cell font cannot write letter by letter: right to left, or shaped.
_SHAPED = re.compile(
    "[\u0590-\u08ff\u0900-\u0dff\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u1a00-\u1aaf"
    "\u1b00-\u1c4f\ua840-\ua8ff\ua980-\ua9df\uaa00-\uaadf\uabc0-\uabff\ufb1d-\ufdff\ufe70-\ufefc"
    "\U00010800-\U00010fff\U00011000-\U00011fff\U0001e800-\U0001efff]"
)


class _Widths(dict[str, int]):
    """Cells of a character: 2 wide, 0 for marks and joiners; worked out once for each."""

    def __missing__(self, character: str) -> int:
        if unicodedata.category(character) in ("Mn", "Me", "Cf"):
            cells = 0
        else:
            cells = 2 if unicodedata.east_asian_width(character) in "WF" else 1
        if len(self) < 20_000:
            self[character] = cells
        return cells


_WIDTHS = _Widths()


def width(text: str) -> int:
    """Cells that `text` (one line) takes."""
    return len(text) if text.isascii() else sum(map(_WIDTHS.__getitem__, text))


def is_shaped(text: str) -> bool:
    """The line needs shaping or right-to-left order, so the bridge has to draw it."""
    return not text.isascii() and _SHAPED.search(text) is not None


def cut(text: str, cols: int) -> str:
    """`text` in at most `cols` cells, with an ellipsis when something had to go."""
    if width(text) <= cols:
        return text
    if cols <= 0:
        return ""
    start = _head(text, cols - 1)[0].rstrip()
    return start + ELLIPSIS if width(start) < cols else ELLIPSIS


def plain_line(text: str) -> str:
    """A line for letter-by-letter drawing: nothing in it that takes no cell.

    Joiners and direction marks are no glyphs; a mark that NFC could not compose has no cell of
    its own, and a device would draw it beside its letter.
    """
    if text.isascii():
        return text
    return "".join(character for character in text if _WIDTHS[character])


def wrap(text: str, cols: int, lines_max: int = 10_000) -> list[str]:
    """`text` as lines of at most `cols` cells, cut at word ends; line breaks are kept.

    Words longer than a line are cut between characters, never before a combining mark; between
    Chinese or Japanese characters a line may break anywhere but before closing marks. At most
    `lines_max` lines come back, whatever the length of `text`.
    """
    cols = max(cols, 2)  # a wide character takes two
    lines: list[str] = []
    for paragraph in clean(text[: cols * lines_max * 8]).split("\n"):
        for line in _paragraph(paragraph, cols):
            if len(lines) == lines_max:
                return lines
            lines.append(line)
    return lines


def _paragraph(text: str, cols: int) -> Iterator[str]:
    if width(text) <= cols:
        yield text.rstrip().replace("\u200b", "")
        return
    line, used = "", 0
    for piece in _pieces(text):
        cells = width(piece)
        if used + cells <= cols:
            line, used = line + piece, used + cells
            continue
        if line.strip():
            yield line.rstrip()
            line, used = "", 0
            if piece[0] == " ":
                continue
        while width(piece) > cols:
            head, piece = _head(piece, cols)
            yield head
        line, used = piece, width(piece)
    if line.strip():
        yield line.rstrip()


def _pieces(text: str) -> Iterator[str]:
    """Runs that stay together: a word, a run of spaces, an ideograph with its closing marks."""
    for found in _WORDS.finditer(text):
        word = found[0]
        if word[0] == " " or (word.isascii() and not _BREAK_AFTER.intersection(word)):
            yield word
        else:
            yield from _cut_word(word)


def _cut_word(word: str) -> Iterator[str]:
    piece = ""
    for character in word:
        if piece and _may_break(piece[-1], character):
            yield piece.replace("\u200b", "")
            piece = ""
        piece += character
    piece = piece.replace("\u200b", "")
    if piece:
        yield piece


def _may_break(before: str, after: str) -> bool:
    if _WIDTHS[after] == 0 or after in _CLOSERS or before in _OPENERS:
        return False
    if before in _BREAK_AFTER:
        return before != after
    # Korean is written with spaces and keeps its words whole.
    return (_WIDTHS[before] == 2 and not _hangul(before)) or (
        _WIDTHS[after] == 2 and not _hangul(after)
    )


def _hangul(character: str) -> bool:
    return "\uac00" <= character <= "\ud7a3" or "\u1100" <= character <= "\u11ff"


def _head(text: str, cols: int) -> tuple[str, str]:
    """The longest start of `text` within `cols` cells, at least one character, and the rest."""
    used = end = 0
    for end, character in enumerate(text):
        used += _WIDTHS[character]
        if used > cols and end:
            return text[:end], text[end:]
    return (text, "") if used <= cols or len(text) < 2 else (text[:end], text[end:])

"""Text in cells: how wide it is, where a line may break, which script it is in."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator

from voxcard.cards.text.sanitize import clean

ELLIPSIS = "…"
Measure = Callable[[str], int]  # the width of a text, in cells or in px

# Our own line breaking: uniseg 0.10 (UAX 14) takes 52 ms a KB, the whole budget of a card is 2,
# and it breaks Korean inside words, which keep together here.
# Breaking before these, or after the openers, would look wrong in any script (UAX 14 CL and OP).
_CLOSERS = frozenset(
    ")]}»”’!?.,:;%、。，．！？：；）」』】》〉ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョๆฯໆຯ។៕៖၊။"
)
_OPENERS = frozenset("([{«“‘（「『【《〈")
_BREAK_AFTER = frozenset("-/\u200b་፡")
_WORDS = re.compile(r" +|[^ ]+")
_WORD_MAX = 200  # characters; a longer one is no word
_CUT_MAX = 1000  # characters that could be in a row
_REST_MIN = 3  # characters that a hyphen may leave for the next line
# Scripts that a fixed-cell font cannot write letter by letter: right to left, shaped, or too
# broad for one cell and too narrow for two (Ethiopic).
_SHAPED = re.compile(
    "[\u0590-\u08ff\u0900-\u0dff\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1200-\u139f"
    "\u1780-\u17ff\u1800-\u18af\u1a00-\u1aaf\u1b00-\u1c4f\u2d80-\u2ddf\ua840-\ua8ff"
    "\ua980-\ua9df\uaa00-\uaadf\uab00-\uab2f\uabc0-\uabff\ufb1d-\ufdff\ufe70-\ufefc"
    "\U00010800-\U00010fff\U00011000-\U00011fff\U0001e800-\U0001efff]"
)
# Thai, Lao, Myanmar, Khmer: no spaces between words.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\ua9e0-\ua9ff\uaa60-\uaa7f]")
# What is written before the letter it is said after, after the letter it belongs to, and what
# joins the letter before it to the one after it.
_LEADING = frozenset("เแโใไເແໂໃໄ")
_FOLLOWING = frozenset("ะาำๅະາຳ")
_JOINING = frozenset("\u094d\u09cd\u0a4d\u0acd\u0b4d\u0c4d\u0ccd\u0d4d\u0dca\u1039\u17d2")
_KILLED = frozenset("\u1039\u103a")  # a letter before these ends the syllable before it
_TONES = re.compile("[\U0001f3fb-\U0001f3ff]")  # the skin of the emoji before it


class _Widths(dict[str, int]):
    """Cells of a character: 2 wide, 0 for marks and joiners; worked out once for each."""

    def __missing__(self, character: str) -> int:
        if unicodedata.category(character) in ("Mn", "Me", "Cf") or _TONES.match(character):
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


def is_joined(character: str) -> bool:
    """Marks, joiners and spaces stay with what they stand in."""
    return unicodedata.category(character) in ("Mn", "Mc", "Me", "Cf", "Zs")


def cut(text: str, cols: int, measure: Measure = width) -> str:
    """`text` in at most `cols` cells, with an ellipsis when something had to go."""
    if measure(text) <= cols:
        return text
    room = cols - measure(ELLIPSIS)
    if room < 0:
        return ELLIPSIS if cols > 0 and measure is width else ""
    start = _head(text[:_CUT_MAX], room, measure)[0].rstrip()
    return start + ELLIPSIS if measure(start) <= room else ELLIPSIS


def without_tones(text: str) -> str:
    """`text` without the skin tones of emoji, which one bit a pixel cannot show."""
    return text if text.isascii() else _TONES.sub("", text)


def plain_line(text: str) -> str:
    """A line for letter-by-letter drawing: nothing in it that takes no cell.

    Joiners and direction marks are no glyphs; a mark that NFC could not compose has no cell of
    its own, and a device would draw it beside its letter.
    """
    if text.isascii():
        return text
    return "".join(character for character in text if _WIDTHS[character])


def wrap(
    text: str,
    cols: int,
    lines_max: int = 10_000,
    measure: Measure = width,
    hang: int = 0,
    hyphen: str = "",
) -> list[str]:
    """`text` as lines of at most `cols` cells, cut at word ends; line breaks are kept.

    Words longer than a line are cut between characters, never before a combining mark; between
    Chinese, Japanese, Thai, Lao, Khmer or Burmese characters a line may break anywhere but before
    closing marks. At most `lines_max` lines come back, whatever the length of `text`. `measure`
    gives widths in another unit, which `cols` is then in. Of each paragraph the first `hang`
    characters are a mark or as many blanks: where there is room, its lines stand beside them.
    A word that is cut between letters ends its line with the `hyphen`.
    """
    cols = max(cols, 2)  # a wide character takes two
    lines: list[str] = []
    for paragraph in clean(text[: cols * lines_max * 8]).split("\n"):
        for line in _paragraph(paragraph, cols, measure, hang, hyphen):
            if len(lines) == lines_max:
                return lines
            lines.append(line.replace("\xa0", " "))
    return lines


def _paragraph(text: str, cols: int, measure: Measure, hang: int, hyphen: str) -> Iterator[str]:
    if not text or (measure is width and width(text) <= cols):
        yield text.rstrip().replace("\u200b", "")
        return
    indent = _indent(text[:hang], cols, measure)
    line, used, begun = "", 0, False
    for piece in _pieces(text):
        size = measure(piece)
        if used + size <= cols:
            line, used = line + piece, used + size
            continue
        if not line.strip():
            if used * 3 > cols:  # blank space wider than an indent
                line, used = "", 0
        elif begun or not indent or len(line) > hang:
            yield line.rstrip()
            line, used, begun = indent, measure(indent), True
        if piece[0] == " ":
            continue
        while used + measure(piece) > cols:
            head, piece = _cut(piece, cols - used, measure, hyphen)
            yield line + head
            line, used, begun = indent, measure(indent), True
        line, used = line + piece, used + measure(piece)
    if line.strip():
        yield line.rstrip()


def _cut(piece: str, cols: int, measure: Measure, hyphen: str) -> tuple[str, str]:
    """The start of a piece that is within `cols`, with a hyphen where a word goes on, the rest."""
    whole = _head(piece, cols, measure)
    before, after = whole[0][-1:], whole[1][:1]
    if hyphen and before.isalpha() and after and not _unspaced(after):
        shorter = _head(piece, cols - measure(hyphen), measure)
        head, rest = shorter
        while len(rest) < _REST_MIN and len(head) > _REST_MIN:
            head, rest = head[:-1], head[-1] + rest
        if head[-1:].isalpha() and measure(head) + measure(hyphen) <= cols:
            return head + hyphen, rest
    return whole


def _indent(mark: str, cols: int, measure: Measure) -> str:
    """Spaces as wide as a mark, where it leaves room for its text."""
    size, space = measure(mark), measure(" ")
    return " " * round(size / space) if mark and size * 3 <= cols else ""


def _pieces(text: str) -> Iterator[str]:
    """Runs that stay together: a word, a run of spaces, an ideograph with its closing marks."""
    for match in _WORDS.finditer(text):
        word = match[0]
        if word.isascii() and not _BREAK_AFTER.intersection(word):
            yield from (word[at : at + _WORD_MAX] for at in range(0, len(word), _WORD_MAX))
        else:
            yield from _cut_word(word)


def _cut_word(word: str) -> Iterator[str]:
    piece = ""
    for index, character in enumerate(word):
        if piece and (_may_break(word, index) or len(piece) >= _WORD_MAX):
            yield piece.replace("\u200b", "")
            piece = ""
        piece += character
    piece = piece.replace("\u200b", "")
    if piece:
        yield piece


def _may_break(text: str, index: int) -> bool:
    """A line may end before the character at `index`."""
    before, after = text[index - 1], text[index]
    if after in _CLOSERS or before in _OPENERS or not _apart(text, index):
        return False
    if before in _BREAK_AFTER:
        return before != after and not _is_sign(text, index - 1)
    return _unspaced(before) or _unspaced(after)


def _is_sign(text: str, index: int) -> bool:
    """A minus before a number: nothing but brackets stands before it in its word."""
    following = text[index + 1 : index + 2]
    return text[index] == "-" and following.isdigit() and not any(map(str.isalnum, text[:index]))


def _apart(text: str, index: int) -> bool:
    """Whether the characters before and at `index` belong to different letters or syllables."""
    before, after = text[index - 1], text[index]
    if before.isascii() and after.isascii():
        return True
    if _WIDTHS[after] == 0 or unicodedata.category(after) == "Mc":
        return False
    if before in _JOINING or before in _LEADING or after in _FOLLOWING:
        return False
    return text[index + 1 : index + 2] not in _KILLED


def _unspaced(character: str) -> bool:
    """Of a script without spaces. Korean is written with spaces and keeps its words whole."""
    if _WIDTHS[character] == 2:
        return not _hangul(character)
    return _UNSPACED.match(character) is not None


def _hangul(character: str) -> bool:
    return "\uac00" <= character <= "\ud7a3" or "\u1100" <= character <= "\u11ff"


def _head(text: str, cols: int, measure: Measure) -> tuple[str, str]:
    """The longest start of `text` within `cols`, at least one letter, and the rest."""
    ends = [end for end in range(1, len(text)) if _apart(text, end)]
    # Of the whole start: letters that join are narrower than they are one by one.
    most = bisect_right(ends, cols, key=lambda end: measure(text[:end]))
    end = ends[max(0, most - 1)] if ends else len(text)
    return text[:end], text[end:]

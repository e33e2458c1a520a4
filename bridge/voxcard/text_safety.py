"""Sanitises foreign text for terminal, log and screen: no controls, no reordering."""

import re
import unicodedata

# Unicode's Stream-Safe Text Format (UAX #15, section 13) allows no longer run of combining marks:
# putting them into order takes time that grows with the square of the run.
MARKS_MAX = 30

# C0 and C1 without newline, line and paragraph separators, and halves of surrogate pairs, which
# are legal in JSON but in no encoding.
_CONTROLS: dict[int, str | None] = dict.fromkeys((*range(32), *range(0x7F, 0xA0), 0xFEFF))
_CONTROLS |= dict.fromkeys((0x0B, 0x0C, 0x85, 0x2028, 0x2029), "\n")
_CONTROLS |= {0x09: " "} | dict.fromkeys(range(0xD800, 0xE000), "\ufffd")
# Of the private use area: the codes of our own icons (cards.icons), which no source may forge.
_CONTROLS |= dict.fromkeys(range(0xE000, 0xE100), "\ufffd")
del _CONTROLS[0x0A]
# Marks and overrides that reorder what is beside them: a label must not read as another one.
_BIDI: dict[int, None] = dict.fromkeys(
    (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
)
# Sequences of a terminal: colours, cursor, clipboard (ECMA-48 5.4, 5.6; xterm ends with BEL too).
# Their one-character introducers (C1) are mostly a wrong encoding in text and only dropped; one
# that colours or clears goes with its numbers.
_SEQUENCE = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[P\]X^_][^\x07\x1b]*(?:\x07|\x1b\\)"
    r"|\x1b[ -/][0-~]|\x1b[0-?c-oDEHMNOZ]|\x9b[0-9;]{1,20}[A-HJKfmn]",
)
_CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ue000-\ue0ff]")


def clean(text: str) -> str:
    """NFC text without control characters and terminal sequences; any line break is a newline.

    Marks of direction stay: whoever draws right-to-left text needs them.
    """
    if text.isascii() and text.isprintable():
        return text
    if _CONTROL.search(text):
        text = _SEQUENCE.sub("", text)
        text = text.replace("\r\n", "\n").replace("\r", "\n").translate(_CONTROLS)
    if unicodedata.is_normalized("NFC", text):
        return text
    return unicodedata.normalize("NFC", _without_mark_runs(text))


def safe_text(text: str) -> str:
    """Cleaned text without marks of direction; it may have several lines."""
    return clean(_without_direction(text))


def safe_line(text: str, length_max: int | None = None) -> str:
    """One line: cleaned, without marks of direction, blanks joined and trimmed, cut to length."""
    if length_max is not None and len(text) > length_max:
        # Blanks and controls may go, so a little more is looked at than is kept.
        text = text[: 2 * length_max]
    line = " ".join(clean(_without_direction(text)).split())
    return line if length_max is None or len(line) <= length_max else line[: length_max - 1] + "…"


def has_controls(text: str) -> bool:
    """Whether `text` holds what `safe_line` takes out, blanks aside."""
    return "\n" in text or bool(_CONTROL.search(text)) or _without_direction(text) != text


def encodable(text: str) -> bool:
    """Whether `text` has a UTF-8 form: JSON may hold halves of surrogate pairs."""
    return text.isascii() or not any("\ud800" <= each <= "\udfff" for each in text)


def _without_direction(text: str) -> str:
    """`text` without marks and overrides of direction."""
    return text if text.isascii() else text.translate(_BIDI)


def _without_mark_runs(text: str) -> str:
    kept, run = [], 0
    for character in text:
        run = run + 1 if unicodedata.combining(character) else 0
        if run <= MARKS_MAX:
            kept.append(character)
    return "".join(kept)

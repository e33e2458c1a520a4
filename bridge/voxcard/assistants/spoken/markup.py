"""Lines of plain text out of Markdown, HTML and data: what of a tool's text is language."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

TEXT_MAX = 8000  # characters; some ten minutes of speech. Nothing longer reaches a pattern.
_JSON_TRIES = 12
_ITEM = re.compile(r"[ \t]{0,40}[-*+•◦‣][ \t]+")
_NUMBERED = re.compile(r"[ \t]{0,40}(\d{1,3})[.)][ \t]+")
_QUOTE_OR_HEADING = re.compile(r"[ \t]{0,40}(?:#{1,6}|>)[ \t]+")
_RULE = re.compile(r"[\s|:=_*-]*")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)")
_FOOTNOTE = re.compile(r"(?<=[\w.,;:!?])\[\d{1,3}\]")
_URL = re.compile(r"<?\b(?:https?://|www\.)[^\s<>()]+>?")
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,300}>|<!--[^<>]{0,300}-->")
_ENTITIES = {"&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&nbsp;": " "}
_BRACKETS = {"->": " to ", "{": " ", "}": " ", "[": " ", "]": " ", "()": " ", "( )": " "}
_MEANT = frozenset("≈≥≤≠")
_MARKS = re.compile(r"[*_`|\\]|~(?!\d)")
_HASHES = re.compile(r"#+")
_SHARP = re.compile(r"\b([A-G])#")
_NUMBER_SIGN = re.compile(r"#(?=\d)")
_ARROW = re.compile(r"(?<=\w) ?→ ?(?=\w)")
_TIMES = re.compile(r"(?<=\d)[ ]?[*×][ ]?(?=\d)")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of language; `is_item`: of a list or table."""

    text: str
    is_item: bool = False


def lines(text: str) -> list[Line]:
    """The lines of `text` that can be read aloud, each ending in a mark."""
    text = _without_data(text[:TEXT_MAX])
    text = "".join(each for each in text if each == "\n" or each.isprintable() or each == "\t")
    raw = list(_without_code(text.split("\n")))
    numbers = [_number_of(line) for line in raw]
    plain: list[Line] = []
    for at, line in enumerate(raw):
        counted = numbers[at] is not None and _is_counted(numbers, at)
        row = line.strip().startswith("|") or _ITEM.match(line) is not None
        words = _plain(line, counted)
        if any(each.isalnum() for each in words):
            plain.append(Line(_ended(words), counted or row))
    return plain


def _plain(line: str, counted: bool) -> str:
    if _RULE.fullmatch(line):
        return ""
    for mark in (_NUMBERED,) if counted else (_ITEM, _QUOTE_OR_HEADING):
        match = mark.match(line)
        if match:
            line = line[match.end() :]
            break
    if line.strip().startswith("|"):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        line = ", ".join(cell for cell in cells if cell)
    line = _FOOTNOTE.sub("", _LINK.sub(r"\1", line))
    line = _URL.sub(" the link ", line)
    line = _TAG.sub(" ", line)
    for entity, sign in _ENTITIES.items():
        line = line.replace(entity, sign)
    line = _TIMES.sub(" times ", _ARROW.sub(" to ", line))
    line = _NUMBER_SIGN.sub("number ", _SHARP.sub(r"\1 sharp", line))
    line = _HASHES.sub(" ", _MARKS.sub(" ", line))
    line = "".join(each for each in line if not _is_symbol(each))
    for sign, plain in _BRACKETS.items():
        line = line.replace(sign, plain)
    return _closed_up(" ".join(line.split()))


def _closed_up(text: str) -> str:
    """Without the blanks before punctuation that taken out marks leave."""
    out: list[str] = []
    for each in text:
        if each in ".,!?;:…" and out and out[-1] == " ":
            out.pop()
        out.append(each)
    return "".join(out).strip(" ,;")


def _ended(line: str) -> str:
    # A list's or a heading's line has no full stop of its own.
    if line[-1] in ":;,":
        return line if line[-1] == ":" else line[:-1] + "."
    closing = line.rstrip("\"'”’)]")
    return line if closing and closing[-1] in ".!?…" else line + "."


def _without_code(raw: list[str]) -> Iterator[str]:
    fenced = False
    for line in raw:
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        elif not fenced:
            yield line


def _number_of(line: str) -> int | None:
    match = _NUMBERED.match(line)
    return int(match[1]) if match else None


def _is_counted(numbers: list[int | None], at: int) -> bool:
    """Whether a line's number counts its list; else it belongs to the sentence ("42. It is…")."""
    number = numbers[at]
    before = next((each for each in reversed(numbers[:at]) if each is not None), None)
    after = next((each for each in numbers[at + 1 :] if each is not None), None)
    return number is not None and (before in (number - 1, number) or after in (number + 1, number))


def _without_data(text: str) -> str:
    """`text` without JSON in it; one that is cut off is left out to its end."""
    decoder = json.JSONDecoder()
    at = 0
    for _ in range(_JSON_TRIES):
        start = _data_start(text, at)
        if start < 0:
            break
        try:
            _, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            if text[start] == "{" or text[start + 1 : start + 3].lstrip()[:1] in ('"', "{"):
                return text[:start]
            at = start + 1
            continue
        if text[start] == "[" and "," not in text[start:end] and '"' not in text[start:end]:
            at = end  # "[1]" is no data
            continue
        text, at = text[:start] + " " + text[end:], start
    return "" if text.strip() in ("true", "false", "null") else text


def _data_start(text: str, at: int) -> int:
    """Where JSON may begin: a bracket before a quote, a bracket or a closing one; or -1."""
    for start in range(at, len(text)):
        if text[start] in "{[":
            following = text[start + 1 : start + 40].lstrip()[:1]
            if following in ('"', "{", "}") or (text[start] == "[" and following in ("[", "]")):
                return start
            if text[start] == "[" and following.isdigit():
                return start
    return -1


def _is_symbol(character: str) -> bool:
    # Emoji and arrows are read out by name, or as nothing, by every voice differently.
    code = ord(character)
    if character in _MEANT:
        return False
    is_picture = 0x1F000 <= code <= 0x1FAFF or 0xFE00 <= code <= 0xFE0F
    return is_picture or (0x2190 <= code < 0x3000 and not character.isalnum())

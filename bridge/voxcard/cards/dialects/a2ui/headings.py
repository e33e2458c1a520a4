"""A text with its `#` lines as headings, and the card title among a surface's pieces."""

import re
from collections.abc import Iterator

from voxcard.cards.dialects.a2ui.pieces import Done, Piece, Said, has_letters
from voxcard.cards.model import DividerBlock, ImageBlock
from voxcard.cards.text.markdown import plain
from voxcard.cards.text.sanitize import label

TITLE_MAX = 80
_HEADING = re.compile(r"(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*\Z")
_FENCE = re.compile(r"(```|~~~)")


def headed(text: str, level: int, *, caption: bool) -> Iterator[Said]:
    """The text as headings and the paragraphs between them; empty ones are left out."""
    body: list[str] = []
    fenced = False
    for line in text.split("\n") if "#" in text else ():
        fenced ^= bool(_FENCE.match(line))
        found = None if fenced else _HEADING.match(line)
        if found and found[2]:
            yield from _body(body, level, caption)
            yield Said(text=found[2], level=len(found[1]))
            body = []
        else:
            body.append(line)
    yield from _body(body if "#" in text else [text], level, caption)


def _body(lines: list[str], level: int, caption: bool) -> Iterator[Said]:
    text = "\n".join(lines).strip("\n")
    if text.strip():
        yield Said(text=text, level=level, caption=caption)


def titled(pieces: list[Piece]) -> tuple[str, list[Piece]]:
    """The title and the pieces without it: the first heading that has letters, else any heading,
    else the words a surface begins with when they are short."""
    headings = [each for each in pieces if isinstance(each, Said) and each.level]
    headings = [each for each in headings if not each.aside and _title(each)]
    first = next((each for each in headings if has_letters(each.text)), None)
    found = first or next(iter(headings), None) or _opening(pieces)
    if found is None:
        return "", pieces
    return _title(found), [each for each in pieces if each is not found]


def _opening(pieces: list[Piece]) -> Said | None:
    for piece in pieces:
        if isinstance(piece, Said):
            short = not piece.aside and "\n" not in piece.text and _title(piece)
            return piece if short and not piece.level else None
        if not (isinstance(piece, Done) and isinstance(piece.block, ImageBlock | DividerBlock)):
            return None
    return None


def _title(piece: Said) -> str:
    title = label(plain(piece.text))
    return title if len(title) <= TITLE_MAX else ""

"""Splits a text at its `#` headings, and finds the card's title among a surface's pieces."""

from collections.abc import Iterator

from voxcard.cards.dialects.a2ui.pieces import Done, Piece, Said, has_letters
from voxcard.cards.model import DividerBlock, ImageBlock
from voxcard.cards.text.markdown.document import plain, sections
from voxcard.cards.text.sanitize import label

TITLE_MAX = 80


def headed(text: str, level: int, *, caption: bool) -> Iterator[Said]:
    """The text as headings and the paragraphs between them; empty ones are left out."""
    for depth, part in sections(text):
        part = part.strip("\n")
        if part.strip():
            yield Said(text=part, level=depth or level, caption=caption and not depth)


def titled(pieces: list[Piece]) -> tuple[str, list[Piece]]:
    """The title and the pieces without it: the first heading that has letters, else any heading,
    else the words a surface begins with when they are short."""
    headings = [piece for piece in pieces if isinstance(piece, Said) and piece.level]
    headings = [heading for heading in headings if not heading.aside and _title(heading)]
    first = next((heading for heading in headings if has_letters(heading.text)), None)
    titling = first or next(iter(headings), None) or _opening(pieces)
    if titling is None:
        return "", pieces
    return _title(titling), [piece for piece in pieces if piece is not titling]


def _opening(pieces: list[Piece]) -> Said | None:
    for piece in pieces:
        if isinstance(piece, Said):
            is_title = not piece.aside and "\n" not in piece.text and _title(piece)
            return piece if is_title and not piece.level else None
        if not (isinstance(piece, Done) and isinstance(piece.block, ImageBlock | DividerBlock)):
            return None
    return None


def _title(piece: Said) -> str:
    title = label(plain(piece.text))
    return title if len(title) <= TITLE_MAX else ""

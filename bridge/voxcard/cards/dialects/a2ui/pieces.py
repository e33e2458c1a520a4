"""Pieces of a surface in reading order, and how they lie beside each other on few columns."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from voxcard.cards.model import (
    Block,
    DividerBlock,
    ImageBlock,
    InputBlock,
    KeyValueBlock,
    ListBlock,
    ListItem,
    MediaBlock,
)
from voxcard.cards.text.markdown.document import plain
from voxcard.cards.text.sanitize import LIST_MAX
from voxcard.json_value import Json

Component = Mapping[str, Json]

LINE_MAX = 120  # a row of more characters is told one below the other
LABEL_MAX = 60
ITEM_PIECES_MAX = 12
_RATING = set("★☆½")


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Words. `level` 1.. is a heading, `caption` small print; `aside` is never a card's title;
    `parts` are the cells of a row that was joined."""

    text: str
    level: int = 0
    caption: bool = False
    aside: bool = False
    parts: tuple["Said", ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """An icon that says something, as a character for the words beside it."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A finished block of the card model."""

    block: Block


Piece = Said | Mark | Done
Cell = tuple[Piece, ...]


def row(cells: Iterable[Cell]) -> list[Piece]:
    """Cells of a row: as label and value pairs, else on one line, else one below the other."""
    pictures: list[Piece] = []
    kept: list[Cell] = []
    for cell in cells:
        pictures += [entry for entry in cell if _is_picture(entry)]
        rest = tuple(entry for entry in cell if not _is_picture(entry) and not _is_rule(entry))
        if rest:
            kept.append(rest)
    if any(isinstance(piece, Done) for cell in kept for piece in cell):
        return [*pictures, *(piece for cell in kept for piece in words(cell))]
    if len(kept) == 1:
        return [*pictures, *words(kept[0])]
    pairs = [_pair(cell) for cell in kept]
    labels = [pair for pair in pairs if pair]
    if kept and len(labels) == len(kept):
        return [*pictures, Done(block=KeyValueBlock(rows=tuple(labels)))]
    return [*pictures, *_line(kept)]


def _line(cells: list[Cell]) -> list[Piece]:
    texts = words(piece for cell in cells for piece in cell)
    spoken = [piece for piece in texts if isinstance(piece, Said)]
    if len(spoken) < 2:
        return texts
    if len(spoken) == 2 and len(cells) == 2:
        pair = _labelled(spoken[0], spoken[1])
        if pair and spoken[0].caption:
            return [Done(block=KeyValueBlock(rows=(pair,)))]
    headings = [piece.level for piece in spoken if piece.level]
    if spoken[0].level and len(headings) == 1:
        rest = _beside([piece.text for piece in spoken[1:]])
        if has_letters(spoken[0].text):
            return [spoken[0], Said(text=rest, parts=tuple(spoken[1:]))]
    text = _beside([piece.text for piece in spoken])
    if len(text) > LINE_MAX or any("\n" in piece.text for piece in spoken):
        return list(spoken)
    level = min(headings) if len(headings) == len(_worded(spoken)) else 0
    return [Said(text=text, level=level, parts=tuple(spoken))]


def words(pieces: Iterable[Piece]) -> list[Piece]:
    """`pieces` with each mark put before the words after it; marks alone become words."""
    shown: list[Piece] = []
    marks = ""
    for piece in pieces:
        if isinstance(piece, Mark):
            marks += piece.text
        elif isinstance(piece, Said) and piece.level and set(marks) <= _RATING:
            shown.append(piece)  # a star beside a heading decorates it
            marks = ""
        elif isinstance(piece, Said) and marks:
            shown.append(replace(piece, text=f"{marks} {piece.text}"))
            marks = ""
        else:
            shown.append(piece)
    return [*shown, Said(text=marks, aside=True)] if marks else shown


def listed(items: Iterable[Cell]) -> list[Piece]:
    """A list's entries as one block; entries without words stay what they are."""
    pairs = [_item(words(cell)) for cell in items]
    entries = tuple(entry for entry, _ in pairs if entry)[:LIST_MAX]
    rest = [piece for entry, cell in pairs if not entry for piece in cell]
    return [Done(block=ListBlock(items=entries)), *rest] if entries else rest


def _item(pieces: list[Piece]) -> tuple[ListItem | None, list[Piece]]:
    image = next(
        (
            piece.block.image
            for piece in pieces
            if isinstance(piece, Done) and isinstance(piece.block, ImageBlock)
        ),
        None,
    )
    url = next(
        (
            piece.block.url
            for piece in pieces
            if isinstance(piece, Done) and isinstance(piece.block, MediaBlock)
        ),
        "",
    )
    texts = [text for piece in pieces for text in _texts(piece) if text.text][:ITEM_PIECES_MAX]
    if not texts:
        return None, pieces
    title = _naming(texts)
    detail = _beside([entry.text for entry in texts if entry is not title])
    return ListItem(title=title.text, detail=detail, url=url, image=image), []


def item_title(pieces: Iterable[Piece]) -> str:
    """The name of a list's entry; empty when it has no words."""
    texts = [text for word in words(pieces) for text in _texts(word) if text.text]
    return _naming(texts).text if texts else ""


def _naming(texts: list[Said]) -> Said:
    """The text that names an entry: a heading, else what is no small print, if it has letters."""
    lettered = [text for text in texts if has_letters(text.text)]
    heading = next((entry for entry in lettered if entry.level), None)
    plainer = next((entry for entry in lettered if not entry.caption), None)
    return heading or plainer or next(iter(lettered), texts[0])


def _texts(piece: Piece) -> Iterator[Said]:
    """What a piece says inside one entry of a list, each in one line."""
    if isinstance(piece, Said):
        for part in piece.parts or (piece,):
            yield replace(part, text=" ".join(plain(part.text).split()), parts=())
    elif isinstance(piece, Done):
        yield from (Said(text=text) for text in _block_texts(piece.block))


def _block_texts(block: Block) -> Iterator[str]:
    if isinstance(block, KeyValueBlock):
        yield from (f"{name} {value}" for name, value in block.rows)
    elif isinstance(block, InputBlock) and not block.secret:
        yield f"{block.label}: {block.value}"
    elif isinstance(block, ListBlock):
        yield ", ".join(item.title for item in block.items)
    elif isinstance(block, MediaBlock):
        yield block.title


def _pair(cell: Cell) -> tuple[str, str] | None:
    """A column of a label and a value: one of its two texts is small print."""
    texts = words(cell)
    if len(texts) != 2:
        return None
    first, second = texts
    if isinstance(first, Said) and isinstance(second, Said):
        return _labelled(first, second)
    return None


def _labelled(first: Said, second: Said) -> tuple[str, str] | None:
    if first.caption == second.caption:
        return None
    name, value = (first, second) if first.caption else (second, first)
    label = " ".join(plain(name.text).split()).rstrip(":")
    if len(label) > LABEL_MAX or len(value.text) > LINE_MAX or not has_letters(label):
        return None
    return label, plain(value.text)


def _worded(texts: list[Said]) -> list[Said]:
    return [piece for piece in texts if any(map(str.isalnum, piece.text))]


def _beside(texts: list[str]) -> str:
    """Texts in one line: a dot between words, nothing around an arrow or a picture of a word."""
    line = ""
    for text in texts:
        apart = any(map(str.isalnum, text)) and any(map(str.isalnum, line.rsplit(" ", 1)[-1]))
        line += (" · " if apart else " ") * bool(line) + text
    return line


def has_letters(text: str) -> bool:
    return any(map(str.isalpha, text))


def _is_picture(piece: Piece) -> bool:
    return isinstance(piece, Done) and isinstance(piece.block, ImageBlock)


def _is_rule(piece: Piece) -> bool:
    return isinstance(piece, Done) and isinstance(piece.block, DividerBlock)

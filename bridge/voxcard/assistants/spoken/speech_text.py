"""Text made fit to be spoken: sentences of language, as many as somebody listens to."""

from collections.abc import Iterator

from voxcard.assistants.spoken import markup
from voxcard.assistants.spoken.sentences import sentences

SENTENCES = 3  # more of a tool's text than this nobody listens to; the card holds the rest
CHARACTERS = 320
_PIECE_MAX = 200  # characters that are synthesised at once
_CLAUSE = 60  # a sentence longer than this starts to be heard at its first comma


def speakable(text: str) -> str:
    """`text` as one line to be read aloud; empty when there is nothing to say."""
    return " ".join(line.text for line in markup.lines(text))


def shortened(text: str, rest: str = "") -> list[str]:
    """The first sentences of a tool's text, as many as are worth saying; when something is left
    out `rest` says where that is, else a list says how many of its items."""
    said: list[str] = []
    room = CHARACTERS
    is_cut = False
    lines = markup.lines(text)
    for at, line in enumerate(lines):
        for sentence in sentences(line.text):
            if len(said) == SENTENCES or (said and len(sentence) > room):
                return said + ([rest] if rest else _more(lines[at:]))
            if len(sentence) > CHARACTERS:
                sentence = sentence[:CHARACTERS].rsplit(" ", 1)[0].rstrip(",;:") + "."
                is_cut = True
            said.append(sentence)
            room -= len(sentence)
    return [*said, rest] if is_cut and rest else said


def _more(left: list[markup.Line]) -> list[str]:
    items = sum(line.is_item for line in left)
    return [f"And {items} more."] if items > 1 else []


def clauses(sentence: str) -> list[str]:
    """A long sentence in the pieces that are synthesised one after the other."""
    if len(sentence) <= _CLAUSE:
        return [sentence]
    comma = sentence.find(", ", 20)
    if comma < 0 or len(sentence) - comma < 20:
        return list(_bounded(sentence))
    return [*_bounded(sentence[: comma + 1]), *_bounded(sentence[comma + 2 :])]


def _bounded(clause: str) -> Iterator[str]:
    """A clause in pieces of at most 200 characters, cut at blanks: what a voice needs in memory
    grows with the length of what it synthesises at once."""
    while len(clause) > _PIECE_MAX:
        end = clause.rfind(" ", 1, _PIECE_MAX + 1)
        end = end if end > 0 else _PIECE_MAX
        yield clause[:end]
        clause = clause[end:].lstrip(" ")
    if clause:
        yield clause

"""Where sentences end, in a text that is whole or still comes in."""

import re

PIECE_MAX = 1000  # characters; a longer sentence is cut at a blank
_AHEAD_MAX = 40  # characters after a mark that are looked at
_FENCE = "```"
_MARK = re.compile(r"[.!?…。！？｡।॥\n,;:—`]")
_BLANK_NEEDED = frozenset(".!?…")  # "3.5", "a.example"
_CLAUSE = frozenset(",;:—")
_CLOSING = frozenset("\"'”’»)]}」』）】*_")
_OPENING = {"(": ")", "[": "]", "“": "”", "«": "»", "「": "」", "『": "』", "（": "）"}
# After these a full stop ends no sentence, whatever follows.
# fmt: off
_TITLES = frozenset((
    "mr", "mrs", "ms", "dr", "prof", "st", "vs", "e.g", "i.e", "approx", "gen", "col", "sgt",
    "capt", "lt", "rev", "hon", "mt", "vol", "ca", "cf", "jan", "feb", "mar", "apr", "jun",
    "jul", "aug", "sep", "sept", "oct", "nov", "dec", "fig", "figs", "pp",
    "apt", "temp", "tel", "ext", "incl", "excl", "gov", "sen",
))
# After these it does when a capital letter follows.
_MAY_END = frozenset((
    "a.m", "p.m", "etc", "al", "jr", "sr", "inc", "ltd", "co", "corp", "u.s", "u.s.a", "u.k",
    "d.c", "lbs", "ft", "in", "min", "max", "dept", "est", "ave", "blvd", "rd", "ph.d",
))
# After these it does unless a number follows.
_BEFORE_NUMBERS = frozenset(("no", "nos", "nr", "p", "ch", "sec", "art"))
# fmt: on


class Splitter:
    """Pieces of a text that comes in parts: sentences, lines, and blocks of code whole.

    All pieces joined are the text, blanks included, and do not depend on how it was cut. With
    `clause_words` the first piece may end at a comma, semicolon, colon or dash after so many
    words, so that a voice starts early; never within a quotation, brackets or a number.
    """

    def __init__(self, *, clause_words: int | None = None) -> None:
        self._clause_words = clause_words
        self._text = ""  # of the piece that is not complete
        self._at = 0  # what comes before it was looked at

    def feed(self, text: str) -> list[str]:
        """The pieces that `text` completes."""
        self._text += text
        return self._cut(is_end=False)

    def end(self) -> list[str]:
        """The pieces that are left, when nothing more comes."""
        pieces = self._cut(is_end=True)
        if self._text:
            pieces.append(self._text)
        self._text, self._at = "", 0
        return pieces

    def _cut(self, *, is_end: bool) -> list[str]:
        pieces: list[str] = []
        while True:
            mark = _MARK.search(self._text, self._at)
            scanned = mark.start() if mark else len(self._text)
            if scanned >= PIECE_MAX and not self._text.startswith(_FENCE):
                self._take(_room(self._text), pieces)
                continue
            if mark is None:
                self._at = scanned
                return pieces
            end = self._end_at(scanned, is_end)
            if end is None:
                self._at = scanned
                return pieces
            if end:
                self._take(end, pieces)
            else:
                self._at = scanned + 1

    def _take(self, end: int, pieces: list[str]) -> None:
        pieces.append(self._text[:end])
        self._text, self._at = self._text[end:], 0
        self._clause_words = None

    def _end_at(self, at: int, is_end: bool) -> int | None:
        """Where the piece ends by the mark at `at`; 0: nowhere, None: what follows decides."""
        text, mark = self._text, self._text[at]
        if text.startswith(_FENCE):
            return _fence_end(text, at, is_end)
        if mark == "`":
            return _fence_start(text, at, is_end)
        if mark == "\n":
            return at + 1 if text[:at].strip() else 0
        if mark in _CLAUSE:
            return self._clause_end(at, is_end)
        end = at + 1
        while end < len(text) and text[end] in _CLOSING and end - at <= 3:
            end += 1
        if end == len(text) and not is_end:
            return None
        if mark not in _BLANK_NEEDED:
            return end
        if not text[end : end + 1].isspace():
            return 0
        following = _following(text, end, is_end)
        if following is None and _needs_following(text, at):
            return None
        return end + 1 if _ends(text, at, following or "") else 0

    def _clause_end(self, at: int, is_end: bool) -> int | None:
        text = self._text
        if self._clause_words is None or len(text[:at].split()) < self._clause_words:
            return 0
        if at + 1 == len(text) and not is_end:
            return None
        if text[at] != "—" and not text[at + 1 : at + 2].isspace():
            return 0
        following = _following(text, at + 1, is_end)
        if following is None:
            return None
        if following.isdigit() or not following or _is_open(text[:at]):
            return 0
        return at + (2 if text[at + 1 : at + 2].isspace() else 1)


def sentences(text: str) -> list[str]:
    """The sentences of speakable `text`, each ending in its own mark; blanks become one."""
    splitter = Splitter()
    text = " ".join(text.split())
    pieces = [*splitter.feed(text), *splitter.end()]
    return [each.strip() for each in pieces if any(letter.isalnum() for letter in each)]


def _following(text: str, at: int, is_end: bool) -> str | None:
    """The next character that shows, opening quotes aside; "": none, None: not there yet."""
    ahead = text[at : at + _AHEAD_MAX]
    shown = ahead.lstrip().lstrip("\"'“‘([«*_")[:1]
    return shown or ("" if is_end or len(ahead) == _AHEAD_MAX else None)


def _word_before(text: str, at: int) -> str:
    """The word that ends before `at`, of at most so many characters as an abbreviation has."""
    words = text[max(0, at - 24) : at].split()
    return words[-1].lstrip("(\"'“‘[*_").lower() if words else ""


def _needs_following(text: str, at: int) -> bool:
    if text[at] == "…" or (text[at] == "." and text[at - 1 : at] == "."):
        return True
    word = _word_before(text, at)
    return text[at] == "." and (word in _MAY_END or word in _BEFORE_NUMBERS)


def _ends(text: str, at: int, following: str) -> bool:
    """Whether the mark at `at`, with a blank after it, ends a sentence."""
    mark = text[at]
    if mark == "…" or (mark == "." and text[at - 1 : at] == "."):
        return not following.islower()
    if mark != ".":
        return True
    word = _word_before(text, at)
    if word in _MAY_END:
        return following.isupper() or not following
    if word in _BEFORE_NUMBERS:
        return not following.isdigit()
    # A single letter is somebody's initial.
    return word not in _TITLES and not (len(word) == 1 and word.isalpha() and word != "i")


def _is_open(text: str) -> bool:
    """Whether a quotation or a bracket of `text` is not closed."""
    unclosed = any(text.count(left) > text.count(right) for left, right in _OPENING.items())
    return unclosed or text.count('"') % 2 == 1


def _fence_start(text: str, at: int, is_end: bool) -> int | None:
    """A block of code begins a piece of its own."""
    if len(text) < at + 3 and not is_end and _FENCE.startswith(text[at:]):
        return None
    return at if text.startswith(_FENCE, at) else 0


def _fence_end(text: str, at: int, is_end: bool) -> int | None:
    if text[at] != "`" or at < len(_FENCE):
        return 0
    if len(text) < at + 3 and not is_end:
        return None
    return at + 3 if text.startswith(_FENCE, at) else 0


def _room(text: str) -> int:
    """Where a sentence without an end is cut."""
    end = text.rfind(" ", 0, PIECE_MAX)
    return end + 1 if end > 0 else PIECE_MAX

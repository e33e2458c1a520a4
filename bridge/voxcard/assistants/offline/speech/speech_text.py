"""Text made fit to be spoken: sentences without Markdown, addresses or bare units."""

import re

SENTENCES = 3  # more of a tool's text than this nobody listens to; the card holds the rest
CHARACTERS = 320
_CLAUSE = 60  # a sentence longer than this starts to be heard at its first comma

_MARKDOWN = (
    (r"```.*?(```|$)", " "),
    (r"!\[([^\]]*)\]\([^)]*\)", r"\1"),
    (r"\[([^\]]*)\]\([^)]*\)", r"\1"),
    (r"<?\b(?:https?://|www\.)[^\s>)]+>?", " "),
    (r"(?m)^\s*(?:#{1,6}|[-*+•]|>|\d+\.)\s+", ""),
    (r"(?m)^\s*(?:[-*_]\s*){3,}$|^\s*\|?[\s:|-]{3,}\|?\s*$", ""),
    (r"[*_`~#|\\]+", " "),
)
_UNITS = (
    (r"(?<=\d)\s*%", " percent"),
    (r"\s*°\s*C\b", " degrees"),
    (r"\s*°\s*F\b", " degrees Fahrenheit"),
    (r"\s*°", " degrees"),
    (r"(?<=\d)\s*km/h\b", " kilometres per hour"),
    (r"(?<=\d)\s*km\b", " kilometres"),
    (r"(?<=\d)\s*kg\b", " kilograms"),
    (r"(?<=\d)\s*min\b", " minutes"),
    (r"(?<=\d)\s*ms\b", " milliseconds"),
    (r"(?<![\w.])-(?=\d)", "minus "),
    (r"[$](\d+(?:\.\d+)?)", r"\1 dollars"),
    (r"€\s?(\d+(?:\.\d+)?)|(\d+(?:\.\d+)?)\s?€", r"\1\2 euros"),
    (r"£(\d+(?:\.\d+)?)", r"\1 pounds"),
    (r"\s&\s", " and "),
)
_ABBREVIATION = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|St|No|vs|e\.g|i\.e|approx|[A-Z])\.$")


def speakable(text: str) -> str:
    """`text` as one line to be read aloud; empty when there is nothing to say."""
    for pattern, plain in _MARKDOWN:
        text = re.sub(pattern, plain, text, flags=re.DOTALL)
    # A list's or a heading's lines have no full stop of their own.
    lines = [line.strip() for line in text.splitlines() if re.search(r"\w", line)]
    text = " ".join(line if line[-1] in ".!?:;,…" else line + "." for line in lines)
    for pattern, words in _UNITS:
        text = re.sub(pattern, words, text)
    text = "".join(each for each in text if each.isprintable() and not _is_symbol(each))
    text = re.sub(r"\(\s*\)|\[\s*\]", "", text)
    text = re.sub(r"\s+([.,!?;:])", r"\1", " ".join(text.split()))
    return re.sub(r"[:;,]([.!?])", r"\1", text)


def sentences(text: str) -> list[str]:
    """The sentences of speakable `text`, each ending in its own mark."""
    found: list[str] = []
    pending = ""
    for piece in re.split(r"(?<=[.!?…])\s+", text.strip()):
        pending = f"{pending} {piece}".strip()
        if not _ABBREVIATION.search(pending):
            found.append(pending)
            pending = ""
    if pending:
        found.append(pending)
    return [each for each in found if re.search(r"\w", each)]


def shortened(text: str) -> list[str]:
    """The first sentences of a tool's text, as many as are worth saying; at least one word."""
    kept: list[str] = []
    room = CHARACTERS
    for sentence in sentences(speakable(text))[:SENTENCES]:
        if kept and len(sentence) > room:
            break
        if len(sentence) > CHARACTERS:
            sentence = sentence[:CHARACTERS].rsplit(" ", 1)[0].rstrip(",;:") + "."
        kept.append(sentence)
        room -= len(sentence)
    return kept


def clauses(sentence: str) -> list[str]:
    """A long sentence in the pieces that are synthesised one after the other."""
    if len(sentence) <= _CLAUSE:
        return [sentence]
    comma = sentence.find(", ", 20)
    if comma < 0 or len(sentence) - comma < 20:
        return [sentence]
    return [sentence[: comma + 1], sentence[comma + 2 :]]


def _is_symbol(character: str) -> bool:
    # Emoji and arrows are read out by name, or as nothing, by every voice differently.
    code = ord(character)
    return (0x2190 <= code < 0x3000 and not character.isalnum()) or 0x1F000 <= code <= 0x1FAFF

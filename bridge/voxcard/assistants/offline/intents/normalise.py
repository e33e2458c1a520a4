"""What was heard, in one written form: lower case, number words as digits, no punctuation."""

import re

# fmt: off
_UNITS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
)
# fmt: on
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_VALUES = {word: value for value, word in enumerate(_UNITS)}
_VALUES |= {word: 10 * value for value, word in enumerate(_TENS, start=2)}
_SHORT_FORMS = (
    (r"\b(what|where|who|how|when|that|it|here|there)'s\b", r"\1 is"),
    (r"\blet's\b", "let us"),
    (r"\bwon't\b", "will not"),
    (r"\bcan't\b|\bcannot\b", "can not"),
    (r"n't\b", " not"),
    (r"\b(i)'m\b", r"\1 am"),
    (r"'(re|ve|ll)\b", r" \1"),
)


def contract(text: str) -> str:
    """`text` without short forms: "what's" becomes "what is". Works on templates too."""
    text = text.replace("’", "'")
    for pattern, full in _SHORT_FORMS:
        text = re.sub(pattern, full, text, flags=re.IGNORECASE)
    return text


def plain(text: str) -> str:
    """`text` as written, without punctuation around or between the words."""
    text = text.replace("’", "'").replace("%", " percent ")
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)
    text = re.sub(r"(?<![\w'])'|'(?![\w'])", " ", text)
    return " ".join(re.sub(r"(?!(?<=\d)\.(?=\d))[^\w\s']|_", " ", text).split())


def normalise(text: str) -> str:
    """`text` as the sentences are matched: "Set it to sixty-five!" -> "set it to 65"."""
    return _digits(plain(contract(text)).casefold().split())


def joined(text: str) -> str:
    """A spoken number as one: "ten forty two" -> "1042"; any other text is returned as it is."""
    words = normalise(text).split()
    if words and all(word.isdecimal() for word in words):
        return "".join(words)
    return text


def _digits(words: list[str]) -> str:
    out: list[str] = []
    at = 0
    while at < len(words):
        used, value = _number(words, at)
        if used:
            out.append(str(value))
            at += used
        else:
            zero = words[at] in ("o", "oh") and bool(out) and out[-1].isdecimal()
            out.append("0" if zero and at + 1 < len(words) else words[at])
            at += 1
    return " ".join(out)


def _number(words: list[str], at: int) -> tuple[int, int]:
    """How many words from `at` make one number, and its value; (0, 0) when none do."""
    start, total = at, 0
    used, value = _below_hundred(words, at)
    if not used and words[at] == "a" and words[at + 1 : at + 2] in (["hundred"], ["thousand"]):
        used, value = 1, 1
    if not used:
        return 0, 0
    at += used
    for word, scale in (("thousand", 1000), ("hundred", 100)):
        # "two thousand three hundred and four": a scale takes what came before it, then the
        # rest may follow; without a scale word two numbers stay two ("ten", "forty two").
        if value and words[at : at + 1] == [word]:
            total += value * scale
            at, value = _rest(words, at + 1)
    return at - start, total + value


def _rest(words: list[str], at: int) -> tuple[int, int]:
    skip = 1 if words[at : at + 1] == ["and"] else 0
    used, value = _below_hundred(words, at + skip) if at + skip < len(words) else (0, 0)
    return (at + skip + used, value) if used else (at, 0)


def _below_hundred(words: list[str], at: int) -> tuple[int, int]:
    value = _VALUES.get(words[at])
    if value is None:
        return 0, 0
    unit = _VALUES.get(words[at + 1], 0) if at + 1 < len(words) else 0
    if value >= 20 and 1 <= unit <= 9:
        return 2, value + unit
    return 1, value

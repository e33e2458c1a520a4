"""Numbers in English words."""

_SMALL = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
)  # fmt: skip
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SCALES = ("", "thousand", "million", "billion", "trillion")
_ORDINALS = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth",
    "nine": "ninth", "twelve": "twelfth",
}  # fmt: skip
CARDINAL_DIGITS = 15  # more of them are said one by one


def cardinal(number: int) -> str:
    """42 -> "forty two"; from 0 to below 10 to the 15th."""
    if number < 20:
        return _SMALL[number]
    if number < 100:
        return _joined(_TENS[number // 10], number % 10)
    if number < 1000:
        return _joined(f"{_SMALL[number // 100]} hundred", number % 100)
    power = (len(str(number)) - 1) // 3
    return _joined(f"{cardinal(number // 1000**power)} {_SCALES[power]}", number % 1000**power)


def ordinal(number: int) -> str:
    """22 -> "twenty second"."""
    before, _, last = cardinal(number).rpartition(" ")
    last = _ORDINALS.get(last) or (last[:-1] + "ieth" if last.endswith("y") else f"{last}th")
    return f"{before} {last}".strip()


def digits(text: str) -> str:
    """ "042" -> "zero four two"."""
    return " ".join(_SMALL[int(each)] for each in text)


def decimal(text: str) -> str:
    """ "1,042.50" -> "one thousand forty two point five zero"; too long a number by its digits."""
    whole, point, part = text.replace(",", "").replace(" ", "").partition(".")
    if not whole:
        return f"point {digits(part)}"
    is_code = len(whole) > 1 and whole[0] == "0"
    if is_code or len(whole) > CARDINAL_DIGITS or (text.isdigit() and len(whole) >= 10):
        words = digits(whole)
    else:
        words = cardinal(int(whole))
    return f"{words} point {digits(part)}" if point else words


def year(number: int) -> str:
    """1905 -> "nineteen oh five"; of four digits."""
    century, rest = divmod(number, 100)
    if number % 1000 < 10:
        return cardinal(number)
    if not rest:
        return f"{cardinal(century)} hundred"
    return f"{cardinal(century)} {'oh ' if rest < 10 else ''}{cardinal(rest)}"


def pairs(text: str) -> str:
    """A name of three or four digits: "101" -> "one oh one", "1042" -> "ten forty two"."""
    head, tail = text[:-2], int(text[-2:])
    return f"{cardinal(int(head))} {'oh ' if tail < 10 else ''}{cardinal(tail)}"


def plural(words: str) -> str:
    """ "nineteen ninety" -> "nineteen nineties"."""
    return words[:-1] + "ies" if words.endswith("y") else words + "s"


def _joined(words: str, rest: int) -> str:
    return f"{words} {cardinal(rest)}" if rest else words

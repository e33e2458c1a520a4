"""Numbers, units and abbreviations as a voice should say them; it reads words right by itself."""

import re

from voxcard.assistants.offline.speech.abbreviations import ABBREVIATIONS, MONTHS, Form
from voxcard.assistants.offline.speech.units import CURRENCIES, SCALES, UNITS

TEXT_MAX = 2000  # characters of one sentence
_AMOUNT = r"(\d{1,3}(?:,\d{3}){1,4}|\d{1,12})(?:\.(\d{1,2}))?(?![.,]?\d)"
_FRACTIONS = {
    "1/2": "one half", "1/3": "one third", "2/3": "two thirds", "1/4": "one quarter",
    "3/4": "three quarters", "1/5": "one fifth", "1/8": "one eighth", "1/10": "one tenth",
}  # fmt: skip
_VULGAR = {"½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅛": "1/8", "⅕": "1/5"}
# fmt: off
_RULERS = frozenset((
    "louis", "henry", "elizabeth", "charles", "george", "james", "william", "edward",
    "richard", "paul", "benedict", "pius", "philip", "frederick", "wilhelm", "catherine",
    "peter", "ivan", "nicholas", "alexander", "leo", "francis", "gregory", "napoleon",
    "john", "ramses", "otto", "ludwig",
))
# fmt: on
_ROMAN = {"I": 1, "V": 5, "X": 10}
# fmt: off
_PARTS = frozenset((
    "war", "part", "chapter", "act", "phase", "type", "level", "class", "book", "volume",
    "section", "article", "bowl", "mark", "stage", "grade",
))
# fmt: on
_IDS = "order|code|pin|flight|ticket|invoice|account|parcel|booking|reference"


def spoken(text: str) -> str:
    """One sentence as it is given to the voice; a longer one than TEXT_MAX stays as it is."""
    if len(text) > TEXT_MAX:
        return text
    for sign, plain in _SIGNS.items():
        text = text.replace(sign, plain)
    for pattern, form in _FORMS:
        text = pattern.sub(form, text)
    return " ".join(text.split())


def _money(sign: str, whole: str, cents: str | None, scale: str | None) -> str:
    one, many, cent, cents_name = CURRENCIES[sign]
    amount = int(whole.replace(",", ""))
    if scale:
        part = f".{cents}" if cents else ""
        return f"{whole}{part} {SCALES[scale]} {many}"
    minor = int((cents or "0").ljust(2, "0"))
    minor_words = f"{minor} {cent if minor == 1 else cents_name}"
    if minor and not amount:
        return minor_words
    words = f"{whole} {one if amount == 1 else many}"
    return f"{words} and {minor_words}" if minor else words


def _before(match: re.Match[str]) -> str:
    return _money(match[1], match[2], match[3], match[4])


def _after(match: re.Match[str]) -> str:
    return _money(match[3], match[1], match[2], None)


def _continental(match: re.Match[str]) -> str:
    return _money(match[3], match[1].replace(".", ","), match[2], None)


def _clock(match: re.Match[str]) -> str:
    """18:00 -> 6 PM, 10:00 PM -> 10 PM, 10:30 stays."""
    hour, minute, half = int(match[1]), match[2], (match[3] or "").upper()
    if half:
        half += "M"
    elif hour >= 13 or match[1].startswith("0"):
        half = "PM" if hour >= 12 else "AM"
        hour = hour % 12 or 12
    elif minute == "00":
        return "noon" if hour == 12 else f"{hour} o'clock"
    minutes = "" if minute == "00" else f":{minute}"
    return f"{hour}{minutes} {half}".strip()


def _half_day(match: re.Match[str]) -> str:
    """9 a.m. -> 9 AM; the full stop stays where it ends the sentence."""
    return (
        f"{match[1]} {match[2].upper()}M{'.' if not match.string[match.end() :].strip() else ''}"
    )


def _date(year: str, month: str, day: str) -> str:
    if not (1 <= int(month) <= 12 and 1 <= int(day) <= 31):
        return f"{year} {month} {day}"
    year = f"20{year}" if len(year) == 2 else year
    return f"{MONTHS[int(month) - 1]} {int(day)}, {year}"


def _slashed(match: re.Match[str]) -> str:
    first, second, year = match.groups()
    day_first = int(first) > 12
    return _date(year, second, first) if day_first else _date(year, first, second)


def _unit(match: re.Match[str]) -> str:
    one, many = UNITS[match[2] or match[3]]
    before = f" {match.string[: match.start()]}".lower()
    single = match[1] == "1" or before.endswith((" a ", " an "))  # "a 5 kilometre run"
    return f"{match[1]} {one if single else many}"


def _fraction(match: re.Match[str]) -> str:
    fraction = f"{match[2]}/{match[3]}"
    words = _FRACTIONS.get(fraction)
    if words is None:
        return f"{match[1] or ''}{match[2]} out of {match[3]}"
    if not match[1]:
        return words
    # "2 1/2" is two and a half.
    return f"{match[1].strip()} and {words.replace('one ', 'a ')}"


def _roman(match: re.Match[str]) -> str:
    """Louis XIV -> Louis the 14th, Chapter IV -> Chapter 4; "World I know" stays."""
    word, values = match[1], [_ROMAN[letter] for letter in match[2]]
    number = sum(-value if value < max(values[at:]) else value for at, value in enumerate(values))
    if word.lower() in _RULERS and len(values) > 1:
        ending = "th" if 10 < number < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
        return f"{word} the {number}{ending}"
    return f"{word} {number}" if word.lower() in _PARTS or len(values) > 1 else match[0]


def _identifier(match: re.Match[str]) -> str:
    """Order 1042 -> order 10 42; longer ones digit by digit."""
    digits = match[2]
    if len(digits) == 4 and digits[0] != "0" and digits[2] != "0":
        return f"{match[1]}{digits[:2]} {digits[2:]}"
    return f"{match[1]}{' '.join(digits)}"


def _phone(match: re.Match[str]) -> str:
    plus = "plus " if match[0].startswith("+") else ""
    groups = re.findall(r"\d+", match[0])
    return plus + ", ".join(" ".join(group) for group in groups)


def _version(match: re.Match[str]) -> str:
    return " point ".join(match[0].split("."))


_SIGNS = {
    "℃": "°C", "℉": "°F", "−": "-", "\u00a0": " ", "\u202f": " ", "’": "'",
    **{sign: f" {plain}" for sign, plain in _VULGAR.items()},
}  # fmt: skip
_UNIT_NAMES = "|".join(
    re.escape(name) for name in sorted(UNITS.keys() - {"s"}, key=len, reverse=True)
)
_CODES = "|".join(re.escape(name) for name in sorted(CURRENCIES, key=len, reverse=True))
_FORMS: tuple[tuple[re.Pattern[str], Form], ...] = (
    (
        re.compile(
            r"\b(\d{4})-(\d\d)-(\d\d)[T ](\d\d:\d\d)(?::\d\d)?(?:\.\d{1,6})?(?:Z|[+-]\d\d:\d\d)?"
        ),
        lambda match: f"{_date(match[1], match[2], match[3])} at {match[4]}",
    ),
    (re.compile(r"\b(\d{4})-(\d\d)-(\d\d)\b"), lambda match: _date(match[1], match[2], match[3])),
    (re.compile(r"\b(\d{1,2})/(\d{1,2})/(\d{4}|\d\d)\b"), _slashed),
    (
        re.compile(r"\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b"),
        lambda match: _date(match[3], match[2], match[1]),
    ),
    (
        re.compile(r"\+\d{1,3}(?:[ -]\d{2,5}){2,5}\b|\b\d{3}[ -]\d{3,4}-\d{4}\b|\b\d{3}-\d{4}\b"),
        _phone,
    ),
    (re.compile(r"\b\d{1,4}(?:\.\d{1,4}){2,4}\b"), _version),
    (
        re.compile(rf"(?i:\b((?:{_IDS})(?: number| no\.?| id)?(?: is)? )#?(\d{{4,12}})\b)"),
        _identifier,
    ),
    (re.compile(r"(?<=[\d%])[ ]?[-–—][ ]?(?=[$€£]?\d)"), " to "),
    (re.compile(r"(?i:(?<=\d)(?=[ap]\.?m\b))"), " "),
    (
        re.compile(r"(?<![\d:])([01]?\d|2[0-3]):([0-5]\d)(?![:\d])(?:[ ]?([AaPp])\.?[Mm]\b)?"),
        _clock,
    ),
    (re.compile(r"\b(\d{1,2}(?::\d\d)?)[ ]([AaPp])\.[Mm]\."), _half_day),
    (re.compile(r"\b(\d{1,2}):(\d)\b"), r"\1 to \2"),
    (re.compile(r"(?<![\w.,])[-](?=[$€£]?\d)"), "minus "),
    (re.compile(rf"({_CODES}) ?{_AMOUNT}(?: ?(k|K|M|bn|B|million|billion|thousand)\b)?"), _before),
    (re.compile(r"\b(\d{1,3}(?:\.\d{3})+|\d+),(\d\d) ?(€)"), _continental),
    (re.compile(rf"\b{_AMOUNT} ?({_CODES})"), _after),
    (re.compile(r"\b24/7\b"), "24 7"),
    (re.compile(r"\b(\d{1,6} )?(\d{1,3})/(\d{1,3})\b"), _fraction),
    (
        re.compile(rf"(?<![\d.,])(\d+(?:[.,]\d+)*)(?:[ ]?({_UNIT_NAMES})|[ ](s))(?![\w/²³°])"),
        _unit,
    ),
    (re.compile(r"°C"), "degrees"),
    (re.compile(r"°F"), "degrees Fahrenheit"),
    (re.compile(r"°"), " degrees"),
    (re.compile(r"(?<!\w)~ ?(?=\d)|≈ ?"), "about "),
    (re.compile(r"± ?"), "plus or minus "),
    (re.compile(r"(?<![\w])\+(?=\d)"), "plus "),
    (re.compile(r" = "), " equals "),
    (re.compile(r" \+ "), " plus "),
    (re.compile(r"≥ ?|(?<=\s)>= ?"), "at least "),
    (re.compile(r"≤ ?|(?<=\s)<= ?"), "at most "),
    (re.compile(r"(?:^|(?<=\s))< ?(?=\d)"), "less than "),
    (re.compile(r"(?:^|(?<=\s))> ?(?=\d)"), "more than "),
    (re.compile(r"(?<=\d) ?[×x] ?(?=\d)"), " times "),
    (re.compile(r"\s&\s"), " and "),
    (re.compile(r"\band/or\b"), "and or"),
    (re.compile(r"(?<=[A-Za-z])/(?=[A-Za-z])"), " or "),
    (re.compile(r"\b([A-Z][a-z]{1,20}) ([IVX]{1,6})\b"), _roman),
    *ABBREVIATIONS,
)

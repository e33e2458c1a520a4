"""The grammar of saying English: what a token is, and which rules are tried for it."""

import re

from voxcard.assistants.spoken.english import amounts, moments, money, names
from voxcard.assistants.spoken.english.lexicon import TOP_DOMAINS

SIGNS = {
    "℃": "°C", "℉": "°F", "−": "-", "\u00a0": " ", "\u202f": " ", "’": "'", "m2 ": "m² ", "μ": "µ",
    " fl oz": " floz", " fl. oz": " floz",
    "½": " 1/2", "⅓": " 1/3", "⅔": " 2/3", "¼": " 1/4", "¾": " 3/4", "⅛": " 1/8", "⅕": " 1/5",
}  # fmt: skip
PATTERN = re.compile(
    r"(?P<iso>(?<![\w.-])[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}"
    r"(?:[T ][0-2][0-9]:[0-5][0-9](?::[0-9]{2}(?:\.[0-9]{1,9})?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?"
    r"(?![\w-]))"
    r"|(?P<day>(?<![\w/.])(?:[0-9]{1,2}/[0-9]{1,2}/(?:[0-9]{4}|[0-9]{2})"
    r"|[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{4})(?![\w/]))"
    r"|(?P<phone>(?<![\w.,])(?:\+[0-9]{1,3}(?:[ -][0-9]{2,5}){2,5}|\+[0-9]{7,15}"
    r"|(?:1-)?(?:\([0-9]{3}\) ?|[0-9]{3}[ -])[0-9]{3,4}-[0-9]{4}|[0-9]{3}-[0-9]{4}"
    r"|0[0-9]{2,4}(?:[ -][0-9]{3,4}){2}|[0-9]{3} [0-9]{3} [0-9]{3,4})(?![\w-]))"
    r"|(?P<email>[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4})"
    rf"|(?P<host>(?:[A-Za-z0-9-]{{1,63}}\.){{1,4}}(?:{TOP_DOMAINS})(?![\w.]*\w))"
    r"|(?P<continental>(?:[0-9]{1,3}(?:\.[0-9]{3}){1,4}(?:,[0-9]{2})?|[0-9]{1,12},[0-9]{2})"
    r"(?= ?€))"
    r"|(?P<version>[0-9]{1,4}(?:\.[0-9]{1,4}){2,5}(?![0-9]))"
    r"|(?P<clock>[0-9]{1,2}:[0-5][0-9](?::[0-5][0-9])?(?![0-9:]))"
    r"|(?P<ratio>[0-9]{1,3}:[0-9]{1,3}(?![0-9:]))"
    r"|(?P<fraction>(?:[0-9]{1,6} )?[0-9]{1,3}/[0-9]{1,3}(?![\w/]))"
    r"|(?P<number>[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])(?:\.[0-9]+)?|[0-9]+,[0-9]{1,2}(?![0-9,])"
    r"|[0-9]{1,2}(?: [0-9]{3}){2,4}(?![0-9])|[0-9]{1,3} 000(?![0-9])"
    r"|[0-9]+(?:\.[0-9]+)?|(?<![\w.])\.[0-9]+)"
    r"|(?P<initials>(?<!\w)(?:[A-Za-z]\.){2,6}(?!\w))"
    r"|(?P<word>[^\W\d_]+(?:'[^\W\d_]+)*)"
    r"|(?P<ellipsis>\.{2,}|…)"
    r"|(?P<sign>\S)"
)
_NUMBER = (
    moments.day_of_month, moments.half_day, amounts.feet, money.after_number, names.identifier,
    amounts.measured, amounts.suffixed, moments.year_number, amounts.plain,
)  # fmt: skip
RULES = {
    "iso": (moments.iso,),
    "day": (moments.day,),
    "phone": (names.phone,),
    "email": (names.address,),
    "host": (names.address,),
    "version": (names.version,),
    "clock": (moments.clock,),
    "ratio": (amounts.ratio,),
    "fraction": (moments.short_day, amounts.measured, amounts.fraction),
    "continental": (money.after_number, amounts.plain),
    "number": _NUMBER,
    "initials": (names.initials,),
    "word": (
        money.before_number, moments.month_day, moments.weekday, names.roman,
        names.version_letter, names.letters, names.abbreviation, names.initial,
        amounts.unit_alone, amounts.times_word,
    ),
    "ellipsis": (names.ellipsis,),
    "sign": (money.before_number, amounts.dash, amounts.degrees, amounts.sign_word),
}  # fmt: skip

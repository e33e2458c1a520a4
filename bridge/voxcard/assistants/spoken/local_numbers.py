"""Numbers and dates of a text in the form of a locale, so that its voice reads them rightly."""

import re
from datetime import date

from babel.dates import format_date
from babel.numbers import get_decimal_symbol

from voxcard.language.locales import babel_name

_DATE = re.compile(r"(?<![\w.,:-])(\d{4})-(\d\d)-(\d\d)(?![\w-])")
# As programs write them; a version, a time, an address is none.
_DECIMAL = re.compile(r"(?<![\w.,:/+-])\d{1,12}\.\d{1,6}(?![\w.,:/]\w|\w)")


def localised(text: str, locale: str) -> str:
    """`text` with its ISO dates and decimal fractions written as people there do."""
    name = babel_name(locale)

    def dated(found: "re.Match[str]") -> str:
        try:
            day = date(int(found[1]), int(found[2]), int(found[3]))
        except ValueError:
            return found[0]
        return format_date(day, "long", locale=name)

    text = _DATE.sub(dated, text)
    return _DECIMAL.sub(lambda found: found[0].replace(".", get_decimal_symbol(name)), text)

"""A2UI's formatting functions, by the rules of the Unicode CLDR (Babel)."""

import math
import re
import unicodedata
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time
from functools import lru_cache

from babel.core import Locale, UnknownLocaleError
from babel.dates import format_datetime
from babel.numbers import format_currency, format_decimal, get_currency_symbol

from voxcard.json_value import Json

DECIMALS_MAX = 20
PATTERN_MAX = 100
LOCALE = "en_US"
_FRACTION = re.compile(r"(?<=0)\.[0#]+")
_SIGN = "\xa4"  # where a currency pattern puts the symbol
_TOO_LONG = "the number has more digits than can be written"
_MILLISECONDS_MAX = 1e14  # about the year 5138


@lru_cache(maxsize=16)
def _locale(name: str) -> Locale:
    try:
        return Locale.parse(name.replace("-", "_"))
    except (UnknownLocaleError, ValueError, TypeError):
        return Locale.parse(LOCALE)


def format_number(args: Mapping[str, Json], locale: str) -> str:
    """`value` with grouping and, when given, exactly `decimals` places."""
    value = _number(args.get("value"))
    if value is None or not math.isfinite(value):
        return _unfinished(value)
    place = _locale(locale)
    pattern = str(place.decimal_formats[None].pattern)
    if args.get("decimals") is not None:
        pattern = _with_decimals(pattern, _decimals(args["decimals"]))
    grouping = args.get("grouping") is not False
    try:
        return format_decimal(value, format=pattern, locale=place, group_separator=grouping)
    except ArithmeticError as error:
        raise ValueError(_TOO_LONG) from error


def format_currency_value(args: Mapping[str, Json], locale: str) -> str:
    """`value` in `currency` (ISO 4217) with 2 decimals unless `decimals` says otherwise."""
    value = _number(args.get("value"))
    if value is None or not math.isfinite(value):
        return _unfinished(value)
    code = args.get("currency", "USD")
    if not isinstance(code, str) or not re.fullmatch(r"[A-Za-z]{3}", code):
        raise ValueError("the currency must be a code of three letters")
    place, code = _locale(locale), code.upper()
    decimals = 2 if args.get("decimals") is None else _decimals(args["decimals"])
    pattern = _with_decimals(str(place.currency_formats["standard"].pattern), decimals)
    pattern = _spaced(pattern, get_currency_symbol(code, locale=place))
    grouping = args.get("grouping") is not False
    try:
        return format_currency(
            value,
            code,
            format=pattern,
            locale=place,
            group_separator=grouping,
            currency_digits=False,
        )
    except ArithmeticError as error:
        raise ValueError(_TOO_LONG) from error


def _with_decimals(pattern: str, decimals: int) -> str:
    return _FRACTION.sub("." + "0" * decimals if decimals else "", pattern)


def _spaced(pattern: str, symbol: str) -> str:
    """A symbol of letters keeps away from the digits (CLDR currencySpacing, which Babel leaves
    out): `RON 99.90` with a no-break space, but `$12.50`."""
    if unicodedata.category(symbol[-1])[0] != "S":
        pattern = re.sub(f"{_SIGN}(?=[#0])", f"{_SIGN}\xa0", pattern)
    if unicodedata.category(symbol[0])[0] != "S":
        pattern = re.sub(f"(?<=[#0]){_SIGN}", f"\xa0{_SIGN}", pattern)
    return pattern


def format_date(args: Mapping[str, Json], locale: str) -> str:
    """`value` (ISO 8601, or milliseconds since 1970 in UTC) by the TR35 pattern `format`; the
    hour is that of the value's own zone."""
    value, pattern = args.get("value"), args.get("format", "yyyy-MM-dd")
    if value is None or value == "":
        return ""
    if not isinstance(pattern, str) or len(pattern) > PATTERN_MAX:
        raise ValueError(f"the format must be a pattern of at most {PATTERN_MAX} characters")
    moment = moment_of(value)
    if pattern == "ISO":
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"
    try:
        return format_datetime(moment, format=pattern, locale=_locale(locale))
    except (ValueError, KeyError, AttributeError, ArithmeticError) as error:
        raise ValueError("the format is no date pattern") from error


def moment_of(value: Json) -> datetime:
    """The time a value names; ValueError when it names none."""
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            if abs(value) <= _MILLISECONDS_MAX:
                return datetime.fromtimestamp(value / 1000, UTC)
        elif isinstance(value, str):
            text = value.strip()
            if re.match(r"T?\d\d:\d\d", text):
                return datetime.combine(date(1970, 1, 1), time.fromisoformat(text))
            return datetime.fromisoformat(text)
    except (ValueError, OverflowError, OSError) as error:
        raise ValueError("the value is no date or time") from error
    raise ValueError("the value is no date or time")


def pluralize(args: Mapping[str, Json], locale: str) -> Json:
    """The argument for the plural form of `value`: 0, 1 and 2 by their own names when given."""
    value = _number(args.get("value"))
    if value is None or not math.isfinite(value):
        return args.get("other")
    named = {0.0: "zero", 1.0: "one", 2.0: "two"}.get(value, "")
    try:
        form = named if named in args else _locale(locale).plural_form(value)
    except ArithmeticError as error:
        raise ValueError(_TOO_LONG) from error
    return args[form] if args.get(form) is not None else args.get("other")


def _number(value: Json) -> float | None:
    """A number, also out of its text; None for nothing at all, which is shown as nothing."""
    if value is None or value == "":
        return None
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError("the value is no number")
    try:
        number = float(value)
    except (ValueError, OverflowError) as error:
        raise ValueError("the value is no number") from error
    return int(value) if isinstance(value, int) else number


def _decimals(value: Json) -> int:
    number = _number(value)
    if number is None or not 0 <= number <= DECIMALS_MAX:
        raise ValueError(f"decimals must be between 0 and {DECIMALS_MAX}")
    return int(number)


def _unfinished(value: float | None) -> str:
    if value is None:
        return ""
    return "NaN" if math.isnan(value) else "∞" if value > 0 else "-∞"


FUNCTIONS: dict[str, Callable[[Mapping[str, Json], str], Json]] = {
    "formatNumber": format_number,
    "formatCurrency": format_currency_value,
    "formatDate": format_date,
    "pluralize": pluralize,
}

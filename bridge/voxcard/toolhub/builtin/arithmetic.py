"""Sums as text: numbers, + - * / ^ and brackets, "20 % of 50", "sqrt 2"; exact, and bounded."""

import math
import re
from dataclasses import dataclass
from fractions import Fraction

EXPRESSION_MAX = 200  # characters
DIGITS_MAX = 1000  # of a numerator or denominator on the way; what grows beyond is refused
_DEPTH_MAX = 40  # brackets and signs in each other
_PLACES = 4  # after the point, where the result is not exact
_LARGEST = 10**15  # nobody can follow more when it is said
_POWER = 512  # a whole exponent, either way
_TOKEN = re.compile(r"\s*(?:([0-9]{1,40}(?:\.[0-9]{1,40})?)|(sqrt|of)\b|([-+*/^()%]))")


class SumError(ValueError):
    """Why a sum has no result, in a sentence."""


@dataclass(frozen=True, slots=True)
class Result:
    """The value; `is_exact`: the text is all of it."""

    text: str
    is_exact: bool


def calculate(expression: str) -> Result:
    """The value of `expression`; raises SumError."""
    if len(expression) > EXPRESSION_MAX:
        raise SumError("That sum is too long.")
    value, is_exact = _Parser(_tokens(expression)).value()
    if abs(value) >= _LARGEST:
        raise SumError("The result is too large for me.")
    if value.denominator == 1 and is_exact:
        return Result(str(value.numerator), True)
    rounded = round(value, _PLACES)
    if value and not rounded:
        raise SumError("The result is too small for me.")
    scaled = abs(rounded.numerator) * 10**_PLACES // rounded.denominator
    whole, places = divmod(scaled, 10**_PLACES)
    text = f"{whole}.{places:0{_PLACES}}".rstrip("0").rstrip(".")
    return Result("-" + text if value < 0 else text, is_exact and rounded == value)


def _tokens(expression: str) -> list[str]:
    tokens: list[str] = []
    at, text = 0, expression.lower().rstrip()
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise SumError("I cannot read that sum.")
        tokens.append(token[0].strip())
        at = token.end()
    return tokens


class _Parser:
    """By precedence: + and -; * and /; "of"; a sign; ^, to the right; what is in brackets."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0
        self._is_exact = True

    def value(self) -> tuple[Fraction, bool]:
        value = self._sum()
        if self._at < len(self._tokens):
            raise SumError("I cannot read that sum.")
        return value, self._is_exact

    def _next(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self, *wanted: str) -> str:
        token = self._next()
        if token not in wanted:
            return ""
        self._at += 1
        return token

    def _sum(self) -> Fraction:
        value = self._product()
        while sign := self._take("+", "-"):
            other = self._product()
            value = _bounded(value + other if sign == "+" else value - other)
        return value

    def _product(self) -> Fraction:
        value = self._share()
        while sign := self._take("*", "/"):
            other = self._share()
            if sign == "/" and not other:
                raise SumError("Nothing can be divided by zero.")
            value = _bounded(value * other if sign == "*" else value / other)
        return value

    def _share(self) -> Fraction:
        """ "20 % of 50", "1/2 of 90" is written "(1/2) of 90"."""
        value = self._signed()
        while self._take("of"):
            value = _bounded(value * self._signed())
        return value

    def _signed(self) -> Fraction:
        self._depth += 1
        if self._depth > _DEPTH_MAX:
            raise SumError("That sum is too long.")
        if sign := self._take("-", "+"):
            value = self._signed()
            value = -value if sign == "-" else value
        else:
            value = self._power()
        self._depth -= 1
        return value

    def _power(self) -> Fraction:
        value = self._percent()
        return self._raised(value, self._signed()) if self._take("^") else value

    def _percent(self) -> Fraction:
        value = self._plain()
        return value / 100 if self._take("%") else value

    def _plain(self) -> Fraction:
        if self._take("sqrt"):
            return self._root(self._signed())
        if self._take("("):
            self._depth += 1
            if self._depth > _DEPTH_MAX:
                raise SumError("That sum is too long.")
            value = self._sum()
            self._depth -= 1
            if not self._take(")"):
                raise SumError("I cannot read that sum.")
            return value
        token = self._next()
        if not token[:1].isdigit():
            raise SumError("I cannot read that sum.")
        self._at += 1
        return Fraction(token)

    def _raised(self, value: Fraction, power: Fraction) -> Fraction:
        if power.denominator != 1 or abs(power) > _POWER:
            raise SumError("I only know small whole powers.")
        if not value and power < 0:
            raise SumError("Nothing can be divided by zero.")
        digits = max(_digits(value.numerator), _digits(value.denominator))
        if digits * abs(int(power)) > DIGITS_MAX:
            raise SumError("The result is too large for me.")
        return Fraction(value ** int(power))

    def _root(self, value: Fraction) -> Fraction:
        if value < 0:
            raise SumError("A negative number has no square root.")
        over, under = math.isqrt(value.numerator), math.isqrt(value.denominator)
        if over * over == value.numerator and under * under == value.denominator:
            return Fraction(over, under)
        self._is_exact = False
        scale = 10 ** (2 * _PLACES + 4)
        return Fraction(math.isqrt(value.numerator * scale * scale // value.denominator), scale)


def _digits(number: int) -> int:
    return number.bit_length() * 3 // 10 + 1


def _bounded(value: Fraction) -> Fraction:
    if max(_digits(value.numerator), _digits(value.denominator)) > DIGITS_MAX:
        raise SumError("The result is too large for me.")
    return value

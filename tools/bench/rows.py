"""One measured figure with its budget."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """`limit` is of design section 10, None where it has none: the most that `value` may be, or
    the least where `at_least`. `note` is what a person compares it with, or why there is no
    value."""

    name: str
    value: float | None
    unit: str
    limit: float | None = None
    at_least: bool = False
    note: str = ""

    @property
    def verdict(self) -> str:
        """ok, over, missing (nothing could be measured), or nothing without a budget."""
        if self.value is None:
            return "missing"
        if self.limit is None:
            return ""
        kept = self.value >= self.limit if self.at_least else self.value <= self.limit
        return "ok" if kept else "over"

    @property
    def budget(self) -> str:
        """The limit in words."""
        if self.limit is None:
            return ""
        return f"{'>=' if self.at_least else '<='} {number(self.limit)}"


def number(value: float) -> str:
    """With as many places as a person reads."""
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:,.2f}" if abs(value) < 10 else f"{value:,.1f}"

"""Contrast of the themes' colours, as WCAG 2.2 defines it."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from voxcard import package_files
from voxwire.type import roles

TEXT, DIM = 7.0, 4.5  # text at least, and dim text and states
_BRIGHT = (roles.INK, roles.BAR_INK)


@cache
def themes() -> Mapping[str, Sequence[int]]:
    """The colours of each theme by role, from the firmware's table, which needs framebuf."""
    tree = ast.parse((package_files.firmware() / "screen" / "draw.py").read_text("utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "THEMES":
            table: Mapping[str, Sequence[int]] = ast.literal_eval(node.value)
            return table
    raise LookupError("screen/draw.py has no THEMES")


def luminance(colour: int) -> float:
    """Relative luminance of 0xRRGGBB, as WCAG 2.2 defines it."""
    parts = [(colour >> shift & 0xFF) / 255 for shift in (16, 8, 0)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(ink: int, paper: int) -> float:
    """The contrast ratio of two colours 0xRRGGBB."""
    lower, higher = sorted((luminance(ink), luminance(paper)))
    return (higher + 0.05) / (lower + 0.05)


def ratios(ink: int, paper: int) -> list[tuple[str, float]]:
    """(theme, contrast ratio) of two roles."""
    return [(theme, contrast(colours[ink], colours[paper])) for theme, colours in themes().items()]


def faint(ink: int, paper: int) -> Iterator[str]:
    """Where a pair of roles lacks contrast: text 7, dim text and states 4.5, in every theme."""
    least = TEXT if ink in _BRIGHT else DIM
    for theme, ratio in ratios(ink, paper):
        if ratio < least:
            yield f"ink {ink} on paper {paper} in {theme}: {ratio:.2f}, not {least}"

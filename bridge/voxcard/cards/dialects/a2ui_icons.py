"""A2UI's icons: a character for the few that say something, words for a button without any."""

import re

# What stands alone for a fact (a step is done, a rating); all other icons only decorate.
_MARKS = {
    "check": "✓",
    "checkCircle": "✓",
    "close": "✗",
    "star": "★",
    "starHalf": "½",
    "starOff": "☆",
    "warning": "⚠",
    "error": "⚠",
}


def icon_mark(name: str) -> str:
    """The character for an icon that says something, else nothing."""
    return _MARKS.get(name, "")


def icon_words(name: str) -> str:
    """`shoppingCart` and `shopping_cart` as `Shopping cart`."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", name).strip().lower()
    return words[:1].upper() + words[1:] if re.fullmatch(r"[a-z ]{1,40}", words) else ""

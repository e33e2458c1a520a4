"""Markdown as plain text: markers gone, words kept (reference: cards, section 8)."""

import re

TEXT_MAX = 65_536
# Where a link leads may hold brackets within brackets: .../Foo_(bar), javascript:f(1).
_TARGET = r"\((?:[^()\s]|\([^()\s]{0,300}\)){0,2048}"
_FENCE = re.compile(r"^ {0,3}(```|~~~)[^\n]*\n?", re.MULTILINE)
_IMAGE = re.compile(r"!\[([^\[\]\n]{0,300})\]" + _TARGET + r"\)")
_LINK = re.compile(r"\[([^\[\]\n]{1,300})\]" + _TARGET + r"(?: \"[^\"\n]{0,200}\")?\)")
_HEADING = re.compile(r"^ {0,3}#{1,6} +(.*)$", re.MULTILINE)
_CLOSING = re.compile(r"(?:^| )#+\Z")
_BULLET = re.compile(r"^( *)[-*+] +(?:\[[ xX]\] +)?", re.MULTILINE)
_QUOTE = re.compile(r"^ {0,3}> ?(.*)$", re.MULTILINE)
_RULE = re.compile(r"^ {0,3}([-*_])(?: *\1){2,} *$", re.MULTILINE)
_TABLE_RULE = re.compile(
    r"^ {0,12}(?:\| {0,12})?(?::?-{2,}:? {0,12}\| {0,12})+(?::?-{2,}:? {0,12})?(?:\n|\Z)",
    re.MULTILINE,
)
_TABLE_ROW = re.compile(r"^ *\|(.*)\| *$", re.MULTILINE)
_STRONG = re.compile(r"(\*\*|__|~~)(?=\S)([^\n]{1,500}?)(?<=\S)\1")
_EMPHASIS = re.compile(r"(?<![\w*])([*_])(?=[^\s*_])([^\n*_]{1,500})(?<=\S)\1(?![\w*])")
_CODE = re.compile(r"`{1,2}([^`\n]{1,500})`{1,2}")
_MARKER = re.compile(r"[`~*_#>|\[+-]|\n\n\n")  # without one of them there is nothing to do
_BLANK = re.compile(r"\n{3,}")


def plain(text: str) -> str:
    """The first 65 536 characters of `text` without Markdown markers; HTML stays as written."""
    text = text[:TEXT_MAX]
    if not _MARKER.search(text):
        return text.strip("\n")
    text = _FENCE.sub("", text)
    text = _RULE.sub("", text)
    text = _TABLE_RULE.sub("", text)
    text = _TABLE_ROW.sub(_row, text)
    text = _IMAGE.sub(lambda found: f"[picture] {found[1]}".strip(), text)
    text = _LINK.sub(r"\1", text)
    text = _HEADING.sub(lambda found: heading(found[1]), text)
    text = _QUOTE.sub(r"“\1”", text)
    text = _BULLET.sub(r"\1• ", text)
    text = _STRONG.sub(r"\2", _STRONG.sub(r"\2", text))
    text = _EMPHASIS.sub(r"\2", text)
    text = _CODE.sub(r"\1", text)
    return _BLANK.sub("\n\n", text).strip("\n")


def heading(text: str) -> str:
    """What a heading says, without the `#` it may be closed with."""
    return _CLOSING.sub("", text.rstrip()).rstrip()


def _row(found: re.Match[str]) -> str:
    return " · ".join(cell.strip() for cell in found[1].split("|"))

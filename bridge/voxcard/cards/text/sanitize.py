"""What foreign card data may be: caps on size, characters that are safe to show, links."""

import re
from urllib.parse import urlsplit

from voxcard.cards.model import CardRefused
from voxcard.json_value import Json
from voxcard.text_safety import clean as clean
from voxcard.text_safety import encodable as encodable
from voxcard.text_safety import has_controls, safe_line

BYTES_MAX = 1 << 20
DEPTH_MAX = 64
LIST_MAX = 500
TEXT_MAX = 65_536  # characters of one text
URL_MAX = 2048

# No spaces, quotes, controls or backslashes: what a phone would read differently than we do.
_LINK = re.compile(r"(?i:(https?)://)([^\s/?#\\\"<>`]+)([/?#][^\s\\\"<>`]*)?\Z")


def check_size(source: Json, list_max: int = LIST_MAX) -> None:
    """CardRefused when a parsed JSON value is larger, deeper or longer than a card may be."""
    size, level, depth = 0, [("", source)], 0
    while level:
        if depth > DEPTH_MAX:
            raise CardRefused(level[0][0], f"is nested deeper than {DEPTH_MAX} levels")
        below: list[tuple[str, Json]] = []
        for path, value in level:
            size += 8
            if isinstance(value, str):
                size += len(value)
            elif isinstance(value, list | dict):
                if len(value) > list_max:
                    raise CardRefused(path, f"has {len(value)} entries, the limit is {list_max}")
                pairs = enumerate(value) if isinstance(value, list) else value.items()
                start = f"{path}." if path else ""
                below += [(f"{start}{key}"[:200], entry) for key, entry in pairs]
            if size > BYTES_MAX:
                raise CardRefused(path, f"is larger than {BYTES_MAX} bytes")
        level, depth = below, depth + 1


def label(value: str) -> str:
    """One line for a button: cleaned, without bidi controls, blanks joined and trimmed."""
    return safe_line(value)


def web_link(value: Json) -> bool | None:
    """None when `value` is no http(s) link that can be shown, else whether it is https."""
    if not isinstance(value, str) or len(value) > URL_MAX:
        return None
    match = _LINK.match(value)
    if not match or has_controls(value):
        return None
    return match[1].lower() == "https" if host(value) else None


def https_link(value: Json, path: str) -> str:
    """`value` when it is an https link, else CardRefused at `path`."""
    if not web_link(value):
        raise CardRefused(path, "must be an https link")
    return str(value)


def host(url: str) -> str:
    """Where a link leads, as a person should see it: ASCII (punycode), with an unusual port."""
    try:
        parts = urlsplit(url)
        name, port = parts.hostname or "", parts.port
        name = name if name.isascii() else name.encode("idna").decode("ascii")
    except (ValueError, UnicodeError):
        return ""
    usual = {"https": 443, "http": 80}.get(parts.scheme)
    return name if port in (None, usual) else f"{name}:{port}"

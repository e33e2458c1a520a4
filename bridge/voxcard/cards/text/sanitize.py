"""What foreign card data may be: caps on size, characters that are safe to show, links."""

import re
import unicodedata
from urllib.parse import urlsplit

from voxcard.cards.model import CardRefused
from voxcard.json_value import Json

BYTES_MAX = 1 << 20
DEPTH_MAX = 64
LIST_MAX = 500
URL_MAX = 2048

# C0 and C1 without newline, line and paragraph separators, and halves of surrogate pairs, which
# are legal in JSON but in no encoding.
_CONTROLS: dict[int, str | None] = dict.fromkeys((*range(32), *range(0x7F, 0xA0), 0xFEFF))
_CONTROLS |= dict.fromkeys((0x0B, 0x0C, 0x85, 0x2028, 0x2029), "\n")
_CONTROLS |= {0x09: " "} | dict.fromkeys(range(0xD800, 0xE000), "\ufffd")
del _CONTROLS[0x0A]
# Marks and overrides that reorder what is beside them: a label must not read as another one.
_BIDI: dict[int, None] = dict.fromkeys(
    (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
)
_CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]")
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


def clean(value: str) -> str:
    """NFC text without control characters; line breaks of any kind become a newline."""
    if value.isascii():
        if value.isprintable():
            return value
    elif not unicodedata.is_normalized("NFC", value):
        value = unicodedata.normalize("NFC", value)
    if _CONTROL.search(value):
        value = value.replace("\r\n", "\n").replace("\r", "\n").translate(_CONTROLS)
    return value


def label(value: str) -> str:
    """One line for a button: cleaned, without bidi controls, blanks joined and trimmed."""
    return " ".join(clean(value).translate(_BIDI).split())


def encodable(value: str) -> bool:
    """Whether `value` has a UTF-8 form: JSON may hold halves of surrogate pairs."""
    return value.isascii() or not any("\ud800" <= character <= "\udfff" for character in value)


def web_link(value: Json) -> bool | None:
    """None when `value` is no http(s) link that can be shown, else whether it is https."""
    if not isinstance(value, str) or len(value) > URL_MAX:
        return None
    match = _LINK.match(value)
    if not match or _CONTROL.search(value) or value != value.translate(_BIDI):
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

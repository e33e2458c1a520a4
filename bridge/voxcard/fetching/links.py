"""Links as a request needs them."""

from collections.abc import Sequence
from contextlib import suppress
from urllib.parse import quote, urljoin, urlsplit

import httpcore2

REDIRECTS = (301, 302, 303, 307, 308)
REDIRECTS_MAX = 3
_SAFE = "/%:@!$&'()*+,;=?-._~[]"


def parsed(url: str, schemes: Sequence[str]) -> httpcore2.URL | None:
    """The link in ASCII; None when it is none, has a user, or is of another scheme."""
    try:
        parts = urlsplit(url)
        port, name = parts.port, parts.hostname or ""
        name = name if name.isascii() else name.encode("idna").decode("ascii")
    except (ValueError, UnicodeError):
        return None
    scheme = parts.scheme.lower()
    if not name or scheme not in schemes or "@" in parts.netloc:
        return None
    target = quote(parts.path or "/", safe=_SAFE)
    if parts.query:
        target += "?" + quote(parts.query, safe=_SAFE)
    return httpcore2.URL(scheme=scheme, host=name, port=port, target=target)


def joined(url: str, where: str) -> str:
    """Where a redirect leads; what is no link stays as it is and is refused like any other."""
    with suppress(ValueError):
        return urljoin(url, where)
    return where


def host_of(url: str) -> str:
    """The host in a link, for a sentence about it: nothing else of a link is told."""
    with suppress(ValueError):
        return urlsplit(url).hostname or "The link"
    return "The link"

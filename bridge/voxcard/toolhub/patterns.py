"""Regular expressions of foreign schemas, matched in time linear in the text.

JSON Schema writes `pattern` in the dialect of ECMA-262. RE2 reads nearly all of it; it has no
lookaround and no backreferences, which no matcher can run in linear time.
"""

import functools
import re
from typing import Any

import re2

PATTERN_MAX = 1000  # characters of a pattern
TEXT_MAX = 20_000  # characters of a text; 0.3 s for the worst pattern of that length
_MEMORY_MAX = 1 << 21  # bytes of one compiled pattern; a letter of any script takes 10 KB
_KEPT_MAX = 32  # compiled patterns

_ESCAPE = re.compile(
    r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|.)",
    re.DOTALL,
)


def matches(pattern: str, text: str) -> bool | None:
    """Whether `pattern` is found anywhere in `text`, as JSON Schema has it.

    None when that cannot be said: the pattern is no regular expression, needs more than linear
    time, or `text` is longer than TEXT_MAX.
    """
    if len(text) > TEXT_MAX:
        return None
    compiled = _compiled(pattern)
    if compiled is None:
        return None
    return compiled.search(text.encode(errors="replace")) is not None


def is_readable(pattern: str) -> bool:
    """Whether `matches` can tell anything about `pattern`."""
    return _compiled(pattern) is not None


@functools.lru_cache(maxsize=_KEPT_MAX)
def _compiled(pattern: str) -> Any:
    """The pattern over UTF-8 bytes, or None."""
    if len(pattern) > PATTERN_MAX:
        return None
    options = re2.Options()
    options.max_mem = _MEMORY_MAX
    options.never_capture = True
    options.log_errors = False
    try:
        return re2.compile(_ESCAPE.sub(_translated, pattern).encode(), options)
    except (re2.error, UnicodeEncodeError):
        return None
    finally:
        re2.purge()  # its own cache is larger than ours, and never smaller


def _translated(escape: re.Match[str]) -> str:
    r"""RE2 has `\x{e9}` for `\u00e9`, and for both halves of a surrogate pair one character."""
    high, low, unit = escape.groups()
    if high:
        code = 0x10000 + ((int(high, 16) & 0x3FF) << 10) + (int(low, 16) & 0x3FF)
        return rf"\x{{{code:x}}}"
    return rf"\x{{{unit}}}" if unit else escape[0]

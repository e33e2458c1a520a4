"""Reads JSON that others wrote: UTF-8 of whole characters alone, the same on both interpreters.

Half a character (a surrogate without its other half) is legal in JSON's escapes and in no UTF-8:
what takes one in can neither write it on nor show it.
"""

import json

from voxwire.errors import WireError

NO_MEMORY = "needs more memory than there is"
_HEX = b"0123456789abcdefABCDEF"
_HALF = "has half a character: send text as UTF-8"


def loads(payload: "bytes | memoryview", part: str):
    """The value in `payload`; WireError of `part` if it is no JSON or has half a character."""
    try:
        # str() of bytes checks UTF-8 on both interpreters; json alone does not on MicroPython.
        text = str(payload, "utf-8")
        data = text.encode()  # on MicroPython the same memory
        if _has_raw_half(data):
            raise WireError(part, _HALF)
        if "\\u" in text:
            text = _joined(data, part)
        return json.loads(text)
    except WireError:
        raise
    # RuntimeError: nesting deeper than the interpreter's stack.
    except (ValueError, RuntimeError):
        raise WireError(part, "is not JSON")
    except MemoryError:
        raise WireError(part, NO_MEMORY)


def _has_raw_half(data: bytes) -> bool:
    # MicroPython's str() lets the bytes of a surrogate pass: ED, then A0 to BF.
    at = data.find(b"\xed")
    while at >= 0:
        if data[at + 1] >= 0xA0:
            return True
        at = data.find(b"\xed", at + 1)
    return False


def _joined(data: bytes, part: str) -> str:
    """The text with its escaped pairs of surrogates as characters: MicroPython joins none."""
    pieces, begin, at = [], 0, data.find(b"\\")
    while at >= 0:
        first, size = _unit(data, at), 2
        if 0xD800 <= first < 0xE000:
            second, size = _unit(data, at + 6), 12
            if first >= 0xDC00 or not 0xDC00 <= second < 0xE000:
                raise WireError(part, _HALF)
            character = chr(0x10000 + ((first & 0x3FF) << 10 | second & 0x3FF))
            pieces += [data[begin:at], character.encode()]
            begin = at + size
        at = data.find(b"\\", at + size)
    pieces.append(data[begin:])
    return str(b"".join(pieces), "utf-8")


def _unit(data: bytes, at: int) -> int:
    """The number in the escape `\\uXXXX` at `at`, 0 without one; ValueError without digits."""
    if data[at : at + 2] != b"\\u":
        return 0
    digits = data[at + 2 : at + 6]
    for digit in digits:
        # Checked here: MicroPython's json makes a character of anything, int() takes a sign.
        if digit not in _HEX:
            raise ValueError
    return int(digits, 16)

"""Reads JSON that others wrote: UTF-8 of whole characters alone, the same on both interpreters.

Half a character (a surrogate without its other half) is legal in JSON's escapes and in no UTF-8:
what takes one in can neither write it on nor show it.
"""

import json

from voxwire.errors import WireError


def loads(payload: "bytes | memoryview", part: str):
    """The value in `payload`; WireError of `part` if it is no JSON or has half a character."""
    try:
        # str() of bytes checks UTF-8 on both interpreters; json alone does not on MicroPython.
        text = str(payload, "utf-8")
        data = text.encode()  # on MicroPython the same memory
        at = data.find(b"\xed")
        while at >= 0:
            # MicroPython's str() lets the bytes of a surrogate pass: ED, then A0 to BF.
            if data[at + 1] >= 0xA0:
                raise ValueError
            at = data.find(b"\xed", at + 1)
        return json.loads(_joined(data, part) if "\\u" in text else text)
    except WireError:
        raise
    # RuntimeError: nesting deeper than the interpreter's stack.
    except (ValueError, RuntimeError):
        raise WireError(part, "is not JSON")
    except MemoryError:
        raise WireError(part, "needs more memory than there is")


def _joined(data: bytes, part: str) -> str:
    """The text with its escaped pairs of surrogates as characters: MicroPython joins none.

    WireError of `part` for half of one, ValueError for an escape without its digits.
    """
    half = WireError(part, "has half a character: send text as UTF-8")
    pieces, begin, high = [], 0, 0
    at = data.find(b"\\")
    while at >= 0:
        code = _unicode_escape(data, at)
        if high:
            if not 0xDC00 <= code < 0xE000 or at != begin + 6:
                raise half
            character = chr(0x10000 + ((high & 0x3FF) << 10 | code & 0x3FF))
            pieces.append(character.encode())
            begin, high = at + 6, 0
        elif 0xD800 <= code < 0xE000:
            if code >= 0xDC00:
                raise half
            pieces.append(data[begin:at])
            begin, high = at, code
        at = data.find(b"\\", at + 2)
    if high:
        raise half
    pieces.append(data[begin:])
    return str(b"".join(pieces), "utf-8")


def _unicode_escape(data: bytes, at: int) -> int:
    """The number of the escape u at `at`, 0 of any other; ValueError without its digits."""
    code = 0
    if data[at + 1 : at + 2] == b"u":
        for digit in data[at + 2 : at + 6].lower():
            # Not by int(), which takes a sign; MicroPython's json takes anything.
            code = code << 4 | b"0123456789abcdef".index(bytes((digit,)))
    return code

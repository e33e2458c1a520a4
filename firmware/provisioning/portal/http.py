"""One request of HTTP/1.1 as a browser sends it, and heads of answers; pure.

Everything has a limit: who sends more is refused by its status.
"""

from collections import namedtuple

HEAD_MAX = 3072  # bytes; Chrome on Android sends 700, with long cookies of others 2000
BODY_MAX = 2048
FIELDS_MAX = 24

# `length` of the body that follows. `origin` is "" where the browser names none.
Request = namedtuple("Request", ("method", "path", "host", "origin", "length"))

_REASONS = {
    200: "OK", 204: "No Content", 302: "Found", 303: "See Other", 400: "Bad Request",
    403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 408: "Request Timeout",
    413: "Payload Too Large", 431: "Headers Too Large",
}  # fmt: skip


class HttpError(ValueError):
    """A request that is refused; `status` says why."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def request(head: bytes) -> Request:
    """The request of `head`, all before its empty line; HttpError if it is none."""
    lines = head.split(b"\r\n")
    parts = lines[0].split(b" ")
    if len(parts) != 3 or not parts[2].startswith(b"HTTP/1."):
        raise HttpError(400)
    headers = _headers(lines[1:])
    if b"transfer-encoding" in headers:
        raise HttpError(400)
    length = headers.get(b"content-length", b"0")
    if not length.isdigit() or len(length) > 6:
        raise HttpError(400)
    if int(length) > BODY_MAX:
        raise HttpError(413)
    path = parts[1].partition(b"?")[0]
    texts = (parts[0], path, headers.get(b"host", b""), headers.get(b"origin", b""))
    return Request(*([_ascii(text) for text in texts] + [int(length)]))


def _headers(lines: "list[bytes]") -> "dict[bytes, bytes]":
    """The four that count; HttpError if one of them is there twice: two readers differ then."""
    found: "dict[bytes, bytes]" = {}
    for line in lines:
        name, _, value = line.partition(b":")
        name = name.lower()
        if name in (b"host", b"origin", b"content-length", b"transfer-encoding"):
            if name in found:
                raise HttpError(400)
            found[name] = value.strip()
    return found


def _ascii(text: bytes) -> str:
    for byte in text:
        if not 33 <= byte <= 126:
            raise HttpError(400)
    return str(text, "ascii")


def form(body: bytes) -> "dict[str, str]":
    """The fields of a form (application/x-www-form-urlencoded); HttpError where it is none."""
    parts = body.split(b"&") if body else []
    if len(parts) > FIELDS_MAX:
        raise HttpError(413)
    fields: "dict[str, str]" = {}
    for part in parts:
        name, _, value = part.partition(b"=")
        fields[_decoded(name)] = _decoded(value)
    return fields


_HEX = b"0123456789abcdefABCDEF"


def _decoded(text: bytes) -> str:
    plain = bytearray()
    at = 0
    while at < len(text):
        byte = text[at]
        if byte == 37:  # %
            digits = text[at + 1 : at + 3]
            # int() alone takes signs and spaces.
            if len(digits) != 2 or digits[:1] not in _HEX or digits[1:] not in _HEX:
                raise HttpError(400)
            byte = int(str(digits, "ascii"), 16)
            at += 2
        plain.append(32 if byte == 43 and text[at] == 43 else byte)
        at += 1
    try:
        return str(bytes(plain), "utf-8")
    except UnicodeError:
        raise HttpError(400)


def head(status: int, headers: "tuple[str, ...]" = ()) -> bytes:
    """The head of an answer; the connection ends behind it."""
    lines = ("HTTP/1.1 %d %s" % (status, _REASONS[status]),) + headers
    return ("\r\n".join(lines + ("Connection: close", "Cache-Control: no-store", "", ""))).encode()

"""Answers of a name server that knows one address for every name (RFC 1035); pure."""

import struct

_HEADER = 12
_A, _ANY, _INTERNET = 1, 255, 1
_TTL_S = 5  # a phone must not know it so any more when it is in another network
_NAME_MAX = 255
REQUEST_MAX = 512


def answer(request: bytes, address: bytes) -> "bytes | None":
    """The answer to `request`, None where it is no plain question.

    `address`: four bytes. For what is no IPv4 address of a name the list of answers is empty.
    """
    if not _HEADER < len(request) <= REQUEST_MAX:
        return None
    query_id, flags, questions = struct.unpack_from(">HHH", request, 0)
    # Another question than the first is of no use to anybody: no resolver asks two.
    if flags & 0xF800 or not questions:
        return None
    end = _end_of_name(request)
    if not end or end + 4 > len(request):
        return None
    kind, space = struct.unpack_from(">HH", request, end)
    known = kind in (_A, _ANY) and space == _INTERNET
    # Authoritative; recursion as it was asked for.
    head = struct.pack(">HHHHHH", query_id, 0x8400 | flags & 0x0100, 1, 1 if known else 0, 0, 0)
    body = head + request[_HEADER : end + 4]
    if known:
        body += struct.pack(">HHHIH", 0xC000 | _HEADER, _A, _INTERNET, _TTL_S, 4) + address
    return body


def _end_of_name(request: bytes) -> int:
    """Where the question's name ends; 0 when it does not, or points elsewhere."""
    at = _HEADER
    while at < len(request) and at - _HEADER < _NAME_MAX:
        size = request[at]
        if not size:
            return at + 1
        if size > 63:
            return 0
        at += 1 + size
    return 0

"""A release: its manifest, the offer of it, and why a device refuses one (docs/protocol.md).

Pure. A device imports it when an offer comes and forgets it afterwards.
"""

import hashlib
from binascii import hexlify
from collections import namedtuple

from voxwire import value
from voxwire.errors import WireError
from voxwire.fields import read, write
from voxwire.json_text import loads
from voxwire.message import dump, load

MANIFEST_BYTES_MAX = 24576
FILES_MAX = 256
PATH_MAX = 64  # characters
PIECE_MAX = 16384  # bytes of a piece that is asked for; of an image PIECE_IMAGE
PIECE_IMAGE = 4096  # one block of an ESP32's flash
KEY_BYTES = 32

Offer = namedtuple("Offer", ("serial", "version", "manifest_size", "manifest_sha256", "mac"))
Manifest = namedtuple(
    "Manifest",
    (
        "version",  # numbers with points between them
        "digest",  # of the firmware, as in its hello after the +
        "board",
        "kind",  # files: all that a slot holds; image: one file, an app of ESP-IDF
        "micropython",  # (major, minor), the oldest that it runs on
        "allow_older",  # it may replace a newer version
        "files",  # (File, ...)
    ),
)
File = namedtuple("File", ("path", "size", "sha256"))  # sha256: hex
# What a device is; version and micropython as in Manifest.
Running = namedtuple("Running", ("version", "digest", "board", "kind", "micropython"))

# In the words of voxwire.fields.
_OFFER = (
    "serial:1..999999999999999 version:string manifest_size:1..24576"
    " manifest_sha256:string mac:string"
)
_MANIFEST = (
    "format:1 version:string digest:string board:string kind:files|image micropython:array"
    " allow_older:boolean=false files:array"
)
_SIZE = value.integer(0, 0x1000000)
_NUMBER = value.integer(0, 999999)
_NAME = value.string(64, 1)
_PATH_SIGNS = "._-/"
_HEX = "0123456789abcdef"


def encode_offer(offer: Offer) -> bytes:
    """The payload of an offer."""
    data: "dict[str, object]" = {"type": "offer"}
    data.update(write(_OFFER, offer))
    return dump(data, "offer")


def decode_offer(payload: "bytes | memoryview") -> Offer:
    """The offer in `payload`; WireError names the first field that is wrong."""
    data = load(payload, "offer")
    if data.get("type") != "offer":
        raise WireError("offer.type", "must be offer")
    offer = Offer(*read(_OFFER, data, "offer"))
    parse_version(offer.version, "offer.version")
    _check_hex(offer.manifest_sha256, "offer.manifest_sha256")
    _check_hex(offer.mac, "offer.mac")
    return offer


def parse_key(text: str) -> bytes:
    """The bytes of a key as hexadecimal digits; WireError unless it has 64 of them."""
    _check_hex(text, "key")
    return bytes([int(text[at : at + 2], 16) for at in range(0, 2 * KEY_BYTES, 2)])


def hmac_sha256(key: bytes, text: bytes) -> str:
    """HMAC-SHA256 (RFC 2104) as hexadecimal digits; `key` has at most 64 bytes."""
    block = key + bytes(64 - len(key))
    inner = hashlib.sha256(bytes([byte ^ 0x36 for byte in block]))
    inner.update(text)
    outer = hashlib.sha256(bytes([byte ^ 0x5C for byte in block]))
    outer.update(inner.digest())
    return hexlify(outer.digest()).decode()


def mac_text(device_id: str, serial: int, manifest_sha256: str) -> bytes:
    """What an offer's mac is made of."""
    return ("voxcard-offer\n%s\n%d\n%s" % (device_id, serial, manifest_sha256)).encode()


def offer_mac(key: bytes, device_id: str, serial: int, manifest_sha256: str) -> str:
    """The mac of an offer for one device, by its update key."""
    return hmac_sha256(key, mac_text(device_id, serial, manifest_sha256))


def same(one: str, other: str) -> bool:
    """Whether two macs are equal, in a time that tells nothing about where they differ."""
    difference = len(one) ^ len(other)
    for left, right in zip(one.encode(), other.encode()):
        difference |= left ^ right
    return difference == 0


def piece_name(serial: int, path: str, at: int) -> str:
    """The name of the blob that carries the bytes from `at` on of a file, "" the manifest."""
    return "%d:%s:%d" % (serial, path, at)


def parse_version(text: str, part: str) -> "tuple[int, ...]":
    """1 to 4 numbers with points between them, as what versions are compared by; WireError."""
    numbers = text.split(".")
    for number in numbers:
        if not 1 <= len(number) <= 6 or [each for each in number if not "0" <= each <= "9"]:
            raise WireError(part, "must be numbers with points between them, such as 0.4.0")
    if len(numbers) > 4:
        raise WireError(part, "must have at most 4 numbers")
    return tuple([int(number) for number in numbers] + [0] * (4 - len(numbers)))


def parse_manifest(data: "bytes | memoryview") -> Manifest:
    """The manifest in the exact bytes `data`; WireError names the first part that is wrong."""
    if len(data) > MANIFEST_BYTES_MAX:
        raise WireError(
            "manifest", "is %d bytes, the limit is %d" % (len(data), MANIFEST_BYTES_MAX)
        )
    values = read(_MANIFEST, loads(data, "manifest"), "manifest")
    _, version, digest, board, kind, micropython, allow_older, files = values
    parse_version(version, "manifest.version")
    value.check(digest, _NAME, "manifest.digest")
    value.check(board, _NAME, "manifest.board")
    if len(micropython) != 2:
        raise WireError("manifest.micropython", "must be [major, minor]")
    oldest = tuple([value.check(each, _NUMBER, "manifest.micropython") for each in micropython])
    return Manifest(version, digest, board, kind, oldest, allow_older, _files(files, kind))


def _files(rows, kind: str) -> "tuple[File, ...]":
    part = "manifest.files"
    if not 1 <= len(rows) <= FILES_MAX:
        raise WireError(part, "must have 1 to %d files" % FILES_MAX)
    if kind == "image" and len(rows) != 1:
        raise WireError(part, "must have one file: the image")
    files = tuple([_file(row, "%s[%d]" % (part, at)) for at, row in enumerate(rows)])
    # A file system may take large and small letters for the same.
    names = {file.path.lower() for file in files}
    if len(names) != len(files):
        raise WireError(part, "have a path twice")
    for name in names:
        at = name.find("/")
        while at >= 0:
            if name[:at] in names:
                raise WireError(part, "have %s as a file and as a folder" % name[:at])
            at = name.find("/", at + 1)
    return files


def _file(row, part: str) -> File:
    if not isinstance(row, list) or len(row) != 3:
        raise WireError(part, "must be [path, size, sha256]")
    path, size, sha256 = row
    _check_path(path, part + ".path")
    _check_hex(sha256, part + ".sha256")
    return File(path, value.check(size, _SIZE, part + ".size"), sha256)


def _check_path(path, part: str) -> None:
    """WireError unless `path` stays in its slot and any file system takes it."""
    if not isinstance(path, str) or not 1 <= len(path) <= PATH_MAX:
        raise WireError(part, "must be text of 1 to %d characters" % PATH_MAX)
    for sign in path:
        if not ("a" <= sign <= "z" or "A" <= sign <= "Z" or "0" <= sign <= "9"
                or sign in _PATH_SIGNS):  # fmt: skip
            raise WireError(part, "may hold only letters, digits and %s" % " ".join(_PATH_SIGNS))
    for name in path.split("/"):
        # Hidden names are the device's own; "..", and nothing at all, would leave the slot.
        if not name or name.startswith("."):
            raise WireError(part, "must stay in its folder, without hidden names")
    if path.lower() == "settings.json":
        raise WireError(part, "must not be the settings")


def _check_hex(text, part: str) -> None:
    """WireError unless `text` is 32 bytes as hexadecimal digits."""
    if not isinstance(text, str) or len(text) != 64 or [each for each in text if each not in _HEX]:
        raise WireError(part, "must be 64 hex digits")


# Why a device refuses a release: each gives a sentence, or "" where that is no reason.


def _foreign_board(manifest: Manifest, running: Running) -> str:
    if manifest.board == running.board:
        return ""
    text = "The release is for the board %s, this is %s: offer one that was built for %s."
    return text % (manifest.board, running.board, running.board)


def _foreign_kind(manifest: Manifest, running: Running) -> str:
    if manifest.kind == running.kind:
        return ""
    text = "The release is of kind %s, this device takes %s: build it with that kind."
    return text % (manifest.kind, running.kind)


def _old_micropython(manifest: Manifest, running: Running) -> str:
    if running.micropython >= manifest.micropython:
        return ""
    text = "The release needs MicroPython %d.%d, this device has %d.%d: flash a newer one first."
    return text % (tuple(manifest.micropython) + tuple(running.micropython))


def _older(manifest: Manifest, running: Running) -> str:
    ours = parse_version(running.version, "running.version")
    if manifest.allow_older or parse_version(manifest.version, "manifest.version") >= ours:
        return ""
    text = "The release %s is older than the %s that runs: build it so that it may go back."
    return text % (manifest.version, running.version)


REFUSALS = (_foreign_board, _foreign_kind, _old_micropython, _older)  # in this order


def refusal(manifest: Manifest, running: Running) -> str:
    """Why a device that is `running` refuses a release, a sentence; "" where it takes it."""
    for reason_of in REFUSALS:
        reason = reason_of(manifest, running)
        if reason:
            return reason
    return ""

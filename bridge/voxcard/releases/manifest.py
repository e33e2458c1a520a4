"""The manifest of a release as the bridge writes and reads it; its form is voxwire.release's."""

import json

from voxwire import release as wire
from voxwire.errors import WireError

from voxcard.errors import VoxcardError

FORMAT = 1
IMAGE = "micropython.bin"  # the one file of kind `image`


def encode(manifest: wire.Manifest) -> bytes:
    """Its bytes, the same for the same values; VoxcardError for what no device takes."""
    data = {
        "format": FORMAT,
        "version": manifest.version,
        "digest": manifest.digest,
        "board": manifest.board,
        "kind": manifest.kind,
        "micropython": manifest.micropython,
        "allow_older": manifest.allow_older,
        "files": manifest.files,
    }
    text = json.dumps(data, separators=(",", ":")).encode()
    decode(text)
    return text


def decode(data: bytes) -> wire.Manifest:
    """The manifest in `data`; VoxcardError names what of it is wrong."""
    try:
        return wire.parse_manifest(data)
    except WireError as error:
        problem = f"The manifest of the release is wrong: {error.part} {error.reason}."
        raise VoxcardError(problem, "Build the release anew.") from error


def firmware_name(manifest: wire.Manifest) -> str:
    """The firmware as a device's hello calls it."""
    return f"{manifest.version}+{manifest.digest}"


def size(manifest: wire.Manifest) -> int:
    """Bytes of all files."""
    return sum(file.size for file in manifest.files)

"""Release files: a ZIP, stored, of a manifest, its signature and the files it names.

The signature is the HMAC-SHA256 of the manifest's bytes with the home's release key, in
hexadecimal digits; the manifest holds the hash of every file.
"""

import hashlib
import hmac
import os
import struct
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from voxwire.release import MANIFEST_BYTES_MAX, Manifest

from voxcard.errors import VoxcardError
from voxcard.releases import manifest as manifests

SUFFIX = ".voxrelease"
ARCHIVE_BYTES_MAX = 32 << 20
_MANIFEST, _SIGNATURE, _FILES = "manifest.json", "signature", "files/"
_SIGNATURE_BYTES = 64
_BLOCK_BYTES = 1 << 16
_DATE = (1980, 1, 1, 0, 0, 0)  # the first that a ZIP can hold: the same content, the same bytes
_LOCAL_HEADER, _LENGTHS_AT = 30, 26  # of a ZIP, APPNOTE 4.3.7


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """A release file that was opened. `signature` is "" where it is not signed."""

    path: Path
    manifest: Manifest
    manifest_bytes: bytes
    signature: str
    starts: Mapping[str, int]  # of each file in the archive
    sizes: Mapping[str, int]  # of each file

    @property
    def manifest_sha256(self) -> str:
        """What an offer names the release by."""
        return hashlib.sha256(self.manifest_bytes).hexdigest()

    def is_signed_by(self, key: bytes) -> bool:
        """Whether the home with this release key signed it."""
        return hmac.compare_digest(
            sign(self.manifest_bytes, key).encode(), self.signature.encode()
        )

    def check_files(self) -> None:
        """VoxcardError unless every file has the hash that the manifest gives it. Blocks."""
        with self.path.open("rb") as archive:
            for file in self.manifest.files:
                if _hash(archive, self.starts[file.path], file.size) != file.sha256:
                    raise _damaged(f"{file.path} has another content")

    def position(self, path: str) -> int:
        """Bytes of the files before this one in the manifest, 0 for the manifest itself."""
        before = 0
        for file in self.manifest.files:
            if file.path == path:
                return before
            before += file.size
        return 0

    def size_of(self, path: str) -> int:
        """Bytes of a file, of the manifest for ""; KeyError for a path that it does not hold."""
        if not path:
            return len(self.manifest_bytes)
        return self.sizes[path]

    def piece(self, path: str, at: int, size: int) -> bytes:
        """Bytes [at, at + size) of a file, of the manifest for "". Blocks.

        KeyError for a path that it does not hold, OSError when the archive cannot be read.
        """
        left = max(0, min(size, self.size_of(path) - at))
        if not path:
            return self.manifest_bytes[at : at + left]
        with self.path.open("rb") as archive:
            archive.seek(self.starts[path] + at)
            return archive.read(left)


def sign(manifest: bytes, key: bytes) -> str:
    """The signature of a manifest."""
    return hmac.new(key, manifest, hashlib.sha256).hexdigest()


def check_signature(release: Release, key: bytes) -> None:
    """VoxcardError unless the home with this release key signed it."""
    if not release.signature:
        problem = "The release is not signed."
        raise VoxcardError(problem, "Build it with the voxcard of this home.")
    if not release.is_signed_by(key):
        problem = "The release was signed by another home, or its manifest was changed."
        raise VoxcardError(problem, "Build it with the voxcard of this home.")


def write(path: Path, manifest: Manifest, files: Mapping[str, bytes], key: bytes) -> None:
    """Write a release; the same values give the same bytes. A failure leaves what was there."""
    text = manifests.encode(manifest)
    beside = path.with_name(path.name + ".new")
    try:
        with zipfile.ZipFile(beside, "w", zipfile.ZIP_STORED) as archive:
            _add(archive, _MANIFEST, text)
            _add(archive, _SIGNATURE, sign(text, key).encode())
            for file in manifest.files:
                _add(archive, _FILES + file.path, files[file.path])
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        problem = f"{path} cannot be written: {error.strerror}."
        raise VoxcardError(problem, "Name another file with -o.") from error


def read(path: Path) -> Release:
    """The release in a file, its files not yet looked at; VoxcardError when it is none. Blocks."""
    try:
        if path.stat().st_size > ARCHIVE_BYTES_MAX:
            raise _damaged("it is too large")
        with zipfile.ZipFile(path) as archive:
            return _opened(path, archive)
    except (zipfile.BadZipFile, NotImplementedError, EOFError, struct.error) as error:
        raise _damaged("it is no whole ZIP") from error
    except OSError as error:
        problem = f"{path} cannot be read: {error.strerror}."
        raise VoxcardError(problem, "Name another file.") from error


def _opened(path: Path, archive: zipfile.ZipFile) -> Release:
    rows = {row.filename: row for row in archive.infolist()}
    if len(rows) < len(archive.infolist()) or not all(map(_is_plain, rows.values())):
        raise _damaged("it was packed by another program")
    if _MANIFEST not in rows or rows[_MANIFEST].file_size > MANIFEST_BYTES_MAX:
        raise _damaged("it has no manifest")
    text = archive.read(_MANIFEST)
    manifest = manifests.decode(text)
    sizes = {_FILES + file.path: file.size for file in manifest.files}
    held = {name: row.file_size for name, row in rows.items()}
    signature_bytes = held.pop(_SIGNATURE, 0)
    del held[_MANIFEST]
    if held != sizes:
        raise _damaged("it does not hold the files of its manifest")
    signature = archive.read(_SIGNATURE) if signature_bytes == _SIGNATURE_BYTES else b""
    return Release(
        path=path,
        manifest=manifest,
        manifest_bytes=text,
        signature=signature.decode("ascii", "replace"),
        starts=_starts(path, rows),
        sizes={file.path: file.size for file in manifest.files},
    )


def _is_plain(row: zipfile.ZipInfo) -> bool:
    stored = row.compress_type == zipfile.ZIP_STORED and row.compress_size == row.file_size
    return stored and not row.flag_bits & 1


def _starts(path: Path, rows: Mapping[str, zipfile.ZipInfo]) -> dict[str, int]:
    """Where the bytes of each file begin: behind their local header, its name and extra field."""
    starts: dict[str, int] = {}
    with path.open("rb") as archive:
        end = archive.seek(0, os.SEEK_END)
        for name, row in rows.items():
            if not name.startswith(_FILES):
                continue
            archive.seek(row.header_offset)
            lengths = struct.unpack_from("<HH", archive.read(_LOCAL_HEADER), _LENGTHS_AT)
            start = row.header_offset + _LOCAL_HEADER + sum(lengths)
            if start + row.file_size > end:
                raise _damaged("it was cut off")
            starts[name.removeprefix(_FILES)] = start
    return starts


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    row = zipfile.ZipInfo(name, _DATE)
    row.create_system, row.external_attr = 3, 0o644 << 16
    archive.writestr(row, data)


def _hash(archive: BinaryIO, start: int, size: int) -> str:
    digest = hashlib.sha256()
    archive.seek(start)
    while size and (block := archive.read(min(size, _BLOCK_BYTES))):
        digest.update(block)
        size -= len(block)
    return digest.hexdigest()


def _damaged(what: str) -> VoxcardError:
    problem = f"The file is no release, or is damaged: {what}."
    return VoxcardError(problem, "Build it anew, or copy it again.")

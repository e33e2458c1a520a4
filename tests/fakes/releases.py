"""Release files for tests."""

import hashlib

from voxcard.releases import archive
from voxwire.release import File, Manifest

KEY, FOREIGN = b"k" * 32, b"f" * 32
FILES = {"app.mpy": b"a" * 5000, "main.py": b"import app\n", "voxwire/card.mpy": b"c" * 40}


def manifest(files=FILES, **values):
    """The manifest of a release of these files."""
    rows = tuple(
        File(path, len(data), hashlib.sha256(data).hexdigest())
        for path, data in sorted(files.items())
    )
    return Manifest(
        **{
            "version": "0.2.0",
            "digest": "1f3a9c2e",
            "board": "diy-s3-oled",
            "kind": "files",
            "micropython": (1, 28),
            "allow_older": False,
            "files": rows,
            **values,
        }
    )


def release(path, files=FILES, key=KEY, **values):
    """Write a release; returns its path."""
    archive.write(path, manifest(files, **values), files, key)
    return path

"""MicroPython's sources, from which interpreters are built here: micropython_source.py FOLDER

Debian's source package, known by its bytes. With the standard library alone: tools/setup.sh needs
it without an environment. What cannot be done is one sentence, and exit status 1.
"""

import hashlib
import os
import sys
import tarfile
import tempfile
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

# Pinned by its bytes, not by Debian's suite: budgets of heap and flash are measured with this
# version, and another one would move them without a change here. Debian's pool drops a version
# some days after its last suite has another; its archive of snapshots never does, so that a
# checkout of any age still builds. Whoever reaches neither names a copy of the file.
VERSION = "1.26.1+ds"
SHA256 = "f5ad2ec89d3e921f753d448955af98b6005655f84ba26087dde6ba0e8d062f34"
URLS = (
    "http://deb.debian.org/debian/pool/main/m/micropython/micropython_1.26.1%2bds.orig.tar.xz",
    "https://snapshot.debian.org/file/7fe1be3abbbe0d66da0186071387e6b168f937f8",  # its SHA-1
)
VARIABLE = "MICROPYTHON_SOURCE"
FETCH_S = 60  # without a byte


class CannotBuildError(Exception):
    """Why there are no sources, or no interpreter of them; a phrase."""


def unpacked(folder: Path, urls: Sequence[str] = URLS) -> None:
    """Put the sources into `folder`; does nothing when it is there."""
    if folder.exists():
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".micropython-") as name:
        archive = Path(name) / "source.tar.xz"
        archive.write_bytes(fetched(urls))
        # Python 3.11.2, which Debian 12 has, knows no filters; the bytes are known.
        safe: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
        with tarfile.open(archive) as tar:
            tar.extractall(name, **safe)
        [source] = [path for path in Path(name).iterdir() if path.is_dir()]
        source.rename(folder)


def fetched(urls: Sequence[str]) -> bytes:
    """The source package, from the first address that has it; MICROPYTHON_SOURCE names a file."""
    problems = []
    named = os.environ.get(VARIABLE)
    for url in [Path(named).absolute().as_uri()] if named else urls:
        try:
            with urllib.request.urlopen(url, timeout=FETCH_S) as answer:
                data: bytes = answer.read()
        except (OSError, ValueError) as error:
            problems.append(str(getattr(error, "reason", "") or error))
            continue
        if hashlib.sha256(data).hexdigest() == SHA256:
            return data
        problems.append("what came is not the package that is known")
    raise CannotBuildError(
        f"MicroPython's sources cannot be had ({'; '.join(problems)}); look at the network, or set"
        f" {VARIABLE} to a copy of micropython_{VERSION}.orig.tar.xz"
    )


def main() -> int:
    try:
        unpacked(Path(sys.argv[1]).absolute())
    except (CannotBuildError, OSError, tarfile.TarError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

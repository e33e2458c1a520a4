"""Makes a release for a board: what a slot holds, compiled as `deploy` does it, or an image."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from voxwire.release import File, Manifest

from voxcard.cable import boards as known
from voxcard.cable import build, deploy, image
from voxcard.cable.boards import Board
from voxcard.cable.progress import Report
from voxcard.cable.running import Running
from voxcard.errors import VoxcardError
from voxcard.releases.archive import SUFFIX, write
from voxcard.releases.manifest import IMAGE, firmware_name

_VERSION = re.compile(r'^FIRMWARE = "([\d.]+)\+" \+ DIGEST$', re.MULTILINE)
_HEAP_BYTES = 8 << 20  # of a board with PSRAM


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What a release holds: `kind` is `files` or `image`, the files by their paths."""

    kind: str
    files: Mapping[str, bytes]


def files_of(firmware: Path, board: Board, folder: Path, report: Report) -> Content:
    """What a slot of `board` holds; compiled into `folder`. VoxcardError for a board of images."""
    if board.is_frozen:
        raise VoxcardError(
            f"{board.name} has no PSRAM: its firmware is inside its image, {board.image_build}.",
            "Build that, and name its .app-bin: --image FILE.",
        )
    there = Running(
        platform="esp32",
        version=image.OLDEST,
        architecture=board.architecture,
        build=board.image_build,
        heap_bytes=_HEAP_BYTES,
    )
    return Content(kind="files", files=deploy.compiled(firmware, board, folder, there, report))


def image_of(firmware: Path, board: Board, boards: Path, data: bytes) -> Content:
    """An application of ESP-IDF with this firmware frozen in; VoxcardError for another file.

    `boards` is the folder of the boards' files.
    """
    if not board.is_frozen:
        problem = f"{board.name} has PSRAM: it is updated by files, its image stays."
        raise VoxcardError(problem, "Leave --image out.")
    image.check_app(data, board, known.builds(boards), known.slot_bytes(board, boards))
    if build.digest(firmware).encode() not in data:
        problem = "The image holds another firmware than this Voxcard has."
        raise VoxcardError(problem, f"Build it anew: make image BOARD={board.image_build}.")
    return Content(kind="image", files={IMAGE: data})


def manifest_of(
    content: Content, firmware: Path, board_id: str, *, allow_older: bool = False
) -> Manifest:
    """The manifest of a release with this content, for one kind of board."""
    files = sorted(content.files.items())
    return Manifest(
        version=version(firmware),
        digest=build.digest(firmware),
        board=board_id,
        kind=content.kind,
        micropython=image.OLDEST,
        allow_older=allow_older,
        files=tuple(
            File(path, len(data), hashlib.sha256(data).hexdigest()) for path, data in files
        ),
    )


def make(path: Path | None, manifest: Manifest, content: Content, key: bytes) -> Path:
    """Write the release, signed with the home's key; where it is. None: a name that says all."""
    path = path or Path(f"{manifest.board}-{firmware_name(manifest)}{SUFFIX}")
    write(path, manifest, content.files, key)
    return path


def version(firmware: Path) -> str:
    """The version of the firmware in this folder."""
    match = _VERSION.search((firmware / "identity.py").read_text(encoding="utf-8"))
    if match is None:
        raise VoxcardError("The firmware does not say its version.", "Install voxcard anew.")
    return match[1]

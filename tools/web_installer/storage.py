"""The files that a new board holds, as an image of the file system that MicroPython mounts.

The format is littlefs 2.0. What is in it is what `voxcard device deploy` would put there, without
anybody's settings.
"""

import json
import math
from collections.abc import Mapping
from pathlib import Path

from littlefs import LittleFS
from littlefs.errors import LittleFSError
from voxcard.cable import build, deploy
from voxcard.cable.boards import Board
from voxcard.cable.image import OLDEST
from voxcard.cable.running import Running
from voxcard.cable.slots import SLOTS
from voxcard.errors import VoxcardError

from tools.web_installer.partitions import BLOCK

_DISK_VERSION = 0x00020000  # what every MicroPython with VfsLfs2 reads and writes
# As the port mounts it (extmod/vfs_lfs.c), so that small files lie where it would put them.
_READ, _CACHE, _LOOKAHEAD = 32, 128, 32
_LEAST_BLOCKS, _MORE_BLOCKS = 8, 8


def stock(board: Board) -> Running:
    """What runs on `board` when its image is in its flash."""
    return Running(
        platform="esp32",
        version=OLDEST,
        architecture=board.architecture,
        build=board.image_build,
        heap_bytes=0,
    )


def files(board: Board, firmware: Path, folder: Path, running: Running) -> dict[str, bytes]:
    """What the flash of `board` holds, by path; the firmware is compiled into `folder`.

    `running`: what it is compiled for.
    """
    root = {"board.json": json.dumps(json.loads(board.file)).encode()}
    if board.is_frozen:  # what runs is in its image (docs/image.md)
        return root
    root["boot.py"] = (firmware / "boot.py").read_bytes()
    slot = deploy.compiled(firmware, board, folder, running, lambda step, done, total: None)
    root["main.py"] = (firmware / build.LAUNCHER).read_bytes()
    root["slot"] = SLOTS[0].encode()
    return root | {f"{SLOTS[0]}/{path}": data for path, data in slot.items()}


def image(contents: Mapping[str, bytes], size: int) -> bytes:
    """A file system of `size` bytes with `contents`, without the unused blocks at its end.

    VoxcardError when they do not fit. The same contents give the same bytes.
    """
    # littlefs begins to write anywhere: made no larger than it must be, then grown, what is used
    # lies in front.
    blocks = _LEAST_BLOCKS + sum(math.ceil(len(data) / BLOCK) for data in contents.values())
    while blocks * BLOCK <= size:
        try:
            return _without_unused(_written(contents, blocks, size // BLOCK))
        except LittleFSError as error:
            if error.code != LittleFSError.Error.LFS_ERR_NOSPC:
                raise
        blocks += _MORE_BLOCKS
    raise VoxcardError("The files do not fit into the board's flash.")


def _written(contents: Mapping[str, bytes], blocks: int, final_blocks: int) -> bytes:
    system = LittleFS(
        block_size=BLOCK,
        block_count=blocks,
        read_size=_READ,
        prog_size=_READ,
        cache_size=_CACHE,
        lookahead_size=_LOOKAHEAD,
        disk_version=_DISK_VERSION,
    )
    for path, data in sorted(contents.items()):
        system.makedirs(path.rpartition("/")[0], exist_ok=True)
        with system.open(path, "wb") as file:
            file.write(data)
    system.fs_grow(final_blocks)
    system.unmount()
    return bytes(system.context.buffer)


def _without_unused(data: bytes) -> bytes:
    used = len(data.rstrip(b"\xff"))
    return data[: math.ceil(used / BLOCK) * BLOCK]

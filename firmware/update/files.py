"""The idle one of a board's two slots is filled with the files of a release."""

import hashlib
import os
from binascii import hexlify

from update.flow import STARTS

PART = "/.part"  # in the slot: the file that is being fetched
_FOLDER = 0x4000
_STEP = 2048  # bytes read at a time
_SLOTS = ("app_a", "app_b")


class Slots:
    """A store for `update.flow.install`. `pause` is awaited between steps of a few ms.

    `active` is the name of the slot that runs; it is only read. OSError when the flash fails.
    """

    piece_bytes = 8192

    def __init__(self, root: str, active: str, journal, pause) -> None:
        self._root, self._journal, self._pause = root, journal, pause
        self.idle = _SLOTS[1 - _SLOTS.index(active)]
        self._from, self._to = root + "/" + active, root + "/" + self.idle

    def pause(self) -> None:
        """The part of a file says how far it has come."""

    async def forget(self) -> None:
        """What was fetched in part is of another release."""
        _remove(self._to + PART)

    async def prepare(self, manifest) -> int:
        """Remove what is not of the release; how many bytes are missing for the rest of it."""
        wanted = {file.path: file for file in manifest.files}
        await self._tidy(self._to, "", wanted)
        stat = os.statvfs(self._root or "/")
        # An entry of a folder and the file that is written beside another cost blocks as well.
        blocks = 4 - self._part_size() // stat[0]
        folders = set()
        for file in manifest.files:
            if not _is_file(self._to + "/" + file.path):
                blocks += -(-file.size // stat[0])
                folders.update(_folders(file.path))
        for folder in folders:
            if not _is_folder(self._to + "/" + folder):
                blocks += 2
        return max(0, blocks - stat[3]) * stat[0]

    async def has(self, file) -> bool:
        # `prepare` has left no file that is wrong.
        return _is_file(self._to + "/" + file.path)

    async def copy(self, file) -> bool:
        source = self._from + "/" + file.path
        if not _is_file(source) or await self._hash(source) != file.sha256:
            return False
        _remove(self._to + PART)
        self._make_folders(file.path)
        with open(source, "rb") as old, open(self._to + PART, "wb") as new:
            buffer = memoryview(bytearray(_STEP))
            while True:
                size = old.readinto(buffer)
                if not size:
                    break
                new.write(buffer[:size])
                await self._pause()
        return await self.finish(file)

    async def begin(self, file) -> int:
        size = self._part_size()
        if size > file.size:
            _remove(self._to + PART)
            size = 0
        self._make_folders(file.path)
        if not size:
            open(self._to + PART, "wb").close()
        return size

    async def write(self, file, at: int, data) -> None:
        with open(self._to + PART, "ab") as part:
            part.write(data)
        await self._pause()

    async def finish(self, file) -> bool:
        part = self._to + PART
        if await self._hash(part) == file.sha256:
            os.rename(part, self._to + "/" + file.path)
            return True
        _remove(part)
        return False

    async def start(self, offer, manifest) -> None:
        """The slot is on trial from the next start on."""
        _remove(self._to + PART)
        if hasattr(os, "sync"):
            os.sync()
        self._journal.begin_trial(self.idle, STARTS, offer.serial, manifest.digest)

    def confirm(self) -> None:
        """What runs stays."""
        self._journal.confirm(_SLOTS[1 - _SLOTS.index(self.idle)])

    async def _tidy(self, folder: str, head: str, wanted) -> None:
        """Leave below `folder` only what is wanted and right, and the part of a file."""
        for row in _rows(folder):
            path = folder + "/" + row[0]
            name = head + row[0]
            if row[1] == _FOLDER:
                if name in wanted:
                    await self._tidy(path, name + "/", {})
                else:
                    await self._tidy(path, name + "/", wanted)
                _remove_folder(path)
            elif "/" + name != PART and not await self._is_right(path, wanted.get(name)):
                os.remove(path)
            await self._pause()

    async def _is_right(self, path: str, file) -> bool:
        if file is None or os.stat(path)[6] != file.size:
            return False
        return await self._hash(path) == file.sha256

    async def _hash(self, path: str) -> str:
        digest = hashlib.sha256()
        buffer = memoryview(bytearray(_STEP))
        with open(path, "rb") as file:
            while True:
                size = file.readinto(buffer)
                if not size:
                    return str(hexlify(digest.digest()), "ascii")
                digest.update(buffer[:size])
                await self._pause()

    def _part_size(self) -> int:
        try:
            return os.stat(self._to + PART)[6]
        except OSError:
            return 0

    def _make_folders(self, path: str) -> None:
        for folder in [""] + _folders(path):
            folder = self._to + ("/" + folder if folder else "")
            if not _is_folder(folder):
                os.mkdir(folder)


def _folders(path: str) -> list:
    """The folders above a file, the outer one first."""
    parts = path.split("/")
    return ["/".join(parts[:count]) for count in range(1, len(parts))]


def _rows(folder: str) -> list:
    try:
        return list(os.ilistdir(folder))
    except OSError:
        return []  # a slot that was never filled


def _kind(path: str) -> int:
    try:
        return os.stat(path)[0]
    except OSError:
        return 0


def _is_file(path: str) -> bool:
    return _kind(path) not in (0, _FOLDER)


def _is_folder(path: str) -> bool:
    return _kind(path) == _FOLDER


def _remove(path: str) -> None:
    if _is_file(path):
        os.remove(path)


def _remove_folder(path: str) -> None:
    """Remove a folder where it is empty."""
    try:
        os.rmdir(path)
    except OSError:
        pass

"""The idle one of a board's two app partitions is filled with an image of ESP-IDF."""

import hashlib
from binascii import hexlify

from update.flow import STARTS, RefusedError

BLOCK_BYTES = 4096  # what the flash erases at a time, and `writeblocks` before it writes
_KEPT_BLOCKS = 16  # between two notes of how far it has come


class Image:
    """A store for `update.flow.install` and a class like esp32.Partition.

    The boot loader starts what `set_boot` names once, and goes back unless it is marked as valid.
    OSError when the flash fails.
    """

    piece_bytes = BLOCK_BYTES

    def __init__(self, partition, journal, pause) -> None:
        self._class, self._journal, self._pause = partition, journal, pause
        self._idle = partition(partition.RUNNING).get_next_update()
        self.idle = self._idle.info()[4]

    async def forget(self) -> None:
        """What was written of another image; how far it came is forgotten with its offer."""

    async def prepare(self, manifest) -> int:
        file = manifest.files[0]
        return max(0, file.size - self._idle.info()[3])

    async def has(self, file) -> bool:
        return await self._hash(file.size) == file.sha256

    async def copy(self, file) -> bool:
        return False  # an image is linked for no partition, but is as a rule another one

    async def begin(self, file) -> int:
        at = self._journal.last["at"]
        return at if 0 < at < file.size and at % BLOCK_BYTES == 0 else 0

    async def write(self, file, at: int, data) -> None:
        missing = -len(data) % BLOCK_BYTES
        if missing:
            data = bytes(data) + b"\xff" * missing
        block = at // BLOCK_BYTES
        self._idle.writeblocks(block, data)
        if (block + 1) % _KEPT_BLOCKS == 0:
            self._journal.reached(at + BLOCK_BYTES)
        await self._pause()

    async def finish(self, file) -> bool:
        right = await self._hash(file.size) == file.sha256
        if not right:
            self._journal.reached(0)
        return right

    async def start(self, offer, manifest) -> None:
        """The image is on trial from the next start on; RefusedError when it is none."""
        self._start(STARTS, offer.serial, manifest.digest)

    def retry(self, trial) -> None:
        """One more start for an image on trial; RefusedError when it is none."""
        self._start(trial["tries"], trial["serial"], trial["digest"])

    def _start(self, tries: int, serial: int, digest: str) -> None:
        # Counted first: what cannot be counted would be started for ever.
        self._journal.begin_trial(self.idle, tries - 1, serial, digest)
        try:
            self._idle.set_boot()
        except OSError as error:
            self._journal.end_trial()
            raise RefusedError(
                "The image cannot be started (%s): build the release again." % error
            )

    def confirm(self) -> None:
        """What runs stays."""
        self._class.mark_app_valid_cancel_rollback()

    async def _hash(self, size: int) -> str:
        digest = hashlib.sha256()
        buffer = bytearray(BLOCK_BYTES)
        for block in range(-(-size // BLOCK_BYTES)):
            self._idle.readblocks(block, buffer)
            digest.update(memoryview(buffer)[: min(BLOCK_BYTES, size - block * BLOCK_BYTES)])
            await self._pause()
        return str(hexlify(digest.digest()), "ascii")

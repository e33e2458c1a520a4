"""The idle one of a board's two app partitions is filled with an image of ESP-IDF."""

import hashlib
from binascii import hexlify

from update.flow import STARTS, RefusedError

BLOCK_BYTES = 4096  # what the flash erases at a time
# A blob of it fits the buffer that an idle link has: boards that run images have little heap.
PIECE_BYTES = 512
_ERASE = 6  # of ioctl
_NOTED_BYTES = 0x10000  # between two notes of how far it has come


class Image:
    """A store for `update.flow.install` and a class like esp32.Partition.

    The boot loader starts what `set_boot` names once, and goes back unless it is marked as valid.
    OSError when the flash fails.
    """

    piece_bytes = PIECE_BYTES

    def __init__(self, partition, journal, pause) -> None:
        self._class, self._journal, self._pause = partition, journal, pause
        self._idle = partition(partition.RUNNING).get_next_update()
        self.idle = self._idle.info()[4]
        self._written = 0  # whole blocks of the image, in bytes

    def pause(self) -> None:
        """Note how far it has come: it goes on from there."""
        if self._written > self._journal.last["at"]:
            self._journal.reached(self._written)

    async def forget(self) -> None:
        """What was written of another image; how far it came is forgotten with its offer."""

    async def prepare(self, manifest) -> int:
        file = manifest.files[0]
        return max(0, file.size - self._idle.info()[3])

    async def has(self, file) -> bool:
        if self._journal.last["at"]:
            return False  # it is being written
        return await self._hash(file.size) == file.sha256

    async def copy(self, file) -> bool:
        return False  # an image is linked for no partition, but is as a rule another one

    async def begin(self, file) -> int:
        at = self._journal.last["at"]
        return at if 0 < at <= file.size and at % BLOCK_BYTES == 0 else 0

    async def write(self, file, at: int, data) -> None:
        block, offset = at // BLOCK_BYTES, at % BLOCK_BYTES
        if not offset:
            self._idle.ioctl(_ERASE, block)
        # With an offset it does not erase the whole block first.
        self._idle.writeblocks(block, data, offset)
        end = at + len(data)
        if end % BLOCK_BYTES == 0:
            self._written = end
        if end % _NOTED_BYTES == 0:
            self._journal.reached(end)
        await self._pause()

    async def finish(self, file) -> bool:
        right = await self._hash(file.size) == file.sha256
        self._written = 0
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
        buffer = memoryview(bytearray(PIECE_BYTES))
        for at in range(0, size, PIECE_BYTES):
            view = buffer[: min(PIECE_BYTES, size - at)]
            self._idle.readblocks(at // BLOCK_BYTES, view, at % BLOCK_BYTES)
            digest.update(view)
            await self._pause()
        return str(hexlify(digest.digest()), "ascii")

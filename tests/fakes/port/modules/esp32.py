"""The port's module esp32: NVS, and the heap that is the system's."""

HEAP_DATA = 4
heaps = [(200000, 90000, 53248, 60000), (16000, 8000, 8000, 8000)]  # as measured on an ESP32


def idf_heap_info(capabilities):
    assert capabilities == HEAP_DATA
    return list(heaps)


class Partition:
    """The app partitions of a table with two of them, and the boot loader.

    From ports/esp32/esp32_partition.c and ESP-IDF's ota_ops: `writeblocks` with two arguments
    erases what it writes, in whole blocks of 4096 bytes, with an offset it does not; `set_boot`
    verifies the image; what was set is started once, and again only if it was marked as valid by
    then. What is kept of that is one block of the flash.
    """

    BOOT, RUNNING, TYPE_APP, TYPE_DATA = 0, 1, 0, 1
    BLOCK = 4096
    MAGIC = 0xE9  # an image's first byte
    flash = None  # by `power_up`
    blocks = 0  # of one of them
    running = boot = pending = 0
    valid = True  # the one that runs was marked, or never had to be
    factory = False  # the table has one app partition, without a slot

    @classmethod
    def power_up(cls, flash, running=0):
        """Two partitions, and a block of the boot loader's, share `flash` (a block device)."""
        cls.flash, cls.blocks = flash, (flash.ioctl(4, 0) - 1) // 2
        cls.running = cls.boot = running
        cls.valid, cls.pending = True, running

    @classmethod
    def _keep(cls):
        if cls.flash.ioctl(6, 2 * cls.blocks):
            raise OSError(-1)

    @classmethod
    def reset(cls):
        """The boot loader's choice after a reset: the label of what it starts."""
        if cls.boot != cls.running:
            cls.running, cls.valid, cls.pending = cls.boot, False, cls.running
        elif not cls.valid:
            # It ran once without a mark: aborted, the one before it is started.
            cls.running = cls.boot = cls.pending
            cls.valid = True
        return "ota_%d" % cls.running

    def __init__(self, which):
        if which in (Partition.BOOT, Partition.RUNNING):
            which = Partition.boot if which == Partition.BOOT else Partition.running
            self._number = which
        elif which in ("ota_0", "ota_1"):
            self._number = int(which[-1])
        else:
            raise OSError(2)

    def info(self):
        if Partition.factory or Partition.flash is None:
            return (0, 0, 0x10000, 0x1F0000, "factory", False)
        size = Partition.blocks * Partition.BLOCK
        return (0, 0x10 + self._number, 0x10000 + self._number * size, size,
                "ota_%d" % self._number, False)  # fmt: skip

    def get_next_update(self):
        if Partition.factory:
            raise OSError(-261)  # ESP_ERR_NOT_FOUND
        return Partition("ota_%d" % (1 - self._number))

    def ioctl(self, operation, argument):
        if operation == 6:
            assert self._number != Partition.running and 0 <= argument < Partition.blocks
            if Partition.flash.ioctl(6, self._number * Partition.blocks + argument):
                raise OSError(-1)
        return {4: Partition.blocks, 5: Partition.BLOCK}.get(operation, 0)

    def readblocks(self, block, buffer, offset=0):
        assert 0 <= block < Partition.blocks
        Partition.flash.readblocks(self._number * Partition.blocks + block, buffer, offset)

    def writeblocks(self, block, buffer, offset=None):
        if len(buffer) % Partition.BLOCK and offset is None:
            raise OSError(-260)  # ESP_ERR_INVALID_SIZE of esp_partition_erase_range
        count = -(-len(buffer) // Partition.BLOCK)
        if block + count > Partition.blocks:
            raise OSError(-260)
        assert self._number != Partition.running, "the code that runs is overwritten"
        first = self._number * Partition.blocks + block
        if offset is None:
            for number in range(count):
                if Partition.flash.ioctl(6, first + number):
                    raise OSError(-1)
        old = bytearray(len(buffer))
        Partition.flash.readblocks(first, old, offset or 0)
        # A bit that is 0 stays 0 until it is erased.
        data = buffer
        if old != b"\xff" * len(old):
            data = bytes([old[at] & buffer[at] for at in range(len(old))])
        if Partition.flash.writeblocks(first, data, offset or 0):
            raise OSError(-1)

    def set_boot(self):
        head = bytearray(1)
        self.readblocks(0, head)
        if head[0] != Partition.MAGIC:
            raise OSError(-5379)  # ESP_ERR_OTA_VALIDATE_FAILED
        Partition._keep()
        Partition.boot = self._number

    @classmethod
    def mark_app_valid_cancel_rollback(cls):
        cls._keep()
        cls.valid = True


class NVS:
    """Blobs under keys of at most 15 characters; what was not committed is lost at a reset."""

    stored = {}

    def __init__(self, namespace):
        assert len(namespace) <= 15
        self._namespace = namespace
        self._pending = {}

    def set_blob(self, key, value):
        if len(key) > 15:
            raise OSError(-4105)  # ESP_ERR_NVS_KEY_TOO_LONG
        self._pending[self._namespace, key] = value.encode() if isinstance(value, str) else value

    def get_blob(self, key, buffer):
        value = self.stored.get((self._namespace, key))
        if value is None:
            raise OSError(-4354)  # ESP_ERR_NVS_NOT_FOUND
        if len(value) > len(buffer):
            raise OSError(-4364)  # ESP_ERR_NVS_INVALID_LENGTH
        buffer[: len(value)] = value
        return len(value)

    def commit(self):
        self.stored.update(self._pending)
        self._pending = {}

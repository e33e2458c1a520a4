"""App partitions of a simulated board: files, so that they cost the device no heap.

Read only where the simulation's configuration has `image`, the label of the one that runs.
"""

_BLOCK = 4096
_place = ["", ""]  # the folder, and the label of the one that runs


class SimulatedPartition:
    """esp32.Partition, as far as an update uses it; /boot in the folder names what was set."""

    RUNNING = 1

    def __init__(self, which) -> None:
        self._label = _place[1] if which == self.RUNNING else which
        self._path = _place[0] + "/" + self._label

    def info(self):
        """Its size is that of the file."""
        with open(self._path, "rb") as file:
            size = file.seek(0, 2)
        return 0, 0x10 + int(self._label[-1]), 0, size, self._label, False

    def get_next_update(self):
        return SimulatedPartition("ota_%d" % (1 - int(self._label[-1])))

    def ioctl(self, operation: int, argument: int) -> int:
        return 0  # a file is not erased before it is written

    def readblocks(self, block: int, buffer, offset: int = 0) -> None:
        with open(self._path, "rb") as file:
            file.seek(block * _BLOCK + offset)
            file.readinto(buffer)

    def writeblocks(self, block: int, buffer, offset: int = 0) -> None:
        with open(self._path, "r+b") as file:
            file.seek(block * _BLOCK + offset)
            file.write(buffer)

    def set_boot(self) -> None:
        with open(_place[0] + "/boot", "w") as file:
            file.write(self._label)

    @staticmethod
    def mark_app_valid_cancel_rollback() -> None:
        """Nothing goes back by itself here."""


def partition(folder: str, running: str):
    """The class, for the files in `folder`."""
    _place[:] = folder, running
    return SimulatedPartition

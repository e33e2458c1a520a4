"""Memory budget shared by the incoming blobs of all devices."""

ROOM_BYTES = 64 << 20


class BlobRoom:
    """How much memory the blobs of all devices may take together."""

    def __init__(self, limit_bytes: int = ROOM_BYTES) -> None:
        self.used = 0
        self._limit = limit_bytes

    def take(self, size: int) -> bool:
        """Use `size` bytes more; False, and nothing changes, when there are not as many."""
        if self.used + size > self._limit:
            return False
        self.used += size
        return True

    def give(self, size: int) -> None:
        """`size` bytes are free again."""
        self.used -= size

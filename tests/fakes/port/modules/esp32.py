"""The port's module esp32: NVS, and the heap that is the system's."""

HEAP_DATA = 4
heaps = [(200000, 90000, 53248, 60000), (16000, 8000, 8000, 8000)]  # as measured on an ESP32


def idf_heap_info(capabilities):
    assert capabilities == HEAP_DATA
    return list(heaps)


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

"""Moving sound between buffers without heap: views made once, and a copy by bytes.

A slice of a memoryview costs heap; sound is read and written in DMA steps, so that few offsets
ever occur and after the first frames nothing is allocated.
"""


class Tails:
    """Views of `buffer` from any offset to its end."""

    def __init__(self, buffer):
        self._whole = memoryview(buffer)
        self._made = {}

    def at(self, offset: int):
        """The view from byte `offset` on."""
        view = self._made.get(offset)
        if view is None:
            view = self._made[offset] = self._whole[offset:]
        return view


@micropython.viper
def copy(source: ptr8, first: int, size: int, target: ptr8):
    """Copy `size` bytes of `source` from byte `first` on to the start of `target`."""
    i = 0
    while i < size:
        target[i] = source[first + i]
        i += 1

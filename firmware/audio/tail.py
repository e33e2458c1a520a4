"""The rest of a buffer from an offset on, as a view made once for each offset.

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

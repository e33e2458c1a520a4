"""Moving sound between buffers without heap: views that are kept, and a copy by bytes.

A slice of a memoryview costs heap; sound is read and written in DMA steps, so that few offsets
ever occur and after the first frames nothing is allocated.
"""


class Frames:
    """Buffers of whole frames; a microphone and a speaker that never run at a time share them."""

    def __init__(self):
        self._frames = ()
        self._samples = None

    def take(self, count: int, size: int):
        """`count` buffers or more of `size` bytes or more: the ones there are, or new ones."""
        if len(self._frames) < count or len(self._frames[0]) < size:
            # Freed before the new ones are allocated: both do not fit.
            self._frames = ()
            self._frames = tuple([bytearray(size) for _ in range(count)])
        return self._frames

    def samples(self, size: int) -> "Tails":
        """A buffer of exactly `size` bytes for the samples of one frame, with its Tails."""
        if self._samples is None or len(self._samples.buffer) != size:
            self._samples = None
            self._samples = Tails(bytearray(size))
        return self._samples


class Tails:
    """Views of `buffer` from any offset to its end."""

    def __init__(self, buffer):
        self.buffer = buffer
        self._whole = memoryview(buffer)
        self._views = {}

    def at(self, offset: int):
        """The view from byte `offset` on."""
        view = self._views.get(offset)
        if view is None:
            view = self._views[offset] = self._whole[offset:]
        return view


@micropython.viper
def copy(source: ptr8, first: int, size: int, target: ptr8):
    """Copy `size` bytes of `source` from byte `first` on to the start of `target`."""
    i = 0
    while i < size:
        target[i] = source[first + i]
        i += 1

"""Moving sound between buffers without heap: views made once, and a copy by bytes.

A slice of a memoryview costs heap; sound is read and written in DMA steps, so that few offsets
ever occur and after the first frames nothing is allocated.
"""


class Frames:
    """Buffers of whole frames; a microphone and a speaker that never run at a time share them."""

    def __init__(self):
        self._made = ()
        self._samples = None

    def take(self, count: int, size: int):
        """`count` buffers or more of `size` bytes or more; made anew when those there are less."""
        if len(self._made) < count or len(self._made[0]) < size:
            # Given up before the new ones are made: both do not fit.
            self._made = ()
            self._made = tuple([bytearray(size) for _ in range(count)])
        return self._made

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

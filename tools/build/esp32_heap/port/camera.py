"""The module camera of other projects' images: a sensor that sees the JPEG it is told of.

Its frames lie outside Python's heap.
"""

import json
import os


class PixelFormat:
    JPEG = 4


class FrameSize:
    VGA = 8


class GrabMode:
    WHEN_EMPTY = 0


class _Frame:
    def __init__(self, file):
        self._file = file
        self._bytes = file.seek(0, 2)

    def __len__(self):
        return self._bytes

    def __getitem__(self, where):
        self._file.seek(where.start)
        return self._file.read(where.stop - where.start)


class Camera:
    def __init__(self, **_):
        config = json.loads(os.getenv("VOXCARD_SIMULATOR"))
        self._frame = _Frame(open(config["photo"], "rb"))

    def frame_available(self):
        return True

    def capture(self):
        return self._frame

    def free_buffer(self):
        pass

    def deinit(self):
        pass

"""Parts of a board for tests: flash that loses power, buttons, camera, panel."""

from fakes.device.screens import screen_of
from voxwire.capability import BLOCKS


class Flash:
    """A RAM block device; power goes after `writes` more writes or erasures (None: never).

    The operation that meets the cut is half done, as in a real chip, or not at all where `torn` is
    False; later ones fail, and `is_dead` is True.
    """

    def __init__(self, blocks=32, block_bytes=512):
        self.BLOCK_BYTES = block_bytes
        self.data = bytearray(blocks * block_bytes)
        self.writes = None
        self.count = 0
        self.torn = True

    def copy(self):
        other = Flash(0, self.BLOCK_BYTES)
        other.data = bytearray(self.data)
        return other

    @property
    def is_dead(self):
        return self.writes is not None and self.writes < 0

    def readblocks(self, block, buffer, offset=0):
        begin = block * self.BLOCK_BYTES + offset
        buffer[:] = self.data[begin : begin + len(buffer)]

    def writeblocks(self, block, buffer, offset=0):
        begin = block * self.BLOCK_BYTES + offset
        kept = self._spend(len(buffer))
        self.data[begin : begin + kept] = buffer[:kept]
        # Not raised: that would jump out of littlefs, which then never closes the file.
        return 0 if kept == len(buffer) else -5

    def ioctl(self, op, arg):
        if op == 4:
            return len(self.data) // self.BLOCK_BYTES
        if op == 5:
            return self.BLOCK_BYTES
        if op == 6:
            begin = arg * self.BLOCK_BYTES
            kept = self._spend(self.BLOCK_BYTES)
            self.data[begin : begin + kept] = b"\xff" * kept
            return 0 if kept == self.BLOCK_BYTES else -5
        return 0

    def _spend(self, size):
        self.count += 1
        if self.writes is None:
            return size
        self.writes -= 1
        if self.writes >= 0:
            return size
        return size // 2 if self.writes == -1 and self.torn else 0


class Window:
    """A part of a Flash, as a partition is: `count` blocks from `first` on."""

    def __init__(self, flash, first, count):
        self._flash, self._first, self._count = flash, first, count

    def readblocks(self, block, buffer, offset=0):
        self._flash.readblocks(self._first + block, buffer, offset)

    def writeblocks(self, block, buffer, offset=0):
        return self._flash.writeblocks(self._first + block, buffer, offset)

    def ioctl(self, op, arg):
        if op == 4:
            return self._count
        return self._flash.ioctl(op, self._first + arg if op == 6 else arg)


class Panel:
    width, height, depth, shape, pitch_um, cell = 128, 64, 1, "rect", 170, (8, 16)

    def brightness(self, percent):
        self.percent = percent


class Picture:
    """What a camera gave; `closed` when it was given back."""

    def __init__(self, data):
        self.data = data
        self.closed = False

    def __len__(self):
        return len(self.data)

    def read(self, at, view):
        view[:] = self.data[at : at + len(view)]

    def close(self):
        self.closed = True


class Camera:
    """Gives `picture`, or raises it where it is an error; `shown` is the sign at that moment."""

    def __init__(self, picture, view):
        self._picture, self._view = picture, view
        self.shown = None

    async def capture(self):
        self.shown = self._view.sign
        if isinstance(self._picture, Exception):
            raise self._picture
        return self._picture


class Battery:
    """A battery as it is told to be."""

    def __init__(self, level=50, charges=None):
        self.level, self.charges = level, charges

    def percent(self):
        return self.level

    def charging(self):
        return self.charges


class Network:
    def status(self):
        return {"type": "wifi", "ssid": "home", "signal": "strong"}


class Board:
    id = name = "test-board"
    display = battery = network = camera = memory = update = None


class View:
    """Keeps what it was told."""

    screen = screen_of(128, 64, 1, "rect", 170, (8, 16), (), BLOCKS)
    own_cards = None

    def __init__(self):
        self.sign = False
        self.signs = []
        self.card = None
        self.turns = []

    def turn_card(self, to):
        self.turns.append(to)
        return self.card is not None

    def show_card(self, card):
        self.card = card

    def take_photo_sign(self, on):
        self.sign = on
        self.signs.append(on)

    def snapshot(self):
        return b"P4\n8 1\n\xff"

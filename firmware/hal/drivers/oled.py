"""What the mono OLED controllers share: pages of 8 rows over I2C, a few at a time."""

import asyncio

import framebuf

STEP_MS = 4  # of the bus between two turns of the other tasks
_ROWS = 8  # of a page: a byte is a column of it, its lowest bit on top


class Oled:
    """hal.board.Display of a mono panel at `address` on `i2c`, whose clock is `freq_hz`.

    Subclasses set SETUP, what the controller itself needs, and OFFSET, its first column shown.
    """

    depth = 1
    SETUP = b""
    OFFSET = 0

    def __init__(self, i2c, address: int, freq_hz: int, *, width=128, height=64, mirror_x=False,
                 mirror_y=False, invert=False):  # fmt: skip
        self._i2c, self._address = i2c, address
        self.width, self.height = width, height
        # A byte is 9 clocks; address, control byte and the commands of a step are 8 bytes.
        self._step = max(8, freq_hz * STEP_MS // 9000 - 8)
        self._page = bytearray(width)
        self._canvas = framebuf.FrameBuffer(self._page, width, _ROWS, framebuf.MONO_VLSB)
        self._head = bytearray((0x00, 0xB0, 0x00, 0x10))
        pins = 0x02 if height == 32 else 0x12
        self._command(b"\xae\xd5\x80\xa8" + bytes((height - 1,)) + b"\xd3\x00\x40")
        self._command(self.SETUP + bytes((0xDA, pins, 0xD9, 0xF1, 0xDB, 0x40, 0xA4)))
        turned = (0xA1 if mirror_x else 0xA0, 0xC8 if mirror_y else 0xC0)
        self._command(bytes(turned + (0xA7 if invert else 0xA6,)))
        self._clear()
        self.brightness(100)

    def _command(self, data):
        self._i2c.writeto(self._address, b"\x00" + data)

    def _clear(self):
        for page in range(self.height // _ROWS):
            for column in range(0, self.width, self._step):
                self._send(page, column, memoryview(self._page)[column : column + self._step])

    def _send(self, page, column, data):
        at = column + self.OFFSET
        self._head[1], self._head[2], self._head[3] = 0xB0 | page, at & 15, 0x10 | at >> 4
        self._i2c.writeto(self._address, self._head)
        self._i2c.writevto(self._address, (b"\x40", data))

    async def write(self, x: int, y: int, width: int, height: int, buffer):
        """Multiples of 8 all four; see hal.board.Display."""
        rows = (buffer, width, height, framebuf.MONO_HLSB)
        view = memoryview(self._page)
        for row in range(0, height, _ROWS):
            self._canvas.blit(rows, x, -row)
            for column in range(x, x + width, self._step):
                end = min(column + self._step, x + width)
                self._send((y + row) // _ROWS, column, view[column:end])
                await asyncio.sleep_ms(0)

    def brightness(self, percent: int):
        """The panel is off at 0."""
        if percent:
            self._command(bytes((0x81, percent * 255 // 100, 0xAF)))
        else:
            self._command(b"\xae")

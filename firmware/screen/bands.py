"""Sends the changed rows of a picture to the panel, a band at a time between other tasks."""

import asyncio

import framebuf

BAND_BYTES = 11520  # 24 rows of 240 px: 2.3 ms on a 40 MHz bus
# A mono panel hangs on I2C, where 128 bytes take 3 ms; its controllers address 8 rows at a time.
MONO_ROWS = 8


def changed_rows(old, new, height):
    """[(top, bottom), ...] rows where two pictures differ, joined where they touch."""
    spans = [(item.y, item.y + item.height) for item in new if item not in old]
    spans += [(item.y, item.y + item.height) for item in old if item not in new]
    joined = []
    for top, bottom in sorted(spans):
        top, bottom = max(0, top), min(height, bottom)
        if joined and top <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(bottom, joined[-1][1]))
        elif top < bottom:
            joined.append((top, bottom))
    return joined


class Bands:
    """The one band buffer of a display, and the way to it."""

    def __init__(self, display, painter, band_bytes=BAND_BYTES):
        self._display = display
        self._painter = painter
        mono = display.depth == 1
        self._align = MONO_ROWS if mono else 1
        self._row_bytes = (display.width + 7) // 8 if mono else display.width * 2
        self._buffer = self._new_buffer(band_bytes)
        self._rows = len(self._buffer) // self._row_bytes
        self._write_rows = MONO_ROWS if mono else self._rows
        self._view = memoryview(self._buffer)
        pixels = framebuf.MONO_HLSB if mono else framebuf.RGB565
        # A row of HLSB bits is whole bytes: the FrameBuffer is as wide as its bytes.
        width = self._row_bytes * 8 if mono else display.width
        self._canvas = framebuf.FrameBuffer(self._buffer, width, self._rows, pixels)

    def _new_buffer(self, band_bytes):
        """Allocates up to `band_bytes`; halves it while a fragmented heap cannot."""
        while True:
            rows = max(1, min(self._display.height, band_bytes // self._row_bytes))
            rows = -(-rows // self._align) * self._align
            try:
                return bytearray(rows * self._row_bytes)
            except MemoryError:
                if rows <= self._align:
                    raise
                band_bytes //= 2

    async def send(self, picture, spans):
        """Paint and write the rows of `spans`; other tasks run between the writes."""
        align = self._align
        for top, bottom in spans:
            top -= top % align
            bottom = min(self._display.height, -(-bottom // align) * align)
            while top < bottom:
                end = self._end(picture, top, bottom)
                self._painter.paint(self._canvas, picture, top, end)
                await self._write(top, end)
                top = end

    def _end(self, picture, top, bottom):
        """Where to end a band: above a line of text it would cut, for that is drawn twice."""
        end = min(bottom, top + self._rows)
        if end < bottom and self._align == 1:
            for item in picture:
                if (
                    item.kind in ("text", "bold", "big")
                    and top < item.y < end < item.y + item.height
                ):
                    end = item.y
        return end

    async def _write(self, top, end):
        at, step = top, self._write_rows
        while at < end:
            rows = min(step, end - at)
            begin = (at - top) * self._row_bytes
            part = self._view[begin : begin + rows * self._row_bytes]
            await self._display.write(0, at, self._display.width, rows, part)
            await asyncio.sleep_ms(0)
            at += rows

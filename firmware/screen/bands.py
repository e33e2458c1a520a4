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
        self._row_bytes = (display.width + 7) // 8 if mono else display.width * 2
        rows = max(1, min(display.height, band_bytes // self._row_bytes))
        if mono:
            rows = -(-rows // MONO_ROWS) * MONO_ROWS
        self._rows = rows
        self._write_rows = MONO_ROWS if mono else rows
        self._buffer = bytearray(rows * self._row_bytes)
        self._view = memoryview(self._buffer)
        pixels = framebuf.MONO_HLSB if mono else framebuf.RGB565
        # A row of HLSB bits is whole bytes: the FrameBuffer is as wide as its bytes.
        width = self._row_bytes * 8 if mono else display.width
        self._canvas = framebuf.FrameBuffer(self._buffer, width, rows, pixels)

    async def send(self, picture, spans):
        """Paint and write the rows of `spans`; other tasks run between the writes."""
        height, align = self._display.height, self._write_rows
        if self._display.depth != 1:
            align = 1
        for top, bottom in spans:
            top -= top % align
            bottom = min(height, -(-bottom // align) * align)
            while top < bottom:
                end = min(bottom, top + self._rows)
                self._painter.paint(self._canvas, picture, top, end)
                await self._write(top, end)
                top = end

    async def _write(self, top, end):
        at, step = top, self._write_rows
        while at < end:
            rows = min(step, end - at)
            begin = (at - top) * self._row_bytes
            part = self._view[begin : begin + rows * self._row_bytes]
            await self._display.write(0, at, self._display.width, rows, part)
            await asyncio.sleep_ms(0)
            at += rows

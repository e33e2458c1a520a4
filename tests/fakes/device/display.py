"""A panel in RAM: takes bands as a board's display does, and gives the whole picture."""


class Display:
    """`writes` holds (y, rows) of every band since `forget`."""

    def __init__(self, width=128, height=64, depth=1, shape="rect", cell=(6, 12), pitch_um=0):
        self.width, self.height, self.depth = width, height, depth
        self.shape, self.cell, self.pitch_um = shape, cell, pitch_um
        self.stride = (width + 7) // 8 if depth == 1 else width * 2
        self.pixels = bytearray(self.stride * height)
        self.percent = 100
        self.writes = []

    async def write(self, x, y, w, h, buffer):
        """One band of whole rows."""
        assert x == 0 and w == self.width and y >= 0 and y + h <= self.height
        assert len(buffer) == h * self.stride
        self.pixels[y * self.stride : (y + h) * self.stride] = buffer
        self.writes.append((y, h))

    def brightness(self, percent):
        self.percent = percent

    def forget(self):
        self.writes = []

    def lit(self, x, y):
        """Whether a pixel is lit (mono)."""
        return bool(self.pixels[y * self.stride + x // 8] & (0x80 >> (x & 7)))

    def rows(self, x=0, y=0, width=None, height=None):
        """A part of a mono screen as text, `#` lit."""
        width, height = width or self.width, height or self.height
        return [
            "".join("#" if self.lit(x + dx, y + dy) else "." for dx in range(width))
            for dy in range(height)
        ]

    def netpbm(self):
        """PBM P4 (lit is white) or PPM P6 of what the panel shows."""
        if self.depth == 1:
            return b"P4\n%d %d\n" % (self.width, self.height) + bytes(
                b ^ 0xFF for b in self.pixels
            )
        data = bytearray(b"P6\n%d %d\n255\n" % (self.width, self.height))
        for at in range(0, len(self.pixels), 2):
            value = self.pixels[at] << 8 | self.pixels[at + 1]
            red, green, blue = value >> 11, value >> 5 & 0x3F, value & 0x1F
            data.append(red << 3 | red >> 2)
            data.append(green << 2 | green >> 4)
            data.append(blue << 3 | blue >> 2)
        return bytes(data)

"""Panels that understand their bus, as far as drivers use it; `pixels` is what they show."""

from fakes.port.pins import Pin


class RgbPanel:
    """MIPI commands over SPI: a window of columns and rows, then pixels, two bytes each.

    `pixels` is the controller's memory from the display's first pixel on, `commands` its others.
    """

    def __init__(self, display):
        self.width, self.height = display["width"], display["height"]
        self._left, self._top = display.get("col_off", 0), display.get("row_off", 0)
        self._dc, self._cs = display["dc"], display.get("cs")
        self.pixels = bytearray(self.width * self.height * 2)
        self.commands = {}  # code: the data of its last time
        self._code = None
        self._columns = self._rows = (0, 0)
        self._at = 0

    def write(self, data):
        if self._cs is not None and Pin.levels.get(self._cs) != 0:
            return  # it is not meant
        if Pin.levels[self._dc] == 0:
            for code in data:
                self._code = code
                self.commands[code] = b""
                self._at = 0
        elif self._code == 0x2C:
            self._draw(data)
        else:
            self.commands[self._code] += data
            if self._code in (0x2A, 0x2B) and len(self.commands[self._code]) == 4:
                self._span(self.commands[self._code])

    def _span(self, data):
        span = (data[0] << 8 | data[1], data[2] << 8 | data[3])
        if self._code == 0x2A:
            self._columns = span
        else:
            self._rows = span

    def _draw(self, data):
        first, last = self._columns
        width = last - first + 1
        for value in data:
            pixel, byte = self._at >> 1, self._at & 1
            x = first - self._left + pixel % width
            y = self._rows[0] - self._top + pixel // width
            assert 0 <= x < self.width and self._rows[0] + pixel // width <= self._rows[1]
            self.pixels[(y * self.width + x) * 2 + byte] = value
            self._at += 1

    @property
    def is_on(self):
        return 0x11 in self.commands and 0x29 in self.commands


class Ssd1306:
    """Pages of 8 rows over I2C in page addressing mode; `pixels` are rows of bits, 1 is lit."""

    _ARGUMENTS = {0x20: 1, 0x81: 1, 0x8D: 1, 0xA8: 1, 0xAD: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1,
                  0xDA: 1, 0xDB: 1}  # fmt: skip

    def __init__(self, display, columns=128, first=0):
        self.width, self.height = display["width"], display["height"]
        self._first = first
        self._memory = [bytearray(columns) for _ in range(self.height // 8)]
        self._page = self._column = 0
        self.commands = {}
        self.is_on = False

    def write(self, data):
        if data[0] == 0x40:
            for value in data[1:]:
                self._memory[self._page][self._column] = value
                self._column += 1
            return
        assert data[0] == 0x00, "a control byte comes first"
        at = 1
        while at < len(data):
            code = data[at]
            count = self._ARGUMENTS.get(code, 0)
            self._obey(code, data[at + 1 : at + 1 + count])
            at += 1 + count

    def _obey(self, code, arguments):
        if code & 0xF8 == 0xB0:
            self._page = code & 7
        elif code < 0x10:
            self._column = self._column & 0xF0 | code
        elif code < 0x20:
            self._column = self._column & 0x0F | (code & 15) << 4
        elif code in (0xAE, 0xAF):
            self.is_on = code == 0xAF
        else:
            self.commands[code] = bytes(arguments)

    @property
    def pixels(self):
        stride = self.width // 8
        rows = bytearray(stride * self.height)
        for y in range(self.height):
            page = self._memory[y >> 3]
            for x in range(self.width):
                if page[self._first + x] >> (y & 7) & 1:
                    rows[y * stride + x // 8] |= 0x80 >> (x & 7)
        return bytes(rows)

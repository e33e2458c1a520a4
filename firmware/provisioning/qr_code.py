"""The QR code of a short text (ISO/IEC 18004), always version 3, level L, mask 0; pure.

The codes of the set-up fit that one version. adafruit-circuitpython-miniqr (MIT) makes any, for
5.7 KB of .mpy; this is 1.5 KB, and needs no tables in the heap.
"""

MODULES = 29
BYTES_MAX = 53
_DATA, _CHECK = 55, 15  # codewords
_FORMAT = 0x77C4  # level L, mask 0, with its own check bits
_DARK, _FIXED = 1, 2  # bits of a module


def rows(text: str) -> bytes:
    """The packed rows as screen.qr draws them; ValueError for over BYTES_MAX bytes of UTF-8."""
    data = text.encode()
    if len(data) > BYTES_MAX:
        raise ValueError("has no room in a QR code of version 3")
    grid = bytearray(MODULES * MODULES)
    _draw_patterns(grid)
    _draw_format(grid)
    _draw_data(grid, _codewords(data))
    packed = bytearray()
    for row in range(MODULES):
        bits = 0
        for column in range(32):
            dark = column < MODULES and grid[row * MODULES + column] & _DARK
            bits = bits << 1 & 0xFF | dark
            if column & 7 == 7:
                packed.append(bits)
    return bytes(packed)


def _codewords(data: bytes) -> bytes:
    """Mode, length, text, end, padding, check codewords [7.4, 7.5]."""
    nibbles = bytearray((4, len(data) >> 4, len(data) & 15))
    for byte in data:
        nibbles.append(byte >> 4)
        nibbles.append(byte & 15)
    nibbles.append(0)
    words = bytearray([nibbles[at] << 4 | nibbles[at + 1] for at in range(0, len(nibbles), 2)])
    while len(words) < _DATA:
        words.append(0xEC)
        if len(words) < _DATA:
            words.append(0x11)
    return bytes(words) + _check(words)


def _check(words: bytearray) -> bytes:
    """The remainder of `words` by the generator polynomial."""
    generator = bytearray(_CHECK)
    generator[-1] = 1
    root = 1
    for _ in range(_CHECK):
        for at in range(_CHECK):
            generator[at] = _times(generator[at], root)
            if at + 1 < _CHECK:
                generator[at] ^= generator[at + 1]
        root = _times(root, 2)
    rest = bytearray(_CHECK)
    for word in words:
        factor = word ^ rest[0]
        for at in range(_CHECK):
            rest[at] = (rest[at + 1] if at + 1 < _CHECK else 0) ^ _times(generator[at], factor)
    return bytes(rest)


def _times(left: int, right: int) -> int:
    """The product in GF(256) with the polynomial 0x11D."""
    product = 0
    while right:
        if right & 1:
            product ^= left
        left <<= 1
        if left & 0x100:
            left ^= 0x11D
        right >>= 1
    return product


def _put(grid: bytearray, row: int, column: int, dark: int) -> None:
    if 0 <= row < MODULES and 0 <= column < MODULES:
        grid[row * MODULES + column] = _FIXED | dark


def _draw_patterns(grid: bytearray) -> None:
    """Timing, the three finders with their light edges, the one alignment pattern."""
    for at in range(MODULES):
        _put(grid, 6, at, 1 - at % 2)
        _put(grid, at, 6, 1 - at % 2)
    last = MODULES - 4
    for row, column, size in ((3, 3, 4), (3, last, 4), (last, 3, 4), (22, 22, 2)):
        for y in range(-size, size + 1):
            for x in range(-size, size + 1):
                away = max(abs(x), abs(y))
                # Rings from the middle: a finder's are dark 0, 1, 3; an alignment's 0, 2.
                dark = away in (0, 1, 3) if size == 4 else away != 1
                _put(grid, row + y, column + x, 1 if dark else 0)


def _draw_format(grid: bytearray) -> None:
    for bit in range(15):
        dark = _FORMAT >> bit & 1
        near = bit if bit < 6 else bit + 1  # over the timing pattern
        if bit < 8:
            _put(grid, near, 8, dark)
            _put(grid, 8, MODULES - 1 - bit, dark)
        else:
            _put(grid, 8, 7 if bit == 8 else 14 - bit, dark)
            _put(grid, MODULES - 15 + bit, 8, dark)
    _put(grid, MODULES - 8, 8, 1)


def _draw_data(grid: bytearray, words: bytes) -> None:
    """Two columns at a time from the right, up and down by turns [7.7.3]."""
    bit = 0
    up = True
    right = MODULES - 1
    while right > 0:
        if right == 6:
            right = 5
        for step in range(MODULES):
            row = MODULES - 1 - step if up else step
            for column in (right, right - 1):
                at = row * MODULES + column
                if grid[at] & _FIXED:
                    continue
                dark = words[bit >> 3] >> (7 - (bit & 7)) & 1 if bit < 8 * len(words) else 0
                grid[at] = dark ^ (1 - (row + column) % 2)
                bit += 1
        up = not up
        right -= 2

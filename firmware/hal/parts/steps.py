"""The steps of a chip's table (hal/tables, made from boards/parts), one after the other."""

# The second byte of a step; any other is how many bytes to write.
WAIT, SET, CLEAR = 0x40, 0x80, 0xC0


def steps(table: bytes):
    """Yield (kind, register, data) of each: data to write, or one byte of bits to SET or CLEAR.

    Of a WAIT `register` is the ms.
    """
    at = 0
    while at < len(table):
        kind = table[at + 1]
        size = kind & 0x3F if kind < WAIT else kind >> 7
        yield kind, table[at], table[at + 2 : at + 2 + size]
        at += 2 + size

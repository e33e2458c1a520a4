"""Small one-bit icons as rows of bits, and their smooth doubling."""

SIDE = 16
# The bits of a nibble, each twice.
TWICE = b"\x00\x03\x0c\x0f\x30\x33\x3c\x3f\xc0\xc3\xcc\xcf\xf0\xf3\xfc\xff"

_MICROPHONE = (0x0000, 0x03C0, 0x07E0, 0x07E0, 0x07E0, 0x07E0, 0x07E0, 0x27E4,
               0x27E4, 0x23C4, 0x1008, 0x0C30, 0x03C0, 0x0180, 0x0180, 0x07E0)  # fmt: skip
_SPEAKER = (0x0000, 0x0180, 0x0388, 0x0784, 0x0F82, 0x7F92, 0x7F89, 0x7F89,
            0x7F89, 0x7F89, 0x7F92, 0x0F82, 0x0784, 0x0388, 0x0180, 0x0000)  # fmt: skip
_THINKING = (0x0000, 0x0000, 0x1FF8, 0x3FFC, 0x7FFE, 0x7FFE, 0x7FFE, 0x6666,
             0x6666, 0x7FFE, 0x7FFE, 0x3FFC, 0x1FF8, 0x0700, 0x0C00, 0x1000)  # fmt: skip
_WAVES = (0x0000, 0x0000, 0x07E0, 0x1FF8, 0x381C, 0x600E, 0x47E2, 0x0FF0,
          0x1C38, 0x0810, 0x0180, 0x03C0, 0x03C0, 0x0180, 0x0000, 0x0000)  # fmt: skip
_OFFLINE = (0x0000, 0xC000, 0x67E0, 0x33F8, 0x181C, 0x6C0E, 0x4662, 0x0B30,
            0x1D98, 0x08C0, 0x0160, 0x03B0, 0x03D8, 0x018C, 0x0006, 0x0000)  # fmt: skip
_PROBLEM = (0x0000, 0x0180, 0x03C0, 0x03C0, 0x07E0, 0x0660, 0x0E70, 0x0E70,
            0x1E78, 0x1E78, 0x3E7C, 0x3FFC, 0x7E7E, 0x7E7E, 0xFFFF, 0x0000)  # fmt: skip
_CAMERA = (0x0000, 0x0000, 0x03C0, 0x07E0, 0x7FFE, 0xFFFF, 0xFC3F, 0xF81F,
           0xF18F, 0xF3CF, 0xF3CF, 0xF18F, 0xF81F, 0xFC3F, 0x7FFE, 0x0000)  # fmt: skip
_BELL = (0x0000, 0x0180, 0x03C0, 0x07E0, 0x0FF0, 0x0FF0, 0x0FF0, 0x0FF0,
         0x1FF8, 0x1FF8, 0x1FF8, 0x3FFC, 0x7FFE, 0x0000, 0x03C0, 0x0180)  # fmt: skip
_QUESTION = (0x07E0, 0x1FF8, 0x3FFC, 0x7C3E, 0x799E, 0xF9CF, 0xFF9F, 0xFF3F,
             0xFE7F, 0xFE7F, 0xFFFF, 0x7E7E, 0x7E7E, 0x3FFC, 0x1FF8, 0x07E0)  # fmt: skip
_CARD = (0x0000, 0x0000, 0x3FFC, 0x7FFE, 0x7FFE, 0x6006, 0x6006, 0x6F06,
         0x6006, 0x6FE6, 0x6006, 0x6006, 0x7FFE, 0x3FFC, 0x0000, 0x0000)  # fmt: skip

ICONS = {
    "microphone": _MICROPHONE,
    "speaker": _SPEAKER,
    "thinking": _THINKING,
    "waves": _WAVES,
    "offline": _OFFLINE,
    "problem": _PROBLEM,
    "camera": _CAMERA,
    "bell": _BELL,
    "question": _QUESTION,
    "card": _CARD,
}


def bitmap(name, doublings):
    """(bytes of rows, most significant bit left; side in px) of an icon, doubled that often."""
    icon, rows, side = ICONS[name], bytearray(2 * SIDE), SIDE
    for y in range(SIDE):
        rows[2 * y], rows[2 * y + 1] = icon[y] >> 8, icon[y] & 0xFF
    for _ in range(doublings):
        rows, side = doubled(rows, side // 8), side * 2
    return bytes(rows), side


def doubled(rows, stride, solid=False):
    """Scale2x, eight px at a time: corners are rounded instead of doubled into steps.

    `stride` is the bytes of a row. `solid`: ink is added to slants only, none taken away, so that
    a B does not become an 8. Whole rows would be big integers in the heap of a 32-bit board.
    """
    large = bytearray(4 * len(rows))
    for at in range(len(rows)):
        here, column = rows[at], at % stride
        up = rows[at - stride] if at >= stride else 0
        down = rows[at + stride] if at + stride < len(rows) else 0
        left = (rows[at - 1] << 8 if column else 0) | here
        right = here << 8 | (rows[at + 1] if column + 1 < stride else 0)
        left, right = left >> 1 & 0xFF, right >> 7 & 0xFF
        edge = (up ^ down) & (left ^ right)
        if solid:
            edge &= ~here
        target = 4 * (at - column) + 2 * column
        _interleave(_corner(here, up, left, edge), _corner(here, up, right, edge), large, target)
        target += 2 * stride
        _interleave(
            _corner(here, down, left, edge), _corner(here, down, right, edge), large, target
        )
    return large


def _corner(here, vertical, across, edge):
    """Eight px of one corner: those of `vertical` on an edge where it equals `across`."""
    takes = edge & ~(vertical ^ across)
    return here & ~takes | vertical & takes


def _interleave(left, right, target, at):
    """Write the bits of two bytes in turn, the first of `left` first, as two bytes."""
    target[at] = TWICE[left >> 4] & 0xAA | TWICE[right >> 4] & 0x55
    target[at + 1] = TWICE[left & 15] & 0xAA | TWICE[right & 15] & 0x55

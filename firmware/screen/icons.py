"""Small one-bit icons as rows of bits, and their smooth doubling."""

SIDE = 16

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
    rows, side = list(ICONS[name]), SIDE
    for _ in range(doublings):
        rows, side = _double(rows, side), side * 2
    stride = side // 8
    packed = bytearray(stride * side)
    for y, row in enumerate(rows):
        for at in range(stride):
            packed[y * stride + at] = row >> (8 * (stride - 1 - at)) & 0xFF
    return bytes(packed), side


def _double(rows, side):
    """Scale2x: corners are rounded instead of doubled into steps."""
    doubled = []
    for y, row in enumerate(rows):
        above = rows[y - 1] if y else 0
        below = rows[y + 1] if y + 1 < side else 0
        upper = lower = 0
        for x in range(side - 1, -1, -1):
            here, up, down = row >> x & 1, above >> x & 1, below >> x & 1
            left, right = row >> x + 1 & 1, (row >> x - 1 & 1) if x else 0
            corners = [here, here, here, here]
            if up != down and left != right:
                if left == up:
                    corners[0] = up
                if up == right:
                    corners[1] = up
                if left == down:
                    corners[2] = down
                if down == right:
                    corners[3] = down
            upper = upper << 2 | corners[0] << 1 | corners[1]
            lower = lower << 2 | corners[2] << 1 | corners[3]
        doubled.append(upper)
        doubled.append(lower)
    return doubled

"""Icons: what they look like, and that doubling rounds corners as Scale2x does."""

from hashlib import sha256

from screen import icons

CARD = [
    "................",
    "................",
    "..############..",
    ".##############.",
    ".##############.",
    ".##..........##.",
    ".##..........##.",
    ".##.####.....##.",
    ".##..........##.",
    ".##.#######..##.",
    ".##..........##.",
    ".##..........##.",
    ".##############.",
    "..############..",
    "................",
    "................",
]
# Of all icons in the order of their names, as they were looked at.
DIGEST = "d48a51c2a0555c5f"


def bit(rows, side, x, y):
    if not (0 <= x < side and 0 <= y < side):
        return 0
    return rows[y * side // 8 + x // 8] >> (7 - x % 8) & 1


def scale2x(rows, side):
    """Each px as four: a corner takes the colour of both its neighbours where they are equal and
    the others differ (www.scale2x.it/algorithm)."""
    made = {}
    for y in range(side):
        for x in range(side):
            here = bit(rows, side, x, y)
            up, down = bit(rows, side, x, y - 1), bit(rows, side, x, y + 1)
            left, right = bit(rows, side, x - 1, y), bit(rows, side, x + 1, y)
            edge = up != down and left != right
            made[2 * x, 2 * y] = left if edge and left == up else here
            made[2 * x + 1, 2 * y] = right if edge and up == right else here
            made[2 * x, 2 * y + 1] = left if edge and left == down else here
            made[2 * x + 1, 2 * y + 1] = right if edge and down == right else here
    return made


def test_an_icon_is_rows_of_bits():
    rows, side = icons.bitmap("card", 0)
    assert side == 16 and len(rows) == 32
    drawn = ["".join(".#"[bit(rows, 16, x, y)] for x in range(16)) for y in range(16)]
    assert drawn == CARD


def test_the_icons_are_those_that_were_drawn():
    every = b"".join([icons.bitmap(name, 0)[0] for name in sorted(icons.ICONS)])
    digest = "".join(["%02x" % byte for byte in sha256(every).digest()[:8]])
    assert digest == DIGEST


def test_a_solid_doubling_takes_no_corner_away():
    for name in icons.ICONS:
        rows, side = icons.bitmap(name, 0)
        solid, rounded = icons.doubled(rows, 2, True), icons.doubled(rows, 2)
        for y in range(2 * side):
            for x in range(2 * side):
                expected = bit(rows, side, x // 2, y // 2) or bit(rounded, 2 * side, x, y)
                assert bit(solid, 2 * side, x, y) == expected, (name, x, y)


def test_doubling_rounds_the_corners():
    for name in icons.ICONS:
        for doublings in (1, 2):
            small, side = icons.bitmap(name, doublings - 1)
            large, twice = icons.bitmap(name, doublings)
            assert twice == 2 * side and len(large) == 4 * len(small)
            for (x, y), value in scale2x(small, side).items():
                assert bit(large, twice, x, y) == value, (name, doublings, x, y)

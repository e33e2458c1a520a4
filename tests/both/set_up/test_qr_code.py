"""The QR code of the set-up: its fixed parts, and its limit. That it is read: tests/bridge."""

from provisioning.qr_code import BYTES_MAX, MODULES, rows


def modules(text):
    packed = rows(text)
    assert len(packed) == MODULES * 4
    return [
        "".join("#" if packed[4 * y + (x >> 3)] & 0x80 >> (x & 7) else "." for x in range(MODULES))
        for y in range(MODULES)
    ]


def test_the_finders_timing_and_alignment_are_where_the_standard_has_them():
    grid = modules("WIFI:T:WPA;S:Voxcard-0a0b0c;P:abcdefghjk;;")
    finder = ["#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######"]
    assert [row[:7] for row in grid[:7]] == finder
    assert [row[-7:] for row in grid[:7]] == finder
    assert [row[:7] for row in grid[-7:]] == finder
    assert grid[6][8:21] == "#.#.#.#.#.#.#"
    assert [row[20:25] for row in grid[20:25]] == ["#####", "#...#", "#.#.#", "#...#", "#####"]
    # Level L, mask 0: 111011111000100 from the left, around the timing pattern.
    assert grid[8][:6] + grid[8][7] + grid[8][8] == "###.####"
    assert grid[8][21:] == "##...#.." and grid[21][8] == "#"


def test_a_text_that_is_too_long_is_refused():
    rows("x" * BYTES_MAX)
    for text in ("x" * (BYTES_MAX + 1), "ü" * 27):
        try:
            rows(text)
        except ValueError as error:
            assert str(error) == "has no room in a QR code of version 3"
        else:
            raise AssertionError("it has room")

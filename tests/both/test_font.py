"""The font file: its range table and the two files that ship."""

from screen import font
from voxwire.errors import WireError

FOLDER = __file__.rsplit("tests", 1)[0] + "firmware/fonts/"
HEAD = b"VXF1\x06\x0c\x00\x02"
TABLE = b"\x00\x41\x00\x43\x00\x00" + b"\x20\xac\x20\xac\x00\x03"


def shipped(name):
    with open(FOLDER + name, "rb") as file:
        data = file.read()
    head = font.read_head(data)
    end = font.HEAD_BYTES + head.ranges * font.RANGE_BYTES
    return font.make(head, data[font.HEAD_BYTES : end]), data


def picture(name, char):
    parsed, data = shipped(name)
    at = font.locate(parsed, ord(char))
    rows = []
    for byte in data[at : at + parsed.glyph_bytes]:
        row = ""
        for bit in range(parsed.width):
            row += "#" if byte & (0x80 >> bit) else "."
        rows.append(row)
    return rows


def refused(act):
    try:
        act()
    except WireError as error:
        return str(error)
    raise AssertionError("was not refused")


def test_the_offset_of_a_glyph_is_arithmetic_on_its_range():
    parsed = font.make(font.read_head(HEAD), TABLE)
    assert font.locate(parsed, 0x41) == 8 + 12
    assert font.locate(parsed, 0x43) == 20 + 2 * 12
    assert font.locate(parsed, 0x20AC) == 20 + 3 * 12


def test_a_code_point_outside_every_range_has_no_glyph():
    parsed = font.make(font.read_head(HEAD), TABLE)
    for code in (0, 0x40, 0x44, 0x20AB, 0x20AD, 0x1F600):
        assert font.locate(parsed, code) == -1


def test_ranges_are_what_a_hello_states():
    parsed = font.make(font.read_head(HEAD), TABLE)
    assert font.ranges(parsed) == ((0x41, 0x43), (0x20AC, 0x20AC))


def test_a_file_of_another_kind_or_cut_off_is_refused():
    assert refused(lambda: font.read_head(b"VXF2\x06\x0c\x00\x02")) == (
        "font: is no font file of this version"
    )
    assert refused(lambda: font.read_head(b"VXF0\x06\x0c\x00\x02")) == (
        "font: is no font file of this version"
    )
    assert refused(lambda: font.read_head(b"VXF1")) == "font: is no font file of this version"
    assert refused(lambda: font.read_head(b"VXF1\x00\x0c\x00\x02")) == (
        "font: has cells of 0x12 px"
    )
    head = font.read_head(HEAD)
    for table in (TABLE[:-1], TABLE + b"\x00"):
        assert refused(lambda table=table: font.make(head, table)) == "font: is cut off"


def test_a_cell_is_4_to_32_px_wide_and_6_to_64_high():
    for width, height in ((4, 6), (32, 64)):
        head = font.read_head(b"VXF1" + bytes((width, height, 0, 0)))
        assert head == (width, height, 0)
    for width, height in ((3, 6), (33, 64), (4, 5), (32, 65)):
        said = refused(lambda size=(width, height): font.read_head(b"VXF1" + bytes(size + (0, 0))))
        assert said == "font: has cells of %dx%d px" % (width, height)


def test_a_row_of_a_glyph_is_whole_bytes():
    for width, glyph_bytes in ((7, 12), (8, 12), (9, 24), (16, 24), (17, 36)):
        assert font.make(font.Head(width, 12, 0), b"").glyph_bytes == glyph_bytes


def test_both_shipped_files_hold_the_same_code_points_and_stay_small():
    small, small_data = shipped("6x12.font")
    large, large_data = shipped("8x16.font")
    assert font.ranges(small) == font.ranges(large)
    assert len(small.table) == 276
    assert len(small_data) < 40960 and len(large_data) < 40960


def test_the_shipped_files_cover_europe_and_vietnam():
    parsed, _ = shipped("6x12.font")
    for char in "AzßÉčłőșțŞıđếỆươỹΩάЖяїґ€£₴₹₽→↗✓✗…–„“½²°♥☎⚠":
        assert font.locate(parsed, ord(char)) > 0, char


def test_a_letter_is_drawn_from_the_top_left_bit_on():
    assert picture("6x12.font", "L") == [
        "......",
        "......",
        "#.....",
        "#.....",
        "#.....",
        "#.....",
        "#.....",
        "#.....",
        "#.....",
        "#####.",
        "......",
        "......",
    ]


def test_vietnamese_marks_are_stacked_on_the_letter():
    assert picture("6x12.font", "ế") == [
        "......",
        "....#.",
        ".#.#..",
        "#.#...",
        ".###..",
        "#...#.",
        "#####.",
        "#.....",
        "#.....",
        ".####.",
        "......",
        "......",
    ]


def test_fonts_are_beside_the_screen_code_wherever_that_is():
    for module_file, working_folder, folder in (
        ("/lib/screen/view.mpy", "/", "/lib/fonts/"),
        ("/screen/view.mpy", "/", "/fonts/"),
        ("screen/view.py", "/", "/fonts/"),  # frozen, or by the entry "" of sys.path
        ("screen/view.mpy", "/home/anna/voxcard", "/home/anna/voxcard/fonts/"),
        ("lib/screen/view.mpy", "/", "/lib/fonts/"),
    ):
        assert font.folder(module_file, working_folder) == folder

"""How many cells characters take, and how text is clipped and broken by them."""

from screen.cells import cells, clip, codes, width, wrap


def test_wide_characters_take_two_cells_and_marks_none():
    assert width("abc") == 3
    assert width("한국") == 4
    assert width("e\u0301") == 1
    assert width("日本go") == 6
    assert width("\U0001f600") == 2
    assert width("Tiếng Việt Привет") == 17
    assert [cells(code) for code in (0x41, 0x300, 0x1100, 0x200D, 0x3099, 0xFF21)] == [
        1,
        0,
        2,
        0,
        0,
        2,
    ]


def test_skin_tones_and_tags_take_no_cell():
    assert width("\U0001f44d\U0001f3fd Done") == 7
    assert [cells(code) for code in (0x1F3FA, 0x1F3FB, 0x1F3FF, 0x1F400, 0xE0067)] == [
        2,
        0,
        0,
        2,
        0,
    ]


def test_code_points_are_those_of_the_characters():
    text = "aé\u07ff\u0800€한\uffff\U00010000\U0001f600\U00040000\U0010ffffz"
    assert list(codes(text)) == [ord(char) for char in text]


def test_text_is_clipped_by_cells_with_an_ellipsis():
    assert clip("hello", 5) == "hello"
    assert clip("hello you", 7) == "hello…"
    assert clip("한국어", 5) == "한국…"
    assert clip("한국어", 4) == "한…"
    assert clip("hello", 1) == "…" and clip("hello", 0) == ""


def test_a_line_that_the_bridge_measured_is_not_cut_for_its_pictographs():
    assert clip("\U0001f321 21 °C", 7, True) == "\U0001f321 21 °C"
    assert clip("\U0001f321 21 °C", 7) == "\U0001f321 21…"


def test_text_breaks_at_spaces_and_inside_long_words():
    assert wrap("the quick brown fox", 9, 5) == ["the quick", "brown fox"]
    assert wrap("a incomprehensible b", 6, 5) == ["a", "incomp", "rehens", "ible b"]
    assert wrap("one\ntwo three", 20, 5) == ["one", "two three"]
    assert wrap("hello", 5, 3) == ["hello"] and wrap("hello hello", 5, 3) == ["hello"] * 2
    assert wrap("한국", 1, 3) == ["한", "국"]
    assert wrap("one \x01 two", 20, 5) == ["one \x01 two"]
    assert wrap("", 5, 3) == [] and wrap("x", 5, 0) == []


def test_text_that_does_not_fit_says_so():
    assert wrap("one two three four", 5, 2) == ["one", "two…"]
    assert wrap("one two three four", 9, 2) == ["one two", "three fo…"]


def test_every_wrapped_line_fits():
    words = "Füße und 한국어 mit Zusammensetzungen, die niemand braucht \U0001f600"
    for cols in range(2, 30):
        for rows in range(1, 6):
            lines = wrap(words, cols, rows)
            assert len(lines) <= rows and all(width(line) <= cols for line in lines), cols


MARKS = (
    "300-36f 483-489 1ab0-1aff 1dc0-1dff 200b-200f 202a-202e 2060-206f 20d0-20ff 302a-302d"
    " 3099-309a fe00-fe0f fe20-fe2f feff-feff 1f3fb-1f3ff e0020-e01ef"
)
WIDE = (
    "1100-115f 2e80-303e 3041-a4cf a960-a97f ac00-d7a3 f900-faff fe30-fe6f ff00-ff60 ffe0-ffe6"
    " 1f300-1f64f 1f680-1f6ff 1f900-1faff 20000-3fffd"
)


def test_the_blocks_of_marks_and_of_wide_characters_begin_and_end_where_unicode_has_them():
    for blocks, taken in ((MARKS, 0), (WIDE, 2)):
        for block in blocks.split():
            first, last = [int(each, 16) for each in block.split("-")]
            assert cells(first) == cells(last) == taken, block
            assert cells(first - 1) != taken and cells(last + 1) != taken, block

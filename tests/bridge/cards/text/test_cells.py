"""Lines in cells: widths, breaks, what is stripped."""

import pytest
from voxcard.cards.text.cells import cut, is_shaped, plain_line, width, without_tones, wrap
from voxcard.cards.text.sanitize import clean, host, label, web_link


def test_wide_characters_take_two_cells_and_marks_none():
    assert width("abc") == 3
    assert width("한국어") == 6
    assert width("e\u0301") == 1
    assert width("👨\u200d👩") == 4


def test_lines_break_between_words_and_keep_the_authors_breaks():
    assert wrap("The parcel left\nthe depot today", 10) == [
        "The parcel",
        "left",
        "the depot",
        "today",
    ]
    assert wrap("a\n\nb", 10) == ["a", "", "b"]
    assert wrap("", 10) == [""]


def test_a_long_word_is_cut_and_loses_nothing():
    assert wrap("x" * 25, 10) == ["x" * 10, "x" * 10, "x" * 5]
    assert wrap("so " + "y" * 12, 10) == ["so", "y" * 10, "yy"]


def test_korean_keeps_its_words_and_chinese_breaks_anywhere_but_before_a_closing_mark():
    assert wrap("주문하신 상품은 내일", 10) == ["주문하신", "상품은", "내일"]
    assert wrap("今天天气很好。我们走", 12) == ["今天天气很", "好。我们走"]


def test_a_mark_is_never_torn_from_its_letter():
    assert wrap("e\u0301" * 6, 4) == ["é" * 4, "é" * 2]
    assert wrap("q\u0301" * 6, 4) == ["q\u0301" * 4, "q\u0301" * 2]


def test_a_zero_width_space_is_a_break_and_never_drawn():
    assert wrap("shop.\u200bexample.\u200bcom", 9) == ["shop.", "example.", "com"]
    assert wrap("shop.\u200bcom", 9) == ["shop.com"]


def test_wrapping_gives_at_most_lines_max_lines_for_any_text():
    assert wrap("word " * 100_000, 10, 3) == ["word word", "word word", "word word"]
    assert len(wrap("\n" * 100_000, 10, 7)) == 7


def test_cut_says_that_something_is_missing():
    assert cut("Order 1042", 10) == "Order 1042"
    assert cut("Order number 1042", 10) == "Order num…"
    assert cut("주문 조회 결과", 10) == "주문 조회…"
    assert cut("anything", 0) == ""


def test_control_characters_go_and_line_breaks_of_any_kind_stay():
    assert clean("a\x00b\x07c\tend\r\nx\u2028y\x9f") == "abc end\nx\ny"
    assert clean("\ud800") == "\ufffd"
    assert clean("a\u0306") == "ă"


def test_labels_carry_no_bidi_controls_or_breaks():
    assert label(" pay\u202e moc.live\n now\u2066 ") == "pay moc.live now"


def test_joiners_and_loose_marks_are_not_drawn_letter_by_letter():
    assert plain_line("👨\u200d👩☀\ufe0f") == "👨👩☀"


def test_scripts_that_need_shaping_are_known():
    for text in ("abc", "Việt", "한국", "中文", "☀ 21°"):
        assert not is_shaped(text)
    for text in ("שלום", "سلام", "नमस्ते", "ไทย"):
        assert is_shaped(text)


def test_a_link_is_http_and_has_a_host_and_nothing_that_hides_in_it():
    assert web_link("https://a.example/x?y#z") is True
    assert web_link("HTTPS://A.example") is True
    assert web_link("http://a.example") is False
    for wrong in (
        "//a.example", "javascript:alert(1)", "https://", "https:///x", "https://a b", 7, None,
        "https://a.example/\u202etxt", "https://a.example\\@evil.example", "ftp://a.example",
        "https://" + "a" * 3000, "https://[::1", "https://a.example:99999/",
    ):  # fmt: skip
        assert web_link(wrong) is None, wrong


def test_the_host_is_shown_as_it_resolves():
    assert host("https://Shop.Example.com:443/x") == "shop.example.com"
    assert host("https://shop.example.com:8443/x") == "shop.example.com:8443"
    assert host("https://bank.example@evil.example/") == "evil.example"
    assert host("https://пример.example/") == "xn--e1afmkfd.example"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Debt: -12345678", ["Debt:", "-12345678"]),
        ("Now (-12345678)", ["Now", "(-12345678)"]),
        ("well-established", ["well-", "established"]),
        ("A-12345678-B", ["A-12345678-", "B"]),
    ],
)
def test_a_minus_stays_at_its_number(text, lines):
    assert wrap(text, 11) == lines


@pytest.mark.parametrize(
    ("text", "cols", "shown"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "ab…"),
        ("ab cd", 4, "ab…"),
        ("日本", 4, "日本"),
        ("日本", 3, "日…"),
        ("日本", 2, "…"),
        ("ab", 1, "…"),
        ("a", 0, ""),
        ("", 0, ""),
        ("a" * 1200, 1100, "a" * 999 + "…"),
    ],
)
def test_a_cut_takes_the_room_there_is(text, cols, shown):
    assert cut(text, cols) == shown


def test_px_may_be_the_measure_of_a_cut():
    for px, shown in ((30, "abc"), (29, "a…"), (20, "a…"), (19, "…"), (10, "…"), (9, "")):
        assert cut("abc", px, lambda text: 10 * len(text)) == shown


@pytest.mark.parametrize(
    ("text", "cols", "hang", "lines"),
    [
        ("• ab cd ef", 6, 2, ["• ab", "  cd", "  ef"]),
        ("• ab cd ef", 7, 2, ["• ab cd", "  ef"]),
        ("12. ab cd", 12, 4, ["12. ab cd"]),
        ("12. abc def", 12, 4, ["12. abc def"]),
        ("12. abcd efgh", 12, 4, ["12. abcd", "    efgh"]),
        ("12. abcd efgh", 11, 4, ["12. abcd", "efgh"]),  # the mark would take too much
        ("• abcdefghij", 6, 2, ["• abcd", "  efgh", "  ij"]),
        ("a      b", 4, 0, ["a", "b"]),
        ("  a b", 4, 0, ["  a", "b"]),
        ("   abcd", 6, 0, ["abcd"]),
        ("  abcde", 6, 0, ["  abcd", "e"]),
        ("a", 1, 0, ["a"]),
        ("日本", 1, 0, ["日", "本"]),
        ("ab\xa0cd ef", 5, 0, ["ab cd", "ef"]),
    ],
)
def test_lines_stand_under_their_words(text, cols, hang, lines):
    assert wrap(text, cols, hang=hang) == lines


@pytest.mark.parametrize(
    ("text", "cols", "lines"),
    [
        ("a/b/c", 4, ["a/b/", "c"]),
        ("--------", 4, ["----", "----"]),
        ("（日）本", 4, ["（日", "）本"]),
        ("日本「語", 6, ["日本", "「語"]),
        ("ab日本", 4, ["ab日", "本"]),
        ("กขค", 2, ["กข", "ค"]),
        ("เกา", 2, ["เกา"]),
        ("ကမ်ကမ်", 3, ["ကမ်", "ကမ်"]),
        ("a-5 b", 4, ["a-5", "b"]),
        ("x" * 450, 1000, ["x" * 450]),
    ],
)
def test_a_line_breaks_where_its_script_may(text, cols, lines):
    assert wrap(text, cols) == lines


def test_a_text_is_read_as_far_as_its_lines_could_reach():
    assert wrap("\u200b" * (4 * 2 * 8 - 1) + "ab", 4, 2) == ["a"]
    assert wrap("a\nb\nc", 4, 2) == ["a", "b"]
    assert wrap("a", 4, 0) == []


def test_skin_tones_and_marks_take_no_cell_and_are_not_drawn():
    assert [width(each) for each in ("👍🏻", "👍🏿", "🏺", "🐀", "Ａ", "a\u20dd", "\u200d")] == [
        2, 2, 2, 2, 2, 1, 0,
    ]  # fmt: skip
    assert without_tones("👍🏻a👍🏿🏺🐀") == "👍a👍🏺🐀"


def test_a_word_that_is_cut_may_end_its_line_with_a_hyphen():
    assert wrap("Donaudampfschiff", 8, hyphen="-") == ["Donauda-", "mpfsch-", "iff"]
    assert wrap("at Donaudampf", 8, hyphen="-") == ["at", "Donauda-", "mpf"]
    assert wrap("1042104210421042", 8, hyphen="-") == ["10421042", "10421042"]
    assert wrap("荷物のお届けです", 8, hyphen="-") == ["荷物のお", "届けです"]
    assert wrap("Donaudampfschiff", 8) == ["Donaudam", "pfschiff"]

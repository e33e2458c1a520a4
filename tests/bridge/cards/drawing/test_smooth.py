"""Smoothed text beside the faces of devices: sizes, whole ink, order, room."""

import logging
import random
import struct

import numpy as np
import pytest
from voxcard.cards.drawing import smooth
from voxcard.cards.drawing.device_glyphs import device_glyphs
from voxcard.cards.drawing.runs import runs
from voxcard.cards.drawing.smooth import SmoothDrawer, SmoothLine, smooth_blob, smooth_drawer
from voxcard.cards.type.metrics import metrics
from voxcard.errors import MissingExtra
from voxwire.type.scale import cap_px

FACES = ("t11", "t13", "t20", "b16")
LINES = {
    "Arabic": "طَلَبُكَ فِي الطَّرِيقِ إِلَيْكَ",
    "Hebrew": "הַהַזְמָנָה בַּדֶּרֶךְ",
    "Hindi": "ऑर्डर्स रास्ते में हैं, कृपया",
    "Bengali": "আপনার অর্ডারটি পৌঁছে",
    "Tamil": "உங்கள் ஆர்டர் ஸ்ரீ",
    "Thai": "ที่นี่ น้ำ ผู้ใหญ่ ปี๊บ ญี่ปุ่น ฏุฐู",
    "Khmer": "ភ្នំពេញ ការបញ្ជាទិញ ស្ត្រី",
    "Myanmar": "သင့်အော်ဒါ ကြွေး မြို့ ဣန္ဒြိယ",
    "Korean": "주문이 배송 중입니다 뷁",
    "Japanese": "ご注文は配達中です。ゔ",
    "Chinese": "您的订单正在派送中，龘靐",
}
UNSHAPED = ("Korean", "Japanese", "Chinese")
# Letters that are one picture where a stroke or a dot is lost.
HARD = (
    "דר", "הח", "וזן", "םס", "תח", "فق", "بتثنيپ", "جحخچ", "دذڈ", "رزژ", "سش", "صض", "طظ", "عغ",
    "घध", "भम", "पष", "थय", "बव", "ডড়ড", "বর", "ঘয", "กถภฤ", "ขฃช", "คฅด", "ตด", "ฎฏ", "พฟ", "บป",
    "ទឥ", "បឋ", "ពថ", "ဂင", "ပဖ", "ചപ", "ಬಭ", "ఎవ", "ලඋ", "ሀሁሂ", "ጰጸ", "ለሉሊ",
    "룰를", "뤽릭", "홈흠", "홉흡", "문믄", "뷁뷀", "ばぱ", "ソン", "ツシ", "口ロ回", "土士工",
    "未末", "己已巳", "日曰目", "人入八", "大太犬", "鳥烏島", "大丈", "🕐🕑", "😀😃", "→⇒",
    "ἀἁ", "ἄἂ",
)  # fmt: skip


@pytest.fixture(scope="module")
def drawer():
    return SmoothDrawer()


def levels(line):
    rows = np.frombuffer(line.rows, np.uint8).reshape(line.height, -1, 1)
    return (rows >> np.array((0, 2, 4, 6)) & 3).reshape(line.height, -1)[:, : line.width]


def head(drawer, face, letter):
    """(advance, left, top, width, height) of a glyph."""
    return struct.unpack_from(">BbbBB", drawer.glyph(face, ord(letter)))


def width_of(line):
    return (line.width, line.height, line.baseline, line.rows)


@pytest.mark.parametrize("face", ["t8", "t11", "t13", "t16", "t20", "t23", "b15", "b28", "d44"])
def test_capitals_of_other_alphabets_are_as_high_as_those_of_the_face(drawer, face):
    for letter in "ꙐⱵꝐԱႠᲘ":  # Cyrillic, Latin, Armenian, Georgian
        assert ord(letter) not in device_glyphs(face)
        _, _, top, _, height = head(drawer, face, letter)
        assert abs(top - cap_px(face)) <= 1, letter
        assert top <= height <= top + 1, letter


@pytest.mark.parametrize("face", FACES)
def test_letters_of_other_scripts_are_between_small_letters_and_capitals(drawer, face):
    cap = cap_px(face)
    for letter in "אمकকਕકଗமమകකกກကកሀ":
        line = drawer.line(face, letter, 200)
        low = 0.55 if letter == "م" else 0.7  # most Arabic letters are lower than an x
        assert cap * low - 1 <= line.baseline <= cap * 1.12 + 1, letter


@pytest.mark.parametrize("face", FACES)
def test_ideographs_and_emoji_fill_a_square_around_the_capitals(drawer, face):
    cap = cap_px(face)
    for letter in "国한あ🌊":
        advance, left, top, width, height = head(drawer, face, letter)
        assert 1.2 * cap <= advance <= 1.65 * cap, letter
        assert cap <= top <= cap * 1.25 + 1, letter
        assert cap * 1.0 <= height <= cap * 1.45, letter
        assert left >= -1 and left + width <= advance + 1, letter


@pytest.mark.parametrize("script", LINES)
@pytest.mark.parametrize("face", FACES)
def test_no_ink_is_cut_off(drawer, face, script, monkeypatch):
    """Drawn with room around it, a line has the same ink."""
    text, rtl = LINES[script], script in ("Arabic", "Hebrew")
    line = drawer.line(face, text, 1000, rtl)
    assert abs(drawer.width(face, text, rtl) - line.width) <= (script in UNSHAPED)
    roomy = SmoothDrawer()
    measured = roomy._font_ink._measured
    far = 2 * cap_px(face)

    def wider(*arguments):
        extent = measured(*arguments)
        return extent._replace(
            left=extent.left - far, upper=extent.upper - far, right=extent.right + far,
            lower=extent.lower + far,
        )  # fmt: skip

    monkeypatch.setattr(roomy._font_ink, "_extent", wider)
    whole, drawn = levels(roomy.line(face, text, 3000, rtl)), levels(line)
    assert drawn.sum() == whole.sum()
    assert len(drawn) == len(whole)


def test_marks_that_pile_up_make_a_line_higher_than_its_face(drawer):
    plain, piled = (drawer.line("t20", text, 200) for text in ("ทน", "ที่น้ำ"))
    assert piled.baseline > metrics("t20").cap + 4 and piled.baseline > plain.baseline
    assert drawer.line("t20", "ဣန္ဒြိ", 200).height > drawer.line("t20", "က", 200).height + 6


def test_marks_without_end_are_cut_off(drawer):
    line = drawer.line("t20", "ก" + "\u0e49" * 60, 200)
    assert line.baseline <= 45 and line.height <= 75


@pytest.mark.parametrize("face", ["t11", "t13", "t15", "t20"])
def test_letters_that_differ_in_a_stroke_or_a_dot_are_told_apart(drawer, face):
    for group in HARD:
        pictures = {width_of(drawer.line(face, letter, 200)) for letter in group}
        assert len(pictures) == len(set(group)), group


def test_what_a_face_holds_is_as_the_device_has_it(drawer):
    own = device_glyphs("t20")
    assert drawer.glyph("t20", ord("H")) == own[ord("H")]
    text = "Out for delivery, €48.90"
    assert drawer.width("t20", text) == metrics("t20").width(text)
    line = drawer.line("t20", "H", 100)
    _, left, top, width, height = struct.unpack_from(">BbbBB", own[ord("H")])
    assert (line.height, line.baseline) == (height, top)
    assert (
        levels(line)[:, left : left + width].tolist()
        == levels(SmoothLine(width, height, top, own[ord("H")][5:])).tolist()
    )


def test_a_right_to_left_line_begins_at_the_right(drawer):
    """Its first letter is the last picture of the line; numbers keep their order."""
    shalom = levels(drawer.line("t20", "שלום", 200, rtl=True))
    shin = levels(drawer.line("t20", "ש", 200, rtl=True))
    assert np.array_equal(shalom[-len(shin) :, -shin.shape[1] + 1 :], shin[:, 1:])
    number = levels(drawer.line("t20", "12", 200))
    both = levels(drawer.line("t20", "א 12", 200, rtl=True))
    inked = number[:, number.any(0)][:, :6]
    assert np.array_equal(both[-len(number) :, both.any(0)][:, :6], inked)


def test_brackets_of_a_right_to_left_line_are_mirrored(drawer):
    opened, closed = (levels(drawer.line("t20", bracket, 50)) for bracket in "()")
    line = levels(drawer.line("t20", "(א)", 200, rtl=True))
    first, last = line[:, : opened.shape[1]], line[:, -closed.shape[1] :]
    assert np.array_equal(first[:, first.any(0)], opened[:, opened.any(0)])
    assert np.array_equal(last[:, last.any(0)], closed[:, closed.any(0)])


@pytest.mark.parametrize("rtl", [False, True])
def test_a_line_without_room_ends_in_an_ellipsis(drawer, rtl):
    text = "שלום עולם " * 9 if rtl else "คำสั่งซื้อของคุณ" * 9
    line = drawer.line("t20", text, 150, rtl)
    assert 110 <= line.width <= 150
    foot = levels(line)[line.baseline - 3 : line.baseline]  # where its dots are
    dots = levels(drawer.line("t20", "…", 50))[-3:]
    end = foot[:, : dots.shape[1]] if rtl else foot[:, -dots.shape[1] :]
    assert np.array_equal(end[:, end.any(0)], dots[:, dots.any(0)])
    assert drawer.line("t20", text, 3, rtl).width <= 3


def test_lines_of_a_paragraph_have_room_and_nothing_is_lost(drawer):
    for text, rtl in ((LINES["Arabic"], True), (LINES["Thai"], False), (LINES["Hindi"], False)):
        words = " ".join([text] * 6)
        lines, widths = drawer.paragraph("t20", words, 214, 40, rtl=rtl)
        assert "".join(lines).replace(" ", "") == words.replace(" ", "")
        assert widths == tuple(drawer.width("t20", line, rtl) for line in lines)
        assert 100 < max(widths) <= 214
        assert widths == tuple(drawer.line("t20", line, 214, rtl).width for line in lines)
        assert len(drawer.paragraph("t20", words, 214, 2, rtl=rtl)[0]) == 2


def test_lines_hang_beside_the_mark_of_their_item(drawer):
    lines, _ = drawer.paragraph("t20", "• " + LINES["Hindi"], 214, 9, rtl=False, hang=2)
    assert len(lines) > 1 and lines[0].startswith("• ")
    indent = lines[1][: len(lines[1]) - len(lines[1].lstrip())]
    bullet, blank = (drawer.width("t20", text) for text in ("• ", indent))
    assert abs(bullet - blank) <= drawer.width("t20", " ")


def test_words_that_are_wider_together_are_broken_again(drawer):
    word = "ที่นี่"
    room = 2 * drawer.width("t20", word) + drawer.width("t20", " ")
    assert drawer.width("t20", f"{word} {word}") > room
    lines, widths = drawer.paragraph("t20", f"{word} {word}", room, 9, rtl=False)
    assert len(lines) == 2 and "".join(lines) == f"{word} {word}" and max(widths) <= room


def test_a_letter_wider_than_its_room_has_a_line_of_its_own(drawer):
    lines, widths = drawer.paragraph("t20", "က ကြွေး ခဂ", 40, 9, rtl=False)
    assert lines[:2] == ("က", "ကြွေး") and widths[1] > 40
    assert drawer.line("t20", lines[1], 40).width <= 40


@pytest.mark.parametrize("seed", range(40))
def test_lines_of_mixed_scripts_keep_to_their_room(drawer, seed):
    chance = random.Random(seed)
    words = [*" ".join(LINES.values()).split(), "fjord", "12.50", "USD)", "(x", "x\u0302j", "—"]
    face, rtl = chance.choice(("t8", "t11", "t13", "b16", "t20")), chance.random() < 0.5
    room = chance.choice((80, 126, 214, 300))
    text = chance.choice(" \u200b").join(chance.choices(words, k=12))
    for line, width in zip(*drawer.paragraph(face, text, room, 20, rtl=rtl), strict=True):
        drawn = drawer.line(face, line, room, rtl)
        assert width <= room
        if any(run.font for run in runs(line, rtl, device_glyphs(face))):
            assert drawn.width == width
        assert len(drawn.rows) == drawn.height * -(-drawn.width // 4)


def test_marks_joiners_and_tones_are_written_with_their_letter(drawer):
    assert drawer.line("t20", "x\u0302", 100).height > drawer.line("t20", "x", 100).height + 2
    family = drawer.width("t20", "👩\u200d💻")
    assert family == pytest.approx(drawer.width("t20", "👩"), abs=2)
    assert drawer.width("t20", "👍🏽") == pytest.approx(drawer.width("t20", "👍"), abs=2)
    assert drawer.line("t20", "☀\ufe0f", 99).rows == drawer.line("t20", "☀", 99).rows


def test_a_character_no_font_holds_is_none_and_as_wide_as_a_capital(caplog):
    drawer = SmoothDrawer()
    with caplog.at_level(logging.WARNING):
        assert drawer.glyph("t20", 0x10FFFD) is None and drawer.lacks(0x10FFFD)
    assert [record.message for record in caplog.records] == [
        "no font holds U+10FFFD; the device shows a box"
    ]
    assert drawer.advance("t20", 0x10FFFD) == 20
    assert drawer.width("t20", "H\U0010fffd") == drawer.width("t20", "H") + 20
    assert levels(drawer.line("t20", "\U0010fffd", 99)).any()


def test_what_freetype_gives_up_on_is_a_box(drawer):
    line = drawer.line("t11", "﷽", 400)
    assert line.height == 11 and line.width > 60 and levels(line).any()


def test_a_glyph_too_large_for_a_record_is_none(drawer):
    assert drawer.glyph("t20", ord("⸻")) is not None
    assert drawer.glyph("d65", ord("⸻")) is None


def test_a_text_without_ink_is_one_empty_row(drawer):
    for text in ("", "  ", "\u200b"):
        line = drawer.line("t20", text, 100)
        assert line.height == 1 and line.width >= 1 and not any(line.rows)


def test_lines_of_a_blob_are_found_by_their_number():
    lines = [SmoothLine(5, 1, 1, b"\x1b\x02"), SmoothLine(4, 2, 0, b"\xe4\x1b")]
    assert smooth_blob(lines).hex() == "0002000500011b0200040002e41b"


def test_without_the_fonts_there_is_no_drawer_and_the_log_says_so_once(monkeypatch, caplog):
    def missing():
        raise MissingExtra("The fonts for other scripts", "fonts")

    monkeypatch.setattr(smooth, "SmoothDrawer", missing)
    smooth_drawer.cache_clear()
    with caplog.at_level(logging.WARNING):
        assert smooth_drawer() is None and smooth_drawer() is None
    smooth_drawer.cache_clear()
    assert len(caplog.records) == 1 and "drawn as boxes" in caplog.text

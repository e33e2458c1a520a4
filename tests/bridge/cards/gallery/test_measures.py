"""What is measured on drawn pages: each measure finds what is wrong on a page made for it."""

import pytest
from PIL import Image, ImageDraw
from voxwire.type import roles
from voxwire.type.drawing import Box, Choice, Code, DrawnPage, Smooth, Text
from voxwire.type.scale import scale

from tools.pictures import contrast, measures, pixels
from tools.pictures.panels import PANELS

SQUARE, ROUND, NARROW = PANELS["240x240"], PANELS["240x240-round"], PANELS["80x160"]


def text(words, x=10, y=60, face="body", ink=roles.INK, paper=roles.PAPER, screen=SQUARE):
    index = screen.faces.index(getattr(scale(screen), face))
    return Text(x, y, index, ink, words, paper)


def page(*items, options=(), code=None):
    return DrawnPage("", (), 0, items, options, code)


def test_body_and_caption_of_the_scale_are_large_enough_on_every_panel():
    for name, screen in PANELS.items():
        if screen.faces:
            good = page(
                text("Words", screen=screen),
                text("note", face="caption", ink=roles.DIM, screen=screen),
            )
            assert list(measures.small_type(good, screen)) == [], name


def test_bright_text_as_small_as_a_caption_is_found_by_what_it_is():
    caption, title = text("Words", face="caption"), Text(10, 90, 1, roles.INK, "Title", 0)
    small = page(caption, text("of a page", face="caption", y=90))
    assert list(measures.MEASURES["small text"](small, SQUARE)) == [
        "t15 of 1.47 mm: 'Words' and 1 more"
    ]
    value = page(text("412.6kr", face="caption"))
    assert list(measures.MEASURES["small text"](value, SQUARE)) == []
    assert len(list(measures.MEASURES["small label"](value, SQUARE))) == 1
    assert SQUARE.faces[1] == "b20"
    assert list(measures.MEASURES["small title"](page(title), SQUARE)) == []
    low = page(title._replace(face=SQUARE.faces.index("b16")))
    assert len(list(measures.MEASURES["small title"](low, SQUARE))) == 1


def test_dim_text_as_small_as_a_caption_is_right():
    note = page(text("note", face="caption", ink=roles.DIM))
    assert list(measures.small_type(note, SQUARE)) == []


@pytest.mark.parametrize(
    ("panel", "body_mm", "caption_mm"),
    [
        ("240x240", 1.86, 1.40),
        ("240x240-round", 1.86, 1.40),
        ("320x240", 1.86, 1.40),
        ("80x160", 1.08, 1.08),
    ],
)
def test_a_panel_that_is_too_narrow_has_the_largest_type_of_12_letters(panel, body_mm, caption_mm):
    least = [measures.least_mm(PANELS[panel], mm) for mm in (1.86, 1.40)]
    assert least == pytest.approx([body_mm, caption_mm])


def test_on_the_narrow_panel_12_letters_fill_the_line_and_no_larger_face_holds_them():
    english = "The desk lamp is on its way; the courier comes between nine and eleven tomorrow."
    widths = [12 * measures.metrics(name).width(english) / len(english) for name in ("t8", "t9")]
    line = NARROW.width - 2 * 3  # px of air at each side
    assert widths[0] <= line < widths[1]


def test_luminance_and_contrast_are_those_of_wcag():
    assert contrast.contrast(0xFFFFFF, 0x000000) == pytest.approx(21)
    assert contrast.contrast(0x777777, 0xFFFFFF) == pytest.approx(4.48, abs=0.005)
    assert contrast.luminance(0xFF0000) == pytest.approx(0.2126)


def test_what_is_too_faint_is_named_with_its_theme():
    assert list(contrast.faint(roles.TRACK, roles.PAPER)) == [
        "ink 13 on paper 0 in dark: 2.15, not 4.5",
        "ink 13 on paper 0 in light: 1.60, not 4.5",
    ]


@pytest.mark.parametrize("ink", [roles.INK, roles.DIM, roles.ACCENT, roles.GOOD_INK,
                                 roles.WARN_INK, roles.BAD_INK])  # fmt: skip
def test_every_ink_of_text_is_seen_on_paper_in_every_theme(ink):
    assert list(contrast.faint(ink, roles.PAPER)) == []


def test_the_pairs_of_a_page_are_those_of_its_texts_pictures_and_choices():
    label = SQUARE.faces.index("b20")
    shown = page(
        text("Words"),
        Smooth(10, 100, 20, 20, 1, 0, roles.ACCENT),
        options=(
            Choice("a", "One", 8, 10, 200, 40, label),
            Choice("b", "Two", 8, 60, 200, 40, label),
        ),
    )
    assert measures.pairs(shown, SQUARE) == {
        (roles.INK, roles.PAPER),
        (roles.ACCENT, roles.PAPER),
        (roles.BAR_INK, roles.BAR),
        (roles.INK, roles.RAISED),
    }


def test_a_text_says_what_lies_under_it():
    box = Box(0, 30, 240, 40, roles.RAISED, 8)
    assert list(measures.wrong_paper(page(box, text("Words", paper=roles.RAISED)), SQUARE)) == []
    wrong = list(measures.wrong_paper(page(box, text("Words")), SQUARE))
    assert wrong == ["'Words' has paper 0 on 9"]


def test_text_past_the_edge_is_found():
    inside = page(text("Words", x=0, y=20), text("Words", x=10, y=238))
    assert list(measures.outside(inside, SQUARE)) == []
    wide, low = text("Words of more than the panel", x=0), text("going", y=239)
    assert len(list(measures.outside(page(wide, low), SQUARE))) == 2
    box = page(Box(200, 0, 41, 10, roles.BAR, 0))
    assert list(measures.outside(box, SQUARE)) == ["box at (200, 0, 241, 10)"]


def test_on_a_round_panel_the_corner_is_outside():
    assert list(measures.outside(page(text("Words", x=5, y=30, screen=ROUND)), ROUND)) != []
    assert list(measures.outside(page(text("Words", x=90, y=125, screen=ROUND)), ROUND)) == []


def test_texts_that_cross_are_found_and_neighbours_are_not():
    crossed = page(text("Words", x=10), text("More", x=40))
    assert len(list(measures.overlaps(crossed, SQUARE))) == 1
    line = measures.metrics("t20").pitch
    lines = page(text("gyp", y=60), text("HBE", y=60 + line), text("HBE", x=120, y=60))
    assert list(measures.overlaps(lines, SQUARE)) == []


def test_a_number_that_is_cut_is_found_and_a_word_is_not():
    cut = page(text("Kitch…", y=40), text("2…", y=80), text("21.…", y=120), text("22.4", y=160))
    assert list(measures.cut_numbers(cut, SQUARE)) == ["'2…'", "'21.…'"]


def test_a_dot_in_a_line_of_text_is_found_beside_it_is_not():
    dots = Box(110, 222, 8, 8, roles.ACCENT, 4), Box(126, 222, 8, 8, roles.TRACK, 4)
    assert list(measures.dots_in_text(page(*dots, text("Words", y=220)), SQUARE)) == []
    low = page(*dots, text("Words of a line", y=229))
    assert list(measures.dots_in_text(low, SQUARE)) == [
        "dot at (110, 222, 118, 230) in (10, 209, 195, 229)",
        "dot at (126, 222, 134, 230) in (10, 209, 195, 229)",
    ]


def test_choices_that_are_cut_to_the_same_words_are_found():
    face = SQUARE.faces.index("b20")
    labels = ("Anna…", "Anna…", "Ben")
    options = (Choice(label, label, 8, 40, 224, 40, face) for label in labels)
    assert list(measures.choices_alike(page(options=tuple(options)), SQUARE)) == ["'Anna…'"]


def test_ink_is_what_is_not_paper_and_its_rows_are_counted():
    image = Image.new("RGB", (240, 240))
    ImageDraw.Draw(image).rectangle((100, 60, 140, 119), fill=(255, 255, 255))
    assert pixels.used(image) == 60 / 240
    assert pixels.used(Image.new("RGB", (240, 240), "white"), "light") == 0


def test_ink_past_the_rim_of_a_round_panel_is_counted():
    image = Image.new("RGB", (240, 240))
    pen = ImageDraw.Draw(image)
    pen.rectangle((119, 2, 120, 3), fill=(0, 0, 80))
    assert pixels.ink_past_the_rim(image, "dark") == 0
    pen.rectangle((0, 0, 1, 1), fill=(255, 255, 255))
    assert pixels.ink_past_the_rim(image, "dark") == 4


def test_a_letter_is_as_high_as_it_is_drawn():
    (run,) = measures.runs(page(text("H", x=10, y=60)), SQUARE)
    image = Image.new("RGB", (240, 240))
    pen = ImageDraw.Draw(image)
    pen.rectangle((12, 40, 14, 59), fill="white")
    assert pixels.capital_rows(image, run) == (20, 0)
    pen.rectangle((12, 60, 14, 60), fill="white")
    assert pixels.capital_rows(image, run) == (21, 1)


def test_a_code_is_too_small_only_where_a_larger_one_has_room():
    code = Code(0, 0, 25, b"", 2, 2)
    assert list(measures.small_code(code, PANELS["128x64"])) == []
    assert list(measures.small_code(code, SQUARE)) == ["modules of 0.20 mm"]
    assert list(measures.small_code(code._replace(scale=5), SQUARE)) == []


def test_the_characters_of_a_page_are_those_of_its_texts():
    assert measures.characters(page(text("Words"), text("of ", y=100)), SQUARE) == 7

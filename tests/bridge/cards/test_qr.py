"""QR codes by the measured rules: black on white, quiet zone, module size, version by screen."""

import numpy
import pytest
import segno
import zxingcpp
from fakes.device.screens import screen_of
from voxcard.cards.fit import qr_code
from voxwire import card as wire

OLED_096 = screen_of(128, 64, 1, "rect", 170, (6, 8), ((32, 126),), ("text", "qr"))
OLED_13 = OLED_096._replace(pitch_um=230)
LCD_154 = screen_of(240, 240, 16, "rect", 116, (8, 16), ((32, 126),), ("text", "qr"))
ROUND_128 = LCD_154._replace(shape="round", pitch_um=135)
LCD_24 = LCD_154._replace(width=320, pitch_um=153)
TALL_096 = LCD_154._replace(width=80, height=160, pitch_um=135)
SMALL_085 = LCD_154._replace(width=128, height=128, pitch_um=119)
SCREENS = (OLED_096, OLED_13, LCD_154, ROUND_128, LCD_24, TALL_096, SMALL_085)


def link(size):
    return ("https://shop.example.com/" + "aB3xyz9" * 60)[:size]


def pixels(code, screen):
    """The page's light square on a dark screen, as the panel shows it."""
    place = wire.qr_layout(screen, code.modules, code.scale, code.quiet)
    panel = numpy.zeros((screen.height, screen.width), numpy.uint8)
    panel[place.y : place.y + place.side, place.x : place.x + place.side] = 255
    width = wire.row_bytes(code.modules)
    bits = numpy.unpackbits(numpy.frombuffer(code.rows, numpy.uint8).reshape(-1, width), axis=1)
    dark = numpy.kron(bits[:, : code.modules], numpy.ones((code.scale, code.scale), numpy.uint8))
    start = code.quiet * code.scale
    inner = panel[place.y + start :, place.x + start :][: dark.shape[0], : dark.shape[1]]
    inner[dark == 1] = 0
    return panel


@pytest.mark.parametrize("screen", SCREENS, ids=lambda s: f"{s.width}x{s.height}-{s.shape}")
def test_every_code_that_fits_is_read_back_and_keeps_the_rules(screen):
    fitted = 0
    for size in (12, 24, 40, 53, 78, 106, 154, 230, 300):
        code = qr_code.fit_code(link(size), screen)
        if code is None:
            continue
        fitted += 1
        assert code.quiet >= 1 and code.scale >= qr_code.scale_min(screen) >= 2
        place = wire.qr_layout(screen, code.modules, code.scale, code.quiet)
        assert place.x >= 0 and place.y >= 0
        assert place.x + place.side <= screen.width and place.y + place.side <= screen.height
        big = numpy.kron(pixels(code, screen), numpy.ones((4, 4), numpy.uint8))
        (read,) = zxingcpp.read_barcodes(big)
        assert read.text == qr_code.dense(link(size))
    assert fitted


def test_the_module_is_046_mm_where_the_panel_can_and_reads_near_where_it_cannot():
    assert [
        (qr_code.scale_min(screen), qr_code.scale_min(screen) * screen.pitch_um)
        for screen in SCREENS
    ] == [
        (2, 340),  # 0.96 inch: a safe module would leave no room for any code
        (2, 460),
        (4, 464),
        (4, 540),
        (4, 612),
        (3, 405),  # 80 px wide: likewise
        (4, 476),
    ]


def test_a_64_row_screen_carries_53_bytes_and_no_more():
    code = qr_code.fit_code(link(53), OLED_13)
    assert (code.modules, code.scale, code.quiet) == (29, 2, 1)
    assert qr_code.fit_code(link(54), OLED_13) is None


def test_a_240_px_panel_carries_230_bytes_at_4_px():
    code = qr_code.fit_code(link(230), LCD_154)
    assert (code.modules, code.scale, code.quiet) == (53, 4, 2)
    assert qr_code.fit_code(link(321), LCD_154) is None


def test_a_code_on_a_round_screen_is_inside_the_circle():
    code = qr_code.fit_code(link(53), ROUND_128)
    assert (code.modules + 2 * code.quiet) * code.scale <= 240 * 0.7072


def test_an_unknown_pitch_asks_for_px_by_the_kind_of_panel():
    assert qr_code.scale_min(OLED_096._replace(pitch_um=0)) == 2
    assert qr_code.scale_min(LCD_154._replace(pitch_um=0)) == 4
    assert qr_code.scale_min(SMALL_085._replace(pitch_um=0)) == 3
    unknown = LCD_154._replace(pitch_um=0)
    for width, height, shape, px in (
        (160, 200, "rect", 4),
        (200, 159, "rect", 3),
        (227, 227, "round", 4),  # 160 px of it are a square
        (226, 226, "round", 3),
    ):
        screen = unknown._replace(width=width, height=height, shape=shape)
        assert qr_code.scale_min(screen) == px, (width, height)


def test_a_smaller_scale_is_taken_when_the_caption_needs_the_room_but_never_an_unsafe_one():
    wanted = lambda place: place.caption.rows >= 2  # noqa: E731
    free, captioned = (
        qr_code.fit_code(link(24), LCD_154),
        qr_code.fit_code(link(24), LCD_154, wanted),
    )
    assert (free.scale, captioned.scale) == (10, 8)
    assert qr_code.fit_code(link(230), LCD_154, wanted).scale == 4


def test_only_scheme_host_and_capital_paths_are_written_in_capitals():
    assert qr_code.dense("https://c.example/AB3") == "HTTPS://C.EXAMPLE/AB3"
    assert qr_code.dense("https://c.example") == "HTTPS://C.EXAMPLE"
    assert qr_code.dense("https://c.example/ab3") == "https://c.example/ab3"
    assert qr_code.dense("https://C.example/AB3?x=1") == "https://C.example/AB3?x=1"
    assert qr_code.dense("https://user@c.example/A") == "https://user@c.example/A"
    assert qr_code.dense("WIFI:T:WPA;S:home;;") == "WIFI:T:WPA;S:home;;"


def test_nothing_and_far_too_much_have_no_code():
    assert qr_code.fit_code("", LCD_154) is None
    assert qr_code.fit_code("x" * 5000, LCD_154) is None


def test_the_capacities_are_those_of_the_standard():
    for version, size in enumerate(qr_code.CAPACITY, start=1):
        whole = segno.make(b"\xff" * size, version=version, error="L", mode="byte", mask=0)
        assert whole.version == version
        with pytest.raises(segno.DataOverflowError):
            segno.make(b"\xff" * (size + 1), version=version, error="L", mode="byte", mask=0)


def test_a_code_has_as_few_modules_as_hold_its_bytes():
    large = LCD_154._replace(width=480, height=480)
    for version, size in enumerate(qr_code.CAPACITY, start=1):
        code = qr_code.fit_code("x" * size, large)
        assert code.modules == 17 + 4 * version
    assert qr_code.fit_code("x" * 858, large) and qr_code.fit_code("x" * 859, large) is None


def test_a_module_is_sixteen_px_at_most():
    code = qr_code.fit_code("a", LCD_154._replace(width=480, height=480))
    assert (code.scale, code.quiet, code.modules, len(code.rows)) == (16, 2, 21, 3 * 21)


def test_the_largest_code_that_suits_is_taken_or_else_the_largest():
    seen = []

    def never(place):
        seen.append(place.side)
        return False

    code = qr_code.fit_code("a", LCD_154, never)
    assert (code.scale, code.quiet) == (10, 1)
    assert seen == sorted(seen, reverse=True) and seen[0] == 230
    assert min(seen) == (21 + 2) * 4  # 0.46 mm of 0.116 mm a px
    tiny = OLED_096._replace(pitch_um=0)
    assert qr_code.fit_code("a", tiny).scale == 2


@pytest.mark.parametrize(
    ("width", "pitch", "px"),
    [(92, 115, 4), (91, 115, 3), (400, 460, 1), (22, 460, 2), (50, 100, 3)],
)
def test_a_panel_too_small_for_the_safe_size_has_what_reads_near(width, pitch, px):
    screen = LCD_154._replace(width=width, height=width, pitch_um=pitch)
    assert qr_code.scale_min(screen) == px

"""Where a page's title, text, foot and QR code go, on every shape of screen."""

from fakes.device.screens import screen_of
from voxwire.card import layout, qr_layout


def screen(width, height, shape="rect"):
    small = min(width, height) < 128 or max(width, height) < 160
    return screen_of(width, height, 1, shape, 0, (6, 12) if small else (8, 16), (), ())


GOLDEN = __file__.rsplit("/", 2)[0] + "/golden/layouts/layouts.txt"
SMALL = screen(128, 64)
SHAPES = (
    SMALL,
    screen(128, 32),
    screen(128, 128),
    screen(240, 240),
    screen(240, 240, "round"),
    screen(160, 160, "round"),
    screen(360, 360, "round"),
    screen(320, 240),
    screen(240, 320),
    screen(240, 135),
    screen(80, 160),
)


def inside(each, area):
    cell_width, cell_height = each.cell
    right, bottom = area.x + area.cols * cell_width, area.y + area.rows * cell_height
    if area.x < 0 or area.y < 0 or right > each.width or bottom > each.height:
        return False
    if each.shape != "round" or area.rows == 0:
        return True
    radius = each.width // 2
    corners = ((area.x, area.y), (right, area.y), (area.x, bottom), (right, bottom))
    return all((x - radius) ** 2 + (y - radius) ** 2 <= radius**2 for x, y in corners)


def test_a_small_oled_has_a_title_three_rows_and_a_foot():
    assert layout(SMALL) == ((1, 0, 21, 1), (1, 14, 21, 3), (1, 52, 21, 1), 13, 51)


def test_the_body_of_a_page_without_title_has_its_row():
    assert layout(SMALL, titled=False).body == (1, 0, 21, 4)
    assert layout(SMALL, titled=False).bar == 0


def test_larger_panels_spare_a_margin():
    assert layout(screen(240, 240)).body == (4, 24, 29, 12)
    assert layout(screen(320, 240)).body == (4, 24, 39, 12)
    assert layout(screen(240, 135)).body == (4, 19, 29, 6)
    assert layout(screen(80, 160)).body == (1, 14, 13, 11)


def test_a_round_panel_uses_its_chords():
    areas = layout(screen(240, 240, "round"))
    assert areas.title == (44, 34, 19, 1)
    assert areas.body == (24, 56, 24, 8)
    assert areas.foot == (44, 190, 19, 1)


def test_two_rows_are_title_and_body_without_a_foot():
    areas = layout(screen(128, 32))
    assert areas.body.rows == 1 and areas.foot.rows == 0 and areas.rule == -1


def test_every_area_is_on_the_panel_and_none_covers_another():
    for each in SHAPES:
        for titled in (True, False):
            areas = layout(each, titled)
            assert inside(each, areas.title) and inside(each, areas.body), each
            assert inside(each, areas.foot) and areas.body.rows >= 1, each
            if titled:
                assert areas.bar <= areas.body.y, each
            if areas.foot.rows:
                assert areas.body.y + areas.body.rows * each.cell[1] <= areas.foot.y, each


def test_lines_of_a_titled_page_fit_an_untitled_one():
    for each in SHAPES:
        titled, untitled = layout(each), layout(each, titled=False)
        assert untitled.body.rows >= titled.body.rows
        assert untitled.body.cols == titled.body.cols


def test_a_code_of_version_3_leaves_ten_columns_on_a_small_oled():
    areas = qr_layout(SMALL, 29, 2, 1)
    assert areas[:3] == (1, 1, 62)
    assert areas.title == (67, 0, 10, 1)
    assert areas.caption == (67, 14, 10, 3)
    assert areas.foot == (67, 52, 10, 1)


def test_the_light_square_has_the_quiet_modules_of_the_code_on_every_side():
    assert qr_layout(screen(240, 240), 21, 2, 4).side == (21 + 4 + 4) * 2
    assert qr_layout(screen(240, 240), 21, 2, 0).side == 21 * 2


def test_a_round_panel_of_466_px_has_15_rows_of_text():
    assert layout(screen(466, 466, "round")).body.rows == 15


def test_the_text_stands_beside_a_code_where_that_leaves_5_columns():
    five = screen_of(96, 64, 1, "rect", 0, (6, 12), (), ())
    assert qr_layout(five, 29, 2, 1).caption.cols == 5
    four = screen_of(95, 64, 1, "rect", 0, (6, 12), (), ())
    assert qr_layout(four, 29, 2, 1).x == (95 - 62) // 2


def test_on_a_square_panel_the_text_goes_under_the_code():
    areas = qr_layout(screen(240, 240), 33, 5, 1)
    assert areas.side == 175
    assert areas.title == (4, 2, 29, 1)
    assert areas.caption == (4, 203, 29, 1)


def test_a_code_as_large_as_the_panel_is_alone():
    areas = qr_layout(screen(240, 240), 45, 5, 1)
    assert areas.side == 235 and (areas.x, areas.y) == (2, 2)
    assert areas.title.rows == areas.caption.rows == areas.foot.rows == 0


def test_codes_and_their_texts_never_overlap_or_leave_the_panel():
    for each in SHAPES:
        for modules in range(21, 58, 4):
            for scale in range(1, 9):
                side = (modules + 2) * scale
                limit = min(each.width, each.height)
                if side > (limit * 707 // 1000 if each.shape == "round" else limit):
                    continue
                areas = qr_layout(each, modules, scale, 1)
                assert areas.x >= 0 and areas.x + side <= each.width
                assert areas.y >= 0 and areas.y + side <= each.height
                for area in (areas.title, areas.caption, areas.foot):
                    assert inside(each, area), (each, modules, scale)
                    right = area.x + area.cols * each.cell[0]
                    bottom = area.y + area.rows * each.cell[1]
                    beside = area.x >= areas.x + side or right <= areas.x
                    apart = bottom <= areas.y or area.y >= areas.y + side
                    assert beside or apart or not area.rows, (each, modules, scale)


def flat(found):
    """The numbers of a layout, its areas among them."""
    return [part for each in found for part in (each if isinstance(each, tuple) else (each,))]


def lines():
    """A line for each layout, as tests/golden/layouts holds them."""
    for each in SHAPES:
        name = "%d %d %s" % (each.width, each.height, each.shape)
        for titled in (True, False):
            yield "%s %s: %s" % (name, titled, flat(layout(each, titled)))
        for modules in range(21, 58, 4):
            for scale in range(2, 7):
                side = (modules + 2) * scale
                limit = min(each.width, each.height)
                if side <= (limit * 707 // 1000 if each.shape == "round" else limit):
                    found = flat(qr_layout(each, modules, scale, 1))
                    yield "%s %d %d: %s" % (name, modules, scale, found)


def test_everything_goes_where_it_was_seen_to_be_right():
    with open(GOLDEN) as file:
        golden = file.read().split("\n")
    for line, expected in zip(lines(), golden):
        assert line == expected
    assert len(list(lines())) == len(golden) - 1

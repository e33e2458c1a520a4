"""Pages as lists of items: titles, lines, feet, choices, codes and pictures on each shape."""

from fakes.device.screens import screen_of
from screen import layout as pictures
from screen import scenes
from voxwire.card import (
    Card,
    ChoicePage,
    ImagePage,
    Option,
    QrPage,
    TextPage,
    big,
    field,
    heading,
    strip,
    text_line,
)

SMALL = screen_of(128, 64, 1, "rect", 0, (6, 12), (), ())
LARGE = screen_of(240, 240, 16, "rect", 0, (8, 16), (), ())
ROUND = screen_of(240, 240, 16, "round", 0, (8, 16), (), ())


def card(*pages, foot=""):
    return Card("a", 0, pages, foot, 0, 0, False, False, ())


def sketch(items, cell=(6, 12), size=(128, 64)):
    """Texts of a picture at their cells, as a screen of characters."""
    rows = [[" "] * (size[0] // cell[0]) for _ in range(size[1] // cell[1])]
    for item in items:
        if item.kind in ("text", "bold"):
            x = item.x // cell[0]
            for at, char in enumerate(item.what):
                rows[item.y // cell[1]][x + at] = char
    return ["".join(row).rstrip() for row in rows]


def page(*lines, title="Order 1042"):
    return TextPage(title, tuple(text_line(line) for line in lines), 0)


def test_a_page_has_title_lines_foot_and_number():
    shown = card(page("Out for delivery", "Arrives today"), page("x"), foot="shop · 2h")
    assert sketch(pictures.page_picture(SMALL, shown, 0)) == [
        "Order 1042",
        "Out for delivery",
        "Arrives today",
        "",
        "shop · 2h         1/2",
    ]


def test_without_a_title_the_text_starts_at_the_top():
    shown = card(page("one", "two", "three", "four", "five", title=""))
    assert sketch(pictures.page_picture(SMALL, shown, 0)) == ["one", "two", "three", "four", ""]


def test_a_single_page_has_no_number_and_no_rule():
    items = pictures.page_picture(SMALL, card(page("one")), 0)
    assert sketch(items)[4] == ""
    assert [item.kind for item in items] == ["fill", "bold", "text"]


def test_a_note_too_long_for_a_narrow_foot_is_left_away():
    rows = screen_of(80, 160, 16, "rect", 0, (6, 12), (), ())
    shown = card(page("x"), page("y"), foot="a-long-source · 2h")
    items = pictures.page_picture(rows, shown, 0)
    assert [item.what for item in items if item.kind == "text"] == ["x", "1/2"]
    wide = [item.what for item in pictures.page_picture(SMALL, shown, 0) if item.kind == "text"]
    assert wide == ["x", "a-long-source ·…", "1/2"]


def test_a_heading_is_underlined_in_small_cells_and_bold_in_large_ones():
    shown = card(TextPage("", (heading("Tracking"),), 0))
    small = pictures.page_picture(SMALL, shown, 0)
    assert [item.kind for item in small] == ["text", "fill"] and small[1].width == 47
    large = pictures.page_picture(LARGE, shown, 0)
    assert [(item.kind, item.ink) for item in large] == [("bold", pictures.ACCENT)]


def test_a_large_line_takes_two_rows_and_the_second_may_have_a_value_at_its_end():
    lines = (big("4 °C"), field("", "-2"), text_line("Rain"))
    items = pictures.page_picture(SMALL, card(TextPage("Oslo", lines, 0)), 0)
    assert items[2:] == [
        ("big", 1, 14, 48, 24, "4 °C", pictures.INK, pictures.PAPER),
        ("text", 115, 26, 12, 12, "-2", pictures.INK, pictures.PAPER),
        ("text", 1, 38, 24, 12, "Rain", pictures.INK, pictures.PAPER),
    ]
    wide = pictures.page_picture(LARGE, card(TextPage("", (big("x" * 14), text_line("")), 0)), 0)
    assert wide == [("big", 4, 2, 224, 32, "x" * 14, pictures.INK, pictures.PAPER)]
    long = pictures.page_picture(SMALL, card(TextPage("", (big("x" * 11),), 0)), 0)
    assert long[0].what == "x" * 9 + "…"


def test_a_field_has_its_name_dim_at_the_left_and_its_value_flush_right():
    lines = (field("Total", "€48.90"), field("습도", "81 %"))
    items = pictures.page_picture(SMALL, card(TextPage("", lines, 0)), 0)
    assert [(item.x, item.y, item.what, item.ink) for item in items] == [
        (1, 0, "Total", pictures.DIM),
        (91, 0, "€48.90", pictures.INK),
        (1, 12, "습도", pictures.DIM),
        (103, 12, "81 %", pictures.INK),
    ]
    assert items[1].x + items[1].width == items[3].x + items[3].width == 127


def test_strips_take_their_row_and_know_their_side():
    shown = card(TextPage("", (text_line("a"), strip(3, 0), strip(3, 1, True)), 0))
    items = pictures.page_picture(SMALL, shown, 0)
    assert [(item.kind, item.y, item.what) for item in items[1:]] == [
        ("strip", 12, (3, 0, False)),
        ("strip", 24, (3, 1, True)),
    ]


def test_a_sign_of_the_voice_stands_at_the_end_of_the_title():
    shown = card(page("one"))
    assert sketch(pictures.page_picture(SMALL, shown, 0, badge="♪"))[0] == "Order 1042          ♪"
    untitled = card(page("one", title=""), foot="shop")
    assert sketch(pictures.page_picture(SMALL, untitled, 0, badge="♪"))[4] == "♪ shop"


def choice(*labels):
    options = tuple(Option(label[0], label) for label in labels)
    return card(ChoicePage("What next?", (text_line("It is near."),), 0, options))


def test_the_highlighted_option_is_marked_and_stands_on_a_band():
    items = pictures.page_picture(SMALL, choice("Ask", "Call"), 0, highlight=1)
    assert sketch(items) == ["What next?", "It is near.", "· Ask", "▸ Call", "hold: choose"]
    bands = [item for item in items if item.kind == "fill" and item.height == 12]
    assert [(band.y, band.ink) for band in bands] == [(38, pictures.BAR)]


def test_a_long_list_of_options_scrolls_with_the_highlight():
    shown = choice("A", "B", "C", "D", "E")
    assert sketch(pictures.page_picture(SMALL, shown, 0, highlight=0))[2:4] == ["▸ A", "· B"]
    assert sketch(pictures.page_picture(SMALL, shown, 0, highlight=3))[2:4] == ["· C", "▸ D"]
    assert sketch(pictures.page_picture(SMALL, shown, 0, highlight=4))[2:4] == ["· D", "▸ E"]


def qr(modules, scale, *lines):
    rows = bytes(modules * ((modules + 7) // 8))
    return QrPage("Track", tuple(text_line(line) for line in lines), 0, modules, rows, scale, 1)


def test_title_host_and_number_are_beside_a_code():
    shown = card(qr(29, 2, "shop.", "example"), page("x"), foot="shop · 2h")
    items = pictures.page_picture(SMALL, shown, 0)
    code = next(item for item in items if item.kind == "qr")
    assert (code.x, code.y, code.width) == (1, 1, 62)
    assert [(item.what, item.x, item.y) for item in items if item.kind in ("text", "bold")] == [
        ("Track", 67, 0),
        ("shop.", 67, 14),
        ("example", 67, 26),
        ("1/2", 109, 52),
    ]


def test_the_title_band_of_a_code_does_not_touch_it():
    items = pictures.page_picture(SMALL, card(qr(29, 2, "host")), 0)
    band = items[0]
    assert band.kind == "fill" and band.x >= 1 + 62


def test_the_voice_state_changes_nothing_on_the_page_of_a_code():
    shown = card(qr(29, 2, "host"))
    assert pictures.page_picture(SMALL, shown, 0) == pictures.page_picture(
        SMALL, shown, 0, badge="♪"
    )


def test_on_a_round_screen_pages_are_dots_and_texts_are_centred():
    shown = card(page("x"), page("y"), page("z"), foot="shop")
    items = pictures.page_picture(ROUND, shown, 1)
    dots = [item for item in items if item.kind == "fill" and item.width == item.height]
    assert [dot.width for dot in dots] == [3, 8, 3]
    title = next(item for item in items if item.kind == "bold")
    assert title.x + title.width // 2 == 120
    many = card(*[page("x") for _ in range(12)])
    assert [item.what for item in pictures.page_picture(ROUND, many, 9)][-1] == "10/12"


def test_a_picture_is_above_its_caption_and_a_large_one_alone():
    small = card(ImagePage("Map", (text_line("Here"),), 0, 7, 40, 20))
    items = pictures.page_picture(SMALL, small, 0)
    image = next(item for item in items if item.kind == "image")
    caption = items[-1]
    assert (image.x, image.what) == (44, 7) and caption.what == "Here"
    assert caption.y >= image.y + image.height and caption.x == 52
    alone = pictures.page_picture(SMALL, card(ImagePage("Map", (), 0, 7, 128, 64)), 0)
    assert [(item.kind, item.x, item.y) for item in alone] == [("image", 0, 0)]


def test_a_title_that_is_a_strip_takes_the_row_of_the_band():
    for badge, cols in (("", 21), ("♪", 19)):
        items = pictures.page_picture(
            SMALL, card(page("one", title=strip(4, 2, True))), 0, 0, badge
        )
        assert items[0] == pictures.fill(0, 0, 128, 13, pictures.BAR)
        assert items[1][:6] == ("strip", 1, 0, cols * 6, 12, (4, 2, True))
        assert items[1][6:] == (pictures.BAR_INK, pictures.BAR)
    left = pictures.page_picture(SMALL, card(page("one", title=strip(4, 2))), 0)
    assert left[1].what == (4, 2, False)
    strips = TextPage("", (strip(4, 0), strip(4, 1, True)), 0)
    rows = pictures.page_picture(SMALL, card(strips), 0)
    assert [(row.x, row.y, row.width, row.height) for row in rows] == [
        (1, 0, 126, 12),
        (1, 12, 126, 12),
    ]


def test_a_heading_that_the_bridge_measured_is_not_cut_for_its_pictographs():
    for screen, cols in ((SMALL, 21), (LARGE, 29)):
        line = "\U0001f321 " + "x" * (cols - 2)
        items = pictures.page_picture(screen, card(TextPage("", (heading(line),), 0)), 0)
        assert items[0].what == line


def test_where_there_is_one_row_it_shows_the_option_not_the_question():
    low = screen_of(128, 32, 1, "rect", 0, (6, 12), (), ())
    items = pictures.page_picture(low, choice("Ask", "Call"), 0, highlight=1)
    assert [item.what for item in items if item.kind == "text"] == ["▸", "Call"]


def test_on_a_round_screen_the_sign_of_the_voice_is_before_the_title():
    for badge, title in (("", "Order 1042"), ("♪", "♪ Order 1042")):
        items = pictures.page_picture(ROUND, card(page("one")), 0, badge=badge)
        assert items[1].what == title and items[1].kind == "bold"


def test_the_foot_stands_under_a_hairline_as_wide_as_the_text():
    items = pictures.page_picture(SMALL, card(page("one"), foot="shop"), 0)
    assert pictures.fill(1, 51, 126, 1, pictures.DIM) in items


def test_the_dot_of_the_page_that_is_shown_has_a_colour_of_its_own():
    items = pictures.page_picture(ROUND, card(page("x"), page("y"), page("z")), 2)
    dots = [item.ink for item in items if item.kind == "fill" and item.width == item.height]
    assert dots == [pictures.DIM, pictures.DIM, pictures.ACCENT]


def image(width, height, *lines, title="Map"):
    return card(ImagePage(title, lines, 0, 7, width, height))


def test_a_picture_and_its_lines_stand_in_the_middle_of_the_body():
    shown = image(40, 80, text_line("Here"), text_line("and there"), title="")
    items = pictures.page_picture(LARGE, shown, 0)
    assert [(item.kind, item.x, item.y, item.what) for item in items] == [
        ("image", 100, 50, 7),
        ("text", 104, 130, "Here"),
        ("text", 84, 146, "and there"),
    ]
    below = pictures.page_picture(LARGE, image(40, 80, heading("Here"), title=""), 0)
    assert [(item.kind, item.x, item.ink) for item in below[1:]] == [("bold", 4, pictures.ACCENT)]
    strips = pictures.page_picture(LARGE, image(40, 80, strip(7, 1), title=""), 0)
    assert strips[1][:6] == ("strip", 4, 138, 232, 16, (7, 1, False))


def test_a_picture_that_leaves_no_room_for_its_lines_is_alone_in_the_middle_of_the_screen():
    lines = (text_line("one"), text_line("two"))
    for height, kinds in ((12, ["fill", "bold", "image", "text", "text"]), (13, ["image"])):
        items = pictures.page_picture(SMALL, image(100, height, *lines), 0)
        assert [item.kind for item in items] == kinds
    assert (items[0].x, items[0].y, items[0].width, items[0].height) == (14, 25, 100, 13)
    large = pictures.page_picture(SMALL, image(30, 50), 0)
    assert [(item.kind, item.x, item.y) for item in large] == [("image", 49, 7)]


def test_a_caption_of_one_row_is_centred_and_a_code_may_have_none():
    square = pictures.page_picture(LARGE, card(qr(33, 5, "host", "more")), 0)
    assert [(item.what, item.x) for item in square if item.kind == "text"] == [("host", 104)]
    assert square[0] == pictures.fill(0, 0, 240, 20, pictures.BAR)
    alone = pictures.page_picture(ROUND, card(qr(25, 4)), 0)
    assert [item.kind for item in alone] == ["bold", "qr"]
    rows = pictures.page_picture(SMALL, card(qr(29, 2, "shop.", "example")), 0)
    assert [(item.what, item.x) for item in rows if item.kind == "text"] == [
        ("shop.", 67),
        ("example", 67),
    ]


def test_no_item_of_any_picture_leaves_the_screen():
    words = "A sentence that is rather long and says what a person could do about it, at once."
    shapes = [(128, 64), (128, 32), (128, 128), (240, 240), (320, 240), (240, 135), (80, 160)]
    screens = [
        screen_of(w, h, 16, "rect", 0, (8, 16) if min(w, h) > 128 else (6, 12), (), ())
        for w, h in shapes
    ]
    for screen in screens + [ROUND, screen_of(160, 160, 16, "round", 0, (6, 12), (), ())]:
        items = list(scenes.confirm_picture(screen, words)) + list(scenes.photo_picture(screen))
        items += scenes.notice_picture(screen, "bell", words, words)
        for state in scenes.STATES:
            for said in ("", words):
                talk = scenes.Talk(state, said, said, said, said, 10, 0, said)
                items += scenes.state_picture(screen, talk, words, "voxcard-a1b2c3")
        shown = card(page(words), choice(words, "B").pages[0], qr(21, 1, words), foot=words)
        for index in range(3):
            items += pictures.page_picture(screen, shown, index, badge="♪")
        for item in items:
            assert item.x >= 0 and item.x + item.width <= screen.width, (screen, item)
            assert item.y >= 0 and item.y + item.height <= screen.height, (screen, item)


def test_large_panels_show_few_words_twice_as_large():
    talk = scenes.Talk("listening", "", "", "", "", 0, 0, "")
    kinds = [item.kind for item in scenes.state_picture(LARGE, talk, "", "")]
    assert "big" in kinds and "big" not in [
        item.kind for item in scenes.state_picture(SMALL, talk, "", "")
    ]


MIDDLE = screen_of(128, 128, 16, "rect", 0, (6, 12), (), ())
# screen, lines of words -> (px, x, y) of the icon, None without; (kind, x, y) of the first line
NOTICES = (
    (SMALL, 1, (32, 3, 16), ("text", 41, 26)),
    (SMALL, 3, (32, 3, 16), ("text", 41, 14)),
    (SMALL, 4, None, ("text", 1, 14)),
    (MIDDLE, 2, (64, 32, 17), ("text", 46, 87)),
    (MIDDLE, 3, (32, 48, 27), ("text", 46, 65)),
    (MIDDLE, 4, (32, 48, 21), ("text", 46, 59)),
    (MIDDLE, 5, (16, 56, 23), ("text", 46, 45)),
    (MIDDLE, 6, (16, 56, 17), ("text", 46, 39)),
    (MIDDLE, 7, None, ("text", 1, 16)),
    (LARGE, 1, (64, 88, 68), ("big", 68, 140)),
    (LARGE, 3, (64, 88, 36), ("big", 68, 108)),
    (LARGE, 4, (64, 88, 52), ("text", 96, 124)),
    (LARGE, 8, (32, 104, 36), ("text", 96, 76)),
    (LARGE, 10, (16, 112, 28), ("text", 96, 52)),
    (LARGE, 11, None, ("text", 4, 24)),
    (ROUND, 1, (64, 88, 68), ("big", 72, 140)),
    (ROUND, 2, (64, 88, 68), ("text", 96, 140)),
    (ROUND, 6, (16, 112, 60), ("text", 96, 84)),
    (ROUND, 7, None, ("text", 24, 56)),
)


def test_the_icon_of_a_notice_makes_room_for_its_words_and_is_left_away_at_last():
    for screen, count, icon, first in NOTICES:
        words = "\n".join(["line %d" % number for number in range(count)])
        items = scenes.notice_picture(screen, "bell", "Title", words)
        icons = [(each.width, each.x, each.y) for each in items if each.kind == "icon"]
        assert icons == ([icon] if icon else []), (screen, count)
        lines = [each for each in items if str(each.what).startswith("line")]
        assert tuple(lines[0][:3]) == first and lines[0].what == "line 0", (screen, count)


def test_only_cells_of_16_px_and_more_are_doubled():
    for height, kind in ((15, "text"), (16, "big")):
        screen = screen_of(240, 240, 16, "rect", 0, (8, height), (), ())
        items = scenes.notice_picture(screen, "bell", "Title", "word")
        assert [each.kind for each in items if each.what == "word"] == [kind]


def test_the_dots_of_a_round_screen_stand_in_the_middle_and_ten_pages_are_a_number():
    def dots(count, index, foot=""):
        shown = card(*[page("one")] * count, foot=foot)
        items = pictures.page_picture(ROUND, shown, index)
        return [
            (each.x, each.y, each.width)
            for each in items
            if each.kind == "fill" and each.width == each.height
        ]

    assert dots(1, 0) == []
    assert dots(2, 1) == [(112, 196, 3), (122, 194, 8)]
    assert dots(3, 0, "shop") == [(104, 212, 8), (118, 214, 3), (130, 214, 3)]
    nine = dots(9, 4)
    assert len(nine) == 9 and nine[4] == (116, 194, 8)
    assert [each[0] for each in nine[:2]] == [70, 82] and nine[8] == (166, 196, 3)
    assert dots(10, 0) == []
    shown = card(*[page("one")] * 10, foot="shop")
    texts = [each.what for each in pictures.page_picture(ROUND, shown, 3)]
    assert texts[-2:] == ["shop", "4/10"]

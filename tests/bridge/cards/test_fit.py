"""A card cut down to one screen: page order, what fits, what is said to be left out."""

from dataclasses import replace
from itertools import count

import pytest
from fakes.device.screens import screen_of
from voxcard.cards.drawing.lines import Paragraph, Writing
from voxcard.cards.fit.fit import fit, wire_bytes
from voxcard.cards.fit.picture import Picture
from voxcard.cards.model import (
    Action,
    Card,
    ChartBlock,
    CodeBlock,
    ImageBlock,
    ImageRef,
    KeyValueBlock,
    ListBlock,
    ListItem,
    MapBlock,
    MoreBlock,
    Parts,
    Pin,
    Play,
    Provenance,
    QrBlock,
    Question,
    Step,
    TextBlock,
    TimelineBlock,
)
from voxcard.cards.text.cells import wrap
from voxwire import card as wire
from voxwire.capability import BLOCKS

FONT = ((32, 0x24F), (0x1E00, 0x1EFF), (0x2022, 0x2026), (0x2587, 0x2587))
SMALL = screen_of(128, 64, 1, "rect", 230, (6, 8), FONT, BLOCKS)
PANEL = screen_of(240, 240, 16, "rect", 116, (8, 16), FONT, BLOCKS)
NOW = 1_796_040_000.0  # 2026-11-30 12:00 UTC

ORDER = Card(
    id="order",
    dialect="assistant_platform",
    title="Order #1042",
    subtitle="Shipped",
    blocks=(
        TextBlock(text="Arrives Friday."),
        KeyValueBlock(rows=(("Total", "1,250 €"), ("Carrier", "GHN"))),
    ),
    actions=(
        Action(id="a0", label="Track", kind="link", url="https://shop.example.com/o/1042"),
        Action(id="a1", label="Cancel", kind="message", text="Cancel order 1042"),
    ),
)


def fitted(card, screen=PANEL, **more):
    return fit(card, screen, now=NOW, next_blob=count(1).__next__, **more)


def pages(card, screen=PANEL, **more):
    """Each page as (kind, title, lines or options)."""
    kinds = {wire.TextPage: "t", wire.QrPage: "q", wire.ChoicePage: "a", wire.ImagePage: "i"}
    rows = []
    for page in fitted(card, screen, **more).card.pages:
        rows.append((kinds[type(page)], page.title, [line.text for line in page.lines]))
        if isinstance(page, wire.ChoicePage):
            rows[-1] += ([tuple(option) for option in page.options],)
    return rows


def test_text_then_fields_then_the_code_then_the_choices():
    assert pages(ORDER) == [
        ("t", "Order #1042", ["Shipped", "Arrives Friday.", "Total: 1,250 €", "Carrier: GHN"]),
        ("q", "", ["Track", "shop.example.com"]),
        ("a", "Order #1042", [], [("a1", "Cancel")]),
    ]


def test_a_small_screen_gets_shorter_lines_and_the_host_beside_the_code():
    assert pages(ORDER, SMALL) == [
        ("t", "Order #1042", ["Shipped", "Arrives Friday.", "Total: 1,250 €", "Carrier: GHN"]),
        ("q", "Track", ["shop.", "example.com"]),
        ("a", "Order #1042", [], [("a1", "Cancel")]),
    ]


def test_text_only_means_text_pages_with_hosts_and_no_choices():
    assert pages(ORDER, mode="text") == [
        (
            "t",
            "Order #1042",
            [
                "Shipped",
                "Arrives Friday.",
                "Total: 1,250 €",
                "Carrier: GHN",
                "• Cancel",
                "Track: shop.example.com",
            ],
        )
    ]


def test_a_title_that_is_cut_is_shown_whole_below():
    card = Card(id="c", dialect="x", title="A title that is longer than this small screen is")
    ((_, title, lines),) = pages(card, SMALL)
    assert title == ""
    assert lines == ["A title that is", "longer than this", "small screen is"]
    assert all(line.style == "h" for line in fitted(card, SMALL).card.pages[0].lines)


def test_on_a_low_screen_a_long_title_is_the_first_heading_and_leaves_room_for_the_text():
    text = TextBlock(text="Now at 15:00 in room 4.")
    card = Card(id="c", dialect="x", title="Product launch meeting moved", blocks=(text,))
    low = SMALL._replace(cell=(6, 12))
    assert pages(card, low) == [
        ("t", "", ["Product launch", "meeting moved", "Now at 15:00 in room", "4."])
    ]


def test_the_primary_link_comes_first_and_codes_of_blocks_before_links():
    card = replace(
        ORDER,
        blocks=(QrBlock(data="WIFI:S:home;;", caption="Join"),),
        actions=(
            Action(id="1", label="Help", kind="link", url="https://a.example/h"),
            Action(id="2", label="Pay", kind="link", url="https://a.example/p", style="primary"),
        ),
    )
    assert [title for kind, title, *_ in pages(card, SMALL) if kind == "q"] == [
        "Join",
        "Pay",
        "Help",
    ]


def test_a_link_too_long_for_the_screen_becomes_a_short_one_with_the_host_it_leads_to():
    url = "https://shop.example.com/" + "x" * 100
    card = replace(ORDER, actions=(Action(id="a", label="Track", kind="link", url=url),))
    asked = []

    def shortened(long):
        asked.append(long)
        return "https://b.example/s/AB3"

    kinds = pages(card, SMALL, short_link=shortened)
    assert kinds[-1] == ("q", "Track", ["shop.", "example.com"])
    assert asked == [url]


def test_without_a_short_link_there_is_text_instead_of_an_unreadable_code():
    url = "https://shop.example.com/" + "x" * 100
    card = replace(ORDER, actions=(Action(id="a", label="Track", kind="link", url=url),))
    rows = pages(card, SMALL)
    assert [kind for kind, *_ in rows] == ["t", "t"]
    assert [line for row in rows for line in row[2]][-4:] == [
        "Track: shop.example.",
        "com",
        "Open it on your",
        "phone.",
    ]


def test_an_http_link_says_so():
    card = replace(
        ORDER, actions=(Action(id="a", label="Open", kind="link", url="http://mall.example/1"),)
    )
    assert pages(card)[1] == ("q", "", ["Open", "http://mall.example"])


def test_entries_without_room_are_counted_on_the_last_line():
    items = tuple(ListItem(title=f"Item {number}", detail="word " * 30) for number in range(400))
    fitted_card = fitted(Card(id="c", dialect="x", title="Long", blocks=(ListBlock(items=items),)))
    shown = sum(
        line.text.startswith("• ") for page in fitted_card.card.pages for line in page.lines
    )
    last = fitted_card.card.pages[-1].lines[-1].text
    assert last == f"+{400 - shown} more" or last == f"+{401 - shown} more"
    assert wire_bytes(fitted_card.card) <= wire.WIRE_BYTES_MAX
    assert [warned.code for warned in fitted_card.warnings] == ["truncated"]


def test_a_long_text_leaves_room_for_the_primary_code_and_the_choices():
    card = replace(ORDER, blocks=(TextBlock(text="lorem ipsum " * 2000),))
    kinds = [kind for kind, *_ in pages(card)]
    assert kinds[-2:] == ["q", "a"] and len(kinds) <= wire.PAGES_MAX


def test_the_foot_is_source_and_age_and_leaves_room_for_the_page_indicator():
    source = Provenance(source="met_norway", fetched_at="2026-11-30T10:00:00Z")
    card = replace(ORDER, provenance=source)
    foot = fitted(card).card.foot
    assert foot == "met_norway · 2h"
    long = replace(card, provenance=replace(source, source="Institutul Național de Meteorologie"))
    assert len(fitted(long, SMALL).card.foot) <= wire.layout(SMALL).foot.cols - 5
    assert fitted(long, SMALL).card.foot.endswith("… · 2h")


def test_the_choices_are_one_page_with_the_question_where_there_is_room():
    days = tuple(Action(id=f"d{n}", label=f"Day {n}", kind="message", text="x") for n in range(9))
    question = Question(kind="choice", prompt="Which day suits you?")
    card = Card(id="c", dialect="x", title="Visit", actions=days, question=question)
    (page,) = pages(card)
    assert page[:3] == ("a", "Visit", ["Which day suits you?"])
    assert page[3][0] == ("d0", "Day 0") and len(page[3]) == 9
    tiny = SMALL._replace(height=32)  # three rows: title, one option, foot
    assert [row[:3] for row in pages(card, tiny)][-1] == ("a", "Visit", [])
    assert pages(card, tiny)[0][2] == ["Which day suits you?"]


def one_of(block):
    return Card(id="c", dialect="t", title="T", blocks=(block,))


@pytest.mark.parametrize(
    "text", ["+2 more", "+2 more\n+1 more", "+7…", "Anna +1 …", "+1 more …", "+12 more"]
)
def test_a_card_that_says_more_in_its_own_words_leaves_nothing_out(text):
    fitted_card = fitted(one_of(TextBlock(text=text)))
    assert (fitted_card.left_out, fitted_card.warnings) == (0, ())


@pytest.mark.parametrize(
    ("block", "left_out", "line"),
    [
        (ChartBlock(summary="", points=tuple((str(n), 1.0) for n in range(11))), 3, "+3 more"),
        (MapBlock(pins=tuple(Pin(letter="", label=str(n)) for n in range(5))), 2, "+2 more"),
        (TimelineBlock(steps=tuple(Step(what=str(n)) for n in range(9))), 1, "+1 more"),
        (CodeBlock(text="\n".join("abcdefghij")), 2, "+2 more"),
        (MoreBlock(count=5), 5, "+5 more"),
        (CodeBlock(text="\n".join("abcdefgh")), 0, None),
    ],
)
def test_what_a_block_leaves_out_is_counted_and_said(block, left_out, line):
    fitted_card = fitted(one_of(block))
    assert fitted_card.left_out == left_out
    assert [warning.code for warning in fitted_card.warnings] == ["truncated"] * (left_out > 0)
    lines = [line.text for page in fitted_card.card.pages for line in page.lines]
    assert line is None or line in lines


def test_a_blocks_own_omissions_count_only_if_the_block_is_shown():
    pins = MapBlock(pins=tuple(Pin(letter="", label=str(n)) for n in range(5)))
    rows = KeyValueBlock(rows=tuple((f"row {n}", "x") for n in range(400)))
    fitted_card = fitted(Card(id="c", dialect="t", blocks=(rows, pins)))
    shown = sum(
        line.text.startswith("row") for page in fitted_card.card.pages for line in page.lines
    )
    assert (
        fitted_card.left_out == 400 - shown + 4
    )  # three pins, and the line that counts the others


def test_scenes_past_the_last_page_are_counted_on_it():
    scenes = tuple((TextBlock(text=f"Stop {n}"),) for n in range(30))
    card = Card(
        id="c", dialect="t", title="Tour", play=Play(scenes=scenes, durations_ms=(2000,) * 30)
    )
    fitted_card = fitted(card)
    assert len(fitted_card.card.pages) == wire.PAGES_MAX
    assert [line.text for line in fitted_card.card.pages[-1].lines] == ["Stop 23", "+6 more"]
    assert fitted_card.left_out == 6


def test_slides_without_a_place_and_what_slides_leave_out_are_counted_together():
    pins = MapBlock(pins=tuple(Pin(letter="", label=str(n)) for n in range(5)))
    slides = tuple(Card(id=f"c.{n}", dialect="t", title=str(n), blocks=(pins,)) for n in range(14))
    fitted_card = fitted(Card(id="c", dialect="t", slides=slides))
    assert fitted_card.left_out == 2 + 12 * 2
    assert [line.text for line in fitted_card.card.pages[-1].lines] == ["+2 more"]


def test_more_parts_are_an_option():
    card = replace(ORDER, actions=(), parts=Parts(current=1, total=3, has_more=True))
    assert pages(card)[-1][3] == [("parts.more", "More")]


def test_scenes_are_timed_page_groups():
    card = Card(
        id="c",
        dialect="mcp_chat_cards",
        title="Tides",
        play=Play(
            scenes=((TextBlock(text="One"),), (TextBlock(text="word " * 120),)),
            durations_ms=(800, 6000),
            loop=True,
        ),
    )
    fitted_card = fitted(card).card
    assert (fitted_card.auto, fitted_card.loop) == (True, True)
    times = [page.ms for page in fitted_card.pages]
    assert times[0] == 1000 and len(times) == 3 and times[1:] == [3000, 3000]


def test_a_chart_is_its_summary_with_bars_as_wide_as_there_is_room():
    chart = ChartBlock(summary="Rain", points=(("Jan", 20.0), ("Feb", 10.0)), unit="mm")
    ((_, _, lines),) = pages(Card(id="c", dialect="x", title="T", blocks=(chart,)), SMALL)
    assert lines == ["Rain", "Jan 20mm " + "▇" * 12, "Feb 10mm " + "▇" * 6]


def test_a_picture_that_is_ready_is_a_page_and_a_blob_and_else_its_words():
    image = ImageRef(url="https://i.example/1.jpg", alt="The lake")
    card = replace(ORDER, image=image, actions=())
    assert pages(card)[-1][2][-1] == "[picture] The lake"
    fitted_card = fitted(
        card, images={image: Picture(width=120, height=90, data=b"\x00\x01" * 10_800)}
    )
    page = fitted_card.card.pages[-1]
    assert (page.width, page.height, [line.text for line in page.lines]) == (120, 90, ["The lake"])
    assert [(blob.id, blob.kind, len(blob.data)) for blob in fitted_card.blobs] == [
        (page.blob, "image", 21_600)
    ]
    assert fitted_card.card.resources == (page.blob,)


class Bitmap:
    def __init__(self, width, rows):
        self.width = width
        self.rows = rows


class Drawer:
    """Draws every character as one byte a row, and a strip as wide as its characters."""

    def glyph(self, code_point, /):
        return None if code_point == 0x1F381 else Bitmap(16, bytes([0xAA, 0x55]) * 8)

    def lacks(self, code_point, /):
        return code_point == 0x1F381

    def strip(self, text, width_max, rtl=False):
        width = min(width_max, 8 * len(text))
        return Bitmap(width, bytes((width + 7) // 8) * 8)

    def fits(self, text, width_max, rtl=False):
        return 8 * len(text) <= width_max

    def paragraph(self, text, width_max, lines_max, *, rtl, hang=0):
        lines = wrap(text, width_max // 8, lines_max, hang=hang)
        return Paragraph(tuple(lines), (1,) * len(lines), Writing(8, -7, 1), 8)

    def block(self, lines, how, width_max, rtl):
        return self.strip(lines[0], width_max, rtl)


def test_characters_the_font_lacks_come_as_one_glyph_batch():
    card = Card(id="c", dialect="x", title="주문", blocks=(TextBlock(text="문 a 🎁"),))
    fitted_card = fitted(card, SMALL, drawer=Drawer())
    (glyphs,) = fitted_card.blobs
    assert glyphs.kind == "glyphs" and fitted_card.card.resources == (glyphs.id,)
    record = b"\x10" + bytes([0xAA, 0x55]) * 8
    assert glyphs.data == b"\x00\x00\xbb\x38" + record + b"\x00\x00\xc8\xfc" + record
    assert [warned.detail for warned in fitted_card.warnings] == ["no glyph for U+1F381"]


def test_lines_in_a_right_to_left_script_come_as_strips_numbered_in_order():
    card = Card(id="c", dialect="x", title="طلبك", blocks=(TextBlock(text="تم الشحن\nok\nغدا"),))
    fitted_card = fitted(card, SMALL, drawer=Drawer())
    (page,) = fitted_card.card.pages
    (strips,) = fitted_card.blobs
    assert (page.title.style, page.title.index) == ("sr", 0)
    assert [(line.style, line.index) for line in page.lines] == [
        ("sr", 1),
        ("", None),
        ("sr", 2),
    ]
    assert (strips.kind, strips.data[:6]) == ("strips", b"\x00\x03\x00\x20\x00\x08")


def test_a_button_in_a_right_to_left_script_is_a_strip_too():
    open_it = Action(id="go", label="افتح", kind="message", text="افتح")
    fitted_card = fitted(
        Card(id="c", dialect="x", title="t", actions=(open_it,)), SMALL, drawer=Drawer()
    )
    (option,) = fitted_card.card.pages[-1].options
    assert option.id == "go" and option.label == wire.strip(fitted_card.blobs[0].id, 0, True)


def test_without_a_drawer_characters_stay_for_the_device_to_box():
    fitted_card = fitted(Card(id="c", dialect="x", title="طلبك"), SMALL)
    assert fitted_card.card.pages[0].title == "طلبك" and fitted_card.blobs == ()


def test_a_long_id_is_shortened_and_stays_its_own():
    one, two = (fitted(Card(id="x" * 200 + end, dialect="d", title="t")).card.id for end in "ab")
    assert one != two and len(one) <= 64


def test_an_empty_card_is_still_a_page():
    assert pages(Card(id="c", dialect="x")) == [("t", "", [])]


def test_a_screen_without_codes_or_choices_says_them_in_words():
    plain = SMALL._replace(blocks=("text",))
    lines = [line for _, _, each in pages(ORDER, plain) for line in each]
    assert "• Cancel" in lines and "Track: shop.example." in lines


def listed(*items):
    block = ListBlock(items=tuple(ListItem(title=title, detail=detail) for title, detail in items))
    [page] = pages(Card(id="c", dialect="test", blocks=(block,)))
    return page[2]


def test_short_details_stand_beside_their_titles_and_long_ones_below():
    assert listed(("Soup", "€4"), ("Noodles", "€9")) == ["• Soup · €4", "• Noodles · €9"]
    assert listed(("Soup", "€4"), ("Dumplings", "with mushrooms and herbs")) == [
        "• Soup",
        "  €4",
        "• Dumplings",
        "  with mushrooms and herbs",
    ]


def test_a_heading_is_never_the_last_line_of_a_page():
    blocks = (TextBlock(text="One\nTwo"), TextBlock(text="Rain", level=1), TextBlock(text="Much"))
    card = Card(id="c", dialect="test", title="T", blocks=blocks)
    three_rows = SMALL._replace(cell=(6, 12))
    assert [page[2] for page in pages(card, three_rows)] == [["One", "Two"], ["Rain", "Much"]]


def test_a_long_title_leaves_room_on_its_page_for_what_it_is_about():
    body = TextBlock(text="Now at 15:00.")
    card = Card(id="c", dialect="x", title="Product launch meeting moved", blocks=(body,))
    ((_, title, lines),) = pages(card, SMALL)
    assert (title, lines) == ("", ["Product launch", "meeting moved", "Now at 15:00."])


def test_later_pages_of_a_long_title_carry_as_much_of_it_as_there_is_room_for():
    body = TextBlock(text="\n".join(f"line {number}" for number in range(9)))
    card = Card(id="c", dialect="x", title="Product launch meeting moved", blocks=(body,))
    titles = [title for _, title, _ in pages(card, SMALL)]
    assert titles == ["", "Product launch meeti…"]


def test_a_card_of_links_alone_says_what_it_is_about():
    link = Action(id="a", label="Show", kind="link", url="https://a.example")
    card = Card(id="c", dialect="x", title="Museum ticket", actions=(link,))
    assert next(page[:3] for page in pages(card)) == ("t", "", ["Museum ticket", ""])
    named = replace(card, title="Show")
    assert [kind for kind, *_ in pages(named)] == ["q"]


def test_however_many_scenes_there_are_the_pages_are_twenty_four():
    scenes = tuple((TextBlock(text=f"Stop {number}"),) for number in range(60))
    card = Card(
        id="c", dialect="x", title="Tour", play=Play(scenes=scenes, durations_ms=(9,) * 60)
    )
    for screen in (SMALL, PANEL):
        rows = pages(card, screen)
        assert len(rows) == 24
        assert rows[-1][2] == ["Stop 23", "+36 more"]


def test_a_scene_cut_for_how_much_is_left_counts_itself():
    full = "\n".join(f"row {number}" for number in range(40))
    scenes = tuple((TextBlock(text=full),) for _ in range(30))
    card = Card(id="c", dialect="x", play=Play(scenes=scenes, durations_ms=(9,) * 30))
    rows = pages(card)
    assert len(rows) <= 24 and rows[-1][2][-1].startswith("+") and fitted(card).left_out


def test_links_past_the_last_code_are_counted_and_named():
    links = tuple(
        Action(id=f"a{n}", label=f"File {n}", kind="link", url=f"https://f.example/{n}")
        for n in range(8)
    )
    card = Card(id="c", dialect="x", title="Files", actions=links)
    assert pages(card)[0][2] == [
        "+2 more",
        "File 6: f.example",
        "Open it on your phone.",
        "File 7: f.example",
        "Open it on your phone.",
    ]


def test_buttons_past_the_last_option_are_counted_and_named():
    buttons = tuple(Action(id=f"b{n}", label=f"Dish {n}", kind="message") for n in range(14))
    rows = pages(Card(id="c", dialect="x", title="Menu", actions=buttons))
    assert rows[0][2] == ["• Dish 12", "• Dish 13"]
    assert (rows[1][0], rows[1][2], len(rows[1][3])) == ("a", ["+2 more"], 12)


def test_entries_that_are_broken_hang_under_their_words():
    long = "alpha beta gamma delta epsilon"
    block = ListBlock(
        items=(
            ListItem(title=long),
            ListItem(title=long, mark="12."),
            ListItem(title="x", detail="and a few words more", level=1),
        )
    )
    rows = pages(Card(id="c", dialect="x", blocks=(block,)), SMALL)
    assert [line for _, _, lines in rows for line in lines] == [
        "• alpha beta gamma",
        "  delta epsilon",
        "12. alpha beta gamma",
        "    delta epsilon",
        "  • x",
        "    and a few words",
        "    more",
    ]


def test_a_detail_is_not_torn_from_the_dot_before_it():
    items = tuple(ListItem(title="A name quite long", detail=word) for word in ("b", "c"))
    lines = pages(Card(id="c", dialect="x", blocks=(ListBlock(items=items),)), SMALL)[0][2]
    assert not any(line.strip().startswith("·") for line in lines)


def test_the_step_that_matters_comes_first_then_what_follows_then_the_past():
    steps = (
        Step(what="Packed", done=True),
        Step(what="Sent", done=True),
        Step(what="On the road", current=True),
        Step(what="Delivered"),
    )
    card = Card(id="c", dialect="x", blocks=(TimelineBlock(steps=steps),))
    assert pages(card)[0][2] == ["▸ On the road", "Delivered", "✓ Sent", "✓ Packed"]


def test_steps_told_newest_first_begin_with_the_newest():
    days = ("2026-11-30", "2026-11-29", "2026-11-28")
    steps = tuple(Step(what=f"Step {day[-2:]}", when=day, done=True) for day in days)
    card = Card(id="c", dialect="x", blocks=(TimelineBlock(steps=steps),))
    assert [line[-2:] for line in pages(card)[0][2]] == ["30", "29", "28"]


def test_code_past_its_last_line_is_counted():
    code = CodeBlock(text="\n".join(f"line {number}" for number in range(12)))
    assert pages(Card(id="c", dialect="x", blocks=(code,)))[0][2][-1] == "+4 more"


def test_a_picture_without_words_takes_no_line_of_a_small_screen():
    blocks = (ImageBlock(image=ImageRef(url="https://i.example/1.png")), TextBlock(text="Paid"))
    card = Card(id="c", dialect="x", title="Order", blocks=blocks)
    tiny = SMALL._replace(cell=(6, 16))
    assert pages(card, tiny)[0][2] == ["Paid"]
    assert pages(card)[0][2] == ["[picture] i.example", "Paid"]


def carousel(*slides):
    return Card(id="c", dialect="sidetalk", title="All", slides=slides)


def slide(number, *, rows=1, link=False):
    text = "\n".join(f"line {number}.{row}" for row in range(rows))
    action = Action(id="a", label="Open", kind="link", url=f"https://a.example/{number}")
    return Card(
        id=f"s{number}",
        dialect="sidetalk",
        title=f"Slide {number}",
        blocks=(TextBlock(text=text),),
        actions=(action,) * link,
    )


def test_every_slide_keeps_its_place_and_gets_its_first_page_before_any_gets_a_second():
    slides = [slide(number, rows=30) for number in range(6)]
    made = fitted(carousel(*slides), SMALL)
    titles = [page.title for page in made.card.pages]
    assert list(dict.fromkeys(titles)) == [f"Slide {number}" for number in range(6)]
    assert {titles.count(f"Slide {number}") for number in range(6)} <= {2, 3, 4, 5, 6}
    assert titles == sorted(titles)
    assert made.left_out > 0


def test_slides_past_the_twelfth_are_counted_on_a_page_of_their_own():
    made = fitted(carousel(*[slide(number) for number in range(15)]))
    assert len(made.card.pages) == 13 and made.left_out == 3
    assert made.card.pages[-1].lines[0].text == "+3 more"
    made = fitted(carousel(*[slide(number, link=True) for number in range(4)]))
    kinds = "".join("q" if isinstance(page, wire.QrPage) else "t" for page in made.card.pages)
    assert kinds == "tqtqtqtq" and made.left_out == 0


def test_a_text_over_the_bytes_of_the_wire_fills_them_as_far_as_it_can():
    text = "\n\n".join(["Żółć ęąść źźźź łłłł ążźć óńśę łąkę"] * 400)
    link = Action(id="a", label="Open", kind="link", url="https://a.example/1")
    card = Card(id="c", dialect="x", title="T", blocks=(TextBlock(text=text),) * 9)
    made = fitted(replace(card, actions=(link,)))
    assert wire.WIRE_BYTES_MAX - 300 < wire_bytes(made.card) <= wire.WIRE_BYTES_MAX
    assert sum(isinstance(page, wire.QrPage) for page in made.card.pages) == 1
    assert made.left_out > 0

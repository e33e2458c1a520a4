"""Cards that a device makes itself, in type: texts on pages, and the sizes to choose from."""

from fakes.device.display import Display
from languages import use
from provisioning.screens import invitation, note
from screen.view import View
from toolbox.display import text_card
from voxwire.card import Card, ChoicePage, QrPage, TextPage
from voxwire.type.drawing import DrawnPage
from voxwire.type.scale import SIZES, cap_px, scale

PANELS = ((240, 240, "rect", 98), (240, 240, "round", 135), (320, 240, "rect", 152),
          (80, 160, "rect", 135))  # fmt: skip
PARCEL = "The parcel comes between nine and twelve. Somebody has to be at home, or it goes to "
PARCEL += "the shop at the corner."
LONG = PARCEL + "\nDonaudampfschifffahrtsgesellschaftskapitänsmütze"


def view(width=240, height=240, shape="rect", pitch_um=98, on_card_event=None):
    display = Display(width, height, 16, shape, (8, 16), pitch_um)
    made = View(display, name="Kitchen", on_card_event=on_card_event)
    made.set_state("ready")
    return made


def words(page):
    return [item.text for item in page.items]


def faces(made, page):
    return [made.screen.faces[item.face] for item in page.items]


def corners_outside(made, item):
    """Corners of a text's ink that a panel does not show, from its capitals to its baseline."""
    width = made._faces.width(item.face, item.text)
    cap = cap_px(made.screen.faces[item.face])
    screen, outside = made.screen, []
    for x in (item.x, item.x + width):
        for y in (item.y - cap, item.y):
            inside = 0 <= x <= screen.width and 0 <= y <= screen.height
            if screen.shape == "round":
                dx, dy, radius = x - screen.width / 2, y - screen.height / 2, screen.width / 2 - 1
                inside = dx * dx + dy * dy <= radius * radius
            if not inside:
                outside.append((item.text, x, y))
    return outside


def test_a_short_text_is_a_headline_in_the_middle():
    made = view()
    (page,) = made.own_cards.text("Dinner!").pages
    (item,) = page.items
    assert made.screen.faces[item.face] == scale(made.screen).headline == "b28"
    assert (item.x, item.y, item.text) == (57, 129, "Dinner!")


def test_a_longer_text_is_body_type_and_a_long_one_turns_its_pages():
    made = view()
    (page,) = made.own_cards.text("Water the plants on the balcony and feed the cat.").pages
    assert words(page) == ["Water the", "plants on the", "balcony and", "feed the cat."]
    assert faces(made, page) == ["t23"] * 4
    first, second = made.own_cards.text(PARCEL).pages
    assert words(first) == [
        "The parcel", "comes between", "nine and twelve.", "Somebody has to", "be at home, or it",
        "1/2",
    ]  # fmt: skip
    assert words(second) == ["goes to the shop", "at the corner.", "2/2"]
    assert faces(made, first) == ["t20"] * 5 + ["t15"]


def test_a_text_of_many_pages_is_as_small_as_a_caption():
    made = view()
    first = made.own_cards.text(LONG + " " + LONG).pages[0]
    assert set(faces(made, first)) == {"t15"} == {scale(made.screen).caption}


def test_a_word_wider_than_a_line_is_parted_with_hyphens():
    made = view()
    _, second, third = made.own_cards.text(LONG).pages
    assert words(second)[2:5] == ["Donaudampfsch-", "ifffahrtsgesellsc-", "haftskapitänsmü-"]
    assert words(third) == ["tze", "3/3"]


def test_every_line_is_inside_the_panel_in_every_size_and_nothing_is_lost():
    for panel in PANELS:
        made = view(*panel)
        for size in SIZES:
            made.set_text_size(size)
            for text in ("Dinner!", "Feed the cat.", LONG, LONG + " " + LONG):
                pages = made.own_cards.text(text).pages
                assert all(not corners_outside(made, item) for p in pages for item in p.items)
                said = [word for page in pages for word in words(page)]
                said = [word for word in said if not (len(pages) > 1 and "/" in word)]
                joined = " ".join(said).replace("- ", "")
                assert joined.split() == text.split(), (panel, size)


def test_a_text_with_a_character_no_face_has_is_set_in_cells():
    page = text_card(view(), "식사 준비됐어요").pages[0]
    assert isinstance(page, TextPage) and page.lines[0].text == "식사 준비됐어요"
    page = text_card(view(), "Dinner!").pages[0]
    assert isinstance(page, DrawnPage)


def test_a_panel_without_faces_has_no_cards_of_its_own_in_type():
    made = View(Display(), name="Kitchen")
    assert made.own_cards is None and made.screen.faces == ()
    assert isinstance(text_card(made, "Dinner!").pages[0], TextPage)


def test_what_helps_with_the_set_up_is_in_type_too_and_its_pages_are_counted_with_the_code():
    for panel in PANELS:
        made = view(*panel)
        parts = "Voxcard-0a0b0c", "abcdefghjk", "192.168.4.1", "No Wi-Fi is set."
        card = invitation(made.screen, *parts, own=made.own_cards)
        count = len(card.pages)
        assert isinstance(card.pages[0], QrPage)
        for number, page in enumerate(card.pages[1:]):
            assert words(page)[0] == "Set up" and words(page)[-1] == "%d/%d" % (number + 2, count)
            assert all(not corners_outside(made, item) for item in page.items)
        (page,) = note(made.screen, "The Wi-Fi is joined.", made.own_cards).pages
        assert words(page)[0] == "Set up" and " ".join(words(page)[1:]) == "The Wi-Fi is joined."


def test_the_hello_and_a_text_that_is_up_follow_the_size_of_text():
    made = view()
    assert made.capability().text_size == "normal"
    made.show_card(text_card(made, PARCEL))
    made.next_page()
    heights = []
    for size in SIZES:
        made.set_text_size(size)
        assert made.capability().text_size == size
        page = made._pages.card.pages[0]
        heights.append(cap_px(faces(made, page)[0]))
        assert made.page_index < len(made._pages.card.pages)
    assert heights == [18, 20, 23]


def test_the_devices_own_screens_follow_the_size_of_text_too():
    made = view()
    bodies = []
    for size in SIZES:
        made.set_text_size(size)
        bodies.append(made.life.setter.sizes.body)
    assert bodies == ["t16", "t20", "t23"]


def test_the_strip_of_the_last_card_says_a_text_of_the_devices_own_once():
    made = view()
    made.show_card(text_card(made, "Feed the cat. It is hungry."))
    made.activate()
    strip = made._overlay.scenes._strip()
    assert (strip.title, strip.more) == ("Feed the cat. It is hungry.", "")


def test_a_card_of_the_bridge_stays_until_it_comes_anew():
    made = view()
    card = text_card(made, "Dinner!")
    card = Card("c1", *card[1:])
    made.show_card(card)
    made.set_text_size("large")
    assert made._pages.card is card


def test_the_sizes_are_rows_each_written_in_its_own_inside_every_panel():
    for panel in PANELS:
        made = view(*panel)
        (page,) = made.own_cards.text_sizes().pages
        assert words(page) == ["Text size"]
        assert [(option.id, option.label) for option in page.options] == [
            ("small", "Small"), ("normal", "Normal"), ("large", "Large"),
        ]  # fmt: skip
        bodies = [scale(made.screen, size).body for size in SIZES]
        assert [made.screen.faces[option.face] for option in page.options] == bodies
        bottoms = [option.y + option.height for option in page.options]
        assert page.items[0].y < page.options[0].y
        assert all(end < option.y for end, option in zip(bottoms, page.options[1:]))
        assert bottoms[-1] <= made.screen.height
        for option in page.options:
            assert option.height >= cap_px(made.screen.faces[option.face]) * 3 // 2
            room = option.width - 2 * cap_px(made.screen.faces[option.face])
            assert made._faces.width(option.face, option.label) <= room, panel


def test_the_size_that_is_set_is_marked_and_a_hold_takes_another():
    events = []
    made = view(on_card_event=lambda *event: events.append(event))
    made.show_card(made.own_cards.text_sizes(), "normal")
    assert made._pages.acted == "normal"
    made.next_page()
    made.next_page()
    made.activate()
    assert made._pages.acted == "large"
    assert events[-1] == ("action", "self.text_sizes", 0, 0, "large")
    made.set_text_size("large")
    assert made._pages.acted == "large" and made._pages.highlight == 2


def test_sizes_in_a_script_that_no_face_has_are_rows_of_cells():
    made = view()
    use("ko")
    try:
        (page,) = made.own_cards.text_sizes().pages
    finally:
        use("en")
    assert isinstance(page, ChoicePage)
    assert [option.id for option in page.options] == list(SIZES)

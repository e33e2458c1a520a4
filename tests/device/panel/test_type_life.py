"""How little a screen with type sends for what goes on by itself, and when it is dim."""

from fakes.device.type_panel import EVENING_S, PANELS, ROUND, SQUARE, Watched
from screen.bands import BAND_BYTES
from screen.type.life import DIM_MS
from voxwire.card import Card, TextPage, text_line
from voxwire.type.drawing import Box, DrawnPage, Text
from voxwire.type.roles import DIM, GOOD_INK, INK, RAISED

BUS_HZ = 40000000
STEP_MS = 5  # the longest that nothing else may run


def at_home(panel=SQUARE):
    watched = Watched(panel)
    watched.view.life.set_time(EVENING_S)
    watched.view.set_state("idle")
    return watched


def full_page(word):
    """A page of the bridge's that fills a panel of 240x240."""
    items = [Box(0, 40, 240, 2, DIM, 0), Box(10, 180, 220, 50, RAISED, 12)]
    items += [Text(10, 30 + 26 * line, 0, INK, word * 4, 0) for line in range(8)]
    return DrawnPage("", (), 0, tuple(items), (), None)


async def test_a_level_redraws_no_more_than_its_band():
    for panel in PANELS:
        watched = Watched(panel)
        watched.view.set_state("listening")
        watched.view.set_transcript("where is my order")
        watched.view.set_level(10)
        await watched.sent()
        bars = [item for item in watched.items("box") if item.ink == GOOD_INK]
        top, bottom = bars[4].y, bars[4].y + bars[4].height
        for level in (9, 3, 0, 1, 10):
            watched.view.set_level(level)
            first, last = await watched.sent()
            assert top <= first and last <= bottom, (panel, level)
            assert await watched.sent() is None


async def test_a_level_ten_times_a_second_takes_less_than_a_quarter_of_the_bus():
    watched = Watched()
    watched.view.set_state("listening")
    await watched.sent()
    watched.view.set_level(10)
    await watched.sent()
    sent = sum([rows for _, rows in watched.display.writes]) * watched.display.stride
    assert 10 * sent * 8 < BUS_HZ // 4


def counted(watched):
    """The texts that are measured in faces from now on."""
    width, measured = watched.view._faces.width, []

    def count(index, text):
        measured.append(text)
        return width(index, text)

    watched.view._faces.width = count
    return measured


def test_a_level_breaks_no_lines_again():
    for panel in PANELS:
        watched = Watched(panel)
        watched.view.set_state("listening")
        watched.view.set_transcript("where is the order")
        watched.view.picture()
        measured = counted(watched)
        watched.view.set_level(7)
        watched.view.picture()
        assert not any(text in "where is the order" for text in measured), panel


def test_of_a_long_talk_only_what_may_fit_is_measured():
    watched = Watched()
    watched.view.set_state("listening")
    watched.view.set_transcript("word " * 500)
    measured = counted(watched)
    watched.view.picture()
    assert len(measured) < 60


async def test_the_idle_face_is_drawn_once_a_minute_and_only_where_it_differs():
    for panel in PANELS:
        watched = at_home(panel)
        await watched.sent()
        assert await watched.sent(59999) is None, panel
        first, last = await watched.sent(1)
        figures = [item for item in watched.items("type") if item.what[1].endswith("42")]
        assert last - first <= figures[0].height + 1, panel
    watched = at_home()
    await watched.sent()
    assert watched.view._wait_ms() == 60000
    await watched.view.refresh(18000)
    assert watched.view._wait_ms() == 42000


async def test_a_timer_that_counts_redraws_its_line():
    watched = at_home()
    watched.view.set_timers((("4:05", "pizza"),))
    await watched.sent()
    watched.view.set_timers((("4:04", "pizza"),))
    first, last = await watched.sent()
    assert last - first < 60


async def test_a_waiting_panel_becomes_dim_and_anything_wakes_it():
    def ask(view):
        view.set_state("listening")

    def show(view):
        view.show_card(Card("a", 1, (TextPage("A", (text_line("b"),), 0),), "", 0, 0, False, False,
                            ()))  # fmt: skip

    def ring(view):
        view.set_ring(("Timer", "pizza"))

    def press(view):
        view.life.wake()

    for wake in (ask, show, ring, press):
        watched = at_home()
        watched.view.life.set_brightness(80)
        await watched.view.refresh(DIM_MS - 1)
        assert watched.display.percent == 80
        await watched.view.refresh(1)
        assert watched.display.percent == 24
        wake(watched.view)
        await watched.view.refresh(1)
        assert watched.display.percent == 80, wake


async def test_a_dark_panel_stays_dark_and_a_dim_one_follows_the_setting():
    watched = at_home()
    watched.view.life.set_brightness(0)
    await watched.view.refresh(DIM_MS)
    assert watched.display.percent == 0
    watched.view.life.set_brightness(10)
    assert watched.display.percent == 10
    await watched.view.refresh(DIM_MS)
    assert watched.display.percent == 3


async def test_a_held_press_redraws_the_rows_of_its_bar_alone():
    for panel in PANELS:
        watched = at_home(panel)
        await watched.sent()
        wide = 0
        for percent in (7, 49, 98):
            watched.view.life.hold(percent)
            first, last = await watched.sent()
            assert last - first <= 8 and first >= panel[1] * 7 // 8, panel
            bar = watched.view.picture()[-1]
            assert wide < bar.width <= panel[0]
            wide = bar.width
        watched.view.life.hold(0)
        assert await watched.sent() is not None
        assert await watched.sent() is None


async def test_a_page_is_turned_within_100_ms_in_steps_of_5():
    watched = Watched()
    pages = (full_page("Parcel "), full_page("Weather "))
    watched.view.show_card(Card("a", 1, pages, "", 0, 0, False, False, ()))
    await watched.sent()
    watched.display.forget()
    watched.view.next_page()
    await watched.view.refresh()
    stride = watched.display.stride
    sizes = [rows * stride for _, rows in watched.display.writes]
    assert max(sizes) <= BAND_BYTES
    assert max(sizes) * 8 * 1000 <= STEP_MS * BUS_HZ
    # Half of the time is the bus's at the most, the other half is there for drawing.
    assert sum(sizes) * 8 * 1000 <= 50 * BUS_HZ


def test_the_guide_is_three_pages_and_a_press_goes_on():
    watched = at_home()
    view = watched.view
    view.life.show_guide()
    for words, hint in (
        ("Press to talk", "press: next"),
        ("Press again: next page", "press: next"),
        ("Hold: choose or close", "press: close"),
    ):
        assert view.can_turn and words in watched.words() and hint in watched.words()
        view.next_page()
    assert not view.can_turn
    assert "22:41" in watched.words()


def test_a_hold_a_card_or_a_turn_ends_the_guide():
    for end in (
        lambda view: view.activate(),
        lambda view: view.show_card(Card("a", 1, (full_page("A"),), "", 0, 0, False, False, ())),
        lambda view: view.set_state("listening"),
    ):
        watched = at_home()
        watched.view.life.show_guide()
        end(watched.view)
        assert "press: next" not in watched.words()
        watched.view.set_state("idle")
        assert "press: next" not in watched.words()


def test_the_guide_is_no_offer_to_act_on():
    watched = at_home(ROUND)
    watched.view.life.show_guide()
    assert watched.view.can_turn and not watched.view.asks

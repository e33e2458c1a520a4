"""What a person sees when: states, cards, buttons, notices; and how little is sent for it."""

import asyncio
import gc
import time

from fakes.device.display import Display
from screen.view import View
from toolbox.display import text_card
from voxwire.card import (
    Card,
    ChoicePage,
    ImagePage,
    Option,
    QrPage,
    TextPage,
    strip,
    text_line,
)


def page(word, title="Post"):
    return TextPage(title, (text_line(word),), 0)


def card(card_id="a", *pages, **more):
    values = {"rev": 1, "foot": "", "ttl_s": 0, "priority": 0, "auto": False, "loop": False}
    values.update(more)
    return Card(id=card_id, pages=pages or (page("one"), page("two")), resources=(), **values)


def choices():
    options = (Option("yes", "Yes"), Option("no", "No"))
    return ChoicePage("Go?", (), 0, options)


def code():
    return QrPage("Scan", (text_line("a.example"),), 0, 21, bytes(63), 2, 1)


class Watched:
    """A view on a fake display, with what it reported."""

    def __init__(self, **more):
        self.display = Display()
        self.events, self.drawn = [], []
        self.now_ms = 0
        more.setdefault("clock", lambda: self.now_ms)
        self.view = View(
            self.display,
            name="Kitchen",
            device_id="kitchen-1",
            on_card_event=lambda *event: self.events.append(event),
            on_drawn=lambda *drawn: self.drawn.append(drawn),
            **more,
        )

    def words(self):
        return [item.what for item in self.view.picture() if item.kind in ("text", "bold")]

    async def sent(self, elapsed_ms=0):
        """Rows sent to the panel by one refresh."""
        self.display.forget()
        await self.view.refresh(elapsed_ms)
        return [y for y, _ in self.display.writes]


def ready(**more):
    watched = Watched(**more)
    watched.view.set_state("idle")
    return watched


async def test_every_state_says_what_it_is():
    watched = Watched()
    expected = {
        "starting": ["Voxcard", "Starting", "kitchen-1"],
        "connecting": ["Voxcard", "Connecting", "kitchen-1"],
        "idle": ["Kitchen", "Press to talk", "kitchen-1"],
        "listening": ["Listening", "Speak now"],
        "thinking": ["Thinking", "One moment"],
        "offline": ["Offline", "No connection.", "Trying again."],
    }
    for state, words in expected.items():
        watched.view.set_state(state)
        assert watched.words() == words, state


async def test_the_fixed_words_are_those_of_the_device_s_language():
    watched = ready()
    await watched.sent()
    assert await watched.sent() == []
    watched.view.set_locale("de-CH")
    assert "drücken" in " ".join(watched.words())
    assert await watched.sent() != []
    watched.view.set_state("listening")
    watched.view.set_transcript("Listening")
    assert watched.words() == ["Ich höre", "“Listening”"]
    watched.view.set_state("idle", "my own words")
    assert "my own words" in watched.words()
    watched.view.set_locale("ko")
    watched.view.set_state("idle")
    assert "말하기" in " ".join(watched.words())
    watched.view.set_locale("en")
    assert "Press to talk" in watched.words()


async def test_a_screen_in_korean_is_drawn_without_boxes():
    lacked = []
    watched = Watched(log=lacked.append)
    for state in ("starting", "connecting", "idle", "listening", "thinking", "offline", "error"):
        watched.view.set_locale("ko")
        watched.view.set_state(state)
        await watched.sent()
    assert lacked == []


def test_an_error_says_what_to_do():
    watched = ready()
    watched.view.set_state("error", "The bridge does not answer. Check that it runs.")
    beside = ["The bridge", "does not", "answer. Check", "that it runs."]
    assert watched.words() == ["Problem"] + beside
    watched.view.set_state(
        "error", "The microphone is silent. Unplug the device, then plug it in."
    )
    alone = ["The microphone is", "silent. Unplug the", "device, then plug it", "in."]
    assert watched.words() == ["Problem"] + alone


def test_a_turn_shows_what_was_understood_and_what_is_said():
    watched = ready()
    view = watched.view
    view.set_state("listening")
    view.set_transcript("volume sixty")
    assert watched.words() == ["Listening", "“volume sixty”"]
    view.set_state("thinking")
    view.progress("Asking")
    assert watched.words() == ["Thinking", "“volume sixty”", "Asking"]
    view.set_state("speaking")
    view.set_sentence("The volume is sixty.")
    assert watched.words() == ["Speaking", "The volume is sixty."]
    view.set_state("listening")
    assert watched.words() == ["Listening", "Speak now"]


async def test_the_level_moves_one_row_of_the_screen():
    watched = ready()
    watched.view.set_state("listening")
    await watched.sent()
    watched.view.set_level(5)
    assert await watched.sent() == [56]
    watched.view.set_level(5)
    assert await watched.sent() == []


def test_a_turn_covers_an_old_card_only_while_it_lasts():
    watched = ready()
    watched.view.show_card(card())
    assert watched.words() == ["Post", "one", "1/2"]
    watched.view.set_state("listening")
    assert watched.words()[0] == "Listening"
    watched.view.set_state("thinking")
    watched.view.set_state("idle")
    assert watched.words() == ["Post", "one", "1/2"]


def test_a_card_that_comes_in_a_turn_stays_up_with_a_sign_of_the_voice():
    watched = ready()
    view = watched.view
    view.set_state("listening")
    view.set_state("thinking")
    view.show_card(card())
    assert watched.words() == ["Post", "…", "one", "1/2"]
    view.set_state("speaking")
    view.set_sentence("Here is your post.")
    assert watched.words() == ["Post", "♪", "one", "1/2"]
    view.set_state("listening")
    assert watched.words() == ["Post", "●", "one", "1/2"]
    view.set_state("idle")
    view.set_state("listening")
    assert watched.words()[0] == "Listening"


async def test_an_error_covers_a_card_for_a_while_only():
    watched = ready()
    watched.view.show_card(card())
    watched.view.set_state("error", "The microphone is silent.")
    assert watched.words()[0] == "Problem"
    await watched.view.refresh(6000)
    assert watched.words() == ["Post", "!", "one", "1/2"]


def test_being_offline_leaves_a_card_up():
    watched = ready()
    watched.view.show_card(card())
    watched.view.set_state("offline")
    assert watched.words() == ["Post", "×", "one", "1/2"]


async def test_nothing_is_redrawn_while_a_code_is_up():
    watched = ready()
    view = watched.view
    view.show_card(card("a", code(), page("two")))
    await watched.sent()
    view.set_state("speaking")
    view.set_sentence("Scan this.")
    view.progress("half")
    view.set_state("idle")
    view.set_state("offline")
    view.set_state("connecting")
    view.set_state("idle")
    assert await watched.sent() == []
    view.next_page()
    assert await watched.sent() != []


async def test_turning_a_page_sends_only_rows_that_differ():
    watched = ready()
    watched.view.show_card(card())
    await watched.sent()
    watched.view.next_page()
    # The line at 14..26 and the foot at 52..64, in steps of eight; the title stays.
    assert await watched.sent() == [8, 16, 24, 48, 56]
    assert watched.words() == ["Post", "two", "2/2"]


async def test_a_key_that_goes_back_shows_the_page_before_and_tells_it():
    watched = ready()
    watched.view.show_card(card())
    assert watched.view.next_page() and watched.view.previous_page()
    await watched.sent()
    assert watched.words()[-1] == "1/2"
    assert watched.view.page_index == 0
    watched.view.alert("Hello", "there")
    assert watched.view.previous_page(), "it closes the notice, as any key"
    watched.view.clear_card()
    assert not watched.view.previous_page()


async def test_what_changes_back_before_it_is_drawn_sends_nothing():
    watched = ready()
    await watched.sent()
    watched.view.alert("Hello", "there")
    watched.view.next_page()
    assert await watched.sent() == []


async def test_a_live_card_is_redrawn_in_place():
    watched = ready()
    watched.view.show_card(card())
    watched.view.next_page()
    await watched.sent()
    watched.view.update_card(card("a", page("one"), page("zwei"), rev=2))
    assert await watched.sent() == [8, 16, 24]
    assert watched.words() == ["Post", "zwei", "2/2"]


def test_a_card_is_turned_and_closed_by_a_call():
    watched = ready()
    view = watched.view
    assert view.turn_card("next") is False and view.turn_card("close") is False
    view.show_card(card("a", page("one"), page("two"), page("three")))
    for to, index in (("next", 1), ("next", 2), ("next", 0), ("back", 2), ("back", 1)):
        assert view.turn_card(to) is True
        assert view.page_index == index
    assert view.turn_card("close") is True
    assert watched.events[-2:] == [("page", "a", 1, 1, None), ("dismissed", "a", 1, 1, None)]
    assert view.turn_card("back") is False
    assert view.show_last_card() is True


def test_a_call_that_turns_a_card_answers_no_question():
    watched = ready()
    view = watched.view
    view.show_card(card("a", page("one"), choices()))
    view.turn_card("next")
    view.turn_card("next")
    view.turn_card("close")
    assert [event for event, *_ in watched.events] == ["shown", "page", "page", "dismissed"]


def test_the_bridge_hears_of_shown_page_action_and_dismissed():
    watched = ready()
    view = watched.view
    view.show_card(card("a", page("one"), choices()))
    view.next_page()
    view.next_page()
    view.activate()
    assert watched.events == [
        ("shown", "a", 1, 0, None),
        ("page", "a", 1, 1, None),
        ("page", "a", 1, 1, None),
        ("action", "a", 1, 1, "no"),
    ]
    view.next_page()
    view.activate()
    assert watched.events[-1] == ("dismissed", "a", 1, 0, None)
    assert watched.words()[0] == "Kitchen"


def test_an_option_that_was_taken_is_ticked():
    watched = ready()
    watched.view.show_card(card("a", choices()))
    assert watched.words()[1:5] == ["▸", "Yes", "·", "No"]
    watched.view.activate()
    assert watched.words()[1:5] == ["✓", "Yes", "·", "No"]


def test_buttons_learn_what_a_press_would_do():
    watched = ready()
    view = watched.view
    assert not view.can_turn and not view.asks and not view.offers
    view.show_card(card("a", page("one")))
    assert not view.asks and not view.offers
    view.show_card(card("a", page("one"), choices()))
    assert view.can_turn and not view.asks and view.offers
    view.next_page()
    assert view.can_turn and view.asks and view.offers
    view.next_page()
    assert not view.can_turn and view.asks
    view.set_state("listening")
    assert not view.can_turn and not view.asks


def test_the_last_card_comes_back():
    watched = ready()
    view = watched.view
    assert not view.show_last_card()
    view.show_card(card())
    view.activate()
    assert view.show_last_card() and watched.words() == ["Post", "one", "1/2"]
    view.clear_card("a")
    assert not view.show_last_card() and watched.words()[0] == "Kitchen"


async def test_a_card_with_a_time_to_live_goes_by_itself():
    watched = ready()
    watched.view.show_card(card("a", page("one"), ttl_s=2))
    await watched.view.refresh(1999)
    assert watched.words()[0] == "Post"
    await watched.view.refresh(1)
    assert watched.words()[0] == "Kitchen"


async def test_a_waiting_card_tells_when_it_is_shown():
    watched = ready()
    watched.view.show_card(card("fire", page("fire"), priority=5, ttl_s=1))
    watched.view.show_card(card("post", page("post")))
    assert [event[:2] for event in watched.events] == [("shown", "fire")]
    await watched.view.refresh(1000)
    assert [event[:2] for event in watched.events][1:] == [("shown", "post")]


async def test_scenes_turn_by_themselves_and_say_so():
    watched = ready()
    watched.view.show_card(card("a", page("one"), page("two"), auto=True))
    await watched.view.refresh(4000)
    assert watched.words() == ["Post", "two", "2/2"]
    assert watched.events[-1] == ("page", "a", 1, 1, None)


def test_a_long_text_of_the_devices_own_becomes_pages():
    watched = ready()
    watched.view.show_card(text_card(watched.view, "word " * 30))
    assert watched.words()[-1] == "1/2" and watched.events == []


async def test_a_notice_lies_over_a_card_until_a_press_or_its_time():
    watched = ready()
    watched.view.show_card(card())
    for close in (watched.view.next_page, watched.view.activate):
        watched.view.alert("Update", "Ready to install.")
        assert watched.words() == ["Update", "Ready to", "install.", "press: close"]
        close()
        assert watched.words() == ["Post", "one", "1/2"]
    watched.view.alert("Update", "Ready to install.")
    await watched.view.refresh(15000)
    assert watched.words() == ["Post", "one", "1/2"]


async def test_a_question_is_answered_by_the_button():
    for press, answer in (("activate", True), ("next_page", False)):
        watched = ready()
        asking = asyncio.create_task(watched.view.confirm("Restart now?"))
        await asyncio.sleep(0)
        assert watched.words() == ["Please confirm", "Restart now?", "hold: yes · press: no"]
        assert watched.view.asks
        assert await watched.view.confirm("Another?") is False
        getattr(watched.view, press)()
        assert await asking is answer
        assert watched.words()[0] == "Kitchen"


async def test_a_question_nobody_answers_is_a_no():
    watched = ready()
    assert await watched.view.confirm("Restart now?", 1) is False
    assert watched.words()[0] == "Kitchen"


def test_the_sign_of_the_camera_covers_everything():
    watched = ready()
    watched.view.show_card(card("a", code()))
    watched.view.take_photo_sign(True)
    assert watched.words() == ["Taking a photo"]
    first = watched.view.picture()[0]
    assert (first.kind, first.width, first.height) == ("fill", 128, 64)
    watched.view.take_photo_sign(False)
    assert watched.words()[0] == "Scan"


async def test_a_theme_redraws_the_whole_screen_once():
    watched = ready()
    await watched.sent()
    watched.view.set_theme("light")
    assert len(await watched.sent()) == 8
    assert await watched.sent() == []
    assert watched.display.lit(0, 30)


async def test_a_snapshot_is_the_screen_as_pbm():
    watched = ready()
    await watched.sent()
    assert watched.view.snapshot() == watched.display.netpbm()


async def test_drawings_are_counted_with_card_and_page():
    watched = ready()
    await watched.sent()
    watched.view.show_card(card())
    await watched.sent()
    watched.view.next_page()
    await watched.sent()
    assert watched.drawn == [(1, 0, None), (2, 0, "a"), (3, 1, "a")]


async def test_the_task_draws_when_something_changes_and_sleeps_otherwise():
    watched = ready()
    task = asyncio.create_task(watched.view.run())
    for _ in range(40):
        await asyncio.sleep(0)
    assert len(watched.drawn) == 1
    gc.collect()
    before = gc.mem_alloc()
    for _ in range(50):
        await asyncio.sleep_ms(0)
    assert gc.mem_alloc() == before
    watched.view.show_card(card())
    for _ in range(40):
        await asyncio.sleep(0)
    assert len(watched.drawn) == 2
    task.cancel()


DAY_MS = 86400000


def after_a_rest(rest_ms, begin_ms=0):
    """A view that has shown nothing new for `rest_ms`."""
    watched = ready()
    watched.now_ms = begin_ms % (1 << 30)
    watched.view._settle()
    watched.now_ms = (begin_ms + rest_ms) % (1 << 30)
    return watched


def test_a_card_after_a_rest_of_any_length_has_all_of_its_time():
    for rest_ms in (15000, DAY_MS, 5 * DAY_MS, 7 * DAY_MS, 11 * DAY_MS):
        for begin_ms in (0, (1 << 30) - 1000):
            watched = after_a_rest(rest_ms, begin_ms)
            watched.view.alert("Timer", "The eggs are done.")
            watched.now_ms = (watched.now_ms + 14000) % (1 << 30)
            watched.view._settle()
            assert watched.words()[0] == "Timer", rest_ms
            watched = after_a_rest(rest_ms, begin_ms)
            watched.view.show_card(card(ttl_s=60))
            watched.now_ms = (watched.now_ms + 59000) % (1 << 30)
            watched.view._settle()
            assert watched.words() == ["Post", "one", "1/2"], rest_ms


def test_a_card_ends_in_time_under_a_notice():
    watched = ready()
    watched.view.show_card(card("a", ttl_s=60))
    watched.now_ms = 61000
    watched.view.alert("Timer", "The eggs are done.")
    watched.view.next_page()
    assert watched.words() == ["Kitchen", "Press to talk", "kitchen-1"]


async def test_the_task_sleeps_no_longer_than_a_timer_can_wait():
    """A card of 31 days: asyncio's timers wrap after six."""
    waits = []

    async def wait_for_ms(waited, timeout_ms):
        waits.append(timeout_ms)
        waited.close()
        raise asyncio.CancelledError

    watched = ready()
    watched.view.show_card(card(ttl_s=2678400))
    whole, asyncio.wait_for_ms = asyncio.wait_for_ms, wait_for_ms
    try:
        await watched.view.run()
    except asyncio.CancelledError:
        pass
    finally:
        asyncio.wait_for_ms = whole
    assert waits == [3600000]


async def test_a_card_without_room_for_its_strips_is_shown_with_frames():
    said = []
    watched = Watched(log=said.append)
    watched.view.set_state("idle")
    watched.view.add_resource(7, "strips", bytes(30000))
    watched.view.show_card(card("a", TextPage("Post", (strip(7, 0), text_line("one")), 0)))
    await watched.view.refresh()
    assert watched.events[-1][:2] == ("shown", "a") and watched.words() == ["Post", "one"]
    rows = watched.display.rows(0, 14, 128, 12)
    assert "#" * 126 in rows[1] and "#" * 126 in rows[-2]
    assert said == ["no room for 30000 bytes of strips: boxes stand for them"]


async def test_the_rows_of_a_picture_are_drawn_as_they_come_and_no_text_again():
    display = Display(240, 240, 16, cell=(8, 16))
    display.picture_bytes = 115200
    view = View(display)
    view.set_state("idle")
    shown = ImagePage("", (text_line("The lake"),), 0, 7, 240, 160)
    view.show_card(card("a", shown, page("two")))
    await view.refresh()
    data = bytearray(240 * 160 * 2)
    for at in range(len(data)):
        data[at] = 0xA5
    (top,) = [item.y for item in view.picture() if item.kind == "image"]
    row = lambda y: bytes(display.pixels[(top + y) * 480 : (top + y + 1) * 480])  # noqa: E731
    frame = bytes(display.pixels[top * 480 : top * 480 + 2])
    assert frame != bytes(2) and row(0) == frame * 240 and row(80)[:6] == frame + bytes(4)
    display.forget()
    view.image_arrives(7, data, 480 * 40 + 100)
    await view.refresh()
    assert display.writes == [(top, 24), (top + 24, 16)]
    assert row(39) == b"\xa5" * 480 and row(40)[2:6] == bytes(4)
    display.forget()
    view.add_resource(7, "image", data)
    view.next_page()
    await view.refresh()
    display.forget()
    view.previous_page()
    await view.refresh()
    assert row(0) == row(159) == b"\xa5" * 480


async def test_a_picture_that_comes_turns_no_page_and_draws_nothing_on_another():
    display = Display(240, 240, 16, cell=(8, 16))
    display.picture_bytes = 115200
    view = View(display)
    view.set_state("idle")
    shown = ImagePage("", (text_line("The lake"),), 0, 7, 240, 160)
    view.show_card(card("a", page("one"), shown, code()))
    view.previous_page()
    await view.refresh()
    display.forget()
    filled = ImagePage("", (text_line("The lake"),), 0, 7, 240, 120)
    view.update_card(card("a", page("one"), filled, code()))
    data = bytearray(240 * 120 * 2)
    for count in (8192, 16384, len(data)):
        view.image_arrives(7, data, count)
        await view.refresh()
    view.add_resource(7, "image", data)
    await view.refresh()
    assert view.page_index == 2 and display.writes == []


async def test_the_task_plays_scenes_by_the_clock():
    watched = ready(clock=time.ticks_ms)
    quick = TextPage("Post", (text_line("one"),), 1), TextPage("Post", (text_line("two"),), 1)
    watched.view.show_card(card("a", *quick, auto=True))
    task = asyncio.create_task(watched.view.run())
    while watched.words()[1] != "two":
        await asyncio.sleep_ms(1)
    task.cancel()

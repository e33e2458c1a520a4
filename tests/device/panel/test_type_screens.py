"""The device's own screens in type: what they show, where, and in which colours."""

import asyncio

import languages
from fakes.device.type_panel import EVENING_S, NARROW, PANELS, ROUND, SQUARE, Watched
from screen.type import icons
from screen.type.typesetter import Typesetter
from voxwire.card import Card, TextPage, text_line
from voxwire.type.roles import (
    ACCENT,
    BAD,
    DIM,
    GOOD,
    GOOD_INK,
    INK,
    RAISED,
    WARN,
    WARN_INK,
)

LONG = "Your order 1042 is out for delivery and arrives today before four."
TIMERS = (("4:05", "pizza"), ("|| 9:30", "egg"))


def card(title="Order 1042", line="Out for delivery"):
    pages = (TextPage(title, (text_line(line),), 0),)
    return Card("a", 1, pages, "", 0, 0, False, False, ())


def at_home(panel=SQUARE):
    """A device that waits, in the evening."""
    watched = Watched(panel)
    watched.view.life.set_time(EVENING_S)
    watched.view.set_state("idle")
    return watched


def say(view, *calls):
    for method, *values in calls:
        getattr(view, method)(*values)


# name -> what is called of the view
SCENES = {
    "starting": (("set_state", "starting"),),
    "connecting": (("set_state", "connecting", "Wi-Fi: home"),),
    "ready": (("set_state", "idle"),),
    "muted": (("set_state", "idle", "The microphone is off. Hold the button to switch it on."),),
    "timers": (("set_state", "idle"), ("set_timers", TIMERS)),
    "listening": (("set_state", "listening"), ("set_level", 10)),
    "heard": (("set_state", "listening"), ("set_transcript", LONG)),
    "thinking": (("set_state", "thinking"), ("set_transcript", "where is my order")),
    "tool": (("set_state", "thinking"), ("progress", "Asking the shop for it")),
    "speaking": (("set_state", "speaking"), ("set_sentence", "Hm."), ("set_sentence", LONG)),
    "offline": (("set_state", "offline", "No network. Check the router; I keep trying."),),
    "error": (("set_state", "error", "The bridge does not answer. Check that it runs."),),
    "alert": (("alert", "Update", "A new version is ready."),),
    "rings": (("set_ring", ("Reminder", "Turn the roast and put the potatoes in")),),
}


def scenes():
    """A Watched for every panel and scene, and those of the guide and of a question."""
    for panel in PANELS:
        for name, calls in SCENES.items():
            for timed in (False, True):
                watched = Watched(panel)
                if timed:
                    watched.view.life.set_time(EVENING_S)
                    watched.view.show_card(card())
                    watched.view.activate()
                say(watched.view, *calls)
                yield panel, name, watched
        for page in range(3):
            watched = at_home(panel)
            watched.view.life.show_guide()
            for _ in range(page):
                watched.view.next_page()
            yield panel, "guide %d" % page, watched


def test_no_item_of_any_screen_leaves_its_panel():
    for panel, name, watched in scenes():
        watched.view.life.hold(50)
        width, height = panel[:2]
        for item in watched.view.picture():
            assert item.x >= 0 and item.x + watched.wide(item) <= width, (panel, name, item)
            if item.kind != "type":  # which has room for marks above and below
                assert item.y >= 0 and item.y + item.height <= height, (panel, name, item)


async def test_nothing_is_drawn_outside_the_circle_of_a_round_panel():
    width = ROUND[0]
    edges = []
    for y in range(width):
        away = abs(2 * y + 1 - width) / 2
        half = int(((width / 2) ** 2 - away * away) ** 0.5) if away < width / 2 else 0
        edges.append(width // 2 - half)
    for panel, name, watched in scenes():
        if panel != ROUND:
            continue
        watched.view.life.hold(100)
        await watched.view.refresh()
        pixels, stride = watched.display.pixels, watched.display.stride
        for y, edge in enumerate(edges):
            row = bytes(pixels[y * stride : (y + 1) * stride])
            assert not any(row[: 2 * edge]), (name, y)
            assert not any(row[stride - 2 * edge :]), (name, y)


def test_text_of_a_screen_does_not_stand_on_other_text():
    for panel, name, watched in scenes():
        boxes = []
        faces = watched.view.screen.faces
        for item in watched.view.picture():
            if item.kind != "type" or faces[item.what[0]][0] == "i":
                continue
            cap = int(faces[item.what[0]][1:])
            top = item.y + cap * 3 // 2 - cap
            boxes.append((item.x, top, item.x + watched.wide(item), top + cap, item.what[1]))
        for index, one in enumerate(boxes):
            for two in boxes[index + 1 :]:
                beside = one[2] <= two[0] or two[2] <= one[0]
                assert beside or one[3] <= two[1] or two[3] <= one[1], (panel, name, one, two)


def test_every_state_has_its_icon_and_its_colour():
    for state, icon, ink in (
        ("listening", icons.MICROPHONE, GOOD),
        ("thinking", icons.GEAR, WARN),
        ("error", icons.WARNING, BAD),
    ):
        watched = Watched()
        watched.view.set_state(state)
        assert icon in watched.icons() and ink in [box.ink for box in watched.items("box")], state
    watched.view.set_state("offline", "No network.")
    assert watched.icons() == [icons.WIFI, icons.CLOSE]
    assert "No connection" in watched.words()
    watched.view.take_photo_sign(True)
    first = watched.view.picture()[0]
    assert (first.kind, first.width, first.height, first.ink) == ("fill", 240, 240, BAD)


def test_the_idle_face_shows_the_time_the_date_and_the_name():
    for panel in PANELS:
        watched = at_home(panel)
        words = watched.words().replace("22 41", "22:41")
        assert "22:41" in words and "30 Nov" in words, panel
        face = next(item for item in watched.items("type") if "22" in item.what[1]).what[0]
        assert watched.view.screen.faces[face][0] == "d", panel
    assert at_home().texts() == [("Kitchen", DIM), ("22:41", INK), ("Monday, 30 Nov", DIM)]


def test_a_device_that_does_not_know_the_time_says_what_to_do():
    watched = Watched()
    watched.view.set_state("idle")
    assert watched.words() == "Kitchen Press to talk"
    assert watched.icons() == [icons.MICROPHONE]


def test_the_last_card_is_a_strip_with_its_age():
    watched = at_home()
    watched.view.show_card(card())
    watched.view.activate()
    assert ("Order 1042", INK) in watched.texts() and ("Out for delivery", DIM) in watched.texts()
    assert RAISED in [item.ink for item in watched.items("box")]
    watched.view.life.set_time(EVENING_S)
    for minutes, age in ((1, "1m"), (59, "59m"), (60, "1h"), (24 * 60, "1d")):
        watched = at_home()
        watched.view.show_card(card())
        watched.view.activate()
        watched.view._tick(minutes * 60000)
        assert "· " + age in watched.words(), age
    watched.view.clear_card()
    assert "Order" not in watched.words()


def test_the_next_timer_stands_on_the_idle_face_before_the_last_card():
    for panel in PANELS:
        watched = at_home(panel)
        watched.view.show_card(card())
        watched.view.activate()
        watched.view.set_timers(TIMERS)
        texts = watched.texts()
        assert ("4:05", ACCENT) in texts and icons.TIMER in watched.icons(), panel
        assert "egg" not in watched.words(), panel


def test_twelve_hours_have_their_half_of_the_day_on_every_panel():
    for panel in PANELS:
        watched = at_home(panel)
        watched.view.set_locale("en-US")
        assert "PM" in watched.words() and "10" in watched.words(), panel


def test_words_that_may_still_change_are_dim():
    watched = Watched()
    view = watched.view
    view.set_state("listening")
    view.set_transcript("where is my", True)
    view.set_transcript("where is my order ten", True)
    assert watched.texts()[1:] == [("where is my", INK), ("order ten", DIM)]
    view.set_transcript("where is my order 1042")
    assert watched.texts()[1:] == [("where is my", INK), ("order 1042", INK)]
    view.set_state("thinking")
    assert watched.texts()[1:] == [("where is my", INK), ("order 1042", INK)]


def test_of_many_words_the_last_are_shown():
    for panel in PANELS:
        watched = Watched(panel)
        watched.view.set_state("listening")
        watched.view.set_transcript("word " * 80 + "at the end")
        assert watched.words().endswith("the end"), panel
        assert "…" in watched.words(), panel


def test_the_tool_that_runs_is_named_beside_its_icon_and_the_words_stay():
    for panel in PANELS:
        watched = Watched(panel)
        say(watched.view, ("set_state", "thinking"), ("set_transcript", "my order"))
        assert len([box for box in watched.items("box") if box.ink == WARN_INK]) == 3, panel
        watched.view.progress("Asking the shop")
        assert icons.TOOL in watched.icons(), panel
        assert "Asking the shop" in watched.words() and "my order" in watched.words(), panel


def test_the_sentence_before_is_dim_above_the_one_that_is_spoken():
    watched = Watched()
    watched.view.set_state("speaking")
    say(watched.view, ("set_sentence", "Rain."), ("set_sentence", "Go."))
    assert watched.texts()[1:] == [("Rain.", DIM), ("Go.", INK)]
    say(watched.view, ("set_state", "idle"), ("set_state", "speaking"), ("set_sentence", "Hi."))
    assert watched.texts()[1:] == [("Hi.", INK)]


def test_what_is_to_be_done_is_whole_on_every_panel_and_in_every_language():
    from session import talk, voice_flow

    for panel in PANELS:
        for language in ("en", "de", "fr", "es", "it", "nl", "ro", "ko"):
            watched = Watched(panel)
            watched.view.set_locale(language)
            for words in (talk.MUTED, talk.NO_MICROPHONE, talk.TOO_LONG, voice_flow.NO_BRIDGE):
                watched.view.alert("Microphone", words)
                # A headline may be cut on the narrowest panel: its icon says it, too.
                shown = watched.words().replace("- ", "")
                assert languages.say(words) in shown, (panel, language, shown)
    watched.view.set_locale("en")


async def test_a_question_stands_larger_than_its_title():
    watched = Watched()
    task = asyncio.create_task(watched.view.confirm("Restart?"))
    await asyncio.sleep(0)
    faces = watched.view.screen.faces
    caps = {item.what[1]: int(faces[item.what[0]][1:]) for item in watched.items("type")}
    assert caps["Restart?"] > caps["Please confirm"]
    assert watched.texts()[-1] == ("hold: yes · press: no", DIM)
    watched.view.next_page()
    assert await task is False


def test_words_that_no_face_has_are_written_in_the_cells_of_the_bitmap_font():
    watched = Watched()
    watched.view.set_locale("ko")
    watched.view.set_state("listening")
    assert watched.items("big")[0].what == "듣는 중"
    watched.view.set_locale("en")
    assert watched.items("big") == []


def test_large_type_is_chosen_where_it_holds_all_the_words_in_even_lines():
    watched = Watched()
    setter = watched.setter
    name, lines = setter.fit(setter.texts, "one two three four five six", 0, 240)
    assert name == setter.texts[0] and lines == ["one two three", "four five six"]
    name, lines = setter.fit((setter.sizes.caption,), "Donaudampfschifffahrtsgesellschaft", 0, 60)
    assert lines[0].endswith("-") and "".join(lines).replace("-", "").startswith("Donaudampfsch")
    lines = setter.cut(name, "word " * 50, [100, 100])
    assert len(lines) == 2 and lines[1].endswith("…") and setter.width(name, lines[1]) <= 100


def test_lines_follow_the_chord_of_a_round_panel():
    setter = Watched(ROUND).setter
    assert setter.room(110, 130)[1] > setter.room(60, 80)[1] > setter.room(20, 40)[1]
    assert setter.room(0, 5)[1] == 0
    x, wide = setter.room(110, 130)
    assert x == 120 - wide // 2


def test_the_bars_of_the_meter_grow_with_the_voice_about_one_line():
    watched = Watched()
    watched.view.set_state("listening")
    last = 0
    for level in range(11):
        watched.view.set_level(level)
        bars = [item for item in watched.items("box") if item.ink == GOOD_INK]
        assert len(bars) == 9
        assert {(2 * bar.y + bar.height) // 4 for bar in bars} <= {
            (2 * bars[4].y + bars[4].height) // 4 + step for step in (-1, 0, 1)
        }
        assert bars[4].height > last
        last = bars[4].height


def test_a_narrow_panel_writes_the_minutes_under_the_hours():
    watched = at_home(NARROW)
    assert watched.texts()[1:3] == [("22", INK), ("41", INK)]


def test_a_face_that_is_not_on_flash_is_replaced_by_one_of_its_kind():
    watched = Watched()
    screen = watched.view.screen
    names = tuple([name for name in screen.faces if name not in ("d54", "b28")])
    lesser = screen[:8] + (names,) + screen[9:]
    setter = Typesetter(type(screen)(*lesser), watched.view._faces)
    assert setter.sizes.hero[0] == "d" or setter.sizes.hero in names
    assert all(size in names for size in setter.sizes)


async def test_capitals_of_every_height_stand_on_their_baseline():
    for panel in (SQUARE, ROUND, NARROW):
        watched = Watched(panel)
        for name in watched.view.screen.faces:
            if name[0] == "i":
                continue
            baseline, cap = 100, int(name[1:])
            watched.view.picture = lambda: [watched.setter.line(name, 20, baseline, "H")]  # noqa: B023
            await watched.sent()
            stride, pixels = watched.display.stride, watched.display.pixels
            inked = [y for y in range(panel[1]) if any(pixels[y * stride : (y + 1) * stride])]
            assert inked == list(range(baseline - cap, baseline)), (panel, name)

"""The conversation as the device sees it: rows of (at_ms, what happens, what the device does)."""

import asyncio
import gc

from audio import level
from audio.playback import Report
from fakes.device import log_lines
from fakes.device.audio_device import settle
from fakes.device.display import Display
from fakes.device.voice_parts import VoiceScene
from screen.view import View
from session.voice import _EFFECTS
from voxwire import message
from voxwire.errors import WireError

AUDIO = {"format": "ima-adpcm", "sample_rate": 24000, "channels": 1, "frame_duration": 40}
NO_BRIDGE = "The bridge does not answer. Check that it is running."
NO_MICROPHONE = "No sound comes from the microphone. Check its wires, then restart the device."
CONFIGURED = ["capture ima-adpcm 40", "playback ima-adpcm 24000 40"]
WHOLE = Report(9, 0, 0, 0, 0)


def test_every_effect_has_a_method_and_an_unknown_one_is_loud():
    voice = VoiceScene().voice
    for _, part, method in _EFFECTS:
        assert callable(getattr(getattr(voice, part) if part else voice, method)), method
    try:
        voice._carry_out("dance")
    except KeyError as error:
        assert error.args == ("dance",)
    else:
        raise AssertionError("was ignored")


def happen(scene, what, value=None):
    """One event of a row."""
    voice = scene.voice
    if what in ("link_up", "link_down"):
        voice.link_event(what)
    elif what == "hello":
        scene.hear("hello", session_id="s", audio_params=AUDIO)
    elif what == "down":
        voice.talk_down()
    elif what == "held":
        voice.talk_held()
    elif what == "up":
        voice.talk_up()
    elif what == "turn":
        scene.hear("turn", id=scene.turn_id(), state=value)
    elif what == "sample":
        scene.capture.heard_ms = scene.clock.ticks_ms()
    elif what == "frame":
        scene.playback.heard_ms = scene.clock.ticks_ms()
    elif what == "played":
        scene.playback.end(value or WHOLE)
    elif what != "tick":
        scene.hear(what, **value)


def play(rows, scene=None):
    """Run rows (at_ms, (what, value?), [what the device does]); every 50 ms it looks at its clock.

    Samples come all the time unless a row's event is ("deaf",).
    """
    scene = scene or VoiceScene()
    deaf = False
    for at_ms, event, expected in rows:
        while scene.clock.now_ms + 50 < at_ms:
            scene.clock.now_ms += 50
            if not deaf:
                scene.capture.heard_ms = scene.clock.ticks_ms()
            before = list(scene.journal)
            scene.voice.tick()
            assert scene.journal == before, (scene.clock.now_ms, scene.journal)
        scene.clock.now_ms = at_ms
        if event[0] == "deaf":
            deaf = True
        else:
            if not deaf:
                scene.capture.heard_ms = scene.clock.ticks_ms()
            happen(scene, *event)
            scene.voice.tick()
        did = scene.did()
        assert did == expected, (at_ms, event, did)
    return scene


READY = (
    (10, ("link_up",), ["show connecting"]),
    (20, ("hello",), ["show idle"] + CONFIGURED),
)

ASKED = READY + (
    (1000, ("down",), ["show listening", "capture start"]),
    (1100, ("up",), ["post listen start auto"]),
    (1120, ("turn", "accepted"), ["capture open"]),
)

THINKING = ASKED + ((2500, ("turn", "thinking"), ["capture stop", "show thinking"]),)

SPEAKING = THINKING + (
    (2600, ("stt", {"text": "set the volume to sixty"}), ["transcript set the volume to sixty"]),
    (3000, ("tts", {"state": "start", "seq": 5}), ["show speaking", "playback begin 5"]),
    (3010, ("tts", {"state": "sentence_start", "text": "Done."}), ["sentence Done."]),
)


def test_the_link_says_why_no_bridge_answers():
    scene = VoiceScene()
    scene.link.silence = lambda: "The broker keeps v/k/# from this device."
    play(
        (
            (10, ("link_up",), ["show connecting"]),
            (9990, ("tick",), []),
            (10010, ("tick",), ["show connecting: The broker keeps v/k/# from this device."]),
            (60000, ("tick",), []),
        ),
        scene,
    )


def test_a_whole_turn_from_the_press_to_the_last_sample():
    scene = play(
        SPEAKING
        + (
            (3800, ("tts", {"state": "stop", "last_seq": 9}), ["playback finish 9"]),
            (4100, ("tick",), []),
            (4200, ("played",), ["post played", "show idle"]),
            (4300, ("turn", "done"), []),
        )
    )
    assert scene.voice.state == "idle"
    assert scene.last("played") == {"seq": 9}
    assert scene.last("listen")["seq"] == scene.capture.base


def test_a_button_held_is_push_to_talk_until_it_is_released():
    scene = play(
        READY
        + (
            (1000, ("down",), ["show listening", "capture start"]),
            (1400, ("held",), ["post listen start manual"]),
            (1420, ("turn", "accepted"), ["capture open"]),
            (5000, ("turn", "alive"), []),
            (
                6000,
                ("up",),
                ["capture finish", "post listen stop manual", "show thinking"],
            ),
        )
    )
    start, stop = [values for name, values in scene.link.posts if name == "listen"]
    assert start["id"] == stop["id"]
    assert (start["seq"], stop["seq"]) == (scene.capture.base, scene.capture.next_seq)


def test_a_press_is_undecided_until_the_button_is_released_or_held():
    play(
        READY
        + (
            (1000, ("down",), ["show listening", "capture start"]),
            (9000, ("held",), ["post listen start manual"]),
            (9010, ("held",), []),
        )
    )


def test_holding_the_press_that_cancelled_a_turn_begins_none():
    play(
        THINKING
        + (
            (3000, ("down",), ["post abort button", "show idle"]),
            (3400, ("held",), []),
            (3500, ("up",), []),
        )
    )


def test_a_press_that_stays_undecided_ends_with_the_limit_of_listening():
    play(
        READY
        + (
            (1000, ("down",), ["show listening", "capture start"]),
            (31000, ("tick",), ["capture stop", "show idle"]),
        )
    )


def test_a_release_before_the_bridge_accepted_waits_for_it():
    play(
        READY
        + (
            (1000, ("down",), ["show listening", "capture start"]),
            (1400, ("held",), ["post listen start manual"]),
            (1410, ("up",), []),
            (
                1500,
                ("turn", "accepted"),
                ["capture open", "capture finish", "post listen stop manual", "show thinking"],
            ),
        )
    )


def test_a_second_press_while_listening_ends_what_is_said():
    play(
        ASKED
        + (
            (2000, ("down",), ["capture finish", "post listen stop auto", "show thinking"]),
            (2100, ("up",), []),
        )
    )


def test_the_button_interrupts_the_reply_and_starts_a_new_turn():
    scene = play(SPEAKING)
    scene.playback.heard_seq = 7
    first = scene.turn_id()
    play(
        (
            (
                3500,
                ("down",),
                [
                    "playback stop",
                    "post abort button",
                    "show idle",
                    "show listening",
                    "capture start",
                ],
            ),
            (3600, ("up",), ["post listen start auto"]),
            (3610, ("tts", {"state": "stop", "last_seq": 9}), []),
            (3620, ("turn", "accepted"), ["capture open"]),
        ),
        scene,
    )
    assert scene.last("abort") == {"id": first, "reason": "button", "seq": 7}
    assert scene.turn_id() != first


def test_a_reply_that_the_bridge_cuts_is_silent_at_once_and_the_turn_speaks_again():
    scene = play(SPEAKING)
    scene.playback.heard_seq = 7
    cut = {"state": "stop", "seq": 5, "last_seq": 9, "cut": True}
    play(
        (
            (3500, ("tts", cut), ["playback stop", "post played", "show thinking"]),
            (3510, ("tts", cut), []),
            (3600, ("tts", {"state": "start", "seq": 10}), ["show speaking", "playback begin 10"]),
            (3650, ("tts", cut), []),  # again: the broker did not know that it had come
            (3700, ("tts", {"state": "stop", "seq": 10, "last_seq": 12}), ["playback finish 12"]),
        ),
        scene,
    )
    assert scene.last("played") == {"seq": 7}


def test_of_a_reply_cut_before_a_frame_was_heard_whole_the_bridge_hears_no_number():
    scene = play(SPEAKING)
    scene.hear("tts", state="stop", cut=True)
    assert scene.last("played") == {"seq": None}


def test_an_announcement_that_the_bridge_cuts_leaves_the_device_idle():
    play(
        READY
        + (
            (1000, ("tts", {"state": "start", "seq": 5}), ["show speaking", "playback begin 5"]),
            (
                1200,
                ("tts", {"state": "stop", "cut": True}),
                ["playback stop", "post played", "show idle"],
            ),
        )
    )


def test_the_button_while_thinking_only_ends_the_turn():
    scene = play(
        THINKING
        + (
            (3000, ("down",), ["post abort button", "show idle"]),
            (3100, ("up",), []),
        )
    )
    assert scene.last("abort")["seq"] is None


def test_speech_that_was_on_its_way_when_the_turn_was_aborted_is_dropped():
    play(
        THINKING
        + (
            (3000, ("down",), ["post abort button", "show idle"]),
            (3050, ("turn", "thinking"), []),
            (3100, ("tts", {"state": "start", "seq": 5}), []),
            (6000, ("tts", {"state": "start", "seq": 8}), ["show speaking", "playback begin 8"]),
        )
    )


def test_an_announcement_reaches_an_idle_device():
    scene = play(
        READY
        + (
            (1000, ("tts", {"state": "start", "seq": 5}), ["show speaking", "playback begin 5"]),
            (1800, ("tts", {"state": "stop", "last_seq": 9}), ["playback finish 9"]),
            (2000, ("played",), ["post played", "show idle"]),
        )
    )
    assert scene.last("played") == {"seq": 9}


def test_an_announcement_is_interrupted_by_the_button():
    scene = play(
        READY
        + (
            (1000, ("tts", {"state": "start", "seq": 5}), ["show speaking", "playback begin 5"]),
            (
                1500,
                ("down",),
                [
                    "playback stop",
                    "post abort button",
                    "show idle",
                    "show listening",
                    "capture start",
                ],
            ),
        )
    )
    assert scene.last("abort")["id"]


def test_after_a_question_it_listens_again_when_the_echo_is_gone():
    scene = play(SPEAKING)
    first = scene.turn_id()
    play(
        (
            (
                3800,
                ("tts", {"state": "stop", "last_seq": 9, "listen": True}),
                ["playback finish 9"],
            ),
            (4200, ("played",), ["post played", "show listening"]),
            (4350, ("turn", "done"), []),
            (4400, ("tick",), ["capture start", "post listen start auto"]),
            (4420, ("turn", "accepted"), ["capture open"]),
        ),
        scene,
    )
    assert scene.turn_id() != first and scene.last("listen")["mode"] == "auto"


def test_a_board_that_hears_while_it_speaks_listens_again_at_once():
    play(
        SPEAKING
        + (
            (
                3800,
                ("tts", {"state": "stop", "last_seq": 9, "listen": True}),
                ["playback finish 9"],
            ),
            (
                4200,
                ("played",),
                ["post played", "show listening", "capture start", "post listen start auto"],
            ),
        ),
        VoiceScene(guard_ms=0),
    )


def test_a_turn_without_speech_ends_with_done_and_why():
    play(THINKING + ((4000, ("turn", "done"), ["show idle"]),))
    scene = play(THINKING)
    scene.hear("turn", id=scene.turn_id(), state="done", text="I did not understand that.")
    assert scene.did() == ["show idle", "alert Sorry: I did not understand that."]


def test_speech_that_the_bridge_cuts_short_is_silent_at_once():
    play(SPEAKING + ((3500, ("turn", "done"), ["playback stop", "show idle"]),))


def test_a_turn_that_the_bridge_begins_is_shown_and_can_be_aborted():
    scene = play(READY)
    scene.hear("turn", id="b1", state="thinking", text="Asking the shop")
    assert scene.did() == ["show thinking"]
    scene.hear("turn", id="b1", state="alive", text="Still asking")
    assert scene.did() == ["progress Still asking"]
    scene.voice.talk_down()
    assert scene.last("abort")["id"] == "b1"
    scene.did()
    scene.hear("turn", id="b1", state="thinking")
    assert scene.did() == [] and scene.voice.state == "idle"


def test_speech_may_begin_before_the_bridge_said_that_it_thinks():
    play(
        ASKED
        + (
            (
                2000,
                ("tts", {"state": "start", "seq": 5}),
                ["capture stop", "show thinking", "show speaking", "playback begin 5"],
            ),
        )
    )


def test_a_bridge_that_does_not_accept_is_lost():
    play(
        READY
        + (
            (1000, ("down",), ["show listening", "capture start"]),
            (1100, ("up",), ["post listen start auto"]),
            (4100, ("tick",), ["capture stop", "show connecting: " + NO_BRIDGE, "hello"]),
            (4500, ("hello",), ["show idle"] + CONFIGURED),
        )
    )


def test_a_bridge_that_goes_silent_in_a_turn_is_lost():
    play(
        THINKING
        + (
            (4500, ("turn", "alive"), []),
            (12500, ("tick",), ["show connecting: " + NO_BRIDGE, "hello"]),
        )
    )


def test_frames_show_that_the_bridge_is_alive():
    play(
        SPEAKING
        + (
            (9000, ("frame",), []),
            (
                17000,
                ("tick",),
                ["playback stop", "show connecting: " + NO_BRIDGE, "hello"],
            ),
        )
    )


def test_a_bridge_that_says_goodbye_is_gone():
    play(
        SPEAKING
        + (
            (
                3500,
                ("goodbye", {"reason": "The bridge stops."}),
                ["playback stop", "show connecting: The bridge stops.", "hello"],
            ),
        )
    )


def test_a_missing_bridge_is_reported_once():
    play(
        (
            (10, ("link_up",), ["show connecting"]),
            (10010, ("tick",), ["show connecting: " + NO_BRIDGE]),
            (30000, ("tick",), []),
        )
    )


def test_a_hello_in_a_turn_ends_the_turn():
    play(ASKED + ((1500, ("hello",), ["capture stop", "show idle"] + CONFIGURED),))
    play(THINKING + ((2700, ("hello",), ["show idle"] + CONFIGURED),))
    play(SPEAKING + ((3500, ("hello",), ["playback stop", "show idle"] + CONFIGURED),))


def test_losing_the_link_ends_the_turn():
    play(ASKED + ((1500, ("link_down",), ["capture stop", "show offline"]),))
    play(
        SPEAKING
        + (
            (3500, ("link_down",), ["playback stop", "show offline"]),
            (3600, ("down",), []),
            (3700, ("up",), []),
            (5000, ("link_up",), ["show connecting"]),
            (5100, ("hello",), ["show idle"] + CONFIGURED),
        )
    )


def test_a_microphone_without_a_sample_is_lost():
    scene = play(
        ASKED
        + (
            (1150, ("deaf",), []),
            (2600, ("turn", "alive"), []),
            (
                3120,
                ("tick",),
                [
                    "post event microphone",
                    "post abort microphone",
                    "capture stop",
                    "show idle",
                    "alert Microphone: " + NO_MICROPHONE,
                ],
            ),
        )
    )
    assert scene.voice.state == "idle"


def test_a_microphone_that_does_not_start_is_lost():
    scene = play(READY)
    scene.capture.broken = True
    scene.voice.talk_down()
    assert scene.did() == [
        "show listening",
        "post event microphone",
        "show idle",
        "alert Microphone: " + NO_MICROPHONE,
    ]
    scene.voice.talk_up()
    assert scene.did() == []


def test_listening_ends_after_30_seconds():
    rows = ASKED + tuple((at_ms, ("turn", "alive"), []) for at_ms in range(3000, 31000, 2000))
    play(
        rows + ((31000, ("tick",), ["capture finish", "post listen stop auto", "show thinking"]),)
    )


def test_thinking_ends_after_a_minute():
    rows = THINKING + tuple((at_ms, ("turn", "alive"), []) for at_ms in range(4500, 62500, 2000))
    play(
        rows
        + (
            (
                62500,
                ("tick",),
                [
                    "post abort timeout",
                    "show idle",
                    "alert Sorry: The answer took too long. Ask again.",
                ],
            ),
        )
    )


def test_illegal_events_change_nothing():
    play(
        READY
        + (
            (100, ("tts", {"state": "stop", "last_seq": 3}), []),
            (110, ("tts", {"state": "sentence_start", "text": "x"}), []),
            (120, ("stt", {"text": "x"}), []),
            (130, ("link_up",), []),
            (140, ("up",), []),
        )
    )
    scene = VoiceScene()
    happen(scene, "hello")
    happen(scene, "down")
    assert scene.did() == [] and scene.voice.state == "offline"


def test_speech_before_the_turn_was_accepted_is_dropped():
    play(
        READY
        + (
            (1000, ("down",), ["show listening", "capture start"]),
            (1010, ("tts", {"state": "start", "seq": 1}), []),
        )
    )


def refused(scene, audio_params):
    hello = message.make(
        message.FROM_BRIDGE, "hello", session_id="other", audio_params=audio_params
    )
    try:
        scene.link.check_hello(hello)
    except WireError as error:
        return str(error)


def test_audio_this_device_cannot_do_is_refused_in_a_sentence():
    scene = VoiceScene()
    happen(scene, "link_up")
    scene.did()
    form = "hello.audio_params.format: must be one of ima-adpcm, pcm16"
    assert refused(scene, {"format": "opus"}) == form
    assert scene.did() == ["show connecting: " + form]
    rate = "hello.audio_params.sample_rate: is 8000, this device can 16000 or 24000"
    assert refused(scene, {"format": "pcm16", "sample_rate": 8000}) == rate
    assert scene.did() == ["show connecting: " + rate]
    happen(scene, "hello")
    scene.did()
    assert refused(scene, {"format": "opus"}) == form
    assert scene.did() == []


def test_lost_frames_are_reported_before_played():
    scene = play(
        SPEAKING
        + (
            (3800, ("tts", {"state": "stop", "last_seq": 9}), ["playback finish 9"]),
            (
                4200,
                ("played", Report(9, 2, 1, 0, 0)),
                ["post event playback", "post played", "show idle"],
            ),
        )
    )
    assert scene.last("event")["value"] == 2
    assert scene.last("event")["text"] == "lost 2, late 1, duplicate 0, stray 0"


def test_an_alert_is_shown_and_its_title_is_logged():
    # A board without a screen says the code for pairing on its serial line.
    scene = play(READY)
    scene.hear("alert", status="Timer", message="The eggs are done.")
    assert scene.did() == ["alert Timer: The eggs are done."]
    assert log_lines.lines()[-1] == "info alert: Timer"


def test_every_move_is_reported():
    states = []
    play(
        READY
        + (
            (1000, ("down",), ["show listening", "capture start"]),
            (1100, ("hello",), ["capture stop", "show idle"] + CONFIGURED),
        ),
        VoiceScene(on_state=states.append),
    )
    assert states == ["connecting", "idle", "listening", "idle"]


async def test_the_task_looks_at_the_clock():
    scene = play(THINKING)
    task = asyncio.create_task(scene.voice.run())
    await scene.clock.advance(8100)
    await settle()
    assert scene.did() == ["show connecting: " + NO_BRIDGE, "hello"]
    task.cancel()


def test_the_level_of_the_microphone_is_shown_10_times_a_second_while_listening():
    scene = play(READY)
    scene.capture.level = 900
    for now_ms in range(1000, 2000, 50):
        scene.clock.now_ms = now_ms
        scene.voice.tick()
    assert scene.view.levels == []
    scene.voice.talk_down()
    for now_ms in range(2000, 3000, 50):
        scene.clock.now_ms = now_ms
        scene.capture.heard_ms = scene.clock.ticks_ms()
        scene.capture.level = now_ms
        scene.voice.tick()
    assert len(scene.view.levels) == 10 and scene.view.levels[::2] == [6, 7, 7, 7, 7]


def test_the_level_is_shown_however_long_ago_it_was_shown_before():
    for days in range(1, 13):
        scene = play(ASKED)
        happen(scene, "hello")
        scene.voice.tick()
        scene.clock.now_ms += days * 24 * 3600 * 1000
        happen(scene, "down")
        scene.capture.level = 900
        scene.voice.tick()
        assert scene.view.levels == [0, 0, level.meter(900)], days


async def test_the_level_on_the_screen_follows_the_microphone():
    display = Display()
    scene = VoiceScene(view=View(display))
    happen(scene, "link_up")
    happen(scene, "hello")
    happen(scene, "down")
    bars = []
    for at_ms, loudness in ((1000, 0), (1200, 600), (1400, 20000), (1600, 0)):
        scene.clock.now_ms = at_ms
        scene.capture.heard_ms = scene.clock.ticks_ms()
        scene.capture.level = loudness
        scene.voice.tick()
        await scene.view.refresh()
        bars.append(display.rows(y=56, height=1)[0].count("#"))
    assert bars == [0, 63, 126, 0]


def allocated(scene):
    """Heap that 50 looks at the clock cost."""
    scene.voice.tick()
    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    for _ in range(50):
        scene.voice.tick()
    grown = gc.mem_alloc() - before
    gc.enable()
    return grown


def test_looking_at_the_clock_costs_no_heap():
    for rows in (READY, ASKED, THINKING, SPEAKING):
        grown = allocated(play(rows))
        assert grown <= 64, (rows[-1], grown)

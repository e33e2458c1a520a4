"""The composition: a device of fake parts, without a network."""

import asyncio
import json
import os

import app
import home
import log
from fakes.device import log_lines
from fakes.device.board import Panel
from fakes.device.display import Display
from fakes.device.silent_board import Away, SilentBoard
from session import device_time
from supervisor import LastWords
from voxwire import message
from voxwire.errors import WireError


class FakePanel(Panel):
    cell = (6, 12)

    def __init__(self):
        self.bands = 0

    async def write(self, x, y, width, height, buffer):
        self.bands += 1


def call(device, name, **arguments):
    params = {"name": name, "arguments": arguments}
    return device._tools.handle(
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    )


async def run_for(device, ms):
    try:
        await asyncio.wait_for_ms(device.run(), ms)
    except asyncio.TimeoutError:
        return
    raise AssertionError("the app came back")


def test_a_board_without_screen_or_camera_lacks_their_tools():
    registry = app.App(SilentBoard())._tools._registry
    assert registry.find("self.audio_speaker.set_volume") is not None
    assert registry.find("self.screen.set_theme") is None
    assert registry.find("self.camera.take_photo") is None


def test_a_panel_that_cannot_dim_has_no_brightness():
    board = SilentBoard()
    board.display = FakePanel()
    board.display.brightness = None
    device = app.App(board)
    assert device._tools._registry.find("self.screen.set_brightness") is None
    assert device._tools._registry.find("self.screen.set_theme") is not None


def test_a_setting_is_applied_and_stored():
    board = SilentBoard()
    device = app.App(board)
    assert call(device, "self.audio_speaker.set_volume", volume=20)["result"]["isError"] is False
    assert device._playback.volume_percent == 20
    assert app.App(board)._playback.volume_percent == 20


def test_by_night_speech_is_quiet_and_the_screen_dark_and_the_day_brings_both_back():
    board, dimmed = SilentBoard(), []
    board.display = FakePanel()
    board.display.brightness = dimmed.append
    device = app.App(board)
    assert (device._playback.volume_percent, dimmed[-1]) == (70, 75)
    assert call(device, "self.set_night_mode", on=True)["result"]["isError"] is False
    assert (device._playback.volume_percent, dimmed[-1]) == (28, 10)
    assert call(device, "self.audio_speaker.set_volume", volume=50)["result"]["isError"] is False
    assert device._playback.volume_percent == 20
    assert app.App(board)._playback.volume_percent == 20, "a power cut ends no night"
    call(device, "self.set_night_mode", on=False)
    assert (device._playback.volume_percent, dimmed[-1]) == (50, 75)


class ColourPanel(FakePanel):
    width, height, depth, pitch_um, cell = 240, 240, 16, 98, (8, 16)


def with_colour():
    board = SilentBoard()
    board.display = ColourPanel()
    return board


def test_the_size_of_text_survives_a_restart_and_the_bridge_hears_of_it_in_a_session():
    board = with_colour()
    device, posts = app.App(board), []
    device._link.post = lambda kind, **values: posts.append((kind, values)) or True
    assert (
        call(device, "self.screen.set_text_size", text_size="small")["result"]["isError"] is False
    )
    assert posts == [], "the hello will say it"
    device._link._dispatch.session_id = "s1"
    assert (
        call(device, "self.screen.set_text_size", text_size="large")["result"]["isError"] is False
    )
    assert posts == [("event", {"name": "text_size", "text": "large"})]
    assert device._describe().screen.text_size == "large"
    status = call(device, "self.get_device_status")["result"]["structuredContent"]
    assert status["screen"]["text_size"] == "large"
    again = app.App(board)
    assert again._describe().screen.text_size == "large"


def test_a_bridge_that_could_not_be_told_of_a_size_gets_a_new_hello():
    device = app.App(with_colour())
    device._link._dispatch.session_id = "s1"
    device._link.post = lambda kind, **values: False
    call(device, "self.screen.set_text_size", text_size="large")
    assert device._link.session_id is None


def test_a_size_that_a_person_takes_on_the_device_is_kept_and_no_bridge_hears_of_the_card():
    board = with_colour()
    device, posts = app.App(board), []
    device._link._dispatch.session_id = "s1"
    device._link.post = lambda kind, **values: posts.append((kind, values)) or True
    device._view.set_state("ready")
    call(device, "self.screen.show_text_sizes")
    device._view.next_page()
    device._view.next_page()
    device._view.activate()
    assert posts == [("event", {"name": "text_size", "text": "large"})]
    assert app.App(board)._settings.get("text_size") == "large"


def test_a_panel_without_faces_has_no_size_of_text():
    board = SilentBoard()
    board.display = FakePanel()
    device = app.App(board)
    assert device._tools._registry.find("self.screen.set_text_size") is None
    assert device._tools._registry.find("self.screen.show_text_sizes") is None
    assert device._view.own_cards is None


def test_alarms_and_chimes_have_volumes_of_their_own_and_the_bridge_hears_of_chimes():
    device, posts = app.App(SilentBoard()), []
    device._link.post = lambda kind, **values: posts.append((kind, values)) or True
    call(device, "self.audio_speaker.set_alarm_volume", volume=90)
    call(device, "self.audio_speaker.set_chime_volume", volume=25)
    call(device, "self.set_night_mode", on=True)
    call(device, "self.audio_speaker.set_chime_volume", volume=30)
    call(device, "self.set_night_mode", on=False)
    assert [values["value"] for kind, values in posts if kind == "event"] == [25, 0, 30]
    assert device._settings.get("alarm_volume") == 90
    assert device._playback.volume_percent == 70
    assert "error" in call(device, "self.audio_speaker.set_alarm_volume", volume=0)
    assert device._settings.get("alarm_volume") == 90


def test_keys_change_the_volume_within_its_range_and_for_good():
    board = SilentBoard()
    device = app.App(board)
    actions = device._presses()._actions
    actions["louder"]()
    assert device._playback.volume_percent == 80
    assert app.App(board)._playback.volume_percent == 80
    for _ in range(3):
        actions["louder"]()
    assert device._playback.volume_percent == 100
    for _ in range(12):
        actions["softer"]()
    assert device._playback.volume_percent == 0
    os.remove(board.root + "/settings.json")
    os.rmdir(board.root)
    actions["louder"]()
    assert device._playback.volume_percent == 10, "it cannot be stored, and is heard"


def test_a_setting_that_cannot_be_stored_is_applied_and_the_caller_told():
    board = SilentBoard()
    device = app.App(board)
    os.rmdir(board.root)
    result = call(device, "self.audio_speaker.set_volume", volume=20)["result"]
    assert result["isError"] is True
    assert result["content"][0]["text"] == (
        "The volume is set, but only until the next restart: it cannot be stored"
        " ([Errno 2] ENOENT)."
    )
    assert device._playback.volume_percent == 20


def test_debug_lines_are_written_where_the_setting_log_says_so():
    board = SilentBoard()
    device = app.App(board)
    log.debug("test", "hidden")
    try:
        device._change("log", "debug")
        log.debug("test", "shown")
        assert log_lines.lines()[-1].endswith("debug test: shown")
        app.App(board)
        log.debug("test", "shown after a restart")
        assert log_lines.lines()[-1].endswith("debug test: shown after a restart")
    finally:
        device._change("log", "info")
    log.debug("test", "hidden again")
    assert not any("hidden" in line for line in log_lines.lines())


async def test_a_task_that_dies_is_reported_and_the_others_live():
    board = SilentBoard()
    board.display = FakePanel()

    async def broken():
        raise OSError("sensor gone")

    board.run = broken
    device = app.App(board)
    await run_for(device, 200)
    assert device._reports._kept == [("error", "board: OSError: sensor gone")]
    assert board.display.bands > 0


async def test_why_there_is_no_network_is_said_on_the_screen_and_it_is_tried_again():
    board = SilentBoard()
    board.display = FakePanel()
    tries = []

    async def refuse():
        tries.append(1)
        raise OSError("The Wi-Fi home refuses the password: set it again.")

    board.network.connect = refuse
    device = app.App(board)
    pause_ms, home.PAUSE_MS = home.PAUSE_MS, 10
    try:
        await run_for(device, 200)
    finally:
        home.PAUSE_MS = pause_ms
    assert len(tries) > 1
    said = " ".join(item.what for item in device._view.picture() if item.kind == "text")
    assert "refuses the password" in said, said


class Clock:
    """The module time, with the seconds of `now_s`."""

    def __init__(self, now_s):
        self._now_s = now_s

    def time(self):
        return self._now_s[0]


def hear(device, type_name, **values):
    """A message of the bridge reaches its handler."""
    heard = message.make(message.FROM_BRIDGE, type_name, session_id="s1", **values)
    device._link._dispatch._handlers[type_name](heard)


async def test_a_device_says_on_its_serial_line_who_is_ready():
    device = app.App(SilentBoard())
    await run_for(device, 20)
    assert "info app: " + device._id + " is ready" in log_lines.lines()


def test_the_bridges_hello_begins_a_session_in_every_part():
    device = app.App(SilentBoard())
    device._link_changed("link_up")
    resets = []
    device._tools.reset = lambda: resets.append("calls")
    hear(device, "hello", audio_params={"format": "pcm16", "sample_rate": 24000})
    assert device._voice.state == "idle"
    assert device._playback._format == ("pcm16", 24000, 40)
    assert resets == ["calls"]


def test_a_board_without_a_screen_takes_part_in_a_conversation():
    device = app.App(SilentBoard())
    device._link_changed("link_up")
    hear(device, "hello", audio_params={"format": "ima-adpcm"})
    device._voice.talk_down()
    device._view.set_level(3)
    hear(device, "stt", text="hi")
    hear(device, "alert", status="Timer", message="The eggs are done.")
    assert device._voice.state == "listening"


def test_the_clock_is_set_from_the_bridges_hello():
    board, times = SilentBoard(), []
    board.set_time = times.append
    device = app.App(board)
    sound = {"format": "ima-adpcm", "sample_rate": 16000}
    for values in ({}, {"time": 1790000000}):
        hello = message.make(
            message.FROM_BRIDGE, "hello", session_id="s1", audio_params=sound, **values
        )
        device._hello(hello)
    assert times == [1790000000]


def colour_board():
    board = SilentBoard()
    board.display = Display(240, 240, 16, "rect", (8, 16), 98)
    return board


def test_a_screen_with_type_hears_the_time_of_the_place_from_a_hello_and_a_clock():
    device = app.App(colour_board())
    clock = device._view.life._screens.clock
    device._link_changed("link_up")
    sound = {"format": "ima-adpcm", "sample_rate": 16000}
    hear(device, "hello", audio_params=sound)
    assert clock.now is None
    hear(device, "hello", audio_params=sound, time=86400 * 20787, utc_offset=3600)
    assert clock.now == (20787, 60)
    hear(device, "clock", time=86400 * 20787, utc_offset=-3600)
    assert clock.now == (20786, 23 * 60)


def test_what_the_button_does_is_shown_once_in_the_life_of_a_device():
    board = colour_board()
    for shown in (True, False):
        device = app.App(board)
        device._link_changed("link_up")
        assert not device._view.can_turn
        hear(device, "hello", audio_params={"format": "ima-adpcm", "sample_rate": 16000})
        assert device._view.can_turn is shown
        assert device._settings.get("guide") == "seen"


def test_a_screen_with_type_takes_the_brightness_by_day_and_night():
    board = colour_board()
    device = app.App(board)
    assert board.display.percent == 75
    assert call(device, "self.set_night_mode", on=True)["result"]["isError"] is False
    assert board.display.percent == 10
    board = colour_board()
    board.display.brightness = None
    assert app.App(board)._view.life is not None


def test_setting_the_clock_does_not_change_how_long_the_device_has_run():
    board, now_s = SilentBoard(), [0]
    board.set_time = lambda at_s: now_s.insert(0, at_s)
    device = app.App(board)
    before, device_time.time = device_time.time, Clock(now_s)
    try:
        device._time._started_s = 0
        now_s[0] = 90
        hear(device, "hello", audio_params={"format": "pcm16"}, time=1790000000)
        assert device._time.uptime_s() == 90
        now_s[0] += 30 * 24 * 3600
        assert device._time.uptime_s() == 90 + 30 * 24 * 3600
    finally:
        device_time.time = before


def test_a_hello_says_whether_the_board_hears_while_it_speaks():
    board = SilentBoard()
    assert app.App(board)._describe().sound.duplex == "half"
    board.duplex = "full"
    device = app.App(board)
    assert device._describe().sound.duplex == "full"
    assert device._voice._flow.guard_ms == 0


class CrashingBoard(SilentBoard):
    """Fails while the app is built ("building") or while it runs ("running")."""

    crash = ""

    @property
    def display(self):
        if self.crash == "building":
            raise MemoryError("10000 bytes")

    @property
    def network(self):
        if self.crash == "running":
            raise MemoryError("10000 bytes")
        return Away()

    @network.setter
    def network(self, network):
        pass


def test_what_ends_the_program_is_kept_and_the_board_restarted():
    for crash in ("building", "running"):
        board = CrashingBoard()
        board.crash = crash
        app.run(board)
        assert board.resets == 1
        words = LastWords(board.root + "/crash.txt", "0.1.0")
        kept = words.take()
        assert kept.startswith("firmware 0.1.0+source\n"), crash
        assert "MemoryError: 10000 bytes" in kept, crash


def test_why_the_program_ended_is_reported_after_the_next_start():
    device = app.App(SilentBoard(), "firmware 0.1.0\nMemoryError")
    assert device._reports._kept == [("crash", "firmware 0.1.0\nMemoryError")]


def test_settings_that_cannot_be_read_are_set_aside_and_reported():
    for content, problem in (
        (b'{"volume": 4', "The file is not JSON."),
        (b'{"volume": 75,0"theme": 1}', "A setting has a name that is no text."),
        (b'{"volume": 1e400}', "volume must be a whole number from 0 to 100."),
        (b'{"wings": [{"a": -1e400}]}', "There is no setting wings."),
    ):
        board = SilentBoard()
        path = board.root + "/settings.json"
        with open(path, "wb") as file:
            file.write(content)
        start = "Settings that cannot be read are in settings.json.bad: "
        assert app.App(board)._reports._kept == [("error", start + problem)], content
        with open(path + ".bad", "rb") as file:
            assert file.read() == content
        assert app.App(board)._reports._kept == []


def test_settings_of_a_newer_firmware_stay_as_they_are_and_are_reported():
    content = b'{"volume": 400, "wings": [1, 2], "theme": "light"}'
    board = SilentBoard()
    path = board.root + "/settings.json"
    with open(path, "wb") as file:
        file.write(content)
    report = (
        "Settings that this firmware does not take stay in settings.json: volume must be a whole"
        " number from 0 to 100. There is no setting wings."
    )
    for _ in range(2):
        assert app.App(board)._reports._kept == [("error", report)]
        with open(path, "rb") as file:
            assert file.read() == content
    assert "settings.json.bad" not in os.listdir(board.root)
    call(app.App(board), "self.audio_speaker.set_volume", volume=20)
    with open(path) as file:
        assert json.load(file) == {"volume": 20, "wings": [1, 2], "theme": "light"}


def test_a_ca_file_that_is_missing_is_no_reason_for_a_plain_connection():
    board = SilentBoard()
    board.settings = {"host": "127.0.0.1", "ca": "/nowhere/ca.pem"}
    device = app.App(board)
    refuse = device._link._client._connect("127.0.0.1", 1, None)
    try:
        refuse.send(None)
    except ValueError as error:
        assert str(error).startswith("the CA file /nowhere/ca.pem cannot be used")
    else:
        raise AssertionError("it connects")


def test_a_hello_that_wants_sound_the_board_has_no_room_for_is_refused():
    board = SilentBoard()
    board.formats = ("ima-adpcm",)
    device = app.App(board)
    assert device._describe().sound.formats == ("ima-adpcm",)
    for sound, reason in (
        ({"format": "pcm16"}, "format: is pcm16, this device can ima-adpcm"),
        (
            {"format": "ima-adpcm", "sample_rate": 48000},
            "sample_rate: is 48000, this device can 16000 or 24000",
        ),
    ):
        try:
            device._voice._params_of(message.make(
                message.FROM_BRIDGE, "hello", session_id="s1", audio_params=sound
            ))  # fmt: skip
        except WireError as error:
            assert str(error) == "hello.audio_params." + reason
        else:
            raise AssertionError(sound)

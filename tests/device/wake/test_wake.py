"""A device that waits for its word: what it lets out, and what becomes of it."""

from audio.capture import RING_MS
from audio.playback import Report
from fakes.device.sound_scene import AUDIO, SoundScene, during
from session.wake import HINT
from session.wake_gate import HANG_MS

QUIET, LOUD = 10, 4000


async def test_nothing_leaves_a_device_in_a_quiet_room():
    async def steps(scene):
        scene.ready()
        await scene.sound(*[QUIET] * 60)
        assert scene.capture.active and scene.sent == [] and scene.listens() == []
        assert scene.did()[-1] == "show idle: " + HINT

    await during(SoundScene(), steps)


async def test_a_voice_is_let_out_with_what_was_just_before_it_until_a_pause():
    async def steps(scene):
        scene.ready()
        await scene.sound(*[QUIET] * 60)
        await scene.sound(*[LOUD] * 10)
        await scene.sound(*[QUIET] * (HANG_MS // 40 + 20))
        start, stop = scene.listens()
        kept = RING_MS // 40
        assert scene.numbers() == list(range(62 - kept + 1, 70 + HANG_MS // 40 + 1))
        assert start[:2] == ("start", "wake") and stop[:3] == ("stop", "wake", start[2])
        assert start[3] == scene.sent[0].seq
        assert stop[3] == (scene.sent[-1].seq + 1) & 0xFFFF

    await during(SoundScene(), steps)


async def test_no_frame_is_missing_between_the_word_and_the_turn():
    async def steps(scene):
        scene.ready()
        await scene.sound(*[QUIET] * 40 + [LOUD] * 12)
        stream = scene.listens()[0][2]
        scene.hear("wake", id=stream, text="okay_nabu")
        assert scene.voice.state == "listening"
        start = scene.listens()[-1]
        assert start[:3] == ("start", "auto", stream)
        assert start[3] == (scene.sent[-1].seq + 1) & 0xFFFF
        assert scene.last("listen")["text"] == "okay_nabu"
        await scene.sound(*[LOUD] * 3)
        scene.hear("turn", id=stream, state="accepted")
        await scene.sound(*[QUIET] * (HANG_MS // 40 + 10))  # the gate is no more in it
        numbers = scene.numbers()
        assert numbers == list(range(numbers[0], scene.count + 1))
        assert len(scene.listens()) == 2

    await during(SoundScene(), steps)


async def test_a_word_of_another_stream_does_nothing():
    async def steps(scene):
        scene.ready()
        await scene.sound(*[QUIET] * 20)
        scene.hear("wake", id="", text="okay_nabu")
        await scene.sound(*[LOUD] * 12)
        scene.hear("wake", id="other-w1", text="okay_nabu")
        stream = scene.listens()[0][2]
        await scene.sound(*[QUIET] * (HANG_MS // 40 + 1))
        scene.hear("wake", id=stream, text="okay_nabu")
        assert scene.voice.state == "idle" and scene.listens()[-1][0] == "stop"

    await during(SoundScene(), steps)


async def test_a_press_begins_a_turn_of_its_own():
    async def steps(scene):
        scene.ready()
        await scene.sound(*[QUIET] * 20 + [LOUD] * 5)
        scene.voice.talk_down()
        scene.voice.talk_up()
        states = [row[:2] for row in scene.listens()]
        assert states == [("start", "wake"), ("stop", "wake"), ("start", "auto")]
        before = len(scene.sent)
        await scene.sound(*[LOUD] * 5)
        assert len(scene.sent) == before  # until the bridge has accepted
        scene.hear("turn", id=scene.turn_id(), state="accepted")
        assert len(scene.sent) == before + 5

    await during(SoundScene(), steps)


async def speaks(scene):
    """The bridge speaks."""
    scene.hear("tts", state="start", seq=5)
    scene.later(50)


async def test_a_half_duplex_device_is_deaf_while_it_speaks_and_for_its_echo_after_it():
    async def steps(scene):
        scene.ready()
        await speaks(scene)
        assert not scene.capture.active
        scene.hear("tts", state="stop")
        scene.playback.end(Report(None, 0, 0, 0, 0))
        assert scene.voice.state == "idle"
        scene.later(150)
        assert not scene.capture.active
        scene.later(100)
        assert scene.capture.active

    await during(SoundScene(), steps)


async def test_the_word_interrupts_the_reply_where_the_device_hears_while_it_speaks():
    async def steps(scene):
        scene.ready()
        await speaks(scene)
        await scene.sound(*[QUIET] * 20 + [LOUD] * 12)
        stream = scene.listens()[0][2]
        scene.playback.heard_seq = 9
        del scene.journal[:]
        scene.hear("wake", id=stream, text="okay_nabu")
        posts = [name for name, _ in scene.link.posts]
        assert posts[-2:] == ["abort", "listen"]
        assert scene.last("abort")["reason"] == "wake" and scene.last("abort")["seq"] == 9
        assert scene.did()[:2] == ["playback stop", "post abort wake"]
        assert scene.voice.state == "listening" and scene.capture.active
        numbers = scene.numbers()
        await scene.sound(LOUD)
        assert scene.numbers() == numbers + [scene.count]

    await during(SoundScene(full_duplex=True), steps)


async def test_a_bridge_that_looks_for_no_word_gets_nothing():
    async def steps(scene):
        scene.ready()
        scene.hear("hello", session_id="s", audio_params=AUDIO)
        scene.later(1000)
        assert not scene.capture.active and scene.sent == []

    await during(SoundScene(), steps)


async def test_it_stops_at_once_when_it_is_not_wanted():
    async def steps(scene):
        scene.ready()
        await scene.sound(*[QUIET] * 20 + [LOUD] * 5)
        scene.settings.set("wake", "off")
        assert not scene.capture.active and scene.listens()[-1][0] == "stop"
        sent = len(scene.sent)
        scene.later(1000)
        await scene.sound(*[LOUD] * 5)
        assert len(scene.sent) == sent and not scene.capture.active

    await during(SoundScene(), steps)


async def test_a_lost_link_and_a_new_session_end_the_stream():
    async def steps(scene):
        scene.ready()
        await scene.sound(*[QUIET] * 20 + [LOUD] * 5)
        scene.hear("hello", session_id="s", audio_params=AUDIO, wake=True)
        scene.later(300)
        assert scene.capture.active
        await scene.sound(*[QUIET] * 5)
        assert [row[:2] for row in scene.listens()][:1] == [("start", "wake")]
        scene.voice.link_event("link_down")
        assert not scene.capture.active

    await during(SoundScene(), steps)


async def test_a_microphone_that_does_not_start_is_tried_again_after_the_next_turn():
    async def steps(scene):
        def fail():
            raise OSError(5)

        scene.microphone.start, start = fail, scene.microphone.start
        scene.ready()
        scene.later(1000)
        assert not scene.microphone.running
        scene.microphone.start = start
        scene.hear("turn", id="b-1", state="thinking")
        scene.later(300)
        assert scene.microphone.running

    await during(SoundScene(), steps)


async def test_a_muted_microphone_begins_nothing_whatever_the_bridge_says():
    async def steps(scene):
        scene.ready()
        scene.settings.set("microphone", "off")
        scene.microphone.starts = 0
        scene.hear("wake", id="b-w1", text="okay_nabu")
        scene.voice.talk_down()
        assert scene.voice.state == "idle" and not scene.microphone.starts
        scene.hear("tts", state="start", seq=5)
        scene.hear("tts", state="stop", listen=True)
        scene.playback.end(Report(9, 0, 0, 0, 0))
        scene.later(500)
        assert scene.voice.state == "idle" and not scene.microphone.starts
        assert scene.listens() == []
        scene.voice.talk_held()
        assert scene.settings.get("microphone") == "on"
        scene.later(300)
        assert scene.microphone.running

    await during(SoundScene(), steps)


async def test_a_hostile_bridge_does_not_open_a_muted_microphone():
    async def steps(scene):
        scene.ready()
        scene.settings.set("microphone", "off")
        scene.microphone.starts = 0
        base = {"id": "b-1", "text": "okay_nabu", "seq": 5, "listen": True, "last_seq": 5}
        kinds = (
            ("wake", {}),
            ("turn", {"state": "accepted"}),
            ("turn", {"state": "thinking"}),
            ("turn", {"state": "listening"}),
            ("turn", {"state": "done"}),
            ("stt", {}),
            ("tts", {"state": "start"}),
            ("tts", {"state": "stop"}),
            ("tts", {"state": "stop", "cut": True}),
        )
        number = 7
        for _ in range(600):
            number = (number * 1103 + 12345) % 65536
            name, values = kinds[number // 7 % len(kinds)]
            values = dict(base, **values)
            scene.hear(name, **values)
            if number % 5 == 0 and scene.playback.on_played is not None:
                scene.playback.end(Report(5, 0, 0, 0, 0))
            if number % 11 == 0:
                scene.hear("hello", session_id="s", audio_params=AUDIO, wake=True)
            scene.later(number % 400)
        assert scene.settings.get("microphone") == "off"
        assert not scene.microphone.starts and not scene.sent

    await during(SoundScene(), steps)


async def test_muting_ends_what_is_being_heard():
    async def steps(scene):
        scene.ready(wanted=False)
        scene.voice.talk_down()
        scene.voice.talk_up()
        scene.hear("turn", id=scene.turn_id(), state="accepted")
        await scene.sound(LOUD, LOUD)
        scene.settings.set("microphone", "off")
        assert scene.voice.state == "idle" and not scene.microphone.running
        assert scene.last("abort")["reason"] == "muted"

    await during(SoundScene(), steps)

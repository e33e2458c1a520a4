"""The microphone that stays on in thinking: who speaks on is heard whole, and nobody else."""

from fakes.device.sound_scene import SoundScene, during

QUIET, LOUD = 10, 4000
HEAR_MS = 1200


async def thinking(scene, wake=False, **values):
    """A turn whose end the bridge has heard after five frames; the bridge asks for `values`."""
    scene.ready(wanted=wake)
    scene.voice.talk_down()
    scene.voice.talk_up()
    scene.hear("turn", id=scene.turn_id(), state="accepted")
    await scene.sound(*[LOUD] * 5)
    scene.hear("turn", id=scene.turn_id(), state="thinking", **values)
    scene.did()


async def test_who_speaks_on_is_heard_without_a_gap():
    async def steps(scene):
        await thinking(scene, hear_ms=HEAR_MS)
        await scene.sound(*[LOUD] * 10)
        scene.hear("turn", id=scene.turn_id(), state="listening")
        await scene.sound(*[LOUD] * 3)
        first = scene.listens()[0][3]
        seqs = [(frame.seq - first) & 0xFFFF for frame in scene.sent]
        assert seqs == list(range(18)) and scene.numbers()[-1] == scene.count
        assert scene.voice.state == "listening" and scene.did() == ["show listening"]
        assert len(scene.listens()) == 1

    await during(SoundScene(), steps)


async def test_an_older_bridge_closes_the_microphone_with_the_end_of_speech():
    async def steps(scene):
        await thinking(scene)
        assert not scene.capture.active and len(scene.sent) == 5
        scene.hear("turn", id=scene.turn_id(), state="listening")
        assert scene.voice.state == "thinking" and not scene.capture.active

    await during(SoundScene(), steps)


async def test_after_its_time_it_is_off_and_the_bridge_knows_the_last_frame():
    async def steps(scene):
        await thinking(scene, hear_ms=HEAR_MS)
        await scene.sound(*[QUIET] * (HEAR_MS // 40 - 1))
        assert scene.capture.active and len(scene.listens()) == 1
        await scene.sound(QUIET)
        assert not scene.capture.active and scene.voice.state == "thinking"
        stop = scene.listens()[-1]
        assert stop[:3] == ("stop", "auto", scene.listens()[0][2])
        assert stop[3] == (scene.sent[-1].seq + 1) & 0xFFFF
        scene.hear("turn", id=scene.turn_id(), state="listening")  # it crossed the stop
        assert scene.voice.state == "thinking" and not scene.capture.active

    await during(SoundScene(), steps)


async def test_it_is_off_as_soon_as_something_is_done_spoken_aborted_or_lost():
    ends = (
        (lambda scene: scene.hear("turn", id=scene.turn_id(), state="thinking"), "thinking"),
        (lambda scene: scene.hear("tts", state="start", seq=5), "speaking"),
        (lambda scene: scene.hear("turn", id=scene.turn_id(), state="done"), "idle"),
        (lambda scene: scene.hear("goodbye"), "connecting"),
        (lambda scene: scene.voice.talk_down(), "idle"),
        (lambda scene: scene.voice.link_event("link_down"), "offline"),
        (lambda scene: scene.settings.set("microphone", "off"), "thinking"),
    )
    for end, state in ends:
        for full_duplex in (False, True):

            async def steps(scene, end=end, state=state):
                await thinking(scene, hear_ms=HEAR_MS)
                sent = len(scene.sent)
                end(scene)
                assert scene.voice.state == state
                assert not scene.capture.active, state
                await scene.sound(LOUD)
                assert len(scene.sent) == sent, state

            await during(SoundScene(full_duplex), steps)


async def test_a_muted_microphone_stays_off_though_the_bridge_asks_for_it():
    async def steps(scene):
        await thinking(scene, hear_ms=HEAR_MS)
        scene.settings.set("microphone", "off")
        for state in ("thinking", "listening", "thinking"):
            scene.hear("turn", id=scene.turn_id(), state=state, hear_ms=HEAR_MS)
            assert not scene.capture.active and scene.voice.state == "thinking"
        await scene.sound(*[LOUD] * 40)
        assert len(scene.sent) == 5 and len(scene.listens()) == 1

    await during(SoundScene(), steps)


async def test_the_wake_word_is_waited_for_only_when_the_turn_hears_no_more():
    async def steps(scene):
        await thinking(scene, wake=True, hear_ms=HEAR_MS)
        await scene.sound(*[LOUD] * (HEAR_MS // 40 - 1))
        assert [listen[1] for listen in scene.listens()] == ["auto"]
        await scene.sound(QUIET, QUIET)
        assert [listen[:2] for listen in scene.listens()] == [("start", "auto"), ("stop", "auto")]
        await scene.sound(*[LOUD] * 3)
        assert scene.listens()[-1][:2] == ("start", "wake")

    await during(SoundScene(), steps)

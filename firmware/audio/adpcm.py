"""IMA ADPCM packets of one frame, byte for byte what CPython's audioop makes of the samples.

A packet is the payload of voxwire.audio: predictor (i16, big-endian), step index, a zero byte,
then four bits a sample. Viper works on 64-bit words on a PC and on 32-bit ones on a board: only
ptr8 and ptr16 are used, signs are extended by hand, and tables come as arguments because viper
takes pointers from nowhere else.
"""

from array import array

HEADER_BYTES = 4

# The step sizes of the IMA recommendation, one for each step index from 0 to 88.
_STEPS = array(
    "H",
    [
        7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60,
        66, 73, 80, 88, 97, 107, 118, 130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371,
        408, 449, 494, 544, 598, 658, 724, 796, 876, 963, 1060, 1166, 1282, 1411, 1552, 1707,
        1878, 2066, 2272, 2499, 2749, 3024, 3327, 3660, 4026, 4428, 4871, 5358, 5894, 6484, 7132,
        7845, 8630, 9493, 10442, 11487, 12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623,
        27086, 29794, 32767,
    ],
)  # fmt: skip
# How far a code moves the step index, plus 1 so that a byte holds it.
_MOVES = b"\x00\x00\x00\x00\x03\x05\x07\x09"


def new_state():
    """The encoder's state at the start of a stream: predictor and step index, both 0."""
    return array("H", [0, 0])


def encode(pcm, samples: int, packet, state) -> int:
    """Write the packet of `samples` pcm16 samples (an even number) and return its bytes.

    `state` is read and left as the next packet of the stream needs it. Allocates nothing.
    """
    _encode(pcm, samples, packet, state, _STEPS, _MOVES)
    return HEADER_BYTES + (samples >> 1)


def decode(packet, size: int, pcm) -> int:
    """Write the samples of a packet of `size` bytes as pcm16 and return their number.

    The caller has checked the step index (voxwire.audio.check). Allocates nothing.
    """
    _decode(packet, size, pcm, _STEPS, _MOVES)
    return (size - HEADER_BYTES) << 1


@micropython.viper
def _encode(pcm: ptr16, samples: int, packet: ptr8, state: ptr16, steps: ptr16, moves: ptr8):
    predictor = int(state[0])
    index = int(state[1])
    packet[0] = predictor >> 8
    packet[1] = predictor
    packet[2] = index
    packet[3] = 0
    if predictor & 0x8000:
        predictor -= 65536
    i = 0
    while i < samples:
        sample = int(pcm[i])
        if sample & 0x8000:
            sample -= 65536
        step = int(steps[index])
        difference = sample - predictor
        code = 0
        if difference < 0:
            code = 8
            difference = 0 - difference
        change = step >> 3
        if difference >= step:
            code |= 4
            difference -= step
            change += step
        step >>= 1
        if difference >= step:
            code |= 2
            difference -= step
            change += step
        step >>= 1
        if difference >= step:
            code |= 1
            change += step
        if code & 8:
            predictor -= change
            if predictor < -32768:
                predictor = -32768
        else:
            predictor += change
            if predictor > 32767:
                predictor = 32767
        index += int(moves[code & 7]) - 1
        if index < 0:
            index = 0
        elif index > 88:
            index = 88
        if i & 1:
            packet[4 + (i >> 1)] = int(packet[4 + (i >> 1)]) | code
        else:
            packet[4 + (i >> 1)] = code << 4
        i += 1
    state[0] = predictor
    state[1] = index


@micropython.viper
def _decode(packet: ptr8, size: int, pcm: ptr16, steps: ptr16, moves: ptr8):
    predictor = int(packet[0]) << 8 | int(packet[1])
    if predictor & 0x8000:
        predictor -= 65536
    index = int(packet[2])
    i = 0
    samples = (size - 4) << 1
    while i < samples:
        code = int(packet[4 + (i >> 1)])
        if i & 1:
            code &= 15
        else:
            code >>= 4
        step = int(steps[index])
        change = step >> 3
        if code & 4:
            change += step
        if code & 2:
            change += step >> 1
        if code & 1:
            change += step >> 2
        if code & 8:
            predictor -= change
            if predictor < -32768:
                predictor = -32768
        else:
            predictor += change
            if predictor > 32767:
                predictor = 32767
        index += int(moves[code & 7]) - 1
        if index < 0:
            index = 0
        elif index > 88:
            index = 88
        pcm[i] = predictor
        i += 1

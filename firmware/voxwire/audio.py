"""The audio frame: an 8-byte header and one packet of mono sound (design section 3.3).

Bytes: u8 version, u8 codec, u16 seq, u32 timestamp in ms, payload; big-endian. pcm16 samples are
little-endian. An ima-adpcm payload opens with its predictor (i16), step index (u8) and a zero
byte, then four bits a sample, the first sample of a byte in the high half (as CPython's audioop).
"""

import struct
from collections import namedtuple

from voxwire.errors import WireError

VERSION = 1
PCM16, IMA_ADPCM, OPUS = 0, 1, 2
FORMATS = {"pcm16": PCM16, "ima-adpcm": IMA_ADPCM, "opus": OPUS}
RATES_HZ = (16000, 24000)
FRAME_MS = (20, 40, 60)

HEADER_BYTES = 8
ADPCM_HEADER_BYTES = 4
STEP_INDEX_MAX = 88
# 60 ms of pcm16 at 24 kHz, the largest legal packet.
FRAME_BYTES_MAX = HEADER_BYTES + 2880

_HEADER = ">BBHI"

AudioFrame = namedtuple("AudioFrame", ("codec", "seq", "timestamp_ms", "payload"))


def write_header(buffer, codec: int, seq: int, timestamp_ms: int) -> None:
    """Write the header into the first 8 bytes of `buffer`; the payload follows them in place."""
    # Byte by byte: `timestamp_ms & 0xFFFFFFFF` is a big integer in the heap on 32 bit.
    buffer[0], buffer[1] = VERSION, codec
    buffer[2], buffer[3] = seq >> 8 & 0xFF, seq & 0xFF
    buffer[4], buffer[5] = timestamp_ms >> 24 & 0xFF, timestamp_ms >> 16 & 0xFF
    buffer[6], buffer[7] = timestamp_ms >> 8 & 0xFF, timestamp_ms & 0xFF


def encode(frame: AudioFrame) -> bytes:
    """The bytes of one frame."""
    header = bytearray(HEADER_BYTES)
    write_header(header, frame.codec, frame.seq, frame.timestamp_ms)
    return bytes(header) + bytes(frame.payload)


def check(data) -> None:
    """WireError unless `data` is one frame; allocates nothing when it is."""
    length = len(data)
    if length < HEADER_BYTES:
        raise WireError("audio", "is %d bytes, a header has %d" % (length, HEADER_BYTES))
    if length > FRAME_BYTES_MAX:
        raise WireError("audio", "is %d bytes, the limit is %d" % (length, FRAME_BYTES_MAX))
    if data[0] != VERSION:
        raise WireError("audio.version", "is %d, this side speaks %d" % (data[0], VERSION))
    codec = data[1]
    if codec == PCM16:
        if length & 1:
            raise WireError("audio.payload", "has half a sample")
    elif codec == IMA_ADPCM:
        if length < HEADER_BYTES + ADPCM_HEADER_BYTES:
            raise WireError("audio.payload", "has no predictor")
        if data[HEADER_BYTES + 2] > STEP_INDEX_MAX:
            raise WireError("audio.payload", "has a step index over %d" % STEP_INDEX_MAX)
    elif codec != OPUS:
        raise WireError("audio.codec", "is %d, none of the protocol" % codec)


def seq_of(data) -> int:
    """The sequence number of a checked frame."""
    return data[2] << 8 | data[3]


def decode(data) -> AudioFrame:
    """Parse one frame; the payload is a view of `data` where `data` is a memoryview."""
    check(data)
    _, codec, seq, timestamp_ms = struct.unpack_from(_HEADER, data, 0)
    return AudioFrame(codec, seq, timestamp_ms, data[HEADER_BYTES:])


def distance(seq: int, base: int) -> int:
    """How many frames `seq` is ahead of `base` (negative: behind), -32768 to 32767."""
    ahead = (seq - base) & 0xFFFF
    return ahead - 0x10000 if ahead & 0x8000 else ahead


def samples_of(codec: int, payload_bytes: int, rate_hz: int, frame_ms: int) -> int:
    """Samples in one packet; for opus the negotiated frame decides."""
    if codec == PCM16:
        return payload_bytes // 2
    if codec == IMA_ADPCM:
        return (payload_bytes - ADPCM_HEADER_BYTES) * 2
    return rate_hz * frame_ms // 1000

"""WAV files of 16-bit PCM, which need no decoder.

FFmpeg reads 64 KB of such a file before the first sound, to see whether it is S/PDIF in disguise:
up to two seconds of a voice that is being made. Format: RFC 2361, Microsoft's RIFF.
"""

import struct
from dataclasses import dataclass

HEADER_BYTES = 4096  # what stands before the samples; longer ones are left to FFmpeg
_PCM = 1
_FORMAT = struct.Struct("<HHIIHH")  # tag, channels, rate, bytes a second, bytes a frame, bits


@dataclass(frozen=True, slots=True, kw_only=True)
class WavHeader:
    """`data_at` is where the samples begin."""

    rate_hz: int
    channels: int
    data_at: int


def wav_header(head: bytes) -> WavHeader | None:
    """Of a file that begins with `head` (HEADER_BYTES, or all of it); None where the samples are
    not 16-bit PCM of one or two channels, or do not begin in it."""
    if head[:4] != b"RIFF" or head[8:12] != b"WAVE":
        return None
    at, sound = 12, None
    while at + 8 <= len(head):
        kind, size = struct.unpack_from("<4sI", head, at)
        at += 8
        if kind == b"data":
            return None if sound is None else WavHeader(
                rate_hz=sound[1], channels=sound[0], data_at=at
            )  # fmt: skip
        if kind == b"fmt ":
            if size < _FORMAT.size or at + _FORMAT.size > len(head):
                return None
            tag, channels, rate_hz, _, frame_bytes, bits = _FORMAT.unpack_from(head, at)
            if (tag, bits) != (_PCM, 16) or channels not in (1, 2) or frame_bytes != 2 * channels:
                return None
            sound = channels, rate_hz
        at += size + (size & 1)
    return None

"""pcm16 mono out of a WAV file that is still coming; pure.

What is piped from ffmpeg has no true length in its header, so every byte after it counts.
"""

import struct

_HEADER_MAX = 65_536  # bytes before the samples
_FORMAT = struct.Struct("<HHIIHH")  # tag, channels, rate, bytes a second, bytes a frame, bits
_PCM = (1, 0xFFFE)  # plain, and the extensible form of it


class NotPlayable(ValueError):  # noqa: N818 - names the state
    """It is no WAV of 16 bits, mono; the text completes "it sends"."""


class WavStream:
    """`push` bytes, get samples; `rate_hz` is 0 until the header came."""

    def __init__(self) -> None:
        self.rate_hz = 0
        self._buffer = b""
        self._in_samples = False

    def push(self, data: bytes) -> bytes:
        """The whole samples that are there now; raises NotPlayable."""
        self._buffer += data
        if not self._in_samples:
            self._read_header()
        if not self._in_samples:
            return b""
        size = len(self._buffer) & ~1
        pcm, self._buffer = self._buffer[:size], self._buffer[size:]
        return pcm

    def _read_header(self) -> None:
        head = self._buffer
        if len(head) < 12:
            return
        if head[:4] != b"RIFF" or head[8:12] != b"WAVE":
            raise NotPlayable("sound that is no WAV")
        at = 12
        while len(head) >= at + 8:
            name, size = head[at : at + 4], int.from_bytes(head[at + 4 : at + 8], "little")
            if name == b"data":
                if not self.rate_hz:
                    raise NotPlayable("a WAV without its format")
                self._buffer, self._in_samples = head[at + 8 :], True
                return
            if len(head) < at + 8 + size:
                break
            if name == b"fmt ":
                self._read_format(head[at + 8 : at + 8 + size])
            at += 8 + size + (size & 1)
        if len(head) > _HEADER_MAX:
            raise NotPlayable("a WAV without samples")

    def _read_format(self, data: bytes) -> None:
        if len(data) < _FORMAT.size:
            raise NotPlayable("a WAV without its format")
        tag, channels, rate_hz, _, _, bits = _FORMAT.unpack_from(data)
        if tag not in _PCM or channels != 1 or bits != 16 or not 4000 <= rate_hz <= 192_000:
            raise NotPlayable("sound that is not 16 bit, mono")
        self.rate_hz = rate_hz

"""Opus packets to pcm16 and back, by FFmpeg's libopus in PyAV.

60 ms of speech cost about 1 ms to encode and 0.1 ms to decode on one core, so both run where the
packets come in.
"""

from fractions import Fraction
from typing import TYPE_CHECKING

from voxcard.assistants import RATE_HZ

if TYPE_CHECKING:
    pass

FRAME_MS = 60
FRAME_BYTES = RATE_HZ * FRAME_MS // 1000 * 2
DECODED_HZ = 48_000  # whatever was encoded: each packet says itself what it is (RFC 6716, 3.1)
_BIT_RATE = 24_000
_COMPLEXITY = 5
_PACKET_MAX = 1275 * 48  # RFC 6716, 3.4: 48 frames of 1275 bytes


class Encoder:
    """pcm16 mono of 16 kHz, FRAME_BYTES at a time, to packets."""

    def __init__(self) -> None:
        import av

        context = av.CodecContext.create("libopus", "w")
        context.sample_rate = RATE_HZ
        context.layout = "mono"
        context.format = "s16"
        context.bit_rate = _BIT_RATE
        context.time_base = Fraction(1, RATE_HZ)
        context.options = {
            "frame_duration": str(FRAME_MS),
            "application": "voip",
            "compression_level": str(_COMPLEXITY),
        }
        context.open()
        self._context = context
        self._samples = 0

    def encode(self, pcm: bytes) -> list[bytes]:
        """The packets that are complete with `pcm`."""
        import av

        frame = av.AudioFrame(format="s16", layout="mono", samples=len(pcm) // 2)
        frame.planes[0].update(pcm)
        frame.sample_rate = RATE_HZ
        frame.time_base = Fraction(1, RATE_HZ)
        frame.pts = self._samples
        self._samples += frame.samples
        return [bytes(packet) for packet in self._context.encode(frame)]

    def end(self) -> list[bytes]:
        """What the encoder still holds."""
        return [bytes(packet) for packet in self._context.encode(None)]


class Decoder:
    """Packets of any frame length and bandwidth to pcm16 mono at DECODED_HZ."""

    def __init__(self) -> None:
        import av

        context = av.CodecContext.create("libopus", "r")
        context.sample_rate = DECODED_HZ
        context.layout = "mono"
        context.open()
        self._context = context

    def decode(self, packet: bytes) -> bytes:
        """Its samples; b"" for what is no Opus packet."""
        import av

        if not packet or len(packet) > _PACKET_MAX:  # an empty one would end the decoder
            return b""
        try:
            frames = self._context.decode(av.Packet(packet))
        except av.FFmpegError:
            return b""
        return b"".join(bytes(each.planes[0])[: each.samples * 2] for each in frames)

"""Sound as a Home Assistant sends it."""

import asyncio
from collections.abc import AsyncIterator


def wav(pcm: bytes, *, rate_hz: int = 16000, channels: int = 1, size: int = 0xFFFFFFFF) -> bytes:
    """A WAV as ffmpeg pipes it: `size` is no true length, and a LIST comes before the samples."""
    info = b"LIST" + (26).to_bytes(4, "little") + b"INFOISFT\x0e\0\0\0Lavf61.7.100\0\0"
    form = b"\x01\0" + channels.to_bytes(2, "little") + rate_hz.to_bytes(4, "little")
    form += (rate_hz * 2 * channels).to_bytes(4, "little") + bytes((2 * channels, 0, 16, 0))
    head = b"WAVEfmt " + (16).to_bytes(4, "little") + form + info
    return b"RIFF" + size.to_bytes(4, "little") + head + b"data" + size.to_bytes(4, "little") + pcm


async def endless(chunk: bytes) -> AsyncIterator[bytes]:
    while True:
        yield chunk
        await asyncio.sleep(0)

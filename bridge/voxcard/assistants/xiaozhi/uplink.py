"""The microphone's audio to the server."""

import asyncio
from collections.abc import AsyncIterator

from voxcard.assistants.xiaozhi.wire.connection import Connection
from voxcard.assistants.xiaozhi.wire.opus import FRAME_BYTES, FRAME_MS, Encoder

SILENCE = bytes(FRAME_BYTES)


async def send_speech(
    connection: Connection, audio: AsyncIterator[bytes], not_before_s: float
) -> None:
    """Send `audio` to its end, then `listen stop`; raises XiaozhiProblem.

    `not_before_s`: of the loop's clock; the server would throw away what comes earlier.
    """
    encoder, pcm, sent = Encoder(), bytearray(), 0
    await asyncio.sleep(max(0.0, not_before_s - asyncio.get_running_loop().time()))
    async for piece in audio:
        pcm += piece
        while len(pcm) >= FRAME_BYTES:
            frame = bytes(pcm[:FRAME_BYTES])
            del pcm[:FRAME_BYTES]
            for packet in encoder.encode(frame):
                await connection.send_audio(packet, sent * FRAME_MS)
                sent += 1
            await asyncio.sleep(0)  # audio that waited comes all at once: others have their turn
    rest = encoder.encode(bytes(pcm).ljust(FRAME_BYTES, b"\0")) if pcm else []
    for packet in rest + encoder.end():
        await connection.send_audio(packet, sent * FRAME_MS)
        sent += 1
    await connection.send("listen", state="stop")


async def send_silence(connection: Connection) -> None:
    """One frame without sound."""
    for packet in Encoder().encode(SILENCE):
        await connection.send_audio(packet, 0)

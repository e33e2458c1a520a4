"""Sends the microphone of one turn to the server, at the server's rate."""

from collections.abc import AsyncIterator

from voxcard.assistants import RATE_HZ
from voxcard.assistants.realtime.turn.playback import milliseconds
from voxcard.assistants.realtime.wire import client_events
from voxcard.assistants.realtime.wire.connection import MicrophoneEnded
from voxcard.assistants.realtime.wire.session import Session
from voxcard.audio import Resampler

_SECOND_BYTES = client_events.RATE_HZ * 2
_KEPT_MAX = 60 * _SECOND_BYTES


class Microphone:
    """Resampling 40 ms of sound takes 0.01 ms on a PC (median), so it stays on the loop."""

    def __init__(self, audio: AsyncIterator[bytes], session: Session) -> None:
        self._audio = audio
        self._session = session
        self._kept = bytearray()  # what another session would have to hear again
        self._size = 0
        self._ended = False

    def heard(self) -> None:
        """What was sent so far need not be heard again."""
        self._kept.clear()

    def move(self, session: Session) -> None:
        """Go on with another session, which hears again what was not understood yet."""
        self._session = session
        for at in range(0, len(self._kept), _SECOND_BYTES):
            session.hear(bytes(self._kept[at : at + _SECOND_BYTES]))
        if self._ended:
            self._end()

    async def run(self) -> None:
        resampler = Resampler(client_events.RATE_HZ)
        async for piece in self._audio:
            self._hear(resampler.put(piece, RATE_HZ))
        self._hear(resampler.end())
        self._ended = True
        self._end()

    def _hear(self, pcm: bytes) -> None:
        self._size += len(pcm)
        self._kept += pcm
        if len(self._kept) > _KEPT_MAX + _SECOND_BYTES:
            del self._kept[:_SECOND_BYTES]
        self._session.hear(pcm)

    def _end(self) -> None:
        self._session.connection.post(MicrophoneEnded(sent_ms=milliseconds(self._size)))

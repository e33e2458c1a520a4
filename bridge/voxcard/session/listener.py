"""Routes a device's microphone frames to its running turn."""

import asyncio
from collections import deque
from collections.abc import Callable

from voxwire.errors import WireError
from voxwire.message import Listen

from voxcard.errors import VoxcardError
from voxcard.link.devices import DeviceLog
from voxcard.session.device_turns import DeviceTurns
from voxcard.session.turn.events import Released
from voxcard.session.turn.queue import TurnQueue
from voxcard.session.uplink import Microphone

# Frames that came before their `listen`: messages and frames have topics of their own, and a
# broker may deliver one before the other.
EARLY_FRAMES = 8
LAST_FRAMES_S = 0.04  # at most, for frames that `listen stop` overtook


class Listener:
    """Begins and ends the listening of one device; `keep_audio`: recordings are kept."""

    def __init__(
        self,
        queue: TurnQueue,
        turns: DeviceTurns,
        log: Callable[[], DeviceLog],
        *,
        keep_audio: bool,
    ) -> None:
        self._queue = queue
        self._turns = turns
        self._log = log
        self._keep_audio = keep_audio
        self._early: deque[bytes] = deque(maxlen=EARLY_FRAMES)
        self._garbled = False  # said once a turn
        self._released: Listen | None = None  # a stop whose last frames are on their way

    def start(self, message: Listen, *, full_duplex: bool) -> None:
        """The device listens: begin its turn, with the frames that came before the message."""
        realtime = message.mode == "realtime" and full_duplex
        if message.mode == "realtime" and not full_duplex:
            self._log().warning("listen.mode: realtime needs full duplex sound; taken as auto")
        now_s = asyncio.get_running_loop().time()
        microphone = Microphone(message.seq or 0, now_s, realtime=realtime, keep=self._keep_audio)
        try:
            self._turns.voice(message.id, microphone, held=message.mode == "manual")
        except VoxcardError as error:
            self._log().warning("%s", error)
            return
        self._garbled, self._released = False, None
        early = list(self._early)
        self._early.clear()
        for frame in early:
            self.frame(frame)

    def stop(self, message: Listen) -> None:
        """The person let go of the button: end the listening once the frames before are there.

        A `message` that does not say which frame would come next gets the whole wait.
        """
        self._released = message
        if not self._end_released():
            asyncio.get_running_loop().call_later(LAST_FRAMES_S, self._end, message)

    def _end_released(self) -> bool:
        """End the listening if every frame before the stop is there."""
        message, microphone = self._released, self._queue.microphone
        if message is None or message.seq is None or microphone is None:
            return False
        if microphone.missing(message.seq):
            return False
        self._end(message)
        return True

    def _end(self, message: Listen) -> None:
        if self._released is message:
            self._released = None
            self._queue.feed(Released(turn=message.id))

    def frame(self, frame: bytes) -> None:
        """Take one frame; the hot path."""
        microphone = self._queue.microphone
        if microphone is None:
            self._early.append(frame)
            return
        try:
            microphone.add(frame, asyncio.get_running_loop().time())
        except (WireError, ValueError) as error:
            if not self._garbled:
                self._garbled = True
                self._log().warning("mic: %s", error)
            return
        if microphone.received == 1 and self._queue.turn is not None:
            self._queue.turn.mark("listening")
        if self._released is not None:
            self._end_released()

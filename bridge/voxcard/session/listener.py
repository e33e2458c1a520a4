"""Routes a device's microphone frames to its running turn."""

import asyncio
from collections import deque
from collections.abc import Callable

from voxwire.errors import WireError
from voxwire.message import Listen

from voxcard.errors import VoxcardError
from voxcard.link.devices import DeviceLog
from voxcard.session.device_turns import DeviceTurns
from voxcard.session.services import Services
from voxcard.session.turn.events import Released
from voxcard.session.turn.queue import TurnQueue
from voxcard.session.uplink import Microphone
from voxcard.wake.ear import Call, Ear

# Frames that came before their `listen`: messages and frames have topics of their own, and a
# broker may deliver one before the other.
# A wake word's stream begins with all that the device kept.
EARLY_FRAMES = 24
LAST_FRAMES_S = 0.04  # at most, for frames that `listen stop` overtook


class Listener:
    """Begins and ends the listening of one device; `ear` hears its wake words, if it has any."""

    def __init__(
        self,
        queue: TurnQueue,
        turns: DeviceTurns,
        log: Callable[[], DeviceLog],
        services: Services,
        ear: Ear | None,
    ) -> None:
        self._queue = queue
        self._turns = turns
        self._log = log
        self._keep_audio = services.keep_audio
        self._ear = ear
        self._gate: Microphone | None = None  # what the ear listens to
        self._early: deque[bytes] = deque(maxlen=EARLY_FRAMES)
        self._garbled = False  # said once a turn
        self._released: Listen | None = None  # a stop whose last frames are on their way

    def start(self, message: Listen, *, full_duplex: bool) -> None:
        """The device listens: begin its turn, with the frames that came before the message."""
        if message.mode == "wake":
            self._open_gate(message)
            return
        realtime = message.mode == "realtime" and full_duplex
        if message.mode == "realtime" and not full_duplex:
            self._log().warning("listen.mode: realtime needs full duplex sound; taken as auto")
        now_s = asyncio.get_running_loop().time()
        call, base = self._called(message.id), message.seq or 0
        microphone = Microphone(
            base if call is None or self._gate is None else self._gate.next_seq,
            now_s,
            realtime=realtime,
            keep=self._keep_audio,
            heard=call.pcm if call is not None else b"",
        )
        self._gate = None
        word = call.word if call is not None else ""
        try:
            self._turns.voice(message.id, microphone, held=message.mode == "manual", word=word)
        except VoxcardError as error:
            self._log().warning("%s", error)
            return
        self._garbled, self._released = False, None
        self._take_early()

    def _called(self, stream_id: str) -> Call | None:
        """The wake word's call that this turn is of, if it is of one."""
        if self._ear is None:
            return None
        return self._ear.take(stream_id)

    def _open_gate(self, message: Listen) -> None:
        """The device lets sound out in which its wake word may be."""
        if self._ear is None:
            self._log().info("listen.mode: no wake word is configured for this device")
            return
        self._log().debug("the gate opens")
        self._gate = Microphone(message.seq or 0, asyncio.get_running_loop().time())
        self._garbled = False
        self._ear.open(message.id)
        self._take_early()

    def close_gate(self) -> None:
        """The device lets nothing out any more; safe to call twice."""
        self._gate = None
        if self._ear is not None:
            self._ear.close()

    def _take_early(self) -> None:
        early = list(self._early)
        self._early.clear()
        for frame in early:
            self.frame(frame)

    def stop(self, message: Listen) -> None:
        """The person let go of the button: end the listening once the frames before are there.

        A `message` that does not say which frame would come next gets the whole wait.
        """
        if message.mode == "wake":
            self.close_gate()
            return
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
        microphone = self._gate or self._queue.microphone
        if microphone is None or microphone.closed:
            self._early.append(frame)
            return
        try:
            microphone.add(frame, asyncio.get_running_loop().time())
        except (WireError, ValueError) as error:
            if not self._garbled:
                self._garbled = True
                self._log().warning("mic: %s", error)
            return
        if self._gate is not None and self._ear is not None:
            self._ear.feed(microphone.drain())
            return
        if microphone.received == 1 and self._queue.turn is not None:
            self._queue.turn.mark("listening")
        if self._released is not None:
            self._end_released()

"""Lets the bridge look for the wake word: sound goes to it only while the gate is open.

Loaded when the setting `wake` is on. Between turns the microphone is on and its last moments are
kept in the capture's ring; when somebody seems to speak they go to the bridge, and what follows,
until the gate closes. When the bridge has heard the word, the same stream becomes the turn: no
sample is missing between the two. Nothing leaves a device whose microphone is muted.
"""

import os

import log
from session.wake_gate import CLOSED, OPENED, WakeGate
from voxwire.session import IDLE, LISTENING, SPEAKING, THINKING
from voxwire.ticks import elapsed_ms

HINT = "Say the wake word, or press the button."
_HALF, _FULL = (IDLE, THINKING), (IDLE, THINKING, SPEAKING)


class Wake:
    """The gate of one device. `voice` has the turns, `capture` the sound, `link` the bridge.

    `guard_ms`: of echo after the board has spoken; 0: it hears while it speaks.
    """

    def __init__(self, voice, link, view, capture, *, guard_ms, ticks_ms):
        self._voice, self._link, self._view, self._capture = voice, link, view, capture
        self._states = _HALF if guard_ms else _FULL
        self._guard_ms = guard_ms
        self._ticks_ms = ticks_ms
        self._gate = None
        self._runs = self._becomes_turn = self._broken = False
        self._since_ms = ticks_ms()
        self._count = 0
        self._id = ""  # of the stream that is open
        self.wanted = False  # whether the person and the bridge both want it

    def want(self, wanted: bool) -> None:
        """Begin to wait for the word, or stop it at once."""
        self.wanted = wanted
        if not wanted:
            self._stop()
            if self._voice.state == IDLE:
                self._view.set_state(IDLE)

    def moved(self, state: str) -> None:
        """The session has another state; called before anything else happens in it."""
        self._since_ms = self._ticks_ms()
        self._broken = False
        if state == LISTENING and self._becomes_turn:
            self._runs, self._becomes_turn, self._id = False, False, ""
            self._capture.on_frame = None
        elif state not in self._states:
            self._stop()

    def tick(self) -> None:
        """One look at the clock: the microphone goes on when it may. Allocates nothing else."""
        if self._runs and not self._capture.active:
            self._runs, self._id = False, ""  # a new session has configured it
        if self._runs or self._broken or not self.wanted or self._voice.state not in self._states:
            return
        if self._capture.active:  # a turn hears on
            return
        if elapsed_ms(self._ticks_ms(), self._since_ms) >= self._guard_ms:
            self._start()

    def heard(self, message) -> None:
        """The bridge has heard the word in the stream `message.id`."""
        if not self._id or message.id != self._id or not self._runs:
            log.info("wake", "the word was heard in a stream that is over")
            return
        self._becomes_turn = True
        self._voice.word(self._id, self._capture.next_seq, message.text)
        self._becomes_turn = False

    def _start(self):
        noise = os.urandom(2)
        try:
            self._capture.start(noise[0] << 8 | noise[1])
        except OSError as error:
            log.error("wake", "the microphone does not start: %s" % error)
            self._broken = True  # until the next turn
            return
        self._runs = True
        self._gate = WakeGate(self._capture.frame_ms)
        self._capture.on_frame = self._frame
        if self._voice.state == IDLE:
            self._view.set_state(IDLE, HINT)

    def _stop(self):
        if not self._runs:
            return
        self._runs = False
        self._capture.on_frame = None
        self._close()
        self._capture.stop()

    def _frame(self, voiced):
        change = self._gate.update(voiced)
        if change == OPENED:
            self._count += 1
            self._id = "%s-w%d" % (self._voice.boot, self._count)
            self._post("start", self._capture.next_seq)
            self._capture.open()
        elif change == CLOSED:
            self._close()

    def _close(self):
        if self._id:
            self._capture.hold()
            self._post("stop", self._capture.next_seq)
            self._id = ""

    def _post(self, state, seq):
        self._link.post("listen", id=self._id, state=state, mode="wake", seq=seq)

"""What the device does when the voice session changes: microphone, speaker, screen, messages.

The legal moves are voxwire.session's. Here are this side's reasons to move (a button, a message,
a limit) and what leaving a state switches off. Nothing waits: every method returns at once.
"""

import asyncio
import os
import time
from binascii import hexlify

import log
from audio import params
from turn import BRIDGE, MICROPHONE, Turn, lost
from voxwire import session
from voxwire.errors import WireError
from voxwire.session import CONNECTING, IDLE, LISTENING, OFFLINE, SPEAKING, THINKING

HOLD_MS = 400  # a button held longer is push to talk
ECHO_GUARD_MS = 200  # from the last sample of the speaker to the first of the microphone
STALE_MS = 2000  # how long after an abort the aborted reply may still arrive
TICK_MS = 50

NO_BRIDGE = "The bridge does not answer. Check that it is running."
NO_MICROPHONE = "No sound comes from the microphone. Check its wires, then restart the device."
TOO_LONG = "The answer took too long. Ask again."


class Voice:
    """Owns the session of one device; `run` is its task, the rest is called by events.

    `link` posts messages, `view` shows, `capture` and `playback` do the sound. A board that hears
    while it speaks takes `guard_ms=0`. `on_state(state)` is told of every move.
    """

    def __init__(
        self,
        link,
        view,
        capture,
        playback,
        *,
        guard_ms=ECHO_GUARD_MS,
        on_state=None,
        ticks_ms=time.ticks_ms,
        sleep_ms=asyncio.sleep_ms,
    ):
        self._link, self._view = link, view
        self._capture, self._playback = capture, playback
        self._guard_ms = guard_ms
        self._on_state = on_state
        self._ticks_ms, self._sleep_ms = ticks_ms, sleep_ms
        self._session = session.start(ticks_ms())
        self._id_prefix = hexlify(os.urandom(4)).decode()
        self._ids = 0
        self._turn = None
        self._over_id = None  # of the last turn that ended
        self._pressed_ms = self._guard_from_ms = self._aborted_ms = None
        self._heard_ms = 0  # the bridge's last word
        self._finishing = self._again = self._told = False
        playback.on_played = self._played
        link.check_hello = self.check_hello
        for type_name in ("hello", "turn", "stt", "tts", "alert", "goodbye"):
            link.on(type_name, getattr(self, type_name))

    @property
    def state(self) -> str:
        """The session's state."""
        return self._session.state

    # The person.

    def talk_down(self, held=False) -> None:
        """The talk button is pressed; `held`: it is known already that it is push to talk."""
        state = self.state
        if state == IDLE:
            self._wake(held)
        elif state == LISTENING:
            if self._turn is not None and self._turn.mode == "auto":
                self._end_listening()
        elif state == THINKING:
            self._abort("button")
        elif state == SPEAKING:
            self._abort("button")
            self._wake(held)
        else:
            log.info("voice", "a press in state %s does nothing" % state)

    def talk_up(self) -> None:
        """The talk button is released."""
        if self._pressed_ms is not None:
            self._ask("auto")
        elif self.state == LISTENING and self._turn is not None and self._turn.mode == "manual":
            self._end_listening()

    def cancel(self) -> None:
        """End the turn or the announcement, if there is one, and be idle."""
        if self.state in (LISTENING, THINKING, SPEAKING):
            self._abort("cancel")

    # The link.

    def link_event(self, event: str) -> None:
        """link_up or link_down."""
        self._drop_turn()
        self._move(event)

    def check_hello(self, message) -> None:
        """WireError, and the sentence on the screen, when this device cannot sound like that."""
        try:
            params.parse(message.audio_params)
        except WireError as error:
            if self.state == CONNECTING:
                self._told = True
                self._view.set_state(CONNECTING, str(error))
            raise

    def hello(self, message) -> None:
        """The bridge is there: a new session, whatever was before."""
        sound = params.parse(message.audio_params)
        self._drop_turn()
        if self._move("hello"):
            self._aborted_ms = None
            self._capture.configure(sound.format, sound.frame_ms)
            self._playback.configure(sound.format, sound.rate_hz, sound.frame_ms)

    def turn(self, message) -> None:
        """How far the bridge is with a turn."""
        turn = self._turn
        if turn is None or message.id != turn.id:
            self._other_turn(message)
            return
        self._heard()
        if message.state == "accepted":
            self._accepted(turn)
        elif message.state == "thinking":
            if self.state == LISTENING:
                self._move("endpoint")
        elif message.state == "done":
            self._done(message.text)
        if message.text and message.state != "done":
            self._view.progress(message.text)

    def stt(self, message) -> None:
        """What was understood."""
        if self.state in (LISTENING, THINKING, SPEAKING):
            self._heard()
            self._view.set_transcript(message.text)

    def tts(self, message) -> None:
        """The bridge starts to speak, says a sentence, or stops."""
        self._heard()
        if message.state == "start":
            self._speak(message.seq)
        elif self.state != SPEAKING:
            log.info("voice", "tts %s in state %s is dropped" % (message.state, self.state))
        elif message.state == "sentence_start":
            self._view.set_sentence(message.text or "")
        else:
            self._finishing, self._again = True, message.listen
            self._playback.finish(message.last_seq)

    def alert(self, message) -> None:
        """The bridge has something to say to the person at once."""
        self._view.alert(message.status, message.message)

    def goodbye(self, message) -> None:
        """The bridge stops."""
        if self.state != OFFLINE:
            self._lose_bridge(message.reason or NO_BRIDGE)

    # Time.

    async def run(self) -> None:
        """Look at the clock; never ends."""
        while True:
            self.tick()
            await self._sleep_ms(TICK_MS)

    def tick(self) -> None:
        """One look at the clock; allocates nothing while nothing is due."""
        if self._pressed_ms is not None and self._since(self._pressed_ms) >= HOLD_MS:
            self._ask("manual")
        if self._guard_from_ms is not None and self._since(self._guard_from_ms) >= self._guard_ms:
            self._guard_from_ms = None
            self._listen()
            if self._turn is not None:
                self._ask("auto")
        gone = lost(self._unaccepted_ms(), self._silent_ms(), self._deaf_ms())
        if gone == BRIDGE:
            self._lose_bridge(NO_BRIDGE)
        elif gone == MICROPHONE:
            self._lose_microphone()
        else:
            self._limit(session.overdue(self._session, self._since(self._session.since_ms)))

    def _limit(self, event):
        if event == "endpoint":
            self._end_listening()
        elif event == "cancel":
            self._abort("timeout")
            self._view.alert("Sorry", TOO_LONG)
        elif event == "bridge_lost" and not self._told:
            # The link says hello again by itself; the person is told once.
            self._told = True
            self._view.set_state(CONNECTING, NO_BRIDGE)

    def _unaccepted_ms(self):
        turn = self._turn
        waits = turn is not None and turn.known and not turn.accepted
        return self._since(turn.asked_ms) if waits else 0

    def _silent_ms(self):
        state, turn = self.state, self._turn
        if state == SPEAKING:
            # Frames are words as well; after the last one the bridge has nothing more to say.
            frames_ms = self._since(self._playback.heard_ms)
            return 0 if self._finishing else min(self._since(self._heard_ms), frames_ms)
        waits = state == THINKING or (state == LISTENING and turn is not None and turn.accepted)
        return self._since(self._heard_ms) if waits else 0

    def _deaf_ms(self):
        return self._since(self._capture.heard_ms) if self._capture.active else 0

    # Steps.

    def _wake(self, held):
        if self._move("wake"):
            self._listen()
            if self._turn is not None:
                self._pressed_ms = self._ticks_ms()
                if held:
                    self._ask("manual")

    def _listen(self):
        """Switch the microphone on; nothing said from here on is lost."""
        base = os.urandom(2)
        self._turn = Turn(self._new_id(), base[0] << 8 | base[1])
        try:
            self._capture.start(self._turn.base)
        except OSError as error:
            log.error("voice", "the microphone does not start: %s" % error)
            self._lose_microphone()

    def _ask(self, mode):
        """Ask the bridge for the turn; its microphone frames follow when it has accepted."""
        turn = self._turn
        self._pressed_ms = None
        turn.mode = mode
        turn.asked_ms = self._heard_ms = self._ticks_ms()
        self._link.post("listen", id=turn.id, state="start", mode=mode, seq=turn.base)

    def _accepted(self, turn):
        turn.accepted = True
        self._aborted_ms = None
        if self.state == LISTENING:
            self._capture.open()
            if turn.ending:
                self._end_listening()

    def _end_listening(self):
        """The person is done: send the rest, then say so."""
        turn = self._turn
        if turn is None:
            return
        if not turn.accepted:
            turn.ending = True
            return
        self._capture.finish()
        self._link.post("listen", id=turn.id, state="stop", mode=turn.mode, seq=turn.base)
        self._move("endpoint")

    def _other_turn(self, message):
        # The bridge may begin a turn itself: from a card's action or a typed sentence.
        if message.state == "thinking" and self.state == IDLE and message.id != self._over_id:
            self._turn = Turn(message.id, 0, accepted=True)
            self._heard()
            self._move("think")
        else:
            log.debug("voice", "turn %s %s is not ours" % (message.id, message.state))

    def _speak(self, base):
        if self.state == IDLE:
            if self._aborted_ms is not None and self._since(self._aborted_ms) < STALE_MS:
                log.info("voice", "speech of the aborted turn is dropped")
                return
            self._drop_turn()  # an announcement: the turn before has nothing to do with it
        elif self.state == LISTENING and self._turn is not None and self._turn.accepted:
            self._move("endpoint")
        if self._move("speak"):
            self._finishing = self._again = False
            self._playback.begin(base)

    def _played(self, report):
        """The last sample has left the speaker."""
        faults = report.lost + report.late + report.duplicate + report.stray
        if faults:
            text = "lost %d, late %d, duplicate %d, stray %d" % report[1:]
            log.info("voice", "speech: " + text)
            self._link.post("event", name="playback", value=report.lost, text=text)
        if report.seq is not None:
            self._link.post("played", seq=report.seq)
        if not self._again:
            self._move("played")
        elif self._move("asked"):
            self._drop_turn()
            self._guard_from_ms = self._ticks_ms()
            if not self._guard_ms:
                self.tick()

    def _done(self, text):
        self._drop_turn()
        # Speech that was not ended was cut short by the bridge; else it plays to its end.
        if self.state in (LISTENING, THINKING) or (self.state == SPEAKING and not self._finishing):
            self._move("cancel")
        if text:
            self._view.alert("Sorry", text)

    def _abort(self, reason):
        heard_seq, turn, state = self._playback.stop(), self._turn, self.state
        if state == SPEAKING or (
            turn is not None and (turn.accepted or turn.asked_ms is not None)
        ):
            turn_id = self._new_id() if turn is None else turn.id
            self._link.post("abort", id=turn_id, reason=reason, seq=heard_seq)
            self._aborted_ms = self._ticks_ms()
        self._drop_turn()
        self._move("abort")

    def _lose_bridge(self, reason):
        self._drop_turn()
        if self._move("bridge_lost", reason):
            log.warning("voice", reason)
            self._told = True
            self._link.say_hello()

    def _lose_microphone(self):
        self._link.post("event", name="microphone", text=NO_MICROPHONE)
        self._abort("microphone")
        self._view.alert("Microphone", NO_MICROPHONE)

    def _drop_turn(self):
        if self._turn is not None:
            self._over_id = self._turn.id
        self._turn = self._pressed_ms = self._guard_from_ms = None

    def _move(self, event, detail=""):
        """Apply `event`; False, with a log line and no change, when it is not legal."""
        before = self.state
        try:
            self._session = session.apply(self._session, event, self._ticks_ms())
        except WireError as error:
            log.warning("voice", str(error))
            return False
        # What belongs to a state ends with it, whatever ended it. A no-op where it ended already.
        if before == LISTENING:
            self._capture.stop()
        elif before == SPEAKING:
            self._playback.stop()
        self._told = False
        log.info("voice", "%s: %s -> %s" % (event, before, self.state))
        self._view.set_state(self.state, detail)
        if self._on_state is not None:
            self._on_state(self.state)
        return True

    def _heard(self):
        self._heard_ms = self._ticks_ms()

    def _since(self, then_ms):
        return time.ticks_diff(self._ticks_ms(), then_ms)

    def _new_id(self):
        self._ids += 1
        return "%s-%d" % (self._id_prefix, self._ids)

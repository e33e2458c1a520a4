"""The conversation's shell: feeds events to voice_flow and carries out the effects.

Nothing waits: every method returns at once.
"""

import asyncio
import os
import time
from binascii import hexlify

import log
from audio import params
from audio.level import meter
from session import flow_state, limits, talk, voice_flow
from voxwire.audio import RATES_HZ
from voxwire.errors import WireError
from voxwire.session import IDLE, LISTENING
from voxwire.ticks import elapsed_ms

ECHO_GUARD_MS = 200  # from the last sample of the speaker to the first of the microphone
TICK_MS = 50
LEVEL_MS = 100  # how often the level on the screen may move


class Voice:
    """The conversation of one device; `run` is its task, the rest is called by events.

    `link` posts messages, `view` shows, `capture` and `playback` do the sound. A board that hears
    while it speaks takes `guard_ms=0`. `on_state(state)` is called after every move. A hello that
    wants other `formats` or `rates_hz` (of the speaker) is refused.
    """

    def __init__(self, link, view, capture, playback, *, guard_ms=ECHO_GUARD_MS, on_state=None,
                 formats=("ima-adpcm", "pcm16"), rates_hz=RATES_HZ,
                 ticks_ms=time.ticks_ms, sleep_ms=asyncio.sleep_ms):  # fmt: skip
        self._link, self._view = link, view
        self._capture, self._playback = capture, playback
        self._on_state = on_state
        self._formats, self._rates_hz = formats, rates_hz
        self._ticks_ms, self._sleep_ms = ticks_ms, sleep_ms
        self.wake = None  # session.wake.Wake, while that is loaded
        self.on_hello = self.on_unmute = None  # callable(wake); callable(): session.hearing
        self._muted, self.guard_ms = False, guard_ms
        self.boot = hexlify(os.urandom(4)).decode()  # names this start of the device
        self._flow = flow_state.start(self.boot, guard_ms, ticks_ms())
        self._level_ms = None  # when the level was last shown, while listening
        playback.on_played = lambda report: self._feed("played", report)
        link.check_hello_by(self._check_hello)
        link.on("turn", lambda message: self._feed("turn", message))
        link.on("stt", lambda message: self._feed("stt", (message.text, message.partial)))
        link.on("tts", self._tts)
        link.on("alert", self._alert)
        link.on("goodbye", lambda message: self._feed("goodbye", message.reason))

    @property
    def state(self) -> str:
        """The session's state."""
        return self._flow.session.state

    # The person (module buttons).

    def talk_down(self) -> None:
        """The talk button is pressed."""
        self._feed("talk_down")

    def talk_held(self) -> None:
        """The press has lasted so long that it is push to talk."""
        if self._muted and self.state == IDLE and self.on_unmute is not None:
            # Only a hand on the device does this: no message does.
            self.on_unmute()
            return
        self._feed("talk_held")

    def talk_up(self) -> None:
        """The talk button is released."""
        self._feed("talk_up")

    def mute(self, muted: bool) -> None:
        """Switch the microphone off, at once, or on."""
        changed, self._muted = muted != self._muted, muted
        if changed:
            if muted:
                self._feed("microphone_muted")
            if self.state == IDLE:
                self._view.set_state(IDLE, self._idle_words())

    def word(self, turn_id: str, seq: int, text: str) -> None:
        """The bridge has heard the wake word `text` in the stream that becomes this turn."""
        self._feed("word", (turn_id, seq, text))

    # The link.

    def link_event(self, event: str) -> None:
        """The link is up or down: "link_up" or "link_down"."""
        self._feed(event)

    def _check_hello(self, message) -> None:
        """WireError, and its sentence on the screen, if this device cannot sound like that."""
        try:
            self._params_of(message)
        except WireError as error:
            self._feed("hello_refused", str(error))
            raise

    def hello(self, message) -> None:
        """The bridge is there: a new session, whatever was before."""
        self._feed("hello", self._params_of(message))
        if self.on_hello is not None:
            self.on_hello(message.wake)

    def _params_of(self, message):
        return params.parse(message.audio_params, self._formats, self._rates_hz)

    def _tts(self, message):
        if message.state == "start":
            self._feed("tts_start", message.seq)
        elif message.state == "sentence_start":
            self._feed("tts_sentence", message.text or "")
        else:
            self._feed("tts_stop", message)

    # Time.

    async def run(self) -> None:
        """Looks at the clock; never ends."""
        while True:
            self.tick()
            await self._sleep_ms(TICK_MS)

    def tick(self) -> None:
        """One look at the clock; allocates nothing while nothing is due."""
        now_ms = self._ticks_ms()
        event = limits.due(self._flow, now_ms, self._capture.heard_ms, self._playback.heard_ms)
        if event is not None:
            self._feed(event, self._link.silence() if event == "bridge_lost" else None)
        if self.wake is not None:
            self.wake.tick()
        if self.state != LISTENING:
            self._level_ms = None  # a moment of days ago would seem to lie ahead
        elif self._level_ms is None or elapsed_ms(now_ms, self._level_ms) >= LEVEL_MS:
            self._level_ms = now_ms
            self._view.set_level(meter(self._capture.level))

    # Effects.

    def _feed(self, name, value=None):
        event = voice_flow.Event(name, value)
        self._flow, effects = voice_flow.apply(self._flow, event, self._ticks_ms())
        for effect in effects:
            self._carry_out(*effect)

    def _carry_out(self, name, *arguments):
        for effect, part, method in _EFFECTS:
            if effect == name:
                getattr(getattr(self, part) if part else self, method)(*arguments)
                return
        raise KeyError(name)

    def _say(self, level, text):
        getattr(log, level)("voice", text)

    def _post(self, type_name, values):
        self._link.post(type_name, **values)

    def _alert(self, message):
        # On the serial line, too: a code for pairing is of use without a screen.
        log.info("alert", message.status)
        self._view.alert(message.status, message.message)

    def _move(self, event, before, after, detail):
        log.info("voice", "%s: %s -> %s" % (event, before, after))
        if after == IDLE:
            detail = detail or self._idle_words()
        self._view.set_state(after, detail)
        if self.wake is not None:
            self.wake.moved(after)
        if self._on_state is not None:
            self._on_state(after)

    def _abort(self, turn_id, reason):
        # Silent first: what was heard is known only then.
        heard_seq = self._playback.stop()
        self._link.post("abort", id=turn_id, reason=reason, seq=heard_seq)

    def _hush(self):
        self._link.post("played", seq=self._playback.stop())

    def _stop_listening(self, turn_id, mode):
        # What seq comes next is known only when the last frame is on its way.
        next_seq = self._capture.finish()
        self._link.post("listen", id=turn_id, state="stop", mode=mode, seq=next_seq)

    def _configure(self, sound):
        self._capture.configure(sound.format, sound.frame_ms)
        self._playback.configure(sound.format, sound.rate_hz, sound.frame_ms)

    def _idle_words(self):
        return talk.MUTED if self._muted else ""

    def _start_capture(self):
        if self._muted:
            self._feed("microphone_muted")
            return
        noise = os.urandom(2)
        base = noise[0] << 8 | noise[1]
        try:
            self._capture.start(base)
        except OSError as error:
            log.error("voice", "the microphone does not start: %s" % error)
            self._feed("microphone_lost")
            return
        self._feed("microphone_started", base)


# (effect of voice_flow, the part of Voice that does it or "" for itself, its method). Constants
# alone: on a device with frozen code they cost no heap.
_EFFECTS = (
    ("move", "", "_move"),
    ("show", "_view", "set_state"),
    ("log", "", "_say"),
    ("post", "", "_post"),
    ("abort", "", "_abort"),
    ("say_hello", "_link", "say_hello"),
    ("configure", "", "_configure"),
    ("start_capture", "", "_start_capture"),
    ("open_capture", "_capture", "open"),
    ("stop_listening", "", "_stop_listening"),
    ("stop_capture", "_capture", "stop"),
    ("begin_playback", "_playback", "begin"),
    ("finish_playback", "_playback", "finish"),
    ("stop_playback", "_playback", "stop"),
    ("hush", "", "_hush"),
    ("transcript", "_view", "set_transcript"),
    ("sentence", "_view", "set_sentence"),
    ("progress", "_view", "progress"),
    ("alert", "_view", "alert"),
)

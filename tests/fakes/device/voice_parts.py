"""Stand-ins for what surrounds a Voice; all write what they are told into one journal."""

from fakes.device.audio_device import HandClock
from session.voice import Voice
from voxwire import message


class FakeLink:
    def __init__(self, journal):
        self._journal = journal
        self.handlers = {}
        self.posts = []  # (type_name, values)
        self.check_hello = None

    def on(self, type_name, handler):
        assert type_name not in self.handlers, type_name
        self.handlers[type_name] = handler

    def check_hello_by(self, check):
        self.check_hello = check

    def post(self, type_name, **values):
        # Refuses what the wire refuses.
        kind = message.FROM_DEVICE[type_name]
        if any(field.name == "session_id" for field in kind.fields):
            message.make(message.FROM_DEVICE, type_name, session_id="s", **values)
        self.posts.append((type_name, values))
        words = ["post", type_name]
        words.extend(str(values[n]) for n in ("state", "mode", "reason", "name") if n in values)
        self._journal.append(" ".join(words))
        return True

    def say_hello(self):
        self._journal.append("hello")

    def silence(self):
        return ""


class FakeView:
    def __init__(self, journal):
        self._journal = journal
        self.levels = []

    def set_level(self, level):
        self.levels.append(level)

    def set_state(self, state, detail=""):
        self._journal.append("show " + state + (": " + detail if detail else ""))

    def set_transcript(self, text, partial=False):
        self._journal.append("transcript " + text)

    def set_sentence(self, text):
        self._journal.append("sentence " + text)

    def progress(self, text):
        self._journal.append("progress " + text)

    def alert(self, title, text):
        self._journal.append(f"alert {title}: {text}")


class FakeCapture:
    def __init__(self, journal, clock):
        self._journal, self._clock = journal, clock
        self.active = False
        self.broken = False
        self.base = None
        self.next_seq = 77
        self.heard_ms = 0
        self.level = 0

    def configure(self, form, frame_ms):
        self._journal.append(f"capture {form} {frame_ms}")

    def start(self, base):
        if self.broken:
            raise OSError(5)
        self.active, self.base, self.heard_ms = True, base, self._clock.ticks_ms()
        self._journal.append("capture start")

    def open(self):
        self._journal.append("capture open")

    def finish(self):
        self.active = False
        self._journal.append("capture finish")
        return self.next_seq

    def stop(self):
        if self.active:
            self.active = False
            self._journal.append("capture stop")


class FakePlayback:
    def __init__(self, journal, clock):
        self._journal, self._clock = journal, clock
        self.active = False
        self.heard_ms = 0
        self.heard_seq = None  # what `stop` will say
        self.on_played = None

    def configure(self, form, rate_hz, frame_ms):
        self._journal.append(f"playback {form} {rate_hz} {frame_ms}")

    def begin(self, base):
        self.active, self.heard_ms = True, self._clock.ticks_ms()
        self._journal.append(f"playback begin {base}")

    def finish(self, last_seq):
        self._journal.append(f"playback finish {last_seq}")

    def stop(self):
        if not self.active:
            return None
        self.active = False
        self._journal.append("playback stop")
        return self.heard_seq

    def end(self, report):
        """The last sample has left the speaker."""
        self.active = False
        self.on_played(report)


class VoiceScene:
    """A Voice among fakes, its clock moved by hand, and the journal of what it did."""

    def __init__(self, view=None, **options):
        self.journal = []
        self.clock = HandClock()
        self.link = FakeLink(self.journal)
        self.capture = FakeCapture(self.journal, self.clock)
        self.playback = FakePlayback(self.journal, self.clock)
        self.view = view or FakeView(self.journal)
        self.voice = Voice(
            self.link,
            self.view,
            self.capture,
            self.playback,
            ticks_ms=self.clock.ticks_ms,
            sleep_ms=self.clock.sleep_ms,
            **options,
        )
        self.link.on("hello", self.voice.hello)

    def hear(self, type_name, **values):
        """A message of the bridge."""
        kind = message.FROM_BRIDGE[type_name]
        if any(field.name == "session_id" and field.required for field in kind.fields):
            values["session_id"] = "s"
        self.link.handlers[type_name](message.make(message.FROM_BRIDGE, type_name, **values))

    def turn_id(self):
        """Of the last listen message."""
        return [values["id"] for type_name, values in self.link.posts if type_name == "listen"][-1]

    def last(self, type_name):
        """The values of the last message of this type."""
        return [values for name, values in self.link.posts if name == type_name][-1]

    def did(self):
        """What was done since the last call."""
        done = list(self.journal)
        del self.journal[:]
        return done

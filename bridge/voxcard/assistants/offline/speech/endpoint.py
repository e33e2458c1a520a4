"""Where a sentence starts and ends: a state that is fed one speech probability per chunk."""

from dataclasses import dataclass, replace
from typing import Literal

CHUNK_BYTES = 1024  # what the detector takes: 512 samples of pcm16 at 16 kHz
CHUNK_MS = 32

Event = Literal["started", "paused", "resumed", "ended", "nothing", "too_long"]
Wait = Literal[
    "short", "number", "normal", "unknown", "long"
]  # how long a pause ends the sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointLimits:
    """When a sentence is over. A pause is speculated on before the wait is over."""

    pause_ms: int = 64  # silence after which recognition starts, on trial
    slow_pause_ms: int = 128  # instead, where a trial that was begun in vain delays the next one
    short_ms: int = 192  # silence that ends a sentence known to be whole
    number_ms: int = 416  # silence that ends one whose last number may get more digits
    end_ms: int = 600  # silence that ends any other sentence
    unknown_ms: int = 400  # more, where nothing was understood: there may be more to come
    long_ms: int = 1300  # silence that ends what is only the beginning of a sentence
    nothing_ms: int = 8000  # without a word: nobody is talking
    longest_ms: int = 15000  # of unbroken speech: it is a radio, or noise
    start_probability: float = 0.5
    stay_probability: float = 0.35
    start_ms: int = 96  # shorter is a click
    hangover_ms: int = 128  # a detector still says speech so long after it; softer speech is some

    def silence_ms(self, wait: Wait) -> int:
        """How much silence ends a sentence of which `wait` is known."""
        return {
            "short": min(self.short_ms, self.end_ms),
            "number": min(self.number_ms, self.end_ms),
            "normal": self.end_ms,
            "unknown": self.end_ms + self.unknown_ms,
            "long": max(self.long_ms, self.end_ms),
        }[wait]


_NEVER_MS = 1 << 30
# Push to talk: pauses are speculated on, but letting go of the button ends the sentence.
HELD = EndpointLimits(
    short_ms=_NEVER_MS,
    number_ms=_NEVER_MS,
    end_ms=_NEVER_MS,
    long_ms=_NEVER_MS,
    nothing_ms=_NEVER_MS,
    longest_ms=_NEVER_MS,
)
# A recognition that takes longer is not begun in a gap between two sounds.
_QUICK_MS = 250.0


def limits(end_ms: int, *, held: bool, recognition_ms: float) -> EndpointLimits:
    """Those of a turn: `held` by a button, where a recognition takes `recognition_ms`."""
    chosen = HELD if held else EndpointLimits(end_ms=end_ms)
    if recognition_ms <= _QUICK_MS:
        return chosen
    return replace(chosen, pause_ms=chosen.slow_pause_ms)


class Endpoint:
    """Finds the end of one sentence. Time is counted in chunks; there is no clock in here."""

    def __init__(self, limits: EndpointLimits | None = None) -> None:
        self.limits = limits or EndpointLimits()
        self.heard_ms = 0  # all audio so far
        self.speech_start_ms = -1  # where speech starts, -1 before
        self.speech_end_ms = -1  # where the last speech ended so far
        self._voiced_ms = 0  # of the unbroken voiced stretch before the start, or after the end
        self._soft_ms = 0  # of the unbroken stretch that is far softer than the speaker
        self._over = False
        self._pausing = False

    @property
    def started(self) -> bool:
        return self.speech_start_ms >= 0

    @property
    def silence_ms(self) -> int:
        """Since the last speech; 0 before any."""
        return self.heard_ms - self.speech_end_ms if self.started else 0

    @property
    def speech_ms(self) -> int:
        return self.speech_end_ms - self.speech_start_ms if self.started else 0

    def push(
        self, probability: float, *, wait: Wait = "normal", soft: bool = False
    ) -> Event | None:
        """Take the probability (0..1) that the next chunk is speech; what that means, if new.

        `wait`: how much of a sentence was said up to the pause, as far as it is known. `soft`:
        the chunk is far softer than the speaker was. After ended, nothing or too_long no event
        comes.
        """
        if self._over:
            return None
        self.heard_ms += CHUNK_MS
        self._soft_ms = self._soft_ms + CHUNK_MS if soft else 0
        event = self._talking(probability, wait) if self.started else self._waiting(probability)
        self._over = event in ("ended", "nothing", "too_long")
        return event

    def ends(self, wait: Wait) -> bool:
        """Whether the pause so far ends the sentence, of which `wait` is known now."""
        silent = self.started and self.silence_ms >= self.limits.silence_ms(wait)
        self._over = self._over or silent
        return silent

    def reopens(self, probability: float) -> bool:
        """Take the next chunk after "ended"; whether the sentence goes on, as if it had not been.

        It does with as much speech as starts one: a click brings nobody to speak on.
        """
        self.heard_ms += CHUNK_MS
        self._count_voiced(probability)
        if self._voiced_ms < self.limits.start_ms:
            return False
        self.speech_end_ms = self.heard_ms
        self._voiced_ms = 0
        self._over = self._pausing = False
        return True

    def begin_again(self) -> None:
        """Who was heard so far was not the speaker, who began with the last chunks."""
        if self.started and not self._over:
            self.speech_start_ms = max(self.speech_start_ms, self.heard_ms - self.limits.start_ms)
            self._pausing = False

    def _waiting(self, probability: float) -> Event | None:
        limits = self.limits
        self._count_voiced(probability)
        if self._voiced_ms >= limits.start_ms:
            self.speech_start_ms = self.heard_ms - self._voiced_ms
            self.speech_end_ms = self.heard_ms
            self._voiced_ms = 0
            return "started"
        return "nothing" if self.heard_ms >= limits.nothing_ms else None

    def _count_voiced(self, probability: float) -> None:
        voiced = probability >= self.limits.start_probability
        self._voiced_ms = self._voiced_ms + CHUNK_MS if voiced else 0

    def _talking(self, probability: float, wait: Wait) -> Event | None:
        limits = self.limits
        # Inside a pause the higher bar counts: breath and room must not restart the sentence.
        bar = limits.start_probability if self._pausing else limits.stay_probability
        hangs_over = 0 < self._soft_ms <= limits.hangover_ms
        if probability >= bar and not hangs_over:
            self.speech_end_ms = self.heard_ms
            if self.heard_ms - self.speech_start_ms >= limits.longest_ms:
                return "too_long"
            resumed, self._pausing = self._pausing, False
            return "resumed" if resumed else None
        if self.silence_ms >= limits.silence_ms(wait):
            return "ended"
        if self.silence_ms >= limits.pause_ms and not self._pausing:
            self._pausing = True
            return "paused"
        return None

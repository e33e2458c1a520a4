"""Stage times of a turn, computed from its moments; pure."""

import re
from collections.abc import Iterable, Mapping
from typing import Literal

OWN_MAX = 16
_OWN = re.compile(r"[a-z0-9_]{1,32}")

# What happened in a turn. Times are of one monotonic clock, in ms.
Moment = Literal[
    "wake",  # the listen message, or the text
    "listening",  # first microphone frame
    # When the last sample of speech reached the microphone, by the assistant's account of where
    # in the audio that was: from here the person waits.
    "end_of_speech",
    # When the assistant decided so, or the person let go of the button: a silence wait later, in
    # which recognition may run already.
    "endpoint",
    "stt",  # final transcript
    "first_part",  # first part of the answer after it
    "first_audio",  # first speaker frame on the wire
    "played",  # the device's report
    "end",  # the turn is over
]
_SINCE_END: tuple[Moment, ...] = ("end_of_speech", "endpoint", "stt", "first_part")
# stage -> (from, to); the first moment of `from` that is known counts.
STAGES: Mapping[str, tuple[tuple[Moment, ...], Moment]] = {
    "wake_to_listening": (("wake",), "listening"),
    "listening_to_end_of_speech": (("listening",), "end_of_speech"),
    "end_of_speech_to_endpoint": (("end_of_speech",), "endpoint"),
    "end_of_speech_to_stt": (("end_of_speech", "endpoint"), "stt"),
    "stt_to_first_part": (("stt", "wake"), "first_part"),
    "first_part_to_first_audio": (("first_part",), "first_audio"),
    "end_of_speech_to_first_audio": (("end_of_speech", "endpoint", "wake"), "first_audio"),
    "first_audio_to_played": (("first_audio",), "played"),
    "whole_turn": (("wake",), "end"),
}


def at_ms(position_ms: float, first_frame_ms: float, frame_ms: float) -> float:
    """When the sample at `position_ms` of a recording was taken: its first frame came at
    `first_frame_ms`, when all of that frame's `frame_ms` had been recorded."""
    return first_frame_ms - frame_ms + position_ms


class Moments:
    """Keeps the first time of each moment; `own_ms` are those that only the assistant knows."""

    def __init__(self) -> None:
        self.at_ms: dict[Moment, float] = {}
        self.own_ms: dict[str, float] = {}

    def mark(self, moment: Moment, now_ms: float) -> None:
        """Note `moment` at `now_ms`; only its first time counts."""
        self.at_ms.setdefault(moment, now_ms)

    def forget_end(self) -> None:
        """The end of speech was none: what was noted of it and since is void."""
        for moment in _SINCE_END:
            self.at_ms.pop(moment, None)
        self.own_ms.clear()

    def mark_own(self, name: str, now_ms: float) -> None:
        """Note an assistant's own moment; what is no name of one, and more than OWN_MAX, is not
        kept."""
        if _OWN.fullmatch(name) and len(self.own_ms) < OWN_MAX:
            self.own_ms.setdefault(name, now_ms)


def times(
    at_ms: Mapping[Moment, float], own_ms: Mapping[str, float] | None = None
) -> dict[str, int]:
    """Whole milliseconds of every stage whose two ends are known and in that order (a person may
    speak before the turn listens again), in the table's order.

    An assistant's own moment `first_token` is the stage `to_first_token`, counted like the first
    audio.
    """
    durations_ms = {}
    for stage, (starts, end) in STAGES.items():
        start = _first(at_ms, starts)
        if start is not None and end in at_ms and start <= at_ms[end]:
            durations_ms[stage] = round(at_ms[end] - start)
    start = _first(at_ms, STAGES["end_of_speech_to_first_audio"][0])
    if start is not None:
        for name, moment_ms in (own_ms or {}).items():
            durations_ms[f"to_{name}"] = round(moment_ms - start)
    return durations_ms


def _first(at_ms: Mapping[Moment, float], names: Iterable[Moment]) -> float | None:
    return next((at_ms[name] for name in names if name in at_ms), None)

"""Stage times of a turn, computed from its moments; pure."""

from collections.abc import Mapping
from typing import Literal

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
    """Keeps the first time of each moment."""

    def __init__(self) -> None:
        self.at_ms: dict[Moment, float] = {}

    def mark(self, moment: Moment, now_ms: float) -> None:
        """Note `moment` at `now_ms`; only its first time counts."""
        self.at_ms.setdefault(moment, now_ms)


def times(at_ms: Mapping[Moment, float]) -> dict[str, int]:
    """Whole milliseconds of every stage whose two ends are known, in the table's order."""
    durations_ms = {}
    for stage, (starts, end) in STAGES.items():
        start = next((at_ms[name] for name in starts if name in at_ms), None)
        if start is not None and end in at_ms:
            durations_ms[stage] = round(at_ms[end] - start)
    return durations_ms

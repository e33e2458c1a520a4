"""The stage times of a turn, from when things happened; pure."""

from collections.abc import Mapping

# What happened in a turn, in order. Times are of one monotonic clock, in ms.
MOMENTS = (
    "wake",  # the listen message, or the text
    "listening",  # first microphone frame
    # When the assistant decided that the person had finished. The last sample of speech lies its
    # silence wait before this, and recognition may run within that wait: no stage from here on is
    # the time a person waits.
    "endpoint",
    "stt",  # final transcript
    "first_part",  # first part of the answer after it
    "first_audio",  # first speaker frame on the wire
    "last_audio",
    "played",  # the device's report
)
# stage -> (from, to); the first moment of `from` that is known counts.
STAGES: Mapping[str, tuple[tuple[str, ...], str]] = {
    "wake_to_listening": (("wake",), "listening"),
    "listening_to_endpoint": (("listening", "wake"), "endpoint"),
    "endpoint_to_stt": (("endpoint",), "stt"),
    "stt_to_first_part": (("stt", "wake"), "first_part"),
    "first_part_to_first_audio": (("first_part",), "first_audio"),
    "endpoint_to_first_audio": (("endpoint", "wake"), "first_audio"),
    "first_audio_to_played": (("first_audio",), "played"),
    "whole_turn": (("wake",), "end"),
}


class Moments:
    """Keeps the first time of each moment."""

    def __init__(self) -> None:
        self.at_ms: dict[str, float] = {}

    def mark(self, moment: str, now_ms: float, *, again: bool = False) -> None:
        """Note `moment` at `now_ms`; only its first time counts unless `again`."""
        if again:
            self.at_ms[moment] = now_ms
        else:
            self.at_ms.setdefault(moment, now_ms)


def times(at_ms: Mapping[str, float]) -> dict[str, int]:
    """Whole milliseconds of every stage whose two ends are known, in the table's order."""
    found = {}
    for stage, (starts, end) in STAGES.items():
        start = next((at_ms[name] for name in starts if name in at_ms), None)
        if start is not None and end in at_ms:
            found[stage] = round(at_ms[end] - start)
    return found

"""When the person spoke, by the server's count of what it heard; pure."""

from voxcard.assistants import EndOfSpeech


class SpeechTimes:
    """`base_ms`: what the session had heard before the turn; `padding_ms`: the silence that the
    server's end of speech includes, None if it does not say."""

    def __init__(self, base_ms: int, padding_ms: int | None) -> None:
        self._base_ms = base_ms
        self._padding_ms = padding_ms
        self._started_ms: int | None = None

    @property
    def is_speech(self) -> bool:
        """Whether the person speaks."""
        return self._started_ms is not None

    def move(self, base_ms: int) -> None:
        """Another session counts."""
        self._base_ms, self._started_ms = base_ms, None

    def start(self, at_ms: int) -> None:
        self._started_ms = at_ms

    def stop(self, at_ms: int) -> EndOfSpeech:
        began_ms = self._base_ms if self._started_ms is None else self._started_ms
        end_ms = at_ms - (self._padding_ms or 0)
        self._started_ms = None
        return EndOfSpeech(
            speech_ms=max(0, end_ms - began_ms),
            end_ms=None if self._padding_ms is None else max(0, end_ms - self._base_ms),
        )

    def clear(self) -> None:
        """Speech ended otherwise."""
        self._started_ms = None

"""What one turn's person said, by what the server tells of the microphone; pure."""

from voxcard.assistants import EndOfSpeech, Heard
from voxcard.assistants.pipeline.chat_server.memory import Exchange
from voxcard.assistants.realtime.turn.answers import Parts
from voxcard.assistants.realtime.turn.speech_times import SpeechTimes
from voxcard.assistants.realtime.turn.transcripts import Transcripts
from voxcard.assistants.realtime.wire.server_events import (
    SpeechStarted,
    SpeechStopped,
    Transcribed,
    TranscriptionFailed,
)

COMMIT_MIN_MS = 100  # servers take less for no speech


class Hearing:
    """`exchange` is that of the question at hand, None before there is one.

    `base_ms`: what the session had heard before the turn; `padding_ms`: silence that the server
    counts to the speech, None where it does not say.
    """

    def __init__(
        self, heard: Heard, transcripts: Transcripts, base_ms: int, padding_ms: int | None
    ) -> None:
        self.exchange: Exchange | None = None
        self._heard = heard
        self._transcripts = transcripts
        self._times = SpeechTimes(base_ms, padding_ms)
        self._sent_ms: int | None = None  # how much there was, once the microphone is closed

    @property
    def is_speech(self) -> bool:
        """Whether the person speaks."""
        return self._times.is_speech

    @property
    def goes_on(self) -> bool:
        """Whether another sentence may follow in this turn."""
        return self._heard.open and self._sent_ms is None

    @property
    def words_are_due(self) -> bool:
        """Whether words of what was said are still on their way."""
        return self._transcripts.are_due

    def move(self, base_ms: int) -> None:
        """Another session hears all of it again."""
        self._times.move(base_ms)
        self._sent_ms = None

    def started(self, event: SpeechStarted) -> None:
        self._times.start(event.at_ms)
        self.exchange = self._transcripts.exchange(event.item_id)

    def stopped(self, event: SpeechStopped) -> EndOfSpeech:
        return self._times.stop(event.at_ms)

    def closed(self, sent_ms: int) -> None:
        """The microphone is closed after `sent_ms`."""
        self._sent_ms = sent_ms

    @property
    def is_enough(self) -> bool:
        """Whether what a closed microphone heard can be speech."""
        return (self._sent_ms or 0) >= COMMIT_MIN_MS

    def cut(self) -> EndOfSpeech:
        """The microphone closed in a sentence."""
        self._times.clear()
        return EndOfSpeech(speech_ms=self._sent_ms or 0)

    def committed(self, item_id: str) -> None:
        """The server took what it heard for an item."""
        if self.exchange is None or self._heard.open:
            self.exchange = self._transcripts.exchange(item_id)

    def written(self, event: Transcribed | TranscriptionFailed) -> Parts:
        return self._transcripts.take(event)

    def give_up(self) -> None:
        """The words do not come any more."""
        self._transcripts.give_up()

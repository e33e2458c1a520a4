"""An answer's parts, out of the events of its run; pure.

The text is what is spoken. Of a streamed answer that is every message of the agent, which only
its log has (`tts-start` and `intent-end` name the last one); of any other it is `intent-end`'s.
"""

from collections.abc import Callable

from voxcard.assistants import (
    Ask,
    EndOfSpeech,
    Media,
    Part,
    Sentence,
    Stage,
    Transcript,
)
from voxcard.assistants.home_assistant.pipeline_events import (
    IntentEnd,
    IntentProgress,
    IntentStart,
    PipelineEvent,
    RunEnd,
    RunStart,
    SttEnd,
    SttStart,
    TtsEnd,
    VadEnd,
    VadStart,
)
from voxcard.assistants.spoken.sentences import Splitter

VAD_SILENCE_MS = 700  # of silence end a sentence there: AudioSettings.silence_seconds
TEXT_MAX = 20_000  # characters of an answer that are kept
_NOT_UNDERSTOOD = ("no_intent_match", "no_valid_targets")  # nothing was done


class Answer:
    """`apply` an event, get parts.

    `media_url(url)` is where a URL of the server is fetched from; it raises for one that is none.
    """

    def __init__(self, media_url: Callable[[str], str]) -> None:
        self.speaks = True  # the pipeline has text to speech
        self.conversation_id = ""
        self.vad = False  # the server listens for the end of speech
        self.speech_began = False
        self.speech_ended = False
        self.nothing_heard = False
        self.may_have_acted = False
        self.asks = False
        self.over = False
        self._media_url = media_url
        self._began_ms = 0
        self._run_url = ""
        self._played = False
        self._streaming = False
        self._agent_speaks = True  # and no tool, in the log at hand
        self._text = ""
        self._first_token = False
        self._splitter = Splitter()

    @property
    def silent(self) -> bool:
        """There are words to say, and no sound of them came."""
        return self.speaks and not self._played and bool(self._text.strip())

    def apply(self, event: PipelineEvent) -> list[Part]:
        """What `event` brings about; raises VoxcardError for a URL that is none."""
        match event:
            case RunStart(conversation_id=conversation_id, url=url):
                self.conversation_id, self._run_url = conversation_id, url
            case SttStart(vad=vad):
                self.vad = vad
            case VadStart(at_ms=at_ms):
                self.speech_began, self._began_ms = True, at_ms
            case VadEnd(at_ms=at_ms):
                return self._vad_ended(at_ms)
            case SttEnd(text=text):
                return [*self.end_of_speech(), Transcript(text=text)]
            case IntentStart():
                self.may_have_acted = True
            case IntentProgress():
                return self._progressed(event)
            case IntentEnd():
                return self._intent_ended(event)
            case TtsEnd(url=url):
                return self._play(url)
            case RunEnd():
                self.over = True
        return []

    def end_of_speech(self, speech_ms: int = 0) -> list[Part]:
        """The speaker has finished, if that is news."""
        if self.speech_ended:
            return []
        self.speech_ended = True
        return [EndOfSpeech(speech_ms=speech_ms)]

    def done(self) -> list[Part]:
        """The end of an answer that went well."""
        return [Ask()] if self.asks else []

    def _vad_ended(self, at_ms: int) -> list[Part]:
        if not self.speech_began:
            self.nothing_heard = True
            return self.end_of_speech()
        # Where it ended is not known: up to half a second passes beside that silence.
        return self.end_of_speech(speech_ms=max(0, at_ms - VAD_SILENCE_MS - self._began_ms))

    def _progressed(self, event: IntentProgress) -> list[Part]:
        parts: list[Part] = []
        if event.role:
            self._agent_speaks = event.role == "assistant"
            if self._agent_speaks and self._text and not self._text[-1].isspace():
                parts += self._say(" ")  # as it is spoken: messages do not run into each other
        if event.content and self._agent_speaks:
            if not self._first_token:
                self._first_token = True
                parts.append(Stage(name="first_token"))
            parts += self._say(event.content)
        if event.streaming and not self._streaming:
            self._streaming = True
            # What is known of the text goes before its sound, in the middle of a sentence too.
            text, self._splitter = self._text.strip(), Splitter()
            parts += [Sentence(text=text)] if text else []
            parts += self._play(self._run_url)
        return parts

    def _say(self, text: str) -> list[Part]:
        text = text[: max(0, TEXT_MAX - len(self._text))]
        self._text += text
        return _sentences(self._splitter.feed(text)) if self._streaming else []

    def _intent_ended(self, event: IntentEnd) -> list[Part]:
        self.conversation_id = event.conversation_id or self.conversation_id
        self.asks = event.continues
        if self._streaming:
            return _sentences(self._splitter.end())
        self._text = event.text[:TEXT_MAX]
        excuse = event.error in _NOT_UNDERSTOOD
        text = self._text.strip()
        return [Sentence(text=text, excuse=excuse)] if text else []

    def _play(self, url: str) -> list[Part]:
        """The sound of the answer, which has one URL, said once or twice."""
        if self._played or not url:
            return []
        self._played = True
        return [Media(url=self._media_url(url))]


def _sentences(pieces: list[str]) -> list[Part]:
    return [Sentence(text=piece.strip()) for piece in pieces if piece.strip()]

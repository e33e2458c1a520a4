"""What a server's events are as parts of an answer; its own state alone, no I/O."""

from collections.abc import Callable

from voxcard.assistants import (
    Ask,
    Emotion,
    EndOfSpeech,
    Part,
    Sentence,
    ShowCard,
    Speech,
    Stage,
    Transcript,
)
from voxcard.assistants.xiaozhi.emotions import emotion
from voxcard.assistants.xiaozhi.events import Event
from voxcard.assistants.xiaozhi.wire.connection import Audio
from voxcard.assistants.xiaozhi.wire.messages import Alert, Llm, Stt, Tts
from voxcard.assistants.xiaozhi.wire.opus import DECODED_HZ
from voxcard.json_value import Json

_QUESTION_MARKS = ("?", "？", "؟")
_TOOL_MARK = "% "  # the widespread server writes the name of a tool it calls as what was heard
_TITLE_MAX = 60

Decode = Callable[[bytes], bytes]


class Answer:
    """`take(event)` gives the parts of it.

    Until `begun` (the server says what it heard, or begins to speak) everything but the words
    heard belongs to an answer that was cut off, and is dropped. `typed`: what was heard is known.
    """

    def __init__(self, decode: Decode, *, typed: bool = False, begun: bool = False) -> None:
        self.begun = begun
        self.over = False
        self.heard = False  # the words of the speaker came
        self.speaking = False  # between start and stop
        self.audio_ms = 0.0  # of speech since it was last cleared
        self._decode = decode
        self._typed = typed
        self._sentence = ""
        self._first = True

    @property
    def asks(self) -> bool:
        """The answer ends in a question."""
        return self._sentence.rstrip().endswith(_QUESTION_MARKS)

    def again(self) -> None:
        """The next utterance of an open microphone."""
        self.begun = self.over = self.heard = self.speaking = False
        self._sentence, self._first = "", True

    def take(self, event: Event) -> list[Part]:
        match event:
            case Stt(text=text):
                return self._heard(text)
            case Tts(state=state, text=text):
                return self._tts(state, text)
            case Audio(packet=packet) if self.begun:
                return self._audio(packet)
            case Llm(emotion=name, text=text) if self.begun:
                return [Emotion(name=emotion(name, text))]
            case Alert():
                return alert(event)
        return []

    def end(self) -> list[Part]:
        """The last parts before Done."""
        return [Ask()] if self.asks else []

    def _heard(self, text: str) -> list[Part]:
        text = text.strip()
        if not text or (text + " ").startswith(_TOOL_MARK):
            return []
        self.begun = self.heard = True
        # Typed words come back without their punctuation.
        return [] if self._typed else [EndOfSpeech(), Transcript(text=text)]

    def _tts(self, state: str, text: str) -> list[Part]:
        if state == "start":
            self.begun = self.speaking = True
        elif state == "stop" and self.begun:
            self.over, self.speaking = True, False
        elif state == "sentence_start" and self.begun and text.strip():
            self._sentence = text.strip()
            first: list[Part] = [Stage(name="first_sentence")] if self._first else []
            self._first = False
            return [*first, Sentence(text=self._sentence)]
        return []

    def _audio(self, packet: bytes) -> list[Part]:
        pcm = self._decode(packet)
        self.audio_ms += len(pcm) / 2 / DECODED_HZ * 1000
        return [Speech(pcm=pcm, rate_hz=DECODED_HZ, resampling="medium")] if pcm else []


def alert(event: Alert) -> list[Part]:
    """An alert as a card and its words; its sound is the device's own."""
    message = event.message.strip() or event.status.strip()
    title = event.status.strip()[:_TITLE_MAX]
    if not message:
        return []
    card = _card(title, message)
    return [
        Emotion(name=emotion(event.emotion, "")),
        ShowCard(source=card),
        Sentence(text=message),
    ]


def code_card(code: str, text: str) -> dict[str, Json]:
    """The card of an activation."""
    words = " ".join(text.replace(code, " ").split()) or "Type this code at your xiaozhi server."
    return _card("Register this device", f"# {code}\n\n{words}")


def _card(title: str, text: str) -> dict[str, Json]:
    return {"title": title, "blocks": [{"type": "text", "text": text}]}

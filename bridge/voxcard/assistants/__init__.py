"""What an assistant is: takes what was said, yields parts of an answer.

A turn is an async generator. The relay pulls parts and acts on them. A `CallTool` is answered by
sending a `ToolReply` back in (`reply = yield CallTool(...)`); one with an `id` is answered at once
by None and runs beside the parts that follow, and `reply = yield NextReply()` waits for the next
such call that is done, or with `wait=False` looks whether one is. `heard = yield Hush()` silences
the speaker and gets the HeardReply of what it played. Every other part is answered by None.
Closing the generator cancels the turn. A speaker who goes on before anything was done or said is
`Resumed`. An assistant sees no MQTT and no pixels, and runs nothing
heavy on the event loop.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from voxcard.json_value import Json, JsonObject
from voxcard.toolhub.model import Picture, ToolSpec

HEAR_ON_MS = 1200  # after an EndOfSpeech that may be taken back, the longest that more is heard
RATE_HZ = 16000  # of the microphone audio an assistant hears: pcm16, mono, little-endian
# What each adds to the first sound of a speech that comes no faster than it plays, at another rate
# than the device's: "quick" 22 ms, "medium" and "high" 43 (soxr, measured).
Resampling = Literal["quick", "medium", "high"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What an assistant may know of the place a talk happens in.

    `device` is its id and `name` what people call it, often a room. `screen` is (width, height)
    in px, None without one; `colours`: it shows more than black and white.
    """

    device: str
    name: str
    locale: str
    now: datetime  # with its time zone
    screen: tuple[int, int] | None = None
    colours: bool = False
    full_duplex: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HeardReply:
    """What was heard of an answer that was cut off: its words, and for how many ms it played."""

    text: str
    played_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What a turn starts from: microphone audio (chunks of any size) or a finished text.

    The audio ends when the microphone closed (push to talk, a limit, or the device went away).
    `held`: push to talk, so that alone ends the sentence, however long the speaker pauses.
    `open`: the microphone stays open while the answer plays (full duplex), so that a person may
    speak into it, and `NextUtterance` may follow. `woken`: a wake word began it, no hand.
    """

    audio: AsyncIterator[bytes] | None = None
    held: bool = False
    open: bool = False
    woken: bool = False
    text: str | None = None
    locale: str = "en"


@dataclass(frozen=True, slots=True, kw_only=True)
class EndOfSpeech:
    """The speaker has finished; no more audio is needed.

    `speech_ms`: length of what was said. `end_ms`: where in the turn's audio it ended, counted
    from the first sample; None when the assistant does not know. `hears_on`: the audio goes on for
    HEAR_ON_MS, at most until the answer begins (any part but Transcript and Stage), for a speaker
    who goes on: `Resumed`. It ends earlier where a device cannot.
    """

    speech_ms: int = 0
    end_ms: int | None = None
    hears_on: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumed:
    """The speaker goes on, after an EndOfSpeech that `hears_on`: the turn listens again, what was
    understood so far is void, and another EndOfSpeech follows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    text: str
    partial: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CallTool:
    """A call of the tool `name`; with an `id`, unique in its turn, the turn does not wait."""

    name: str
    arguments: JsonObject
    id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextReply:
    """Wait for the next call with an id that is done; answered by None when none runs.

    Without `wait` it is answered at once: by Running when calls run and none of them is done.
    """

    wait: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """The answer to NextReply(wait=False) while calls run, and none of them is done yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolReply:
    """What an assistant gets back for a CallTool, of the same `id`.

    `text` is for the model: the result's words, else those of its card; `is_error`: it says what
    went wrong. `speak` is its spoken form, if `text` is not fit to be read aloud. `card_shown`:
    a card of it is on the screen, so it is not to be repeated.
    """

    text: str
    is_error: bool = False
    structured: Json = None
    pictures: tuple[Picture, ...] = ()
    speak: str = ""
    card_shown: bool = False
    id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowCard:
    """A card of the assistant's own, as the codai card JSON or any dialect's source."""

    source: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence whose Speech follows. `excuse`: nothing was understood, so nothing was done."""

    text: str
    excuse: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """A piece of spoken answer: pcm16 mono at `rate_hz`, any length.

    `resampling` is how it is made the device's rate; a sentence keeps that of its first piece.
    """

    pcm: bytes
    rate_hz: int
    resampling: Resampling = "high"


@dataclass(frozen=True, slots=True, kw_only=True)
class Media:
    """Sound to play where it stands in the answer: a file's bytes, or the URL of one.

    WAV, MP3, Ogg, FLAC, AAC or MP4, of any rate. `text` is what it says, if it says something. It
    plays while it is fetched. Answered at once: what is said after it waits for its end, and Hush
    ends it, fetched or not. One that cannot be played does not end the turn: at its end the person
    hears why.
    """

    url: str = ""
    data: bytes = b""
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hush:
    """Silence the speaker and drop what it has not played (the person speaks).

    Answered by the HeardReply of what was played of the answer that plays, or since the last Hush.
    What is said after it plays as usual. It may follow NextUtterance, while the answer before
    still plays.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class NextUtterance:
    """This answer is over; the open microphone's next sentence is answered in the same turn.

    Legal only where `Heard.open`; elsewhere the turn is over. Answered at once, while the answer
    plays: the turn is listening again when it was played, or at a Hush. A partial Transcript and
    Hush are acted on at once; every other part that follows waits for that.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A moment that only the assistant knows, such as "first_token"; its time is kept.

    1 to 32 of a-z, 0-9 and the underscore.
    """

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Emotion:
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """The answer ends in a question: listen again after it was played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """The turn is over; nothing follows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """The turn cannot go on; `message` is a sentence for the person.

    `retryable`: another assistant may answer it, this one is out of order.
    """

    message: str
    retryable: bool = False


Part = (
    EndOfSpeech
    | Resumed
    | Transcript
    | CallTool
    | NextReply
    | Stage
    | ShowCard
    | Sentence
    | Speech
    | Media
    | Hush
    | NextUtterance
    | Emotion
    | Ask
    | Done
    | Failed
)
Reply = ToolReply | Running | HeardReply | None  # what a part is answered by
Turn = AsyncGenerator[Part, Reply]


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """A turn that the assistant begins by itself: a reminder, a push of its server.

    `open()` starts it once the device is free; `urgent`: it does not wait for the running turn.
    """

    open: Callable[[], Turn]
    urgent: bool = False


class Conversation(Protocol):
    """One device's talk with an assistant; keeps what it needs between turns."""

    def tools_changed(self) -> None:
        """The tools may have changed: begin to learn them. Returns at once."""

    def prepare(self) -> None:
        """A turn is about to begin: connect, if that takes time. Returns at once."""

    def turn(self, heard: Heard) -> Turn:
        """Answer one utterance."""

    def interrupted(self, heard: HeardReply) -> None:
        """The last answer was cut off; `heard` is what the person got of it."""

    def begun(self) -> AsyncIterator[Begun]:
        """The turns that the assistant begins by itself, for as long as the device is there.

        Ends at once where there are none.
        """

    async def close(self) -> None:
        """The device's talks are over: release what the conversation holds."""


class Assistant(Protocol):
    """Makes conversations; holds models and connections shared by all devices."""

    def check(self) -> None:
        """Raise the VoxcardError of settings that cannot work; loads nothing. In a thread."""

    async def start(self) -> None:
        """Load models and connect; raises VoxcardError with a remedy."""

    async def stop(self) -> None:
        """Release everything; safe to call twice."""

    def health(self) -> str:
        """Why it could not answer now, in a sentence; "" when it could, as far as it knows."""

    def conversation(
        self, place: Callable[[], Facts], tools: Callable[[], Sequence[ToolSpec]]
    ) -> Conversation:
        """A conversation where `place()` says, over the tools that `tools()` lists: each turn."""

    def say(self, text: str, locale: str) -> AsyncIterator[Speech]:
        """Speak `text` (announcements, error sentences)."""

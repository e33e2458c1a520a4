"""Events and effects of turn.flow."""

from dataclasses import dataclass
from typing import Literal

from voxwire import session

Kind = Literal["voice", "text", "say", "begun"]
TurnProgress = Literal["accepted", "thinking", "alive", "done", "listening"]
Phase = Literal["answering", "failing", "sending", "playing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnState:
    """What is known of the running turn. Times are in ms of the caller's monotonic clock."""

    id: str
    kind: Kind
    realtime: bool = False  # the microphone stays open while the device speaks
    phase: Phase = "answering"
    microphone_open: bool = False
    hears_until_ms: int | None = None  # it stays open after the end of speech, until then
    speech_started: bool = False
    first_seq: int | None = None  # of the speech that has started, where it is known
    asks: bool = False  # the device listens again after it played the reply
    again: bool = False  # after the answer the open microphone's next sentence is heard
    cut_by_ms: int | None = None  # by when the device should have said what it heard of a cut
    stopping: bool = False  # StopAnswer was sent, the answer has not ended yet
    error: str = ""  # the sentence the person gets
    alive_ms: int = 0  # when the device last heard of this turn
    played_by_ms: int = 0
    played_seq: int | None = None
    interrupted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """One device's session, and the turn that runs in it, if any."""

    session: session.Session
    turn: TurnState | None = None

    @property
    def state(self) -> str:
        """The session's state, one of voxwire.session."""
        return str(self.session.state)


# Events. Those of a turn carry its id: what comes for another turn is dropped.


@dataclass(frozen=True, slots=True, kw_only=True)
class Greeted:
    """The device said hello."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone:
    """The device, or the way to it, is lost for `reason`."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Began:
    """A turn begins; a running one has been ended before."""

    turn: str
    kind: Kind
    realtime: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Aborted:
    """The device ended the turn; frame `seq` was the last one it played, None: none."""

    seq: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """The bridge ends the turn for `reason` ("": no fault); `tell`: the device cannot know."""

    reason: str = ""
    tell: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Released:
    """The person let go of the button, and every frame has come, or will not come any more."""

    turn: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechEnded:
    """The assistant heard the end of speech, or understood it; `hears_on`: unless it goes on."""

    turn: str
    hears_on: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechResumed:
    """The assistant heard the speaker go on, and nothing has been done or said."""

    turn: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerBegun:
    """Something of the answer is done or said."""

    turn: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MicrophoneFailed:
    """The device cannot read its microphone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progressed:
    """Something happened in the turn that the device may show as `text`."""

    turn: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechStarted:
    """The first sentence or sound of the answer is about to leave, from frame `first_seq` on."""

    turn: str
    first_seq: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hushed:
    """The assistant silences its speech; nothing more of it leaves."""

    turn: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerFailed:
    """The answer ended for `error`, a sentence for the person."""

    turn: str
    error: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerEnded:
    """The answer is complete (or its failure has been said); `asks`: it ends in a question.

    `again`: the turn goes on with the next sentence of its open microphone.
    """

    turn: str
    asks: bool = False
    again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechSent:
    """The last frame left, `last_seq`; None when no frame did. The device buffers `buffer_ms`."""

    turn: str
    last_seq: int | None
    buffer_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """The device played everything up to frame `seq`; None: of a speech that was cut, nothing."""

    seq: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Broke:
    """The turn's shell failed."""

    turn: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ticked:
    """Time passed; `frame_ms` is when the last microphone frame came (0 without a microphone)."""

    frame_ms: int = 0


Event = (
    Greeted
    | Gone
    | Began
    | Aborted
    | Ended
    | Released
    | SpeechEnded
    | SpeechResumed
    | AnswerBegun
    | MicrophoneFailed
    | Progressed
    | SpeechStarted
    | Hushed
    | AnswerFailed
    | AnswerEnded
    | SpeechSent
    | Played
    | Broke
    | Ticked
)


# Effects, carried out in their order.


@dataclass(frozen=True, slots=True, kw_only=True)
class TellTurn:
    """Send `turn`: how far the bridge is with it."""

    turn: str
    state: TurnProgress
    text: str = ""
    hear_ms: int | None = None  # so long the device's microphone stays on in thinking


@dataclass(frozen=True, slots=True, kw_only=True)
class TellSpeechStop:
    """Send `tts stop`; `listen`: the device opens its microphone after it played the reply;
    `cut`: it is silent at once."""

    listen: bool = False
    cut: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CutHeard:
    """Of the speech that was cut, frame `seq` was the last one heard whole (None: none was).
    `reported`: the device said so; else it did not say in time."""

    seq: int | None
    reported: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseMicrophone:
    """No more of it is heard."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """Note when this moment of the turn was (voxcard.session.turn.stages)."""

    moment: Literal["endpoint", "played"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetEnd:
    """The end of speech that was noted was none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StopAnswer:
    """Stop pulling parts; then report AnswerFailed with `error`."""

    error: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SayFailure:
    """Say `error`; then report AnswerEnded."""

    error: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SendRest:
    """Nothing more will be said: send what is left, then report SpeechSent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextListening:
    """The turn hears its next sentence; `turn` is the last that is known of the one before."""

    turn: TurnState


@dataclass(frozen=True, slots=True, kw_only=True)
class EndTurn:
    """The turn is over by itself; `turn` is the last that is known of it."""

    turn: TurnState


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelTurn:
    """The turn is over at once: cancel its task."""

    turn: TurnState


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubtSession:
    """The device may not know of its session: ask it for a hello."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Log a line: something happened that should not."""

    text: str


Effect = (
    TellTurn
    | TellSpeechStop
    | CutHeard
    | CloseMicrophone
    | Mark
    | ForgetEnd
    | StopAnswer
    | SayFailure
    | SendRest
    | NextListening
    | EndTurn
    | CancelTurn
    | DoubtSession
    | Report
)

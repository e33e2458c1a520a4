"""One sentence of a person and the answer to it, in the making; most turns have one."""

import time
from dataclasses import dataclass, field

from voxcard.link.devices import Device
from voxcard.session.turn.events import TurnState
from voxcard.session.turn.record import ToolCall, TurnRecord
from voxcard.session.turn.stages import Moments, times
from voxcard.session.uplink import Microphone


@dataclass(slots=True, kw_only=True)
class Exchange:
    """`number` counts from 1 in its turn; `frames_up`, `frames_lost` and `frames_down` are those
    of the turn before it began."""

    number: int = 1
    at_s: float = field(default_factory=time.time)
    frames_up: int = 0
    frames_lost: int = 0
    frames_down: int = 0
    moments: Moments = field(default_factory=Moments)
    transcript: str = ""
    reply: list[str] = field(default_factory=list)
    cards: list[str] = field(default_factory=list)
    tools: list[ToolCall] = field(default_factory=list)
    asks: bool = False
    problem: str = ""  # why a sound of the answer could not be played
    hushed: bool = False
    last_seq_sent: int | None = None  # of what was hushed
    last_seq_played: int | None = None  # of that

    def record(
        self,
        device: Device,
        final: TurnState,
        microphone: Microphone | None,
        frames_down: int,
        last_seq: int | None,
    ) -> TurnRecord:
        """Its record, where `final` is the last that is known of it; `frames_down` is of the whole
        turn, `last_seq` of the speech after what was hushed."""
        hushed = self.hushed and last_seq is None
        return TurnRecord(
            device=device.id,
            session=device.session_id,
            turn=final.id if self.number == 1 else f"{final.id}.{self.number}",
            kind=final.kind,
            at_s=self.at_s,
            transcript=self.transcript,
            reply=" ".join(self.reply),
            tools=tuple(self.tools),
            cards=tuple(self.cards),
            stages_ms=times(self.moments.at_ms, self.moments.own_ms),
            frames_up=microphone.received - self.frames_up if microphone else 0,
            frames_lost=microphone.lost - self.frames_lost if microphone else 0,
            frames_down=frames_down - self.frames_down,
            last_seq_sent=self.last_seq_sent if hushed else last_seq,
            last_seq_played=self.last_seq_played if hushed else final.played_seq,
            interrupted=final.interrupted or self.hushed,
            error=final.error,
            recording=microphone.recording() if microphone else b"",
        )

    @property
    def is_empty(self) -> bool:
        """Whether nothing came of it."""
        return not (self.transcript or self.reply or self.cards or self.tools or self.problem)

"""What of a server's messages concerns a turn."""

from dataclasses import dataclass

from voxcard.assistants.xiaozhi.server_problem import XiaozhiProblem
from voxcard.assistants.xiaozhi.tools.mcp_server import Call
from voxcard.assistants.xiaozhi.wire.connection import Audio
from voxcard.assistants.xiaozhi.wire.messages import Alert, Llm, Stt, Tts


@dataclass(frozen=True, slots=True)
class Lost:
    """The connection is gone; `goodbye`: the server said so before."""

    problem: XiaozhiProblem
    goodbye: bool = False


@dataclass(frozen=True, slots=True)
class SpeechSent:
    """The microphone closed and all of it is at the server."""


Event = Stt | Tts | Llm | Alert | Audio | Call | Lost | SpeechSent

"""What all conversations with one Realtime server share while the assistant runs."""

import ssl
from dataclasses import dataclass

from voxcard.assistants.pipeline.health import Health
from voxcard.assistants.pipeline.server_problem import Subject
from voxcard.assistants.realtime.wire.connection import Connection
from voxcard.config import Realtime


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    settings: Realtime
    subject: Subject
    prompt: str
    health: Health
    tls: ssl.SSLContext | None  # made once: it takes tens of milliseconds

    async def connect(self) -> Connection:
        """A new session; ServerProblem when there is none to be had."""
        return await Connection.open(
            self.settings.server, self.subject, self.settings.limit_s, self.tls
        )

"""A session with a Realtime server: the connection, and what the server was told over it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from voxcard.assistants import Facts
from voxcard.assistants.pipeline.chat_server import prompt
from voxcard.assistants.realtime.turn.playback import milliseconds
from voxcard.assistants.realtime.wire import client_events
from voxcard.assistants.realtime.wire.connection import Connection
from voxcard.assistants.realtime.wire.server_events import CallReady
from voxcard.config import Realtime
from voxcard.json_value import Json, JsonObject


class Session:
    """`memory` are the messages of an earlier session, which this one goes on from."""

    def __init__(
        self, connection: Connection, settings: Realtime, memory: Sequence[JsonObject]
    ) -> None:
        self.connection = connection
        self._settings = settings
        self._memory = tuple(memory)
        self._told: dict[str, Json] = {}
        self._began: datetime | None = None
        self._moment = ""  # that the server knows of
        self._sent_bytes = 0

    @property
    def is_usable(self) -> bool:
        """Whether a turn may begin with it."""
        return self.connection.is_open and not self.connection.is_old

    @property
    def sent_ms(self) -> int:
        """How much of microphones it heard; what the server's times are counted in."""
        return milliseconds(self._sent_bytes)

    def send(self, event: JsonObject) -> None:
        self.connection.send(event)

    def settle(self) -> None:
        """Pass over what came after the last turn; its calls are made no more."""
        for event in self.connection.drain():
            if isinstance(event, CallReady):
                self.send(client_events.cancelled(event.call.id))

    def prompt(self, text: str, place: Facts) -> str:
        """The prompt `text` at `place`: with the time at which the session began, to the last.

        Instructions that change cost the server its prompt cache; see `tell_time`.
        """
        if self._began is None:
            self._began, self._moment = place.now, prompt.moment(place.now)
        return prompt.filled(text, replace(place, now=self._began))

    def tell_time(self, now: datetime) -> None:
        """Tell the server what time it is, unless it knows."""
        moment = prompt.moment(now)
        if moment != self._moment:
            self._moment = moment
            self.send(client_events.time_is(moment))

    def configure(
        self, instructions: str, tools: Sequence[Json], detection: Json, locale: str
    ) -> None:
        """Tell the server what is not as it was told before."""
        settings = self._settings
        heard = client_events.audio_input(settings, detection, locale)
        wanted = {"instructions": instructions, "tools": list(tools), "input": heard}
        changed = {name: wanted[name] for name in wanted if self._told.get(name) != wanted[name]}
        session: dict[str, Json] = {} if self._told else client_events.opening(settings)
        if "input" in changed:
            session["audio"] = {**session.get("audio", {}), "input": changed.pop("input")}
        session |= changed
        if session:
            self.send(client_events.session_update(session))
        self._told = wanted
        for item in client_events.remembered(self._memory):
            self.send(client_events.create_item(item))
        self._memory = ()

    def stop_listening(self, *, keep: bool = False) -> None:
        """The server finds no speech and no silence by itself from now on.

        `keep`: what it heard and did not take for speech yet is to be committed.
        """
        heard = self._told.get("input")
        if not isinstance(heard, dict) or heard["turn_detection"] is None:
            return
        self._told = {**self._told, "input": {**heard, "turn_detection": None}}
        update: JsonObject = {"audio": {"input": {"turn_detection": None}}}
        self.send(client_events.session_update(update))
        if not keep:
            self.send(client_events.clear())

    def hear(self, pcm: bytes) -> None:
        """A piece of the microphone, at the server's rate."""
        if pcm:
            self._sent_bytes += len(pcm)
            self.send(client_events.append(pcm))

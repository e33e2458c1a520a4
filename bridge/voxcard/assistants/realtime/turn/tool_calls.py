"""The calls of one turn: made as parts, their outputs given to the server by id; pure."""

import json
from collections.abc import Callable, Iterator

from voxcard.assistants import CallTool, ToolReply
from voxcard.assistants.pipeline.answering import result_text
from voxcard.assistants.pipeline.chat_server.completion import CALLS_MAX, Call
from voxcard.assistants.pipeline.chat_server.memory import Exchange
from voxcard.assistants.pipeline.chat_server.tool_names import ToolNames
from voxcard.assistants.realtime.wire import client_events
from voxcard.json_value import JsonObject

_OUTPUT_MAX = 8_000  # characters of one output


class ToolCalls:
    """`sees`: pictures of tools are shown to the model."""

    def __init__(
        self, send: Callable[[JsonObject], None], names: ToolNames, *, sees: bool
    ) -> None:
        self._send = send
        self._names = names
        self._sees = sees
        self._of_response: list[tuple[Call, str]] = []  # with their arguments as text
        self._outputs: dict[str, str] = {}  # of calls that could not be made
        self._open: dict[str, str] = {}  # id of a CallTool -> call_id
        self._made = 0
        self.rounds = 0

    @property
    def is_pending(self) -> bool:
        """Whether the response at hand called something: its outputs are due."""
        return bool(self._of_response)

    def move(self, send: Callable[[JsonObject], None]) -> None:
        """Another session takes the outputs."""
        self._send = send

    def ready(self, call: Call) -> Iterator[CallTool]:
        """A call is complete; one that came already is the same one."""
        if any(call.id == each.id for each, _ in self._of_response):
            return
        if len(self._of_response) == CALLS_MAX:
            return
        self._of_response.append((call, json.dumps(call.arguments)))
        name = self._names.of(call.name)
        if not name or call.fault:
            self._outputs[call.id] = call.fault or f"There is no tool {call.name[:64]!r}."
            return
        self._made += 1
        own_id = call.id if call.id not in self._open else f"{call.id}.{self._made}"
        self._open[own_id] = call.id
        yield CallTool(name=name, arguments=call.arguments, id=own_id)

    def remember(self, exchange: Exchange, text: str) -> None:
        """Put the response, which said `text`, into `exchange`."""
        exchange.answer(text, self._of_response)
        for call_id, output in self._outputs.items():
            exchange.result(call_id, output)

    def give(self, reply: ToolReply, exchange: Exchange) -> None:
        """The output of a call goes to the server."""
        call_id = self._open.pop(reply.id, "")
        if not call_id:
            return
        text = result_text(reply, sees=self._sees)[:_OUTPUT_MAX]
        self._output(call_id, text)
        exchange.result(call_id, text)
        for picture in reply.pictures if self._sees else ():
            item = client_events.user_picture(picture.data, picture.mime_type)
            self._send(client_events.create_item(item))

    def finish(self) -> None:
        """Every call of the response is done; those that could not be made are said."""
        for call_id, output in self._outputs.items():
            self._output(call_id, output)
        for call_id in self._open.values():
            self._send(client_events.cancelled(call_id))
        self._of_response, self._outputs, self._open = [], {}, {}
        self.rounds += 1

    def _output(self, call_id: str, text: str) -> None:
        self._send(client_events.create_item(client_events.call_output(call_id, text)))

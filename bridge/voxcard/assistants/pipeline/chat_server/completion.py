"""One answer of a chat model, put together from the chunks of its stream; pure.

Chunks are those of `/v1/chat/completions` with `stream`, as OpenAI publishes them and as Ollama,
llama.cpp and vLLM send them: tool calls in fragments by index or whole, with or without an id,
their arguments as text or as an object.
"""

import json
from dataclasses import dataclass, field
from typing import Any

from voxcard.json_value import Json, JsonObject

CALLS_MAX = 16
_ARGUMENTS_MAX = 100_000  # characters


class NoChunk(ValueError):  # noqa: N818 - names the state
    """What came is no chunk of a chat; its text completes "it ..."."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call the model wants. `fault`: what is wrong with its arguments, in a sentence."""

    id: str
    name: str
    arguments: JsonObject = field(default_factory=dict)
    fault: str = ""


@dataclass(slots=True)
class _Draft:
    id: str = ""
    name: str = ""
    arguments: str = ""


class Completion:
    """`first_id` numbers the ids of calls that have none, so that they are unique in a turn."""

    def __init__(self, first_id: int = 0) -> None:
        self.finish = ""  # why it ended, as the server says
        self._first_id = first_id
        self._drafts: dict[int, _Draft] = {}

    def push(self, chunk: Json) -> str:
        """Take one chunk, or a whole answer; the text it brings. NoChunk for anything else."""
        if not isinstance(chunk, dict):
            raise NoChunk("sent something that is no answer of a chat")
        error = chunk.get("error")
        if error:
            message = error.get("message") if isinstance(error, dict) else error
            raise NoChunk(f"failed: {message}")
        choices = chunk.get("choices")
        if not isinstance(choices, list):
            raise NoChunk("sent something that is no answer of a chat")
        if not choices or not isinstance(choices[0], dict):
            return ""  # the figures of its usage
        choice: Any = choices[0]
        self.finish = str(choice.get("finish_reason") or self.finish)
        delta = choice.get("delta") or choice.get("message") or {}
        if not isinstance(delta, dict):
            raise NoChunk("sent something that is no answer of a chat")
        self._take_calls(delta.get("tool_calls"))
        text = delta.get("content") or delta.get("refusal") or ""
        return text if isinstance(text, str) else _joined(text)

    def calls(self) -> list[Call]:
        """The calls of the answer, in their order; complete at its end."""
        taken: set[str] = set()
        calls = []
        for at, (_, draft) in enumerate(sorted(self._drafts.items())):
            call_id = draft.id
            if not call_id or call_id in taken:
                call_id = f"call_{self._first_id + at}"
            taken.add(call_id)
            calls.append(_call(call_id, draft))
        return calls

    def _take_calls(self, fragments: Json) -> None:
        if not isinstance(fragments, list):
            return
        for at, fragment in enumerate(fragments):
            if isinstance(fragment, dict):
                self._take_call(at, fragment)

    def _take_call(self, at: int, fragment: JsonObject) -> None:
        index = self._index(at, fragment)
        if index not in self._drafts and len(self._drafts) >= CALLS_MAX:
            raise NoChunk(f"wants more than {CALLS_MAX} tool calls at once")
        draft = self._drafts.setdefault(index, _Draft())
        function = fragment.get("function")
        function = function if isinstance(function, dict) else {}
        draft.id = _text(fragment.get("id")) or draft.id
        draft.name = _text(function.get("name")) or draft.name
        arguments = function.get("arguments")
        if isinstance(arguments, dict):  # Ollama
            arguments = json.dumps(arguments)
        draft.arguments += _text(arguments)
        if len(draft.arguments) > _ARGUMENTS_MAX:
            raise NoChunk("wants a tool call that is too long")

    def _index(self, at: int, fragment: JsonObject) -> int:
        """Which call a fragment belongs to: what has another id is another call, whatever its
        index says, and what has neither continues the last one."""
        index, call_id = fragment.get("index"), _text(fragment.get("id"))
        if isinstance(index, int) and not isinstance(index, bool):
            known = self._drafts.get(index)
            if known is None or not call_id or known.id in ("", call_id):
                return index
        for number, draft in self._drafts.items():
            if call_id and draft.id == call_id:
                return number
        function = fragment.get("function")
        begins = bool(call_id) or (isinstance(function, dict) and bool(function.get("name")))
        last = max(self._drafts, default=-1)
        return last + 1 if begins or last < 0 else last


def _call(call_id: str, draft: _Draft) -> Call:
    try:
        arguments = json.loads(draft.arguments) if draft.arguments.strip() else {}
    except (ValueError, RecursionError):
        arguments = None
    if arguments is None and draft.arguments.strip() == "null":
        arguments = {}
    if not isinstance(arguments, dict):
        fault = "The arguments must be one JSON object."
        return Call(id=call_id, name=draft.name, fault=fault)
    return Call(id=call_id, name=draft.name, arguments=arguments)


def _joined(parts: Json) -> str:
    """The text of content in parts."""
    if not isinstance(parts, list):
        return ""
    return "".join(_text(part.get("text")) for part in parts if isinstance(part, dict))


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""

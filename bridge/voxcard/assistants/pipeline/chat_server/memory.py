"""What a conversation remembers, as the messages of a chat: bounded, and true; pure."""

from collections.abc import Sequence

from voxcard.assistants.pipeline.chat_server.completion import Call
from voxcard.json_value import Json

Message = dict[str, Json]

TURNS_MAX = 20
CHARACTERS_MAX = 16_000  # some 4,000 tokens
_RESULT_MAX = 8_000  # characters of one tool's result
_CUT = " …"


class Exchange:
    """One turn: the question, the answers of the model, and what its tools gave back."""

    def __init__(self, question: str) -> None:
        self.messages: list[Message] = [{"role": "user", "content": question}]
        self._open: dict[str, Message] = {}  # calls without a result

    def answer(self, text: str, calls: Sequence[tuple[Call, str]] = ()) -> None:
        """The model said `text` and wants `calls`, each with its arguments as JSON."""
        message: Message = {"role": "assistant", "content": text}
        if calls:
            message["tool_calls"] = [
                {
                    "id": call.id,
                    "type": "function",
                    "function": {"name": call.name, "arguments": arguments},
                }
                for call, arguments in calls
            ]
        if text or calls:
            self.messages.append(message)
        for call, _ in calls:
            result: Message = {"role": "tool", "tool_call_id": call.id, "content": "Cancelled."}
            self._open[call.id] = result
            self.messages.append(result)

    def result(self, call_id: str, text: str) -> None:
        """The call `call_id` gave back `text`."""
        message = self._open.pop(call_id, None)
        if message is not None:
            message["content"] = text[:_RESULT_MAX]

    def see(self, parts: list[Json]) -> None:
        """Show the model pictures: parts of a message."""
        self.messages.append({"role": "user", "content": parts})

    def heard(self, text: str) -> None:
        """Only `text` of the answer was heard."""
        for message in self.messages:
            if message["role"] == "assistant":
                message["content"] = ""
        self.messages = [
            each
            for each in self.messages
            if each["role"] != "assistant" or each["content"] or "tool_calls" in each
        ]
        if text.strip():
            self.messages.append({"role": "assistant", "content": text.strip() + _CUT})

    def forget_pictures(self) -> None:
        """A picture is worth its tokens once."""
        self.messages = [each for each in self.messages if not isinstance(each["content"], list)]

    @property
    def size(self) -> int:
        """Its characters, those of its calls too."""
        return sum(
            len(str(each["content"])) + len(str(each.get("tool_calls", "")))
            for each in self.messages
        )


class Memory:
    """The exchanges of a conversation; the oldest are forgotten first."""

    def __init__(self) -> None:
        self._kept: list[Exchange] = []

    def messages(self) -> list[Message]:
        return [message for exchange in self._kept for message in exchange.messages]

    def keep(self, exchange: Exchange) -> None:
        """Remember a turn that is over."""
        exchange.forget_pictures()
        if len(exchange.messages) < 2:
            return  # nothing was answered: the question alone would be answered next time
        self._kept = [*self._kept, exchange][-TURNS_MAX:]
        while len(self._kept) > 1 and sum(each.size for each in self._kept) > CHARACTERS_MAX:
            self._kept.pop(0)

    def interrupted(self, heard: str) -> None:
        """Of the last answer only `heard` was heard."""
        if self._kept:
            self._kept[-1].heard(heard)

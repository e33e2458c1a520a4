"""Server-sent events: bytes in, the data of each event out (WHATWG HTML §9.2.6); pure."""

import codecs

EVENT_MAX = 1_000_000  # characters; a chunk of a chat has some hundred


class EventTooLong(ValueError):  # noqa: N818 - names the state
    """An event is longer than EVENT_MAX."""


class Events:
    """Gathers the `data` of events; comments, ids and names of events are skipped."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._line = ""
        self._data: list[str] = []
        self._after_return = False

    def push(self, piece: bytes) -> list[str]:
        """The data of the events that `piece` completes; EventTooLong."""
        text = self._decoder.decode(piece)
        if text and self._after_return:
            text = text.removeprefix("\n")
            self._after_return = False
        self._after_return = self._after_return or text.endswith("\r")
        lines = (self._line + text.replace("\r\n", "\n").replace("\r", "\n")).split("\n")
        self._line = lines.pop()
        events = [event for line in lines if (event := self._take(line)) is not None]
        if len(self._line) + sum(map(len, self._data)) > EVENT_MAX:
            raise EventTooLong
        return events

    def end(self) -> list[str]:
        """What the end of the stream completes: some servers leave out the last blank line."""
        events = (self._take(self._line), self._take(""))
        self._line = ""
        return [event for event in events if event is not None]

    def _take(self, line: str) -> str | None:
        if line:
            field, _, value = line.partition(":")
            if field == "data":
                self._data.append(value.removeprefix(" "))
            return None
        data, self._data = self._data, []
        return "\n".join(data) if data else None

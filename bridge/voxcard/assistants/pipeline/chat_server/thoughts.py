"""Takes the thoughts out of a model's text: what stands between <think> and </think>; pure."""

_OPEN, _CLOSE = "<think>", "</think>"


class WithoutThoughts:
    """Text in pieces of any size, without its thoughts; a tag may be cut anywhere."""

    def __init__(self) -> None:
        self._held = ""  # may be the beginning of a tag
        self._thinks = False

    def push(self, text: str) -> str:
        """What of `text` is meant for the person, as far as that is known."""
        text, self._held = self._held + text, ""
        said = ""
        while text:
            tag = _CLOSE if self._thinks else _OPEN
            before, found, after = text.partition(tag)
            if not found:
                cut = _begun(text, tag)
                before, self._held, after = text[:cut], text[cut:], ""
            else:
                self._thinks, before_thinks = not self._thinks, self._thinks
                said, text = said + ("" if before_thinks else before), after
                continue
            return said + ("" if self._thinks else before)
        return said

    def end(self) -> str:
        """What was held back and was no tag."""
        held, self._held = self._held, ""
        return "" if self._thinks else held


def _begun(text: str, tag: str) -> int:
    """Where in `text` a tag may have begun: len(text) when nowhere."""
    for size in range(min(len(tag) - 1, len(text)), 0, -1):
        if text.endswith(tag[:size]):
            return len(text) - size
    return len(text)

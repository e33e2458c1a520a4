"""Whether an assistant's servers answered lately; pure."""

RETRY_S = 30.0  # after that it is tried again, whatever was wrong


class Health:
    """The last failure, until something works again or it is time to try."""

    def __init__(self) -> None:
        self._why = ""
        self._until_s = 0.0

    def failed(self, why: str, now_s: float) -> None:
        self._why, self._until_s = why, now_s + RETRY_S

    def worked(self) -> None:
        self._why = ""

    def why(self, now_s: float) -> str:
        """The last failure in a sentence, "" when it is over or old."""
        return self._why if now_s < self._until_s else ""

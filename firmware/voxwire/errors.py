"""The one error every parser of foreign bytes raises."""


class WireError(ValueError):
    """A foreign value that is not of the protocol.

    `part` names where it is wrong (`listen.mode`, `audio.version`), `reason` says how in a phrase.
    """

    def __init__(self, part: str, reason: str) -> None:
        super().__init__(part, reason)
        self.part = part
        self.reason = reason

    def __str__(self) -> str:
        return "%s: %s" % (self.part, self.reason)

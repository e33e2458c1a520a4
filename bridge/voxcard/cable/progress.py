"""How far a piece of work on a board is."""

from typing import Protocol


class Report(Protocol):
    """Called with the step that is under way and how much of it is done, in its own unit."""

    def __call__(self, step: str, done: int, total: int) -> None: ...

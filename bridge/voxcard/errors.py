"""Errors shown to a person: the problem and its remedy."""

from voxcard import installation


class VoxcardError(Exception):
    """Something a person can act on.

    `problem` is a sentence, `remedy` says what to do; the command line prints both and exits 1.
    """

    def __init__(self, problem: str, remedy: str = "") -> None:
        super().__init__(problem, remedy)
        self.problem = problem
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.problem} {self.remedy}".strip()


class Interrupted(VoxcardError):  # noqa: N818 - names the state, not an exception class
    """What was under way was lost with the device or its link, and may be tried again."""


class MissingExtra(VoxcardError):  # noqa: N818 - names the state, not an exception class
    """An optional part is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} is not installed.", installation.remedy(extra))
        self.extra = extra

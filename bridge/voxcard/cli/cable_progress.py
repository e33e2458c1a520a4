"""Bars for the steps of a piece of work on a board."""

import contextlib
from collections.abc import Iterator

from rich.console import Console
from rich.progress import Progress, TaskID

from voxcard.cable.progress import Report


@contextlib.contextmanager
def bars() -> Iterator[Report]:
    """A bar for each step, on stderr; where that is no terminal, only how they ended."""
    tasks: dict[str, TaskID] = {}
    with Progress(console=Console(stderr=True)) as progress:

        def report(step: str, done: int, total: int) -> None:
            if step not in tasks:
                tasks[step] = progress.add_task(step)
            progress.update(tasks[step], completed=done, total=total)

        yield report

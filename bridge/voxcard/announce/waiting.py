"""What waits for one device: urgent ones first, each kind in the order in which it came. Pure."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from voxcard.announce.announcement import Announcement, State

WAITING_MAX = 16  # for one device; another one is refused


@dataclass(slots=True, eq=False)
class Entry:
    """One announcement for one device; `tell(state, text)` takes its reports.

    `deadline_s` is by the loop's clock. `attempts` counts the turns that ended before it spoke;
    `loss` is why the device was first lost while it played, in a sentence, or "".
    """

    announcement: Announcement
    deadline_s: float
    tell: Callable[[State, str], None]
    attempts: int = 0
    loss: str = ""
    _told: tuple[State, str] = field(default=("waits", ""))

    def report(self, state: State, text: str = "") -> None:
        """Tell it, unless it was the last that was told."""
        if (state, text) != self._told:
            self._told = state, text
            self.tell(state, text)


class Waiting:
    """The entries of one device; iterating gives them in their order."""

    def __init__(self) -> None:
        self._entries: list[Entry] = []

    def __iter__(self) -> Iterator[Entry]:
        return iter(sorted(self._entries, key=lambda entry: not entry.announcement.urgent))

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, entry: Entry) -> bool:
        return entry in self._entries

    @property
    def is_full(self) -> bool:
        """Whether there is no room for one more."""
        return len(self._entries) >= WAITING_MAX

    def add(self, entry: Entry) -> None:
        """Put it behind those of its kind."""
        self._entries.append(entry)

    def remove(self, entry: Entry) -> None:
        """It waits no longer; harmless for one that does not."""
        if entry in self._entries:
            self._entries.remove(entry)

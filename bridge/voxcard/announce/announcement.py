"""An announcement, and what is reported of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from voxcard.json_value import JsonObject

State = Literal["waits", "begins", "played", "stopped", "refused", "expired", "failed"]
# What ends an announcement on a device; exactly one of them comes, and nothing after it.
ENDS: frozenset[State] = frozenset(("played", "stopped", "refused", "expired", "failed"))
# A person who cuts it off has heard that there is one.
DELIVERED: frozenset[State] = frozenset(("played", "stopped"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """At least one of `text`, `audio` (a sound file's bytes) and `card` (in any dialect).

    `urgent`: it ends a running turn and passes quiet hours. `holds`: it waits for a device that is
    away or has quiet hours; otherwise it waits for a busy one alone. `wait_s` is how long, quiet
    hours not counted; below 0: as long as the home waits.
    """

    text: str = ""
    audio: bytes = b""
    card: JsonObject | None = None
    urgent: bool = False
    chime: bool = True
    holds: bool = True
    wait_s: float = -1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What became of an announcement on a device; `text` is why, in a sentence, or ""."""

    device: str
    state: State
    text: str = ""

    @property
    def is_end(self) -> bool:
        """Whether nothing follows."""
        return self.state in ENDS

    @property
    def is_delivered(self) -> bool:
        """Whether the person had it."""
        return self.state in DELIVERED

    def words(self) -> str:
        """One line of what happened, for a person."""
        return f"{_WORDS[self.state]}: {self.text}" if self.text else _WORDS[self.state]


_WORDS: Mapping[State, str] = {
    "waits": "waits",
    "begins": "begins",
    "played": "played",
    "stopped": "cut off by a person",
    "refused": "refused",
    "expired": "not played in time",
    "failed": "failed",
}

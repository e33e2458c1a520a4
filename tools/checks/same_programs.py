"""Mutants that no test can notice, each with the reason why it is the same program."""

import re

# A line of any module -> why no change of its own tokens is another program.
EVERYWHERE: tuple[tuple[str, str], ...] = (
    (r"@dataclass\(", "frozen, slots and kw_only hold for who writes the code: mypy sees to them"),
    (r"(@cache|@cached_property|@lru_cache)\b.*", "the same again, only slower"),
    (r"@property$", "mypy refuses a call, or none, where the other is meant"),
)
_SMALL = "Python keeps one object of each small number, and of each text that stands in a module"
# module -> (the line, the line of the mutant, why they do the same)
SAME: dict[str, tuple[tuple[str, str, str], ...]] = {
    "firmware/voxwire/audio.py": (
        (
            "FRAME_BYTES_MAX = HEADER_BYTES + 2880",
            "FRAME_BYTES_MAX = HEADER_BYTES ^ 2880",
            "8 and 2880 have no bit in common",
        ),
    ),
    "firmware/mqtt/inflight.py": (
        ("self._sent = 0", "self._sent = -1", "only the order of the numbers counts"),
        ("self._sent = 0", "self._sent = 1", "only the order of the numbers counts"),
    ),
    "firmware/screen/cells.py": (
        (
            "_PICTOGRAPHS = 0x1F000",
            "_PICTOGRAPHS = 126975",
            "U+1EFFF takes one cell either way",
        ),
    ),
    "firmware/session/limits.py": (
        (
            "if flow.session.state == CONNECTING:",
            "if flow.session.state <= CONNECTING:",
            "of the names of states it is the first in order",
        ),
    ),
    "firmware/audio/jitter.py": (
        ("if self.held == 0:", "if self.held <= 0:", "no negative number of frames is held"),
    ),
    "firmware/session/buttons.py": (
        ("if state == UP:", "if state is UP:", _SMALL),
        (
            'if role == "page" or shown in ("choice", "offer"):',
            'if role >= "page" or shown in ("choice", "offer"):',
            "the only other role above it is talk, which never waits",
        ),
    ),
    "firmware/screen/icons.py": (
        (
            "target = 4 * (at - column) + 2 * column",
            "target = 4 * (at - column) | 2 * column",
            "a row of an icon is 2, 4 or 8 bytes: they have no bit in common",
        ),
    ),
    "bridge/voxcard/assistants/offline/intents/meanings.py": (
        (
            "return numbers[0] if len(numbers) == 1 else None",
            "return numbers[ -1] if len(numbers) == 1 else None",
            "of one number the first is the last",
        ),
    ),
    "bridge/voxcard/cards/live/merge_patch.py": (
        (
            "elif key not in before or old != value or type(old) is not type(value):",
            "elif key not in before or old != value or type(old) != type(value):",
            "types are equal when they are the same",
        ),
    ),
    "bridge/voxcard/cards/text/cells.py": (
        ('line, used = "", 0', 'line, used = "", -1', "an empty line is no line either way"),
    ),
}


def reason(module: str, difference: str) -> str:
    """Why the mutant of this difference is the same program; empty for one that is not listed."""
    lines = difference.splitlines()
    removed = " ".join(line[1:].strip() for line in lines if line.startswith("-"))
    added = " ".join(line[1:].strip() for line in lines if line.startswith("+"))
    if added == removed.replace(" *,", " /,").replace("(*,", "(/,"):
        return "an argument is named, which the other form allows as well"
    for pattern, why in EVERYWHERE:
        if re.match(pattern, removed):
            return why
    for before, after, why in SAME.get(module, ()):
        if (before, after) == (removed, added):
            return why
    return ""

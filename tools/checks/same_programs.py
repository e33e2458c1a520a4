"""Mutants that no test can notice, each with the reason why it is the same program."""

import re

# A line of any module -> why no change of its own tokens is another program.
EVERYWHERE: tuple[tuple[str, str], ...] = (
    (r"@dataclass\(", "frozen, slots and kw_only hold for who writes the code: mypy sees to them"),
    (r"(@cache|@cached_property|@lru_cache)\b.*", "the same again, only slower"),
)
_FIRST = "it is a byte, or one of names that begin with 0: there is no lower one"
# module -> (the line, the line of the mutant or "" for any that is alive, why they do the same)
SAME: dict[str, tuple[tuple[str, str, str], ...]] = {
    "firmware/voxwire/audio.py": (
        ("if codec == PCM16:", "if codec <= PCM16:", _FIRST),
        ("elif codec == IMA_ADPCM:", "elif codec <= IMA_ADPCM:", "0 was looked at before"),
        ("elif codec != OPUS:", "elif codec > OPUS:", "0 and 1 were looked at before"),
        ("if codec == IMA_ADPCM:", "if codec <= IMA_ADPCM:", "0 was looked at before"),
    ),
    "firmware/mqtt/timing.py": (
        (
            "CLOSED, OPENING, GREETING, SUBSCRIBING, UP = 0, 1, 2, 3, 4",
            "",
            "only the order of the phases counts, and a test holds it",
        ),
        ("NOTHING, PING, LOST = 0, 1, 2", "", "three names, and a test holds them apart"),
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
        (
            'if role == "page" or shown in ("choice", "offer"):',
            'if role >= "page" or shown in ("choice", "offer"):',
            "the only other role above it is talk, which never waits",
        ),
    ),
    "bridge/voxcard/assistants/offline/intents/meanings.py": (
        (
            "return numbers[0] if len(numbers) == 1 else None",
            "return numbers[ -1] if len(numbers) == 1 else None",
            "of one number the first is the last",
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
    for pattern, why in EVERYWHERE:
        if re.match(pattern, removed):
            return why
    for before, after, why in SAME.get(module, ()):
        if before == removed and after in ("", added):
            return why
    return ""

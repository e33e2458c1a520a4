"""The system prompt: a file that people may edit, with the facts of the place filled in."""

import re
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from voxcard.assistants import Facts
from voxcard.errors import VoxcardError

PROMPT_MAX = 20_000  # characters
_OURS = Path(__file__).with_name("prompt.txt")
_FACT = re.compile(r"\{([a-z]+)\}")
FACTS = ("name", "device", "locale", "time", "screen")


def read(path: str) -> str:
    """The text of the file at `path`, "" for ours; VoxcardError when it cannot be used."""
    file = Path(path) if path else _OURS
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        remedy = "Correct `prompt` in voxcard.toml; it must be text in UTF-8."
        raise VoxcardError(f"The prompt {file} cannot be read.", remedy) from error
    if not text.strip() or len(text) > PROMPT_MAX:
        problem = f"The prompt {file} must have 1 to {PROMPT_MAX} characters."
        raise VoxcardError(problem, "Correct it, or leave `prompt` out for ours.")
    unknown = sorted({each for each in _FACT.findall(text) if each not in FACTS})
    if unknown:
        known = ", ".join(f"{{{each}}}" for each in FACTS)
        problem = f"The prompt {file} has an unknown fact {{{unknown[0]}}}."
        raise VoxcardError(problem, f"Known: {known}.")
    return text


def filled(text: str, place: Facts) -> str:
    """`text` with the facts of `place` in it."""
    facts: Mapping[str, str] = {
        "name": place.name,
        "device": place.device,
        "locale": place.locale,
        "time": moment(place.now),
        "screen": _screen(place),
    }
    return _FACT.sub(lambda fact: facts[fact[1]], text).strip()


def moment(now: datetime) -> str:
    """`now` to the minute, as the prompt says it."""
    return f"{now:%A}, {now.isoformat(sep=' ', timespec='minutes')}"


def tells_time(text: str) -> bool:
    """Whether the facts in `text` change with the minute."""
    return "{time}" in text


def _screen(place: Facts) -> str:
    if place.screen is None:
        return "none"
    width, height = place.screen
    return f"{width}x{height} px, {'in colour' if place.colours else 'black and white'}"

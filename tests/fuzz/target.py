"""One thing that is fuzzed, and the loop that does it until time is up.

Every input follows from the seed. (Hypothesis, which the properties are written with, makes some
30 inputs a second of processor time of these; here it is a thousand and more.)
"""

import json
import resource
import signal
import time
import traceback
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from fuzz.inputs import Inputs

ROOT = Path(__file__).parents[2]
INPUTS_MIN = 50  # of one target, however slow the machine
CPU_LIMIT_S = 5.0  # of one input: seconds of this process, whatever else the machine does
MEMORY_LIMIT = 6 << 30  # of address space
FAULTS_MAX = 5  # of one target, then it is left


class TooLongError(AssertionError):
    """One input took more than CPU_LIMIT_S of processor time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """`check(value)` reads one of `inputs`: it returns for a good one, and for a bad one when
    only the typed error was raised. Anything it raises is a fault."""

    name: str
    inputs: Inputs
    check: Callable[[Any], None]


@dataclass(slots=True)
class Row:
    """What came of one target."""

    name: str
    inputs: int = 0
    slowest_s: float = 0.0  # processor time
    faults: dict[str, tuple[str, Any]] = field(default_factory=dict)  # place -> sentence, input


def attempt(target: Target, value: Any) -> float:
    """Check one input; the processor time it took. Raises what the target does."""
    began = time.process_time()
    with _limited():
        target.check(value)
    return time.process_time() - began


def fuzz(target: Target, seed: str, seconds: float, least: int = INPUTS_MIN) -> Row:
    """Give `target` inputs of `seed` for so long, but `least` of them whatever the time; faults
    of one place count once."""
    row, ends = Row(target.name), time.monotonic() + seconds
    while row.inputs < least or (time.monotonic() < ends and len(row.faults) < FAULTS_MAX):
        numbers = target.inputs.numbers(Random(f"{seed} {target.name} {row.inputs}"))
        row.inputs += 1
        value = target.inputs.make(numbers)
        try:
            row.slowest_s = max(row.slowest_s, attempt(target, value))
        except Exception as fault:
            place = place_of(fault)
            if place not in row.faults:
                row.faults[place] = _text(fault), target.inputs.make(_small(target, numbers))
    return row


def _small(target: Target, numbers: list[int]) -> list[int]:
    """As few of the changes as still fail at the same place."""
    place = _place(target, numbers)
    for number in list(numbers[1:]):
        fewer = [numbers[0], *(each for each in numbers[1:] if each != number)]
        if place and _place(target, fewer) == place:
            numbers = fewer
    return numbers


def _place(target: Target, numbers: list[int]) -> str:
    """Where the input of these numbers fails; empty for one that does not."""
    try:
        attempt(target, target.inputs.make(numbers))
    except Exception as fault:
        return place_of(fault)
    return ""


def place_of(fault: BaseException) -> str:
    """Where it was raised: the innermost line of the project, and the type."""
    frames = traceback.extract_tb(fault.__traceback__)
    ours = [each for each in frames if each.filename.startswith(str(ROOT)) and ".venv" not in
            each.filename and "/tests/fuzz/target.py" not in each.filename]  # fmt: skip
    last = ours[-1] if ours else frames[-1]
    return f"{Path(last.filename).name}:{last.lineno} {type(fault).__name__}"


def _text(fault: BaseException) -> str:
    return " ".join(ascii(str(fault)).split())[:200]


@contextmanager
def _limited() -> Iterator[None]:
    """Raise TooLongError in what is inside when it takes too much processor time."""

    def late(*_: object) -> None:
        raise TooLongError(f"took more than {CPU_LIMIT_S:g} s of processor time")

    before = signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, CPU_LIMIT_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def limit_memory() -> None:
    """What takes without end gets a MemoryError, which is a fault, and not the whole machine."""
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, hard))


def to_text(value: Any) -> str:
    """An input as it is kept: JSON, bytes in base64."""
    if isinstance(value, bytes):
        value = {"base64": b64encode(value).decode()}
    return json.dumps(value) + "\n"


def from_text(text: str) -> Any:
    """The input that `to_text` wrote."""
    value = json.loads(text)
    if isinstance(value, dict) and value.keys() == {"base64"}:
        return b64decode(value["base64"])
    return value

"""One thing that is fuzzed, and what fuzzes it: Hypothesis, in rounds until time is up."""

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
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st

ROOT = Path(__file__).parents[2]
ROUND = 400  # inputs of one seed
INPUTS_MIN = 50  # of one target, however slow the machine
SHRINK_S = 15.0  # that are given to making an input that fails small
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
    inputs: st.SearchStrategy[Any]
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
    row, ends, turn = Row(target.name), time.monotonic() + seconds, 0
    while turn == 0 or (time.monotonic() < ends and len(row.faults) < FAULTS_MAX):
        _round(target, row, f"{seed} {target.name} {turn}", ends, least)
        turn += 1
    return row


def _round(target: Target, row: Row, seed: str, ends: float, least: int) -> None:
    now = time.monotonic()
    found: dict[str, Any] = {}

    @seeded(seed)
    @settings(
        max_examples=ROUND if now < ends else least,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
    )
    @given(target.inputs)
    def one(value: Any) -> None:
        now = time.monotonic()
        over = now > (found["ends"] if found else ends) and row.inputs >= least
        if over and repr(value) != found.get("shown"):
            return
        row.inputs += 1
        try:
            row.slowest_s = max(row.slowest_s, attempt(target, value))
        except Exception as fault:
            place = place_of(fault)
            if place in row.faults or found.get("place", place) != place:
                return
            found.setdefault("ends", now + SHRINK_S)
            found.update(place=place, value=value, shown=repr(value), text=_text(fault))
            raise

    try:
        one()
    except Exception as fault:
        place = found.get("place", place_of(fault))
        row.faults[place] = found.get("text", _text(fault)), found.get("value")


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

"""How a board started, read from the lines of its log; pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

_READY = re.compile(r"info app: (\S+) is ready$")
_SESSION = re.compile(r"info link: session \S+$")
_CODE = re.compile(r"info alert: Code (\d{6})$")
_CONNECTION = re.compile(r"(?:error|warning) (?:network|wifi|mqtt): (.+)$")
_NOTE = re.compile(r"(?:error|warning) (?:app|board|settings|clock): (.+)$")
_ENDED = re.compile(r"^(\w*(?:Error|Exception)\b.*)$")  # the last line of a traceback


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """`device_id`: "" while it is not ready. `code`: of pairing, "" without.

    `problem`: why it has no connection. `notes`: what else it complained of. `ended`: the
    exception that ended the program before it was ready.
    """

    device_id: str = ""
    code: str = ""
    in_session: bool = False
    problem: str = ""
    notes: tuple[str, ...] = ()
    ended: str = ""

    @property
    def is_over(self) -> bool:
        """Whether nothing more is to be waited for."""
        known = self.code or self.in_session or self.problem
        return bool(self.ended or (self.device_id and known))


def follow(lines: Iterable[str]) -> Start:
    """Read until it is known how the board started, or the lines end."""
    start = Start()
    for line in lines:
        start = heard(start, line)
        if start.is_over:
            break
    return start


def heard(start: Start, line: str) -> Start:
    """What is known after one more line."""
    if match := _READY.search(line):
        return replace(start, device_id=match[1])
    if match := _CODE.search(line):
        return replace(start, code=match[1])
    if _SESSION.search(line):
        return replace(start, in_session=True)
    if match := _CONNECTION.search(line):
        return replace(start, problem=match[1])
    if match := _NOTE.search(line):
        return replace(start, notes=(*start.notes, match[1]))
    if not start.device_id and (match := _ENDED.search(line)):
        return replace(start, ended=match[1])
    return start

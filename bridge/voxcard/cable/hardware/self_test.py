"""Tries the parts of a board that has Voxcard, one after the other, with a person beside it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from voxcard.cable.hardware import report
from voxcard.cable.hardware.report import Result
from voxcard.cable.repl import Repl
from voxcard.json_value import JsonObject

TONE_HZ, TONE_MS = 440, 1000
METER_MS = 4000
PRESS_MS = 15000
JOIN_MS = 40000
ECHO_MS = 20000
_PROGRAM = Path(__file__).parents[1] / "on_device" / "hardware.py"


class Person(Protocol):
    """Who stands beside the board."""

    def tell(self, text: str) -> None:
        """Say what happens, or what is to be done."""

    def asks(self, question: str) -> bool:
        """The answer to a question."""

    def level(self, level: int) -> None:
        """How loud it is, of 32768, ten times a second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Test:
    part: str
    call: tuple[str, *tuple[int | str, ...]]
    read: Callable[[JsonObject], Result]


class HardwareTest:
    """The tests on one board; `press_ms` is how long a button is waited for."""

    def __init__(self, repl: Repl, slot: str, person: Person, press_ms: int = PRESS_MS) -> None:
        self._repl, self._person, self._press_ms = repl, person, press_ms
        repl.run(_PROGRAM.read_text(encoding="utf-8"))
        self._board = list(repl.lines("begin", slot))[-1]

    def results(self) -> Iterator[Result]:
        """The result of every part, each when it is known."""
        yield self._run(_Test(part="memory", call=("memory",), read=report.memory))
        for part, test in self._parts():
            if part in self._board["parts"]:
                yield test()
            else:
                yield report.absent(part)
        for name in self._board["buttons"]:
            yield self._button(name)
        yield self._network()
        yield self._run(_Test(part="broker", call=("echo", ECHO_MS), read=report.broker))

    def _parts(self) -> tuple[tuple[str, Callable[[], Result]], ...]:
        return (
            ("display", self._screen),
            ("speaker", self._speaker),
            ("microphone", self._microphone),
        )

    def _screen(self) -> Result:
        question = (
            "Is there a frame around the whole screen, and a filled quarter at its top left?"
        )
        read = lambda values: report.screen(values, self._person.asks(question))  # noqa: E731
        return self._run(_Test(part="screen", call=("pattern",), read=read))

    def _speaker(self) -> Result:
        self._person.tell("A tone of a second comes now.")
        question = "Did you hear the tone?"
        read = lambda values: report.speaker(values, TONE_MS, self._person.asks(question))  # noqa: E731
        return self._run(_Test(part="speaker", call=("tone", TONE_HZ, TONE_MS), read=read))

    def _microphone(self) -> Result:
        self._person.tell("Speak now, for four seconds.")
        test = _Test(part="microphone", call=("meter", METER_MS), read=report.microphone)
        return self._run(test)

    def _button(self, name: str) -> Result:
        self._person.tell(f"Press the button {name}, and let it go.")
        read = lambda values: report.button(name, values)  # noqa: E731
        call = ("press", name, self._press_ms)
        return self._run(_Test(part=f"button {name}", call=call, read=read))

    def _network(self) -> Result:
        self._person.tell("The network, and the broker: this takes up to a minute.")
        return self._run(_Test(part="network", call=("join", JOIN_MS), read=report.network))

    def _run(self, test: _Test) -> Result:
        last: JsonObject = {"error": "the board gave no result"}
        for values in self._repl.lines(*test.call):
            if "level" in values:
                self._person.level(values["level"])
            else:
                last = values
        return report.failed(test.part, last["error"]) if "error" in last else test.read(last)

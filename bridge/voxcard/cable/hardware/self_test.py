"""Tries the parts of a board that has Voxcard, one after the other, with a person beside it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from voxcard.cable.hardware import chips, report, slots
from voxcard.cable.hardware.report import Result
from voxcard.cable.repl import Repl
from voxcard.json_value import JsonObject

TONE_HZ, TONE_MS = 440, 1000
METER_MS = 4000
PRESS_MS = 15000
JOIN_MS = 40000
ECHO_MS = 20000
_PROGRAMS = Path(__file__).parents[1] / "on_device"
_I2S = ("i2s_std", "codec")  # microphones that MicroPython's I2S can read


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
    """The tests on one board, whose file is `file`; `press_ms` is how long a button is awaited."""

    def __init__(
        self, repl: Repl, slot: str, file: JsonObject, person: Person, press_ms: int = PRESS_MS
    ) -> None:
        self._repl, self._file, self._person, self._press_ms = repl, file, person, press_ms
        for name in ("hardware", "probes"):
            repl.run((_PROGRAMS / f"{name}.py").read_text(encoding="utf-8"))
        self._board = list(repl.lines("begin", slot))[-1]

    def results(self) -> Iterator[Result]:
        """The result of every part, each when it is known."""
        yield self._run(_Test(part="memory", call=("memory",), read=report.memory))
        yield from self._chips()
        for part, test in self._parts():
            if part in self._board["parts"]:
                yield from test()
            else:
                yield report.absent(part)
        for name in self._board["buttons"]:
            yield self._button(name)
        yield self._network()
        yield self._run(_Test(part="broker", call=("echo", ECHO_MS), read=report.broker))

    def _parts(self) -> tuple[tuple[str, Callable[[], Iterator[Result]]], ...]:
        return (
            ("display", self._screen),
            ("speaker", self._speaker),
            ("microphone", self._microphone),
            ("camera", self._camera),
            ("battery", self._battery),
        )

    def _chips(self) -> Iterator[Result]:
        """Of a board with buses of its own: one that is simulated has none."""
        wanted = chips.wanted(self._file)
        if self._board["buses"] and wanted:
            yield from chips.results(self._file, list(self._repl.lines("chips", wanted)))

    def _screen(self) -> Iterator[Result]:
        question = (
            "Is there a frame around the whole screen, and a filled quarter at its top left?"
        )
        read = lambda values: report.screen(values, self._person.asks(question))  # noqa: E731
        yield self._run(_Test(part="screen", call=("pattern",), read=read))

    def _speaker(self) -> Iterator[Result]:
        self._person.tell("A tone of a second comes now.")
        question = "Did you hear the tone?"
        read = lambda values: report.speaker(values, TONE_MS, self._person.asks(question))  # noqa: E731
        yield self._run(_Test(part="speaker", call=("tone", TONE_HZ, TONE_MS), read=read))

    def _microphone(self) -> Iterator[Result]:
        stream = self._file["audio"]["in"]
        rate_hz = stream["rates"][0]
        if self._board["buses"] and stream["kind"] in _I2S:
            wires = (stream["i2s_id"], stream["sck"], stream["ws"], stream["sd"])
            read = lambda values: slots.judge(stream, values)  # noqa: E731
            yield self._run(_Test(part="I2S", call=("slots", *wires, rate_hz), read=read))
        self._person.tell("Speak now, for four seconds.")
        test = _Test(part="microphone", call=("meter", METER_MS), read=report.microphone)
        yield self._run(test)

    def _camera(self) -> Iterator[Result]:
        self._person.tell("The camera takes a photo; nobody keeps it.")
        yield self._run(_Test(part="camera", call=("photo",), read=report.camera))

    def _battery(self) -> Iterator[Result]:
        yield self._run(_Test(part="battery", call=("battery",), read=report.battery))

    def _button(self, name: str) -> Result:
        what = "Touch the screen" if name == "touch" else f"Press the button {name}"
        self._person.tell(f"{what}, and let go.")
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

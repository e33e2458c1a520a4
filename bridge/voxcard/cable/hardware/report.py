"""What the tests of a board's parts mean, and the report of them; pure."""

from collections.abc import Iterable
from dataclasses import dataclass

from voxcard.json_value import Json, JsonObject

OK, FAILED, ABSENT = "ok", "failed", "absent"
_RATE_HZ, _RATE_PERCENT = 16000, 2
_QUIET = 2  # of 32768: fewer and no microphone is there, or its data line is not
_OFFSET_MAX = 8000
_CLIPPED = 32000
_PAUSE_MS_MAX = 50  # a longer one is heard
_SYSTEM_BYTES_MIN = 24576  # for Wi-Fi and a TCP connection
_SPEAKER_SLACK_MS = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One part: OK, FAILED or ABSENT, and a sentence with what was measured."""

    part: str
    verdict: str
    text: str


def absent(part: str) -> Result:
    """A part that the board's file does not have, or its image cannot drive."""
    text = "The board's file has none."
    if part == "camera":
        text = "The board's file has none, or its MicroPython has no driver for it."
    return Result(part=part, verdict=ABSENT, text=text)


def memory(values: JsonObject) -> Result:
    """Of the helper `memory`."""
    pause_ms = values["gc_pause_us"] / 1000
    text = f"{values['heap_free_bytes']} bytes of heap free, collected in {pause_ms:.1f} ms"
    system = values.get("system_largest_bytes")
    if system is not None:
        text += f", {values['system_free_bytes']} for the network, {system} in one piece"
    bad = pause_ms > _PAUSE_MS_MAX or (system is not None and system < _SYSTEM_BYTES_MIN)
    return _result("memory", not bad, f"{text}.")


def screen(values: JsonObject, is_seen: bool) -> Result:
    """Of the helper `pattern`, and what a person sees."""
    if not is_seen:
        text = "The pattern is not there: check power, wires, and `driver` in the board's file."
        return _result("screen", False, text)
    return _result("screen", True, f"The pattern took {values['screen_ms']} ms.")


def speaker(values: JsonObject, ms: int, is_heard: bool) -> Result:
    """Of the helper `tone`, which lasts `ms`, and what a person hears."""
    if abs(values["speaker_ms"] - ms) > _SPEAKER_SLACK_MS:
        text = f"{ms} ms of sound took {values['speaker_ms']} ms: check its clock pins."
        return _result("speaker", False, text)
    text = "Nothing is heard: check the amplifier's power, its enable pin and `sd`."
    return _result("speaker", is_heard, "The tone is heard." if is_heard else text)


def microphone(values: JsonObject) -> Result:
    """Of the helper `meter`."""
    rate, loudest, quietest = values["rate_hz"], values["loudest"], values["quietest"]
    text = f"{rate} samples a second, loudness {quietest} to {loudest}, offset {values['offset']}"
    if abs(rate - _RATE_HZ) * 100 > _RATE_HZ * _RATE_PERCENT:
        problem = f"{_RATE_HZ} are expected; check its clock pins, `sck` and `ws`."
        return _result("microphone", False, f"{text}: {problem}")
    if loudest <= _QUIET:
        return _result("microphone", False, f"{text}: no sound comes; check `sd` and L/R.")
    if abs(values["offset"]) > _OFFSET_MAX:
        return _result("microphone", False, f"{text}: the bits are shifted; check `gain_shift`.")
    if quietest >= _CLIPPED:
        return _result("microphone", False, f"{text}: it is noise; check ground and power.")
    return _result("microphone", True, f"{text}.")


def camera(values: JsonObject) -> Result:
    """Of the helper `photo`: a JPEG begins with FFD8 and ends with FFD9."""
    text = f"A photo of {values['photo_bytes']} bytes in {values['photo_ms']} ms"
    if values["first"] != "ffd8" or values["last"] != "ffd9":
        ends = f"begins with {values['first'] or 'nothing'}, ends with {values['last']}"
        return _result("camera", False, f"{text}, but no JPEG ({ends}): check its cable.")
    return _result("camera", True, f"{text}.")


def battery(values: JsonObject) -> Result:
    """Of the helper `battery`."""
    if values["percent"] is None:
        return _result("battery", False, "It gives no value: is one connected?")
    charging = {True: ", being charged", False: ", not being charged"}.get(values["charging"], "")
    return _result("battery", True, f"{values['percent']} %{charging}.")


def button(name: str, values: JsonObject) -> Result:
    """Of the helper `press`."""
    if values["released"]:
        return _result(f"button {name}", True, "It was pressed and let go.")
    why = "It stays pressed: check `active`." if values["pressed"] else "No press was seen."
    return _result(f"button {name}", False, why)


def network(values: JsonObject) -> Result:
    """Of the helper `join`."""
    signal = values.get("signal", "")
    return _result("network", True, f"Joined in {values['joined_ms']} ms. {signal}".strip())


def broker(values: JsonObject) -> Result:
    """Of the helper `echo`."""
    text = f"There and back in {values['echo_ms']} ms, at most {values['echo_max_ms']}."
    return _result("broker", True, text)


def failed(part: str, error: Json) -> Result:
    """A part whose test ended with an error."""
    return Result(part=part, verdict=FAILED, text=str(error))


def page(board: str, running: str, results: Iterable[Result]) -> str:
    """The report to attach to an issue."""
    rows = [f"{each.verdict:<7} {each.part:<16} {each.text}" for each in results]
    return "\n".join((f"Board: {board}", f"Runs: {running}", "", *rows, ""))


def _result(part: str, is_good: bool, text: str) -> Result:
    return Result(part=part, verdict=OK if is_good else FAILED, text=text)

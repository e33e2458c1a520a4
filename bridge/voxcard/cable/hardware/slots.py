"""What the two slots of a microphone's I2S mean; pure.

A slot is [lowest, highest, mean] of its upper 24 bits.
"""

from voxcard.cable.hardware.report import FAILED, OK, Result
from voxcard.json_value import Json, JsonObject

FULL = 1 << 23
_OFFSET_MAX = FULL // 4  # more, and the bits are shifted
_CLIPPED = FULL - 1 - 255  # the lowest byte of many microphones is 0
_STRAP = {
    "left": 'tie L/R to GND, or say `"channel": "right"` in the board\'s file',
    "right": 'tie L/R to 3V3, or say `"channel": "left"` in the board\'s file',
}


def judge(stream: JsonObject, values: JsonObject) -> Result:
    """Of the helper `slots`; `stream` is audio.in of the board's file."""
    side = "right" if stream.get("channel") == "right" else "left"
    other = "left" if side == "right" else "right"
    low, high, mean = values[side]
    text = f"{side} slot from {low} to {high} of {FULL}, mean {mean}"
    problem = _problem(stream, values[side], values[other], side, other)
    if problem:
        return Result(part="I2S", verdict=FAILED, text=f"{text}: {problem}.")
    return Result(part="I2S", verdict=OK, text=f"{text}.")


def _problem(stream: JsonObject, own: Json, others: Json, side: str, other: str) -> str:
    low, high, mean = own
    if low == high:
        if others[0] != others[1]:
            return f"the microphone speaks in the {other} slot; {_STRAP[side]}"
        return _silent(stream, low)
    if low <= -_CLIPPED and high >= _CLIPPED:
        return "it is clipped both ways: noise; check that `sck` and `ws` are not exchanged"
    if high >= _CLIPPED or low <= -_CLIPPED:
        return "it is clipped: speak more softly and try again, or check its supply"
    if abs(mean) > _OFFSET_MAX:
        return "it lies far from 0: the bits are shifted; is it a microphone with I2S?"
    return ""


def _silent(stream: JsonObject, value: int) -> str:
    wires = f"`sck` (GPIO{stream['sck']}) and `ws` (GPIO{stream['ws']})"
    data = f"`sd` (GPIO{stream['sd']})"
    if "codec" in stream:
        return f"no bit moves: is the codec supplied and clocked? Check {wires}, and {data}"
    if value == 0:
        return f"no bit moves: no clock gets there, or no data back; check {wires}, {data}, supply"
    return f"all bits are alike ({value}): {data} is not connected, or pulled up"

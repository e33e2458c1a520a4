"""The tables that a device carries hold the steps of boards/parts."""

import ast

import pytest
from hal.parts.steps import CLEAR, SET, WAIT, steps

from tools.boards import files, step_tables

PARTS = files.parts()


@pytest.mark.parametrize(
    ("step", "data"),
    [
        (["w8", 0x12, 0xBF], b"\x12\x01\xbf"),
        (["w16", 6, 5315], b"\x06\x02\x14\xc3"),
        (["set", 0x31, 0x60], b"\x31\x80\x60"),
        (["clr", 0x31, 0x60], b"\x31\xc0\x60"),
        (["ms", 20], b"\x14\x40"),
        (["cmd", 0xFE, []], b"\xfe\x00"),
        (["cmd", 0xB6, [1, 2]], b"\xb6\x02\x01\x02"),
    ],
)
def test_a_step_is_its_register_what_to_do_and_the_data(step, data):
    assert step_tables.encoded(step) == data


NO_STEPS = (
    *(["w8", 1], ["w32", 1, 2], ["w8", 256, 1], ["w8", 1, 256], ["w8", "1", 1], []),
    *(["w16", 1, 1 << 16], ["set", 1, -1], ["ms", 256]),
    *(["cmd", 1, [0] * 64], ["cmd", 1, [256]]),
)


@pytest.mark.parametrize("step", NO_STEPS)
def test_what_is_no_step_is_refused(step):
    with pytest.raises(ValueError, match=r"is no step|must be in range"):
        step_tables.encoded(step)


def values(name):
    """{name: value} of a part's module, as it stands in the firmware."""
    source = (step_tables.TABLES / f"{name}.py").read_text("utf-8")
    body = ast.parse(source).body[1:]
    return {each.targets[0].id: ast.literal_eval(each.value) for each in body}


def decoded(table):
    names = {WAIT: "ms", SET: "set", CLEAR: "clr"}
    for kind, register, data in steps(table):
        if kind == WAIT:
            yield ["ms", register]
        elif kind in names:
            yield [names[kind], register, data[0]]
        else:
            yield [register, list(data)]


def plain(step):
    """A step whose writes are not told apart by their length."""
    if step[0] in ("w8", "w16", "cmd"):
        length = {"w8": 1, "w16": 2}
        data = step[2] if step[0] == "cmd" else list(step[2].to_bytes(length[step[0]]))
        return [step[1], data]
    return step


@pytest.mark.parametrize("name", PARTS)
def test_the_firmware_writes_what_the_part_says(name):
    part, table = PARTS[name], values(name)
    init = table["SETUP" if part["kind"] == "panel" else "INIT"]
    assert list(decoded(init)) == [plain(step) for step in part["init"]]


def test_a_codec_is_told_its_direction_and_rate_and_is_heard_again():
    table = values("aw88298")
    assert list(decoded(table["SPEAK_24000"])) == [[6, [0x14, 0xC5]], [4, [0x40, 0x40]]]
    assert list(decoded(table["MUTE"])) == [[4, [0x40, 0]]] and table["LISTEN"] == b""
    table = values("es8311_bclk")
    assert list(decoded(table["LISTEN"])) == [[2, [0x10]]]
    assert list(decoded(table["SPEAK_16000"])) == [[2, [0x18]], ["clr", 0x31, 0x60]]
    # A master clock that is wired is the same for both directions.
    assert values("es8311_mclk256")["LISTEN"] == b""


def test_a_panel_has_its_own_form_of_pixels():
    assert values("gc9d01n")["PIXELS"] == 0x05 and values("gc9a01")["PIXELS"] == 0x55

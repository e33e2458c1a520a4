"""A MicroPython that compiles native code wrongly for RISC-V is refused, on RISC-V alone."""

import pytest
from rv32.machine import Machine, machine

# The modules of a chip, which hal.start imports; none is used.
START = """
import sys
sys.modules["network"] = sys
from hal.start import refusal
own = sys.implementation
print(own.version[:3], own._mpy >> 10 & 15)
for version in (own.version, (1, 27, 0, ""), (1, 28, 0, ""), (1, 28, 0, "preview"), (2, 0, 0, "")):
    print(refusal(version, own._mpy))
print(refusal(own.version, own._mpy ^ (11 ^ 10) << 10))
"""
WRONG = "MicroPython 1.%d miscompiles fast code for this chip: install 1.28 or newer."


@pytest.fixture(scope="module")
def processor():
    with machine() as started:
        yield started


def test_a_micropython_before_1_28_is_refused_on_this_processor_alone(processor: Machine):
    said = processor.run(START).splitlines()
    assert said[0] == "(1, 26, 1) 11"
    assert said[1:] == [WRONG % 26, WRONG % 27, "", "", "", ""]

"""The tables of chips: one step after the other, whatever its length."""

from hal.parts.steps import CLEAR, SET, WAIT, steps


def test_a_table_is_read_step_by_step():
    table = (
        b"\x00\x01\x1f\x14\x40\x06\x02\x14\xc3\x31\x80\x60\x31\xc0\x60\xfe\x00\xf0\x03\x01\x02\x03"
    )
    assert list(steps(table)) == [
        (1, 0x00, b"\x1f"), (WAIT, 20, b""), (2, 0x06, b"\x14\xc3"), (SET, 0x31, b"\x60"),
        (CLEAR, 0x31, b"\x60"), (0, 0xFE, b""), (3, 0xF0, b"\x01\x02\x03"),
    ]  # fmt: skip
    assert list(steps(b"")) == []


def test_the_longest_data_of_a_step_are_63_bytes():
    data = bytes(range(63))
    assert list(steps(b"\x6e\x3f" + data + b"\x11\x00")) == [(63, 0x6E, data), (0, 0x11, b"")]

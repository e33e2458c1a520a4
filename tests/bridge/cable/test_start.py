"""What is read from the lines of a board that starts."""

import pytest
from voxcard.cable.start import Start, follow

READY = "3.120 info app: kitchen is ready"


@pytest.mark.parametrize(
    ("lines", "start"),
    [
        ([READY, "9.1 info link: session 8f3a"], Start(device_id="kitchen", in_session=True)),
        ([READY, "9.1 info alert: Code 482913"], Start(device_id="kitchen", code="482913")),
        (
            [READY, "4.2 error network: cannot connect (The Wi-Fi Home is not here)"],
            Start(device_id="kitchen", problem="cannot connect (The Wi-Fi Home is not here)"),
        ),
        (
            ["2.0 error board: the screen cannot be used", READY, "4.2 warning mqtt: No broker."],
            Start(device_id="kitchen", problem="No broker.", notes=("the screen cannot be used",)),
        ),
        (
            ["Traceback (most recent call last):", "ImportError: no module named 'app'"],
            Start(ended="ImportError: no module named 'app'"),
        ),
        ([READY, "ValueError: of a task that is started again"], Start(device_id="kitchen")),
        (["ets Jul 29 2019 12:21:46", "rst:0x1 (POWERON_RESET)"], Start()),
        (["5.0 info alert: Code 12"], Start()),
        ([], Start()),
    ],
)
def test_a_start_is_read_from_its_lines(lines, start):
    assert follow(lines) == start


def test_nothing_is_read_once_it_is_known():
    lines = iter([READY, "9.1 info alert: Code 482913", "9.2 warning mqtt: No broker."])
    assert follow(lines).problem == "" and next(lines).endswith("No broker.")


def test_a_problem_from_before_it_was_ready_is_enough_then():
    assert follow(iter(["1.0 warning wifi: No.", READY])).is_over

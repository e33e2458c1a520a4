"""The port a board is on, and what is said where there is none."""

import errno

import pytest
from voxcard.cable import ports
from voxcard.cable.ports import Port
from voxcard.errors import VoxcardError

BOARD = Port(device="/dev/ttyACM0", about="USB JTAG/serial debug unit", vendor=0x303A)
OTHER = Port(device="/dev/ttyUSB0", about="CP2102N", vendor=0x10C4)
MODEM = Port(device="/dev/ttyS0", about="n/a")


def test_the_only_board_is_the_one_that_is_meant():
    assert ports.choose("", lambda: [MODEM, BOARD]) == "/dev/ttyACM0"


def test_a_named_port_is_taken_as_it_is():
    assert ports.choose("/dev/ttyS0", lambda: [BOARD]) == "/dev/ttyS0"


def test_without_a_board_a_person_is_told_what_to_plug_in_and_press():
    with pytest.raises(VoxcardError, match=r"No board is found.*cable that carries data.*BOOT"):
        ports.choose("", lambda: [MODEM])


def test_of_several_boards_one_is_to_be_named():
    with pytest.raises(VoxcardError, match=r"ttyACM0 \(USB JTAG.*ttyUSB0 \(CP2102N\).*--port"):
        ports.choose("", lambda: [BOARD, OTHER])


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(errno.EACCES, "Permission denied"), "may not use.*dialout"),
        (OSError(errno.EBUSY, "Device or resource busy"), "Another program.*Close"),
        (OSError("Could not exclusively lock port"), "Another program.*Close"),
        (OSError(errno.ENOENT, "No such file or directory"), "Nothing answers.*cable"),
    ],
)
def test_a_port_that_cannot_be_opened_is_explained(error, said):
    with pytest.raises(VoxcardError, match=said):
        raise ports.unusable("/dev/ttyACM0", error)

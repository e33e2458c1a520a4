"""What a board does before the rest of the firmware is imported."""

import sys

import machine
import network

# The newest that all chips reach; what an ESP32 or S3 can, and then a C3.
CPU_HZ = (240000000, 160000000)
_RV32 = 11  # mpy-cross's number of the architecture, in sys.implementation._mpy
_RV32_SINCE = (1, 28)


def refusal(version, mpy: int) -> str:
    """Why the firmware must not run on this MicroPython; "" where it may."""
    if mpy >> 10 & 15 == _RV32 and tuple(version[:2]) < _RV32_SINCE:
        # Stores by a register's index went elsewhere (micropython 424ae08680).
        text = "MicroPython %d.%d miscompiles fast code for this chip: install 1.28 or newer."
        return text % tuple(version[:2])
    return ""


def make_absolute(path) -> None:
    """Begin modules' __file__ with "/": fonts and pictures are found by it."""
    for at, folder in enumerate(path):
        if not folder.startswith(("/", ".")):
            path[at] = "/" + folder


def prepare() -> None:
    """Paths, clock of the processor, the Wi-Fi's memory; RuntimeError on a MicroPython that errs.

    The Wi-Fi takes its buffers from the blocks that Python's heap grows into, so it comes first.
    """
    why = refusal(sys.implementation[1], sys.implementation._mpy)
    if why:
        raise RuntimeError(why)
    make_absolute(sys.path)
    for hz in CPU_HZ:
        try:
            machine.freq(hz)
            break
        except ValueError:
            pass
    network.WLAN(network.WLAN.IF_STA).active(True)

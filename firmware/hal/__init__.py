"""Boards: their parts behind one interface (hal.board)."""

import sys


def this_board():
    """The board that the firmware runs on."""
    # Imported when asked: a board brings its drivers.
    if sys.platform == "esp32":
        from hal.esp32 import board
    else:
        from hal.simulator import board
    return board()

"""Boards: their parts behind one interface (hal.board)."""


def this_board():
    """The board that the firmware runs on."""
    from hal.simulator import board  # imported when asked: a board brings its drivers

    return board()

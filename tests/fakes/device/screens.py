"""Screens as a device declares them, of which a test names what it is about."""

from voxwire.capability import Screen


def screen_of(width, height, depth=1, shape="rect", pitch_um=0, cell=(6, 12), glyphs=(), blocks=(),
              faces=(), text_size="normal", picture_bytes=0):  # fmt: skip
    """A Screen; what is not named is that of a small mono panel which draws text alone."""
    panel = width, height, depth, shape, pitch_um, cell
    return Screen(*panel, glyphs, blocks, faces, text_size, picture_bytes)

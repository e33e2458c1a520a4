"""Draws text in every script with the fonts of the bridge, in one bit a pixel or smoothed."""

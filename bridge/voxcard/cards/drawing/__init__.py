"""Draws text in every script to 1-bit rows, with the fonts of the bridge."""

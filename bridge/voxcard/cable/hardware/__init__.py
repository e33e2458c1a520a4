"""Tries the parts of a board, and judges what it finds."""

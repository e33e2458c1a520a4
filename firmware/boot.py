"""Runs before main.py on a board: what must be there before anything can fail."""

import micropython

# An exception in an interrupt handler has no heap to describe itself in.
micropython.alloc_emergency_exception_buf(128)

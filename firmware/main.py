"""Starts the device."""

import gc

# What is imported stays. Collected often, it does not lie scattered among what was garbage, and a
# small heap keeps room in one piece.
gc.threshold(gc.mem_free() // 32)

import app  # noqa: E402

app.run()

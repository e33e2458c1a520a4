"""Starts the device."""

import gc
import sys

# What is imported stays. Collected often, it does not lie scattered among what was garbage, and a
# small heap keeps room in one piece. An ESP32 counts the network's memory as free, PSRAM too.
gc.threshold(min(8192, gc.mem_free() // 32))

if sys.platform == "esp32":
    import hal.start

    hal.start.prepare()

import app  # noqa: E402

try:
    app.run()
finally:
    # A person has ended it for the prompt: the watchdog must let the board live.
    if "hal.watchdog" in sys.modules:
        sys.modules["hal.watchdog"].release()

"""A simulated device: the firmware itself under MicroPython on this computer."""

"""A touch panel as a button: down while a finger is on it.

Where the finger is is not read: boards' files do not say how a panel lies over its picture.
Registers of FT6336, CST816, GT911 and TT21100 by Espressif's esp_lcd_touch drivers (esp-bsp),
CHSC6X by Seeed_Arduino_RoundDisplay.
"""

import time

from machine import Pin

FINGERS_MAX = 5  # more is no touch: a bus that reads ones
# Looks of 10 ms between two readings, each of which takes 0.1 to 0.7 ms of the bus.
BUSY_LOOKS, IDLE_LOOKS = 3, 10
ASLEEP_LOOKS = 100  # where an interrupt wakes it: newer ports log each chip that does not answer
SILENT_READINGS = 6  # a chip that reports a finger and then nothing more has lost its end
RESET_MS, START_MS = 10, 50
STARTS = 8  # of START_MS: an FT6336 may need 300 ms


class Touch:
    """hal.board.Button of a touch panel.

    `fingers()` returns how many there are, None when the chip has nothing new; OSError when it
    does not answer, as a CST816 that sleeps until it is touched. `interrupt` is the pin that the
    chip pulls low, None without one: then it is read more often.
    """

    name = "touch"

    def __init__(self, fingers, interrupt=None):
        self._fingers = fingers
        self._idle_looks = BUSY_LOOKS if interrupt is None else IDLE_LOOKS
        self._asleep_looks = BUSY_LOOKS if interrupt is None else ASLEEP_LOOKS
        self._looks = self._silent = 0
        self._called = self._down = self._was_up = False
        if interrupt is not None:
            interrupt.irq(self._call, Pin.IRQ_FALLING)

    def _call(self, pin):
        self._called = True

    def pressed(self) -> bool:
        self._looks -= 1
        if self._called or self._looks <= 0:
            self._called = False
            try:
                self._take(self._fingers())
                self._looks = BUSY_LOOKS if self._down else self._idle_looks
            except OSError:
                self._take(0)
                self._looks = self._asleep_looks
        return self._down

    def _take(self, count):
        if count is None:
            self._silent += 1
            if self._silent < SILENT_READINGS:
                return
            count = 0
        self._silent = 0
        touched = 0 < count <= FINGERS_MAX
        # From the first time it was seen up: a chip may hold a finger that was never there.
        self._was_up = self._was_up or not touched
        self._down = touched and self._was_up


def _counted(i2c, address):
    """Register 2 is the number of fingers."""
    buffer = bytearray(1)

    def fingers():
        i2c.readfrom_mem_into(address, 0x02, buffer)
        return buffer[0] & 0x0F

    return fingers


def _gt911(i2c, address):
    """Register 0x814E: bit 7 is a new report, which is taken by writing 0."""
    buffer = bytearray(1)

    def fingers():
        i2c.readfrom_mem_into(address, 0x814E, buffer, addrsize=16)
        if not buffer[0] & 0x80:
            return None
        i2c.writeto_mem(address, 0x814E, b"\0", addrsize=16)
        return buffer[0] & 0x0F

    return fingers


def _tt21100(i2c, address):
    """Reports: the length in two bytes, then all of it; a bit says whether the finger is there."""
    buffer = memoryview(bytearray(32))
    length = buffer[:2]

    def fingers():
        i2c.readfrom_into(address, length)
        size = length[0] | length[1] << 8
        if not 7 <= size <= len(buffer) or size == 14:  # 14: of its keys
            return None
        i2c.readfrom_into(address, buffer[:size])
        is_down = size > 8 and buffer[8] & 0x80
        return buffer[5] & 0x1F if is_down else 0

    return fingers


def _chsc6x(i2c, address):
    """Five bytes without a register; the first is 1 while it is touched."""
    buffer = bytearray(5)

    def fingers():
        i2c.readfrom_into(address, buffer)
        return 1 if buffer[0] == 1 else 0

    return fingers


# Beginnings of the names of chips.
_CHIPS = (
    ("FT6", _counted), ("CST816", _counted), ("GT911", _gt911), ("TT21100", _tt21100),
    ("CHSC6X", _chsc6x),
)  # fmt: skip


def candidates(devices) -> list:
    """(chip, address) of the touch chips on a bus of a board's file; it has one of them."""
    found = []
    for name, addresses in devices.items():
        if any(name.startswith(chip) for chip, _ in _CHIPS):
            addresses = addresses if isinstance(addresses, list) else [addresses]
            found += [(name, address) for address in addresses if isinstance(address, int)]
    return found


def touch_of(touch, bus, i2c, sleep_ms=time.sleep_ms):
    """The Touch of a board's file on the `bus` it names there, opened as `i2c`.

    None where that bus has no chip that is known; OSError when none of them answers.
    """
    chips = candidates(bus.get("devices") or {})
    if not chips:
        return None
    is_reset = isinstance(touch.get("rst"), int)
    if is_reset:
        pin = Pin(touch["rst"], Pin.OUT, value=0)
        sleep_ms(RESET_MS)
        pin(1)
    name, address = _found(chips, i2c, is_reset, sleep_ms)
    interrupt = touch.get("int")
    pin = Pin(interrupt, Pin.IN, Pin.PULL_UP) if isinstance(interrupt, int) else None
    (make,) = [make for chip, make in _CHIPS if name.startswith(chip)]
    return Touch(make(i2c, address), pin)


def _found(chips, i2c, is_reset, sleep_ms):
    for _ in range(STARTS if is_reset else 1):
        if is_reset:
            sleep_ms(START_MS)
        there = i2c.scan()
        for name, address in chips:
            if address in there:
                return name, address
    if len(chips) == 1 and not is_reset and chips[0][0].startswith("CST816"):
        return chips[0]  # it may sleep, and nothing can wake it but a finger
    raise OSError("none of %s answers" % ", ".join(name for name, _ in chips))

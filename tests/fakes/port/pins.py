"""Pins as on the port: what a chip's package, PSRAM or input-only pins forbid is refused."""

journal = []  # ("pin", gpio, level) of every change of an output, in order; other fakes add to it


class Pin:
    IN, OUT = 1, 3
    IRQ_FALLING = 2
    PULL_DOWN, PULL_UP = 1, 2
    chip = "esp32s3"
    forbidden = ()  # GPIOs that the image and the module do not have
    levels = {}  # gpio: level, by whoever drives it
    modes = {}
    handlers = {}  # gpio: what a falling edge calls

    def __init__(self, gpio, mode=None, pull=None, value=None):
        if isinstance(gpio, Pin):
            gpio = gpio.gpio
        if not isinstance(gpio, int) or gpio in Pin.forbidden:
            raise ValueError("invalid pin")
        self.gpio = gpio
        if mode == Pin.OUT and Pin.chip == "esp32" and gpio > 33:
            raise ValueError("pin can only be input")
        assert not (pull and Pin.chip == "esp32" and gpio > 33), "this pin has no resistors"
        if mode is not None:
            Pin.modes[gpio] = (mode, pull)
            if mode == Pin.IN and pull:
                Pin.levels.setdefault(gpio, 1 if pull == Pin.PULL_UP else 0)
        if value is not None:
            self(value)

    def irq(self, handler, trigger):
        assert trigger == Pin.IRQ_FALLING
        Pin.handlers[self.gpio] = handler

    def __call__(self, level=None):
        if level is None:
            return Pin.levels.get(self.gpio, 0)
        if Pin.levels.get(self.gpio) != level:
            journal.append(("pin", self.gpio, level))
        Pin.levels[self.gpio] = level
        return None

    value = __call__


class PWM:
    """The LED timer: 40 MHz at most."""

    running = {}  # gpio: (freq, duty)

    def __init__(self, pin, *, freq, duty_u16):
        if not 1 <= freq <= 40000000:
            raise ValueError("frequency must be from 1Hz to 40MHz")
        self._gpio, self._freq = pin.gpio, freq
        self.duty_u16(duty_u16)

    def duty_u16(self, duty):
        assert 0 <= duty <= 65535
        PWM.running[self._gpio] = (self._freq, duty)


class ADC:
    ATTN_11DB = 3
    microvolts = {}  # gpio: what lies at it; a pull-up where nothing is said

    def __init__(self, pin, *, atten):
        self._gpio = pin.gpio

    def read_uv(self):
        return ADC.microvolts.get(self._gpio, 3100000)

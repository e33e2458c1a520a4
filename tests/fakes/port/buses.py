"""I2C and SPI that take the time of their bits, during which no task runs."""

from fakes.port import clock
from fakes.port.pins import Pin

UNITS = {"esp32": 2, "esp32s3": 2, "esp32c3": 1}


class I2C:
    devices = {}  # sda gpio: {address: device with write(data) and read(register, count)}

    def __init__(self, unit, *, sda, scl, freq):
        if not 0 <= unit < UNITS[Pin.chip]:
            raise ValueError("I2C(%d) doesn't exist" % unit)
        self._freq, self._sda = freq, sda.gpio

    def _device(self, address, count):
        # 9 clocks a byte, one byte the address.
        clock.block((count + 1) * 9 * 1000000 // self._freq)
        device = I2C.devices.get(self._sda, {}).get(address)
        if device is None:
            raise OSError(19)  # ENODEV: nobody acknowledges
        return device

    def writeto(self, address, data):
        self._device(address, len(data)).write(bytes(data))

    def writevto(self, address, parts):
        data = b"".join(bytes(part) for part in parts)
        self._device(address, len(data)).write(data)

    def writeto_mem(self, address, register, data):
        self._device(address, len(data) + 1).write(bytes((register,)) + bytes(data))

    def readfrom_mem(self, address, register, count):
        return self._device(address, count + 2).read(register, count)


class RegisterChip:
    """A chip with registers of a byte; `writes` is [(register, value), ...]."""

    def __init__(self):
        self.writes = []
        self.registers = {}

    def write(self, data):
        assert len(data) >= 2
        for at, value in enumerate(data[1:]):
            self.writes.append((data[0] + at, value))
            self.registers[data[0] + at] = value

    def read(self, register, count):
        return bytes(self.registers.get(register + at, 0) for at in range(count))


class SPI:
    """Chops a write into pieces of 4092 bytes by DMA and waits for them."""

    DEFAULT_MISO = {"esp32": (12, 19), "esp32s3": (13, 37), "esp32c3": (2,)}
    panel = None  # what hangs on it: an object with write(data)

    def __init__(self, unit, *, baudrate, polarity, phase, sck, mosi, miso=-1):
        if not 1 <= unit <= len(SPI.DEFAULT_MISO[Pin.chip]):
            raise ValueError("SPI(%d) doesn't exist" % unit)
        # machine_hw_spi.c: the default pin where it is not named, none where it is None.
        assert miso is None, "takes GPIO %d" % SPI.DEFAULT_MISO[Pin.chip][unit - 1]
        self._baudrate = baudrate
        self.mode = (polarity, phase)

    def write(self, data):
        clock.block(len(data) * 8 * 1000000 // self._baudrate)
        if SPI.panel is not None:
            SPI.panel.write(bytes(data))

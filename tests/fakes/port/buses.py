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

    def writeto_mem(self, address, register, data, *, addrsize=8):
        size = addrsize // 8
        device = self._device(address, len(data) + size)
        device.write(register.to_bytes(size, "big") + bytes(data))

    def readfrom_mem(self, address, register, count, *, addrsize=8):
        return self._device(address, count + 1 + addrsize // 8).read(register, count)

    def readfrom_mem_into(self, address, register, buffer, *, addrsize=8):
        buffer[:] = self.readfrom_mem(address, register, len(buffer), addrsize=addrsize)

    def readfrom_into(self, address, buffer):
        buffer[:] = self._device(address, len(buffer)).receive(len(buffer))

    def scan(self):
        found = []
        for address in range(0x08, 0x78):
            try:
                self._device(address, 0)
            except OSError:
                continue
            found.append(address)
        return found


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


class TouchChip:
    """A touch chip of which `fingers` is true: FT6336 and CST816 in register 2, others by kind."""

    # By what they say they are: register and bytes.
    NAMES = {"FT6336": (0xA3, b"\x64"), "CST816": (0xA7, b"\xb5"), "GT911": (0x8140, b"911")}

    def __init__(self, kind):
        self.kind = kind
        self.fingers = 0
        self.is_new = True  # GT911, TT21100: something that was not read yet
        self.play = None  # callable() -> the fingers that are there now, by the clock

    def touch(self, fingers):
        self.fingers, self.is_new = fingers, True

    def write(self, data):
        if self.kind == "GT911":
            assert data == b"\x81\x4e\0"
            self.is_new = False

    def read(self, register, count):
        place, name = self.NAMES[self.kind]
        if register == place:
            return name[:count]
        assert count == 1
        if self.play is not None:
            self.touch(self.play())
        if self.kind == "GT911":
            assert register == 0x814E
            return bytes((self.fingers | (0x80 if self.is_new else 0),))
        assert register == 0x02
        return bytes((self.fingers,))

    def receive(self, count):
        if self.kind == "CHSC6X":
            return bytes((self.fingers, 0, 100, 0, 100))[:count]
        assert self.kind == "TT21100"
        if not self.is_new:
            return b"\2\0"[:count]
        report = bytes((17, 0, 1, 0, 0, self.fingers or 1, 0, 0, 0x80 if self.fingers else 0))
        if count > 2:
            self.is_new = False
        return (report + bytes(8))[:count]


class SPI:
    """Chops a write into pieces of 4092 bytes by DMA and waits for them."""

    DEFAULT_MISO = {"esp32": (12, 19), "esp32s3": (13, 37), "esp32c3": (2,)}
    panel = None  # what hangs on the first: an object with write(data)
    sent = {}  # sck gpio of another: what was written to it last

    def __init__(self, unit, *, baudrate, polarity, phase, sck, mosi, miso=-1):
        if not 1 <= unit <= len(SPI.DEFAULT_MISO[Pin.chip]):
            raise ValueError("SPI(%d) doesn't exist" % unit)
        # machine_hw_spi.c: the default pin where it is not named, none where it is None.
        assert miso is None, "takes GPIO %d" % SPI.DEFAULT_MISO[Pin.chip][unit - 1]
        self._baudrate, self._unit, self._sck = baudrate, unit, sck.gpio
        self.mode = (polarity, phase)

    def write(self, data):
        clock.block(len(data) * 8 * 1000000 // self._baudrate)
        if self._unit != 1:
            SPI.sent[self._sck] = bytes(data)
        elif SPI.panel is not None:
            SPI.panel.write(bytes(data))

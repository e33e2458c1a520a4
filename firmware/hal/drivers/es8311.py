"""ES8311 codec, clocked by the I2S bit clock.

Register values of Espressif's es8311.c (esp-bsp, esp_codec_dev) and of M5Unified: slave, Philips,
16 bits, internal master clock from BCLK (register 0x01, bit 7).
"""

INIT = (
    (0x00, 0x1F), ("ms", 20), (0x00, 0x00), (0x00, 0x80), (0x01, 0xBF), (0x02, 0x10),
    (0x03, 0x10), (0x04, 0x10), (0x05, 0x00), (0x06, 0x03), (0x07, 0x00), (0x08, 0xFF),
    (0x09, 0x0C), (0x0A, 0x0C), (0x0D, 0x01), (0x0E, 0x02), (0x12, 0x00), (0x13, 0x10),
    (0x1C, 0x6A), (0x37, 0x08), (0x17, 0xC8), (0x14, 0x1A), (0x16, 0x04), (0x32, 0xBF),
)  # fmt: skip
# The clock's multiplier: x4 of 64 bit clocks a frame (receiving), x8 of 32 (sending 16 bits).
_LISTEN = ((0x02, 0x10),)
_SPEAK = ((0x02, 0x18), ("clr", 0x31, 0x60))
_MUTE = (("set", 0x31, 0x60),)


class Codec:
    """One ES8311; OSError when it does not answer."""

    def __init__(self, registers, bus: str, address: int):
        self._registers, self._bus, self._address = registers, bus, address
        self._program(INIT)

    def listen(self):
        """The I2S runs for the microphone."""
        self._program(_LISTEN)

    def speak(self, rate_hz: int):
        """The I2S runs for the speaker; one table serves all rates."""
        self._program(_SPEAK)

    def mute(self):
        """Silence before the I2S stops."""
        self._program(_MUTE)

    def _program(self, table):
        self._registers.program(self._bus, self._address, table)

"""AW88298 amplifier with I2S input: 16-bit registers, clocked by the bit clock (32 a frame).

Register values of M5Unified (CoreS3) and Espressif's aw88298.c (esp_codec_dev).
"""

INIT = (("w16", 0x61, 0x0673), ("w16", 0x05, 0x0008), ("w16", 0x0C, 0x0064))
_ON, _OFF = (("w16", 0x04, 0x4040),), (("w16", 0x04, 0x4000),)
_RATES = {16000: 3, 24000: 5}  # the low bits of register 6


class Codec:
    """One AW88298; OSError when it does not answer."""

    def __init__(self, registers, bus: str, address: int):
        self._registers, self._bus, self._address = registers, bus, address
        self._program(INIT)

    def speak(self, rate_hz: int):
        """The I2S runs for the speaker."""
        self._program((("w16", 0x06, 0x14C0 | _RATES[rate_hz]),) + _ON)

    def mute(self):
        """Silence before the I2S stops."""
        self._program(_OFF)

    def _program(self, table):
        self._registers.program(self._bus, self._address, table)

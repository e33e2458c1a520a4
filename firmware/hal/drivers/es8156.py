"""ES8156 speaker codec, from a master clock of 256 fs.

Register values of Espressif's es8156.c (esp_codec_dev).
"""

INIT = (
    (0x02, 0x04), (0x20, 0x2A), (0x21, 0x3C), (0x22, 0x00), (0x24, 0x07), (0x23, 0x00),
    (0x0A, 0x01), (0x0B, 0x01), (0x11, 0x00), (0x14, 0xB3), (0x0D, 0x14), (0x18, 0x00),
    (0x08, 0x3F), (0x00, 0x02), (0x00, 0x03), (0x25, 0x20),
)  # fmt: skip


class Codec:
    """One ES8156; OSError when it does not answer. The master clock must run."""

    def __init__(self, registers, bus: str, address: int):
        registers.program(bus, address, INIT)

    def speak(self, rate_hz: int):
        """Plays whatever its clocks bring."""

    def mute(self):
        """The amplifier's pin does that."""

"""A codec, whichever it is: its table says what to write (hal/tables)."""


class Codec:
    """The codec at `address` of `bus`; OSError when it does not answer.

    `table` has INIT, LISTEN, SPEAK_<rate in Hz> and MUTE (hal.parts.steps), empty where there is
    nothing to do.
    """

    def __init__(self, registers, bus: str, address: int, table):
        self._registers, self._bus, self._address = registers, bus, address
        # What it needs later, without the module: that is forgotten.
        self._listen, self._mute = table.LISTEN, table.MUTE
        self._speak = {16000: table.SPEAK_16000, 24000: table.SPEAK_24000}
        self._program(table.INIT)

    def listen(self):
        """The I2S runs for the microphone."""
        self._program(self._listen)

    def speak(self, rate_hz: int):
        """The I2S runs for the speaker."""
        self._program(self._speak[rate_hz])

    def mute(self):
        """Silence before the I2S stops."""
        self._program(self._mute)

    def _program(self, steps):
        self._registers.program(self._bus, self._address, steps)

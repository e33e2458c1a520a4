"""A codec, whichever it is: its table says what to write (hal/tables)."""


class Codec:
    """The codec at `address` of `bus`; OSError when it does not answer.

    `table` has INIT, LISTEN, SPEAK_<rate in Hz> and MUTE (hal.parts.steps), empty where there is
    nothing to do.
    """

    def __init__(self, registers, bus: str, address: int, table):
        self._registers, self._bus, self._address = registers, bus, address
        self._table = table
        self._program(table.INIT)

    def listen(self):
        """The I2S runs for the microphone."""
        self._program(self._table.LISTEN)

    def speak(self, rate_hz: int):
        """The I2S runs for the speaker."""
        self._program(getattr(self._table, "SPEAK_%d" % rate_hz))

    def mute(self):
        """Silence before the I2S stops."""
        self._program(self._table.MUTE)

    def _program(self, steps):
        self._registers.program(self._bus, self._address, steps)

"""Microphone and speaker of a board that has none MicroPython can drive: each start says why."""


class NoMicrophone:
    """hal.board.Microphone that cannot be started."""

    rate_hz = 16000

    def __init__(self, reason: str):
        self._reason = reason

    def start(self):
        raise OSError(self._reason)

    def stop(self):
        pass

    async def readinto(self, buffer) -> int:
        return 0


class NoSpeaker:
    """hal.board.Speaker that cannot be started."""

    rates_hz = (16000,)

    def __init__(self, reason: str):
        self._reason = reason

    def start(self, rate_hz: int):
        raise OSError(self._reason)

    def stop(self):
        pass

    async def write(self, buffer) -> int:
        return 0

    def buffered_ms(self) -> int:
        return 0

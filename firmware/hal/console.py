"""The log's way to the serial line: a bounded queue, written a little at a time.

A line at 115200 baud blocks for 14 ms, and a USB host that does not read for up to 500 ms
(ports/esp32, usb_serial_jtag.c and shared/tinyusb). In a step of asyncio that would be heard.
"""

import io

QUEUE = 16  # lines
LINE_CHARACTERS = 400  # longer ones are cut: a traceback has its own lines
STEP_CHARACTERS = 48  # 4 ms at 115200 baud


class Console(io.IOBase):
    """A stream for the log; `flush_some` is called every 10 ms and writes to `line`."""

    def __init__(self, line):
        self._line = line
        self._queue = []
        self._begun = ""
        self.dropped = 0

    def write(self, data):
        """Take text; whole lines are queued, the newest are dropped where there is no room."""
        text = data if isinstance(data, str) else str(bytes(data), "utf-8")
        lines = (self._begun + text).split("\n")
        self._begun = lines.pop()[:LINE_CHARACTERS]
        for line in lines:
            if len(self._queue) < QUEUE:
                self._queue.append(line[:LINE_CHARACTERS] + "\n")
            else:
                self.dropped += 1
        return len(data)

    def ioctl(self, request, argument):
        return -1

    def flush_some(self) -> None:
        """Write a little of what is queued."""
        if not self._queue:
            return
        if self.dropped and len(self._queue) < QUEUE:
            self._queue.append("%d lines of the log were dropped\n" % self.dropped)
            self.dropped = 0
        line = self._queue[0]
        self._line.write(line[:STEP_CHARACTERS])
        if len(line) > STEP_CHARACTERS:
            self._queue[0] = line[STEP_CHARACTERS:]
        else:
            del self._queue[0]

    def flush_all(self) -> None:
        """Write everything: the board restarts."""
        while self._queue:
            self._line.write(self._queue.pop(0))

"""An ESP32 at the end of a serial line: its bootloader (Espressif's mock), or its program.

The lines DTR and RTS decide which of them runs, as on a board: RTS holds the chip in reset, and
DTR, while that ends, its BOOT pin.
"""

import socket
import threading

from esp32_mock_bootloader import server

# By this register esptool-js knows a chip (its magic2Chip). esptool 5, which the mock was made
# for, asks for the chip's id instead where there is one, so that the mock says 0 here.
MAGIC_REGISTER = 0x40001000
MAGIC = {"esp32": 0x00F01D83, "esp32c3": 0x1B31506F, "esp32s3": 0x9}


class _Session(server.ChipSession):
    def __init__(self, chip_mode):
        super().__init__(chip_mode)
        self.registers[MAGIC_REGISTER] = MAGIC[chip_mode]


class _Flash(server.FlashImage):
    """The mock's copies a byte at a time: on a busy computer longer than esptool-js waits."""

    def write_defl_block(self, payload):
        size = int.from_bytes(payload[:4], "little")
        data = self._decompressor.decompress(payload[16 : 16 + size])
        self.data[self._defl_offset : self._defl_offset + len(data)] = data
        self._defl_offset += len(data)


class Chip:
    """`program` has start(send), take(data) and close(); None: nothing runs.

    `send(data)` gets what is said on the line.
    """

    def __init__(self, chip, program, send):
        server.ChipSession = _Session
        self.flash = _Flash()
        self.starts = []  # of "bootloader" and "program"
        self._chip, self._program, self._send = chip, program, send
        self._dtr = self._rts = False
        self._loader = None

    def signals(self, dtr=None, rts=None):
        """The lines change; None leaves one as it is."""
        self._dtr = self._dtr if dtr is None else dtr
        was_in_reset, self._rts = self._rts, self._rts if rts is None else rts
        if was_in_reset and not self._rts:
            self._start()

    def write(self, data):
        if self._loader is not None:
            self._loader.sendall(data)
        elif self._program is not None and self.starts:
            self._program.take(data)

    def close(self):
        """Takes its power away."""
        if self._program is not None:
            self._program.close()
        if self._loader is not None:
            self._loader.shutdown(socket.SHUT_RDWR)
            self._loader.close()
            for thread in self._threads:
                thread.join()
        self._loader = None

    def _start(self):
        self.close()
        if not self._dtr:
            self.starts.append("program")
            if self._program is not None:
                self._program.start(self._send)
            return
        self.starts.append("bootloader")
        self._loader, far = socket.socketpair()
        connection = server.BootloaderConnection(sock=far)
        serve = threading.Thread(
            target=server.handle_client,
            args=(connection, threading.Event(), self._chip),
            kwargs={"flash": self.flash},
        )
        self._threads = (serve, threading.Thread(target=self._carry, args=(self._loader,)))
        for thread in self._threads:
            thread.start()

    def _carry(self, loader):
        try:
            while data := loader.recv(65536):
                self._send(data)
        except OSError:
            pass  # it was closed

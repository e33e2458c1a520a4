"""A board at a cable is set up by Improv, and real mpremote gets in all the same."""

import time

import pytest
import serial
from fakes.cable.virtual_board import VirtualBoard
from provisioning import improv
from voxcard.cable import build, repl
from voxcard.package_files import firmware

LIMIT_S = 60.0
# A board's line and a radio; the window is as long as the file says.
MAIN = """
import sys
sys.path.insert(0, '/firmware')
import asyncio, io
from wifi import Credentials
from provisioning import line_watch

class Line(io.IOBase):
    def read(self, size): return sys.stdin.buffer.read(size)
    def write(self, data): return sys.stdout.buffer.write(data)
    def ioctl(self, request, argument): return 0 if request == 10 else -1  # its number: stdin

class Network:
    credentials = None
    lost = %r
    def use(self, credentials): self.credentials = credentials
    def joined(self): return self.credentials and self.credentials.password == 'correct horse'
    async def connect(self):
        if not self.joined(): raise OSError('The Wi-Fi refuses the password: set it again.')
        self.lost = False
    def status(self): return {'ssid': self.credentials.ssid} if self.joined() else {}

class Point:
    def scan(self): return [('home', -50, False)]
    def keep(self, credentials):
        import esp32, json
        esp32.NVS('voxcard').set_blob('wifi', json.dumps({'ssid': credentials.ssid}).encode())

class Board:
    line, network, access_point = Line(), Network(), Point

async def main():
    about = ('Voxcard', '1', 'test', 'Hall')
    task = asyncio.create_task(line_watch.watch(Board(), about, window_ms=%d))
    await asyncio.sleep_ms(0)
    print('watching')
    await task
    print('closed')
    while True:
        await asyncio.sleep(1)

asyncio.run(main())
"""


@pytest.fixture(scope="module")
def flash(tmp_path_factory):
    """A folder with the flash of a board that has the firmware's modules."""
    folder = tmp_path_factory.mktemp("line")
    with VirtualBoard(folder / "board") as board, repl.opened(board.port) as opened:
        build.build(firmware(), folder / "build", "x64")
        for name in ("log", "wifi", "settings"):
            data = (folder / "build" / f"{name}.mpy").read_bytes()
            opened.send(f"/firmware/{name}.mpy", data, lambda size: None)
        for package in ("provisioning", "voxwire"):
            for path in (folder / "build" / package).glob("*.mpy"):
                target = f"/firmware/{package}/{path.name}"
                opened.send(target, path.read_bytes(), lambda size: None)
    return folder / "board"


def started(folder, lost, window_ms):
    with VirtualBoard(folder) as board, repl.opened(board.port) as opened:
        opened.send("/main.py", (MAIN % (lost, window_ms)).encode(), lambda size: None)
    return VirtualBoard(folder)


def heard(line, wanted):
    """What the board says until `wanted` is in it."""
    data = b""
    end_s = time.monotonic() + LIMIT_S
    while wanted not in data and time.monotonic() < end_s:
        data += line.read(line.in_waiting or 1)
    assert wanted in data, data
    return data


def command(number, arguments=b""):
    return improv.packet(improv.COMMAND, bytes((number, len(arguments))) + arguments)


def get_in(board):
    """Real mpremote ends the program and runs one of its own."""
    with repl.opened(board.port) as opened:
        assert opened.run("print(6 * 7)").strip() == "42"


def test_a_board_without_wifi_is_set_up_and_mpremote_gets_in_before_and_after(flash):
    with started(flash, lost=True, window_ms=0) as board:
        with serial.Serial(board.port, 115200, timeout=LIMIT_S) as line:
            heard(line, b"watching")
            line.write(command(improv.ASK_STATE))
            heard(line, b"\n" + improv.packet(improv.STATE, improv.READY) + b"\n")
        get_in(board)
    with VirtualBoard(flash) as board:
        with serial.Serial(board.port, 115200, timeout=LIMIT_S) as line:
            heard(line, b"watching")
            line.write(command(improv.SET_WIFI, b"\x04home\x0dcorrect horse"))
            said = heard(line, improv.packet(improv.RESULT, b"\x01\x00"))
            assert b"\n" + improv.packet(improv.STATE, improv.JOINED) + b"\n" in said
            heard(line, b"closed")
        assert '"home"' in board.nvs["wifi"]
        get_in(board)


def test_in_the_first_minutes_ctrl_c_in_a_packet_ends_nothing_and_a_bare_one_does(flash):
    with started(flash, lost=False, window_ms=600_000) as board:
        with serial.Serial(board.port, 115200, timeout=LIMIT_S) as line:
            heard(line, b"watching")
            line.write(improv.packet(improv.COMMAND, b"\x03\x00") * 3)
            assert heard(line, b"\x04Hall").count(b"KeyboardInterrupt") == 0
            line.write(b"\r\x03")
            assert b"KeyboardInterrupt" in heard(line, b">>> ")
        get_in(board)

"""Improv over a line of bytes: what a browser sends, what it reads, and Ctrl-C."""

import asyncio
import io
import sys

import micropython
from fakes.device.setup import FakeNetwork, FakePoint
from provisioning import improv, line_watch
from wifi import Credentials

ABOUT = ("Voxcard", "0.1.0", "diy-s3-oled", "Kitchen")
HOME = Credentials("home", "correct horse", "DE", None)


class Line(io.IOBase):
    """A serial line: `say` is the computer's side, `heard` what came there."""

    def __init__(self):
        self._bytes, self.heard = bytearray(), b""

    def say(self, data):
        self._bytes.extend(data)

    def read(self, size):
        part = bytes(self._bytes[:size])
        self._bytes = self._bytes[size:]
        return part

    def write(self, data):
        self.heard += data
        return len(data)

    def ioctl(self, request, argument):
        if request != 3:  # MP_STREAM_POLL
            return -1
        return argument & 1 if self._bytes else 0


class Board:
    """A board at a line, watched for `window_ms`."""

    def __init__(self, known=None, window_ms=60000):
        self.line = Line()
        self.network = FakeNetwork(known, {"home": "correct horse"})
        self.network.lost = known is None
        self.point = FakePoint()
        self._window_ms = window_ms

    def access_point(self):
        return self.point

    async def __aenter__(self):
        self.task = asyncio.create_task(line_watch.watch(self, ABOUT, self._window_ms))
        await asyncio.sleep_ms(5)
        return self

    async def __aexit__(self, *_):
        self.task.cancel()
        await asyncio.sleep_ms(5)

    async def asked(self, data, ms=100):
        """The packets that answer `data`; each begins a line."""
        self.line.heard = b""
        self.line.say(data)
        await asyncio.sleep_ms(ms)
        reader, packets = improv.Reader(), []
        for begin in self.line.heard.split(b"\nIMPROV")[1:]:
            for byte in b"IMPROV" + begin:
                packet = reader.take(byte)
                if isinstance(packet, tuple):
                    packets.append(packet)
        return packets


def command(number, arguments=b""):
    return improv.packet(improv.COMMAND, bytes((number, len(arguments))) + arguments)


def wifi(ssid, password):
    texts = [each.encode() for each in (ssid, password)]
    arguments = b"".join([bytes((len(each),)) + each for each in texts])
    return command(improv.SET_WIFI, arguments)


NO_ERROR = (improv.ERROR, b"\x00")


async def test_a_device_without_wifi_is_ready():
    async with Board() as board:
        assert await board.asked(command(improv.ASK_STATE)) == [(improv.STATE, b"\x02")]


async def test_a_device_in_its_wifi_is_provisioned():
    async with Board(HOME) as board:
        assert await board.asked(command(improv.ASK_STATE)) == [
            (improv.STATE, b"\x04"), (improv.RESULT, b"\x02\x00"),
        ]  # fmt: skip


async def test_it_says_what_it_is():
    async with Board() as board:
        ((kind, data),) = await board.asked(command(improv.ASK_DEVICE))
        assert kind == improv.RESULT
        assert data == b"\x03\x22\x07Voxcard\x050.1.0\x0bdiy-s3-oled\x07Kitchen"


async def test_it_names_the_networks_one_by_one_and_then_none():
    async with Board() as board:
        assert await board.asked(command(improv.ASK_NETWORKS)) == [
            (improv.RESULT, b"\x04\x0d\x04home\x03-50\x03YES"),
            (improv.RESULT, b"\x04\x0c\x04cafe\x03-80\x02NO"),
            (improv.RESULT, b"\x04\x00"),
        ]


async def test_a_wifi_is_joined_and_kept():
    async with Board() as board:
        assert await board.asked(wifi("home", "correct horse")) == [
            NO_ERROR,
            (improv.STATE, b"\x03"),
            (improv.STATE, b"\x04"),
            (improv.RESULT, b"\x01\x00"),
        ]
        assert board.point.kept == [Credentials("home", "correct horse", "", None)]


async def test_a_wrong_password_is_told_and_the_known_wifi_stays():
    async with Board(HOME) as board:
        assert await board.asked(wifi("home", "wrong password")) == [
            NO_ERROR, (improv.STATE, b"\x03"), (improv.ERROR, b"\x03"), (improv.STATE, b"\x04"),
        ]  # fmt: skip
        assert board.network.credentials == HOME and board.point.kept == []
        assert (await board.asked(wifi("home", "short")))[1] == (improv.ERROR, b"\x03")


async def test_why_a_wifi_failed_stays_until_the_next_try():
    async with Board() as board:
        assert (await board.asked(wifi("home", "wrong password")))[2] == (improv.ERROR, b"\x03")
        for asked in (improv.ASK_STATE, improv.ASK_DEVICE, improv.ASK_NETWORKS):
            assert NO_ERROR not in await board.asked(command(asked))
        assert (await board.asked(wifi("home", "correct horse")))[0] == NO_ERROR


async def test_what_it_does_not_know_or_cannot_read_is_an_error():
    async with Board() as board:
        assert await board.asked(command(77)) == [(improv.ERROR, b"\x02")]
        broken = command(improv.ASK_STATE)[:-1] + b"\x00"
        assert await board.asked(broken) == [(improv.ERROR, b"\x01")]
        assert (await board.asked(command(improv.SET_WIFI, b"\x09x")))[-1] == (
            improv.ERROR,
            b"\x01",
        )
        assert await board.asked(improv.packet(improv.STATE, b"\x02")) == []  # an echo of its own


async def test_ctrl_c_ends_the_program_though_the_port_does_not_see_it():
    ends = []
    async with Board() as board:
        board.task.cancel()
        board.line.say(b"\r\x03\r\x01")
        try:
            await line_watch.watch(board, ABOUT)
        except KeyboardInterrupt:
            ends.append("ended")
        assert ends == ["ended"]
        assert board.line.read(9) == b"\r\x01"  # what follows is the prompt's


async def test_ctrl_c_inside_a_packet_is_a_byte_and_behind_a_packet_that_stalls_it_ends():
    async with Board() as board:
        board.task.cancel()
        watching = asyncio.create_task(caught(board))
        board.line.say(command(improv.ASK_STATE)[:9])
        await asyncio.sleep_ms(50)
        board.line.say(b"\x03\x03")  # still the packet's
        await asyncio.sleep_ms(50)
        assert not watching.done()
        await asyncio.sleep_ms(1200)
        board.line.say(b"\x03")
        await asyncio.sleep_ms(60)
        assert watching.done() and await watching == "ended"


async def caught(board):
    try:
        await line_watch.watch(board, ABOUT)
    except KeyboardInterrupt:
        return "ended"


async def test_the_window_closes_once_there_is_a_wifi_and_ctrl_c_is_the_ports_again():
    set_to = []
    real = line_watch.micropython

    class Spy:
        @staticmethod
        def kbd_intr(character):
            set_to.append(character)

    line_watch.micropython = Spy
    try:
        async with Board(window_ms=100) as board:
            await asyncio.sleep_ms(200)
            assert set_to == [-1] and not board.task.done()  # it has no Wi-Fi yet
            board.network.lost = False
            await asyncio.sleep_ms(60)
            assert set_to == [-1, 3] and board.task.done()
    finally:
        line_watch.micropython = real
    assert micropython is real


async def test_what_understood_the_bytes_is_forgotten_with_the_window():
    async with Board(HOME, window_ms=300) as board:
        assert await board.asked(command(improv.ASK_STATE)) != []
        assert "provisioning.serial_line" in sys.modules
        await asyncio.sleep_ms(400)
        assert board.task.done() and "provisioning.serial_line" not in sys.modules

"""A device boots with any settings file: every cut, every flipped bit, anything at all.

What it then says of itself is a hello that the bridge can read.
"""

import os

import app
from fakes.device.silent_board import SilentBoard
from settings import TABLE, check
from voxwire import capability
from voxwire.bridge_only import capability_reader

FILE = (
    b'{"volume": 60, "brightness": 75, "theme": "light", "camera": "on", "cards": "text",'
    b' "id": "kitchen-2", "name": "K\xc3\xbcche \xed\x95\x9c", "locale": "de",'
    b' "root": "home/voice", "host": "broker.lan", "port": 8883, "user": "kitchen-2",'
    b' "password": "geheim \\u00e9", "ca": "", "log": "info"}'
)


BROKEN = "Settings that cannot be read are in settings.json.bad: "


class Damaged:
    """A board whose settings file holds whatever a test writes."""

    def __init__(self):
        self.board = SilentBoard()
        self.path = self.board.root + "/settings.json"

    def write(self, content):
        with open(self.path, "wb") as file:
            file.write(content)

    def settings(self, content):
        """The settings of a boot; the file is good after it, or gone, or as it was."""
        self.write(content)
        settings, problems = app.settings_of(self.board)
        if [each for each in problems if each.startswith(BROKEN)]:
            with open(self.path + ".bad", "rb") as file:
                assert file.read() == content
            again = app.settings_of(self.board)[1]
            assert not [each for each in again if each.startswith(BROKEN)]
            os.remove(self.path + ".bad")
        elif problems:
            with open(self.path, "rb") as file:
                assert file.read() == content
        return settings

    def boots(self, content):
        self.write(content)
        hello = app.App(self.board)._describe()
        assert capability_reader.decode(capability.encode(hello)) == hello, content


def flips():
    """The file with each of its bits flipped."""
    for at in range(len(FILE)):
        for bit in range(8):
            content = bytearray(FILE)
            content[at] ^= 1 << bit
            yield bytes(content)


def cuts():
    for length in range(len(FILE)):
        yield FILE[:length]


def swaps():
    """Two letters wide damage: a blank and what follows become another thing."""
    for at in range(len(FILE) - 1):
        for pair in (b",0", b"8 ", b'""', b"\\u", b"\xed\xa0", b"{}", b"\0\0"):
            yield FILE[:at] + pair + FILE[at + 2 :]


ODD = (
    b"",
    b"\0" * 300,
    b"\xff" * 300,
    b"null",
    b"[]",
    b"75",
    b'"volume"',
    b"[" * 3000,
    b'{"a":' * 500,
    b'{"volume": 1e400, "port": -1e400, "brightness": %s}' % (b"9" * 400),
    b'{"id": "#", "root": "/", "host": "mqtt://broker:1883", "locale": "\\ud800"}',
    b'{"id": "", "root": "", "host": "", "name": "", "locale": "", "ca": "\\u0000"}',
    b'{"ca": "/", "name": {"a": 1}, "theme": ["dark"], "log": null, "camera": true}',
    b'{1: 2, "b": 3}',
)


def test_every_cut_and_every_flipped_bit_leaves_settings_that_were_checked():
    damaged = Damaged()
    for files in (cuts(), flips(), swaps()):
        for content in files:
            settings = damaged.settings(content)
            for row in TABLE:
                assert check(row[0], settings.get(row[0])) == settings.get(row[0]), content


def test_the_device_is_built_from_any_file_and_says_hello():
    damaged = Damaged()
    for content in ODD:
        damaged.boots(content)
    for files in (cuts(), flips(), swaps()):
        for index, content in enumerate(files):
            if index % 23 == 0:
                damaged.boots(content)


def test_an_undamaged_file_keeps_every_value():
    data = Damaged().settings(FILE).data()
    assert len(data) == 15
    assert (data["name"], data["password"]) == ("K\xfcche \ud55c", "geheim \xe9")

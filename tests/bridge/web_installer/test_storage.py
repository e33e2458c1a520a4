"""The image of a file system is mounted by real MicroPython, and the firmware starts from it."""

import json
import os
import subprocess
from dataclasses import replace

import pytest
from fakes.cable.virtual_board import VirtualBoard
from voxcard.cable import boards
from voxcard.cable.running import Running
from voxcard.cable.serial_line import SerialLine
from voxcard.errors import VoxcardError
from voxcard.package_files import boards as board_files
from voxcard.package_files import firmware
from voxcard.sim import interpreter

from tools.web_installer import storage

S3 = boards.read("diy-s3-oled", board_files())
FROZEN = boards.read("diy-esp32-oled", board_files())
KB = 1024
# This computer, as MicroPython's unix port has it.
HERE = Running(platform="linux", version=(1, 28), architecture="x64", build="", heap_bytes=0)
# Mounts it as ports/esp32/modules/_boot.py does, and compares.
PROGRAM = """
import vfs, os, json
from binascii import hexlify
class Flash:
    def __init__(self, path):
        self.file = open(path, "r+b")
    def readblocks(self, block, buffer, offset=0):
        self.file.seek(block * 4096 + offset)
        self.file.readinto(buffer)
    def writeblocks(self, block, buffer, offset=0):
        self.file.seek(block * 4096 + offset)
        self.file.write(buffer)
    def ioctl(self, request, argument):
        return {{4: {blocks}, 5: 4096, 6: 0}}.get(request)
vfs.mount(Flash({path!r}), "/flash")
found = {{}}
def read(folder):
    for row in os.ilistdir(folder):
        path = folder + "/" + row[0]
        if row[1] == 0x4000:
            read(path)
        else:
            with open(path, "rb") as file:
                found[path[7:]] = str(hexlify(file.read()), "ascii")
read("/flash")
with open("/flash/settings.json", "w") as file:
    file.write("x" * 9000)
vfs.umount("/flash")
vfs.mount(Flash({path!r}), "/flash")
with open("/flash/settings.json") as file:
    assert file.read() == "x" * 9000
print(json.dumps([found, os.statvfs("/flash")[2]]))
"""


def mounted(data, size, folder):
    """(the files, the size in blocks) that MicroPython finds in a partition of `size` bytes."""
    path = folder / "flash"
    # What was there before is left where nothing is written.
    path.write_bytes(data + os.urandom(size - len(data)))
    program = PROGRAM.format(path=str(path), blocks=size // 4096)
    done = subprocess.run(
        [interpreter.find(), "-X", "heapsize=4M", "-c", program],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr + done.stdout
    files, blocks = json.loads(done.stdout)
    return {path: bytes.fromhex(text) for path, text in files.items()}, blocks


@pytest.fixture(scope="module")
def s3_files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("build")
    return storage.files(S3, firmware(), folder / "s3", storage.stock(S3))


@pytest.mark.parametrize("size_kb", [1024, 2048, 6144])
def test_micropython_reads_every_file_and_can_write_beside_them(tmp_path, s3_files, size_kb):
    data = storage.image(s3_files, size_kb * KB)
    files, blocks = mounted(data, size_kb * KB, tmp_path)
    assert files == s3_files
    assert blocks == size_kb // 4


@pytest.mark.parametrize(
    "size", [0, 1, 31, 32, 127, 128, 129, 1022, 1024, 4095, 4096, 4097, 70000]
)
def test_a_file_of_any_size_is_read_as_it_was(tmp_path, size):
    contents = {"a/b/c": bytes(index % 251 for index in range(size)), "empty": b""}
    assert mounted(storage.image(contents, 256 * KB), 256 * KB, tmp_path)[0] == contents


def test_the_same_files_give_the_same_image(s3_files):
    again = dict(reversed(s3_files.items()))
    assert storage.image(s3_files, 2048 * KB) == storage.image(again, 2048 * KB)


def test_no_more_is_written_than_is_used(s3_files):
    used = sum(-(-len(data) // 4096) * 4096 for data in s3_files.values())
    assert len(storage.image(s3_files, 6144 * KB)) < used * 1.3


def test_files_that_do_not_fit_are_refused(s3_files):
    with pytest.raises(VoxcardError, match="do not fit"):
        storage.image(s3_files, 256 * KB)


def test_a_board_with_psram_gets_the_firmware_and_nobodys_settings(s3_files):
    slot = {path for path in s3_files if path.startswith("app_a/")}
    assert {"app_a/app.mpy", "app_a/main.py", "app_a/fonts/6x12.font"} <= slot
    assert set(s3_files) - slot == {"boot.py", "main.py", "slot", "board.json"}
    assert s3_files["slot"] == b"app_a"
    assert s3_files["main.py"] == (firmware() / "launcher.py").read_bytes()
    assert json.loads(s3_files["board.json"])["id"] == "diy-s3-oled"
    assert "app_a/hal/simulator.mpy" not in slot


def test_a_board_without_gets_what_its_image_lacks(tmp_path):
    files = storage.files(FROZEN, firmware(), tmp_path, storage.stock(FROZEN))
    assert set(files) == {"board.json"}
    assert json.loads(files["board.json"]) == json.loads(FROZEN.file)


def test_the_launcher_starts_the_firmware_from_it(tmp_path):
    """On a board that is a program; its settings are what somebody types later."""
    board = replace(S3, file=json.dumps({**json.loads(S3.file), "name": "virtual"}).encode())
    contents = storage.files(board, firmware(), tmp_path / "build", HERE)
    settings = json.dumps({"id": "hall", "host": "127.0.0.1", "port": 9}).encode()
    data = storage.image({**contents, "settings.json": settings}, 2048 * KB)
    (tmp_path / "board").mkdir()
    (tmp_path / "board" / "flash").write_bytes(data.ljust(2048 * KB, b"\xff"))
    with VirtualBoard(tmp_path / "board") as virtual, SerialLine(virtual.port) as line:
        line.open()
        virtual.press_reset()
        said = []
        for text in line.lines(60):
            said.append(text)
            if "hall" in text:
                break
    assert any("hall" in text for text in said), said
    assert virtual.files()["/slot"] == b"app_a"  # and it was not formatted

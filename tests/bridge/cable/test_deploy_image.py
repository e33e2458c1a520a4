"""A board without PSRAM on the cable: its image starts by itself and needs its files alone."""

import json

import pytest
from fakes.cable.virtual_board import VirtualBoard
from voxcard.cable import boards, build, repl
from voxcard.cable.deploy import Deployment, deploy
from voxcard.cable.serial_line import SerialLine
from voxcard.cable.start import follow
from voxcard.package_files import boards as board_files
from voxcard.package_files import firmware

from tools.build.firmware import built, compile_module
from tools.build.interpreters import PORT, host

XMINI = boards.read("xmini-c3", board_files())
CHIP = {"platform": "esp32", "version": (1, 28, 0), "_mpy": 11 << 10, "_build": "VOXCARD_C3"}
KITCHEN = {"id": "kitchen", "host": "127.0.0.1", "port": 9}
START_S = 60.0


@pytest.fixture(scope="module")
def image(tmp_path_factory):
    """What stands for the frozen modules of an image: the firmware, and the chip's own."""
    folder = tmp_path_factory.mktemp("image")
    for path in built(arch=host().arch).iterdir():
        (folder / path.name).symlink_to(path)
    for path in PORT.glob("*.py"):
        compile_module(path, folder / f"{path.stem}.mpy")
    return folder


@pytest.fixture
def board(tmp_path, image):
    return VirtualBoard(tmp_path, changes=CHIP, image=image)


def until_ready(line):
    for text in line.lines(START_S):
        yield text
        if text.endswith(" is ready") or "deploy the device again" in text:
            return


def put(board, folder, settings):
    wifi = {"ssid": "Home", "password": "correct horse"}
    deployment = Deployment(board=XMINI, firmware=firmware(), settings=settings, wifi=wifi)
    with repl.opened(board.port) as opened:
        outcome = deploy(opened, deployment, folder / "build", lambda *step: None)
        with opened.restart() as line:
            return outcome, follow(until_ready(line))


def test_it_is_deployed_without_any_code_and_starts(board, tmp_path):
    with board:
        outcome, start = put(board, tmp_path, KITCHEN)
        assert outcome.sent == ("/board.json", "/settings.json") and outcome.note == ""
        assert start.device_id == "kitchen"
        outcome, start = put(board, tmp_path, {**KITCHEN, "id": "hall"})
        assert outcome.sent == ("/settings.json",) and start.device_id == "hall"
    files = board.files()
    assert set(files) == {"/board.json", "/settings.json"}
    assert json.loads(files["/settings.json"])["id"] == "hall"


def test_before_its_first_deployment_it_says_what_to_do(board):
    with board, SerialLine(board.port) as line:
        line.open()
        board.press_reset()
        words = "\n".join(until_ready(line))
    assert "/board.json cannot be read ([Errno 2] ENOENT): deploy the device again" in words


def test_a_main_that_somebody_put_on_it_does_not_keep_it_from_starting(board, tmp_path):
    with board:
        with repl.opened(board.port) as opened:
            for name in ("/main.py", "/boot.py"):
                opened.send(name, b"raise SystemExit", lambda size: None)
        assert put(board, tmp_path, KITCHEN)[1].device_id == "kitchen"


def test_the_digest_in_the_image_is_that_of_the_sources(board):
    with board, repl.opened(board.port) as opened:
        [values] = opened.call("running")
    assert values["firmware"] == build.digest(firmware())

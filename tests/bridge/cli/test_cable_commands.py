"""`voxcard device …` on boards that are programs."""

import json

import pytest
from fakes.cable.bootloader import bootloader
from fakes.cable.images import image
from fakes.cable.virtual_board import VirtualBoard
from fakes.command_line import Command
from voxcard.cable import boards
from voxcard.package_files import boards as board_files

SETTINGS = {"id": "kitchen", "host": "127.0.0.1", "port": 9, "password": "hunter22"}


@pytest.fixture
def voxcard(monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("VOXCARD_WIFI_PASSWORD", "hunter23")
    return Command(monkeypatch, capsys, tmp_path)


@pytest.fixture
def board(tmp_path):
    with VirtualBoard(tmp_path / "board") as board:
        yield board


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "kitchen.json"
    path.write_text(json.dumps(SETTINGS))
    return str(path)


def device(voxcard, board, *words):
    return voxcard("device", *words, "--port", board.port)


def test_flash_writes_an_image_and_says_what_is_next(voxcard, tmp_path):
    (tmp_path / "image.bin").write_bytes(image())
    words = ("flash", str(tmp_path / "image.bin"), "--board", "diy-s3-oled")
    with bootloader("esp32s3", tmp_path) as port:
        code, out, err = voxcard("device", *words, "--port", port)
    assert code == 0
    assert out.endswith("1.28.0 is on it. Next: voxcard device deploy --board diy-s3-oled\n")
    assert {"connect", "erase", "write"} <= set(err.split())


def test_flash_without_an_image_says_which_one_to_get(voxcard):
    code, out, err = voxcard("device", "flash", "--board", "diy-s3-oled")
    assert (code, out) == (1, "")
    assert "ESP32_GENERIC_S3-SPIRAM_OCT-<date>-v<version>.bin" in err


def test_flash_refuses_an_image_before_it_looks_for_a_port(voxcard, tmp_path):
    (tmp_path / "image.bin").write_bytes(image("esp32c3", "ESP32_GENERIC_C3"))
    code, _, err = voxcard(
        "device", "flash", str(tmp_path / "image.bin"), "--board", "diy-s3-oled"
    )
    assert code == 1 and "is for esp32c3" in err


@pytest.mark.parametrize("name", ["diy-esp32-oled", "xmini-c3"])
def test_flash_of_a_board_without_psram_says_how_its_image_is_made_and_writes_that(
    voxcard, tmp_path, name
):
    chosen = boards.read(name, board_files())
    code, _, err = voxcard("device", "flash", "--board", name)
    assert code == 1
    assert f"make image BOARD={chosen.image}" in err
    assert f"out/image/{chosen.image}/{chosen.image}.bin" in err
    file = tmp_path / f"{chosen.image}.bin"
    file.write_bytes(image(chosen.chip, chosen.build))
    code, _, err = voxcard("device", "flash", str(file), "--board", name)
    assert code == 1 and f"is {chosen.build}, the board {name} needs {chosen.image}" in err
    assert f"make image BOARD={chosen.image}" in err
    file.write_bytes(image(chosen.chip, chosen.image))
    with bootloader(chosen.chip, tmp_path) as port:
        code, out, err = voxcard("device", "flash", str(file), "--board", name, "--port", port)
    assert code == 0, err
    said = f"{chosen.name}: MicroPython 1.28.0 is on it. Next: voxcard device deploy"
    assert out == f"{said} --board {chosen.id}\n"


def test_a_life_of_a_board(voxcard, board, file):
    words = ("--settings", file, "--set", "name=Kitchen", "--wifi", "Home", "--country", "DE")
    code, out, err = device(voxcard, board, "deploy", "--board", "diy-s3-oled", *words)
    assert code == 0, err
    first, last, remedy = out.splitlines()
    assert remedy.startswith("The bridge's own broker takes devices of your network only where")
    assert first.endswith(" files sent (app.mpy, audio/adpcm.mpy, audio/buffers.mpy, …).")
    assert last.startswith("kitchen is ready. It says: No connection to the broker at 127.0.0.1:9")
    assert json.loads(board.files()["/settings.json"]) == {**SETTINGS, "name": "Kitchen"}
    assert json.loads(board.nvs["wifi"])["country"] == "DE"
    assert "hunter" not in out + err

    code, out, err = device(voxcard, board, "deploy")
    assert (code, out.splitlines()[0]) == (0, "0 files sent.")

    code, out, err = device(voxcard, board, "logs")
    assert code == 0 and out.startswith("Its program did not end by itself.\n")
    assert "info app: kitchen is ready" in out and "hunter" not in out + err

    code, out, err = device(voxcard, board, "factory-reset", "--yes")
    assert (code, out) == (0, "The board has forgotten its settings, passwords and Wi-Fi.\n")
    assert "/settings.json" not in board.files() and board.nvs == {}
    assert "/app_b/app.mpy" in board.files()


def test_a_firmware_that_does_not_start_is_said_with_its_reason(voxcard, board):
    code, _, _ = device(voxcard, board, "deploy", "--board", "diy-s3-oled")
    assert code == 0
    break_it(board)
    code, _, err = device(voxcard, board, "logs")
    assert code == 1 and "The firmware did not start: ImportError: no module named 'app'" in err


def break_it(board):
    from voxcard.cable import repl

    with repl.opened(board.port) as opened:
        opened.call("remove", "/app_b/app.mpy")


def test_a_board_without_voxcard_is_to_be_named(voxcard, board):
    code, _, err = device(voxcard, board, "deploy")
    assert code == 1 and "has no Voxcard yet. Name the board: --board" in err


def test_what_a_board_kept_of_its_end_is_in_its_logs(voxcard, board):
    from voxcard.cable import repl

    device(voxcard, board, "deploy", "--board", "diy-s3-oled")
    with repl.opened(board.port) as opened:
        opened.send("/crash.txt", b"firmware 0.1.0\nMemoryError:", lambda size: None)
    code, out, _ = device(voxcard, board, "logs")
    assert code == 0 and out.startswith("Its program ended by itself:\nfirmware 0.1.0\nMemoryErr")


def test_a_secret_in_the_command_line_is_refused(voxcard, board):
    words = ("deploy", "--board", "diy-s3-oled", "--set", "password=hunter22")
    code, _, err = device(voxcard, board, *words)
    assert code == 1 and "Others can read password" in err and "hunter22" not in err


def test_without_the_extra_the_command_that_adds_it_is_named(voxcard, monkeypatch):
    from voxcard.cli import cable_commands

    monkeypatch.setattr(cable_commands.importlib.util, "find_spec", lambda name: None)
    code, _, err = voxcard("device", "monitor")
    assert code == 1 and "[flash]" in err

"""Real mpremote deploys the firmware to a board that is a program."""

import json
import os
import pty
import shutil
from dataclasses import replace

import pytest
from fakes.cable.virtual_board import VirtualBoard
from voxcard.cable import boards, build, repl, running, slots
from voxcard.cable.deploy import Deployment, compiled, deploy, forget, setup_network
from voxcard.cable.serial_line import SerialLine
from voxcard.cable.start import follow
from voxcard.errors import VoxcardError
from voxcard.package_files import boards as board_files
from voxcard.package_files import firmware

BOARD = boards.read("diy-s3-oled", board_files())
KITCHEN = {"id": "kitchen", "host": "127.0.0.1", "port": 9}
HALL = {**KITCHEN, "id": "hall"}
CHIP = {"platform": "esp32", "version": (1, 28, 0), "_mpy": 10 << 10, "_build": "OTHER"}
START_S = 120.0
ROOT_FILES = {"/board.json", "/settings.json", "/boot.py", "/slot", "/main.py"}


def quiet(step, done, total):
    pass


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """Two firmwares: the second has one other module."""
    folder = tmp_path_factory.mktemp("sources")
    for name in ("old", "new"):
        shutil.copytree(firmware(), folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    with (folder / "new" / "log.py").open("a") as file:
        file.write("\nNEW = True\n")
    return folder


def put(board, folder, source, settings=KITCHEN, **values):
    """Deploy and restart; (what was done, how the board started)."""
    deployment = Deployment(board=BOARD, firmware=source, settings=settings, **values)
    with repl.opened(board.port) as opened:
        outcome = deploy(opened, deployment, folder / "build", quiet)
        with opened.restart() as line:
            return outcome, follow(until_ready(line))


def started(board):
    """How the board starts when its RESET is pressed."""
    with SerialLine(board.port) as line:
        line.open()
        board.press_reset()
        return follow(until_ready(line))


def until_ready(line):
    for text in line.lines(START_S):
        yield text
        if text.endswith(" is ready"):
            return


@pytest.fixture(scope="module")
def deployed(tmp_path_factory, sources):
    """A folder with the flash of a board that has the old firmware."""
    folder = tmp_path_factory.mktemp("deployed")
    with VirtualBoard(folder / "board") as board:
        put(board, folder, sources / "old")
    return folder / "board"


@pytest.fixture
def board(tmp_path, deployed):
    """A board with the old firmware, switched off."""
    shutil.copytree(deployed, tmp_path / "board")
    return VirtualBoard(tmp_path / "board")


def settings_of(board):
    return json.loads(board.files()["/settings.json"])


def write(board, path, text):
    with repl.opened(board.port) as opened:
        opened.send(path, text.encode(), lambda size: None)


def test_a_new_board_gets_everything_and_starts(tmp_path, sources):
    with VirtualBoard(tmp_path) as board:
        outcome, start = put(board, tmp_path, sources / "old", wifi={"ssid": "Home"})
    assert start.device_id == "kitchen"
    sent = set(outcome.sent)
    assert sent >= ROOT_FILES | {"app.mpy", "main.py", "fonts/6x12.font"}
    assert not any("bridge_only" in path or path.endswith(".new") for path in sent)
    assert outcome.copied == 0
    assert settings_of(board) == KITCHEN
    assert json.loads(board.files()["/board.json"]) == json.loads(BOARD.file)
    assert board.nvs == {"wifi": '{"ssid": "Home"}'}


def test_a_second_time_nothing_is_sent(tmp_path, sources, board):
    with board:
        outcome, start = put(board, tmp_path, sources / "old")
    assert (outcome.sent, outcome.copied, start.device_id) == ((), 0, "kitchen")


def test_the_key_for_updates_comes_with_the_settings_and_a_trial_ends(tmp_path, sources, board):
    settings = {**KITCHEN, "update_key": "0f" * 32}
    with board:
        write(board, "/trial", '{"slot": "app_b", "tries": 2, "serial": 7, "digest": "aa"}')
        _, start = put(board, tmp_path, sources / "old", settings)
    assert start.device_id == "kitchen" and settings_of(board) == settings
    assert "/trial" not in board.files()


def test_of_one_changed_module_that_one_is_sent_and_the_name_of_the_build(
    tmp_path, sources, board
):
    before = board.files()
    with board:
        outcome, start = put(board, tmp_path, sources / "new")
    assert start.device_id == "kitchen"
    assert set(outcome.sent) == {"log.mpy", "build_digest.mpy", "/slot"}
    assert outcome.copied == len([path for path in before if path.startswith("/app_b/")]) - 2
    files = board.files()
    assert files["/slot"] == b"app_a"
    assert b"NEW" in files["/app_a/log.mpy"] and b"NEW" not in files["/app_b/log.mpy"]


def test_the_slots_are_written_in_turn(tmp_path, sources, board):
    with board:
        for source, slot in (("new", b"app_a"), ("old", b"app_b"), ("old", b"app_b")):
            outcome, _ = put(board, tmp_path, sources / source)
            assert board.files()["/slot"] == slot
    assert outcome.sent == ()


def test_settings_of_the_device_stay_and_the_new_ones_go_over_them(tmp_path, sources, board):
    with board:
        write(board, "/settings.json", '{"volume": 30, "host": "old"}')
        put(board, tmp_path, sources / "old", ca=b"a certificate")
        kept = settings_of(board)
        assert kept == {**KITCHEN, "volume": 30, "ca": "/ca.pem"}
        assert board.files()["/ca.pem"] == b"a certificate"
        outcome, _ = put(board, tmp_path, sources / "old", settings={})
        assert outcome.sent == () and settings_of(board) == kept


def test_damaged_settings_of_the_device_are_replaced(tmp_path, sources, board):
    with board:
        write(board, "/settings.json", '{"volume": 3')
        put(board, tmp_path, sources / "old")
    assert settings_of(board) == KITCHEN


@pytest.fixture(scope="module")
def traffic(tmp_path_factory, sources, deployed):
    """The bytes of an update that also changes the settings."""
    folder = tmp_path_factory.mktemp("measured")
    shutil.copytree(deployed, folder / "board")
    with VirtualBoard(folder / "board") as board:
        put(board, folder, sources / "new", settings=HALL)
        return board.received


@pytest.mark.parametrize("share", [0.02, 0.4, 0.9, 0.97, 0.98, 0.99, 0.995, 0.9995])
def test_a_cut_leaves_the_old_firmware_or_the_new_one(tmp_path, sources, board, traffic, share):
    """The power goes with a byte of the traffic."""
    board.cut_at = int(traffic * share)
    with board, pytest.raises(VoxcardError, match=r"was lost|No MicroPython answers"):
        put(board, tmp_path, sources / "new", settings=HALL)
    board.cut_at = None
    with board:
        assert started(board).device_id in ("kitchen", "hall")
        _, start = put(board, tmp_path, sources / "new", settings=HALL)
    assert start.device_id == "hall"
    files = board.files()
    assert b"NEW" in files[f"/{files['/slot'].decode()}/log.mpy"]


@pytest.mark.parametrize("kb", [20, 150, 400])
def test_a_cut_of_the_first_deployment_leaves_a_board_that_takes_the_next(tmp_path, sources, kb):
    board = VirtualBoard(tmp_path / "board")
    board.cut_at = kb * 1000
    with board, pytest.raises(VoxcardError, match="was lost"):
        put(board, tmp_path, sources / "old")
    board.cut_at = None
    arrived = len(board.files())
    with board:
        outcome, start = put(board, tmp_path, sources / "old")
    assert start.device_id == "kitchen"
    # What had arrived whole is not sent again; the last one had not.
    assert len(outcome.sent) <= len(board.files()) - arrived + 1


def test_a_firmware_that_does_not_fit_is_refused_before_anything_is_written(tmp_path, sources):
    with (
        VirtualBoard(tmp_path, flash_kb=128) as board,
        pytest.raises(VoxcardError, match=r"flash of the board is full.*Remove files"),
    ):
        put(board, tmp_path, sources / "old")
    assert board.files() == {}


def test_an_update_that_no_longer_fits_leaves_the_old_one(tmp_path, sources, board):
    with board:
        with repl.opened(board.port) as opened:
            opened.run(FILL)
        with pytest.raises(VoxcardError, match="is full"):
            put(board, tmp_path, sources / "new")
        assert started(board).device_id == "kitchen"


FILL = """
with open('/own', 'wb') as file:
    for _ in range(os.statvfs('/')[3] - 8):
        file.write(bytes(4096))
"""


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"_mpy": 11 << 10}, "chip on the cable runs rv32imc, diy-s3-oled needs xtensawin"),
        ({"_mpy": 0}, "runs no native code"),
        ({"version": (1, 27, 0)}, "MicroPython 1.27.0 runs .* needs 1.28"),
        ({"_build": "VOXCARD_S3"}, "is VOXCARD_S3, diy-s3-oled needs"),
        ({"_build": "ESP32_GENERIC_S3"}, "does not use its PSRAM"),
    ],
)
def test_another_chip_or_image_than_the_boards_is_refused(tmp_path, sources, changes, problem):
    with (
        VirtualBoard(tmp_path, changes={**CHIP, **changes}, heap="900k") as board,
        pytest.raises(VoxcardError, match=problem),
    ):
        put(board, tmp_path, sources / "old")
    assert board.files() == {}


ATOM = boards.read("m5-atom-lite-echo-base", board_files())
ATOM_CHIP = {**CHIP, "_build": "VOXCARD_ESP32"}


def put_on_atom(folder, source, digest, changes=ATOM_CHIP, **values):
    """Deploy to a board without PSRAM whose image holds the firmware of that digest."""
    values = {"settings": KITCHEN, **values}
    deployment = Deployment(board=ATOM, firmware=source, **values)
    with (
        VirtualBoard(folder / "atom", changes=changes, digest=digest) as board,
        repl.opened(board.port) as opened,
    ):
        return board, deploy(opened, deployment, folder / "build", quiet)


def test_a_board_without_psram_gets_no_code_but_what_makes_it_this_device(tmp_path, sources):
    source = sources / "old"
    digest = build.digest(source)
    values = {"wifi": {"ssid": "Home"}, "ca": b"a certificate"}
    board, outcome = put_on_atom(tmp_path, source, digest, **values)
    assert outcome.sent == ("/board.json", "/ca.pem", "/settings.json")
    assert (outcome.copied, outcome.note) == (0, "")
    files = board.files()
    assert set(files) == set(outcome.sent) and json.loads(files["/board.json"])["id"] == ATOM.id
    assert json.loads(files["/settings.json"]) == {**KITCHEN, "ca": "/ca.pem"}
    assert board.nvs == {"wifi": '{"ssid": "Home"}'}
    assert not (tmp_path / "build").exists()  # nothing was compiled for it
    _, outcome = put_on_atom(tmp_path, source, digest, settings={})
    assert outcome.sent == ()


def test_an_image_with_another_firmware_is_told_and_the_settings_go_there_all_the_same(
    tmp_path, sources
):
    _, outcome = put_on_atom(tmp_path, sources / "new", "0123abcd")
    assert outcome.sent == ("/board.json", "/settings.json")
    assert outcome.note == (
        f"The image on the board holds another firmware (0123abcd) than this Voxcard"
        f" ({build.digest(sources / 'new')}). To bring it up to date:"
        " make image BOARD=VOXCARD_ESP32, voxcard device flash, and deploy again."
    )


@pytest.mark.parametrize(
    ("build_name", "digest", "problem"),
    [
        ("ESP32_GENERIC", "", r"is ESP32_GENERIC, .* needs VOXCARD_ESP32.*make image BOARD="),
        ("VOXCARD_S3", "0123abcd", "is VOXCARD_S3, m5-atom-lite-echo-base needs VOXCARD_ESP32"),
        ("VOXCARD_ESP32", "", "VOXCARD_ESP32, has no Voxcard inside.*make image BOARD="),
    ],
)
def test_a_board_without_psram_takes_no_image_but_its_own(
    tmp_path, sources, build_name, digest, problem
):
    changes = {**CHIP, "_build": build_name}
    with pytest.raises(VoxcardError, match=problem):
        put_on_atom(tmp_path, sources / "old", digest, changes)
    assert VirtualBoard(tmp_path / "atom").files() == {}


def test_a_board_gets_its_own_parts_alone(tmp_path, sources):
    there = running.Running(
        platform="esp32", version=(1, 28, 0), architecture="xtensawin", build="OWN",
        heap_bytes=8 << 20,
    )  # fmt: skip
    box = boards.read("esp32-s3-box-3", board_files())
    files = compiled(sources / "old", box, tmp_path, there, quiet)
    parts = {path for path in files if path.startswith(("hal/drivers/", "hal/tables/"))}
    assert parts == {
        "hal/drivers/rgb_panel.mpy", "hal/tables/es7210_std.mpy", "hal/tables/es8311_bclk.mpy",
        "hal/tables/ili9342c_box.mpy",
    }  # fmt: skip
    assert "hal/sound/codec.mpy" in files and "hal/parts/apa102.mpy" not in files
    assert not any("simulat" in path for path in files)
    assert "hal/esp32.mpy" in files and "boot.py" not in files


def test_a_port_without_micropython_is_explained(monkeypatch):
    monkeypatch.setattr(repl, "LIMIT_S", 0.1)
    monkeypatch.setattr(repl, "ENTER_S", 0.1)
    near, far = pty.openpty()
    with (
        pytest.raises(VoxcardError, match=r"No MicroPython answers.*RESET.*device flash"),
        repl.opened(os.ttyname(far)),
    ):
        pass
    os.close(near)
    os.close(far)


def test_a_board_that_misses_a_ctrl_c_gets_another(board, monkeypatch):
    monkeypatch.setattr(repl, "ENTER_S", 2)
    with board:
        board.deaf_bytes = 4  # the first attempt's
        with repl.opened(board.port) as opened:
            assert opened.call("hash_of", "/none") == [""]


def test_a_port_that_is_gone_is_explained():
    with (
        pytest.raises(VoxcardError, match="Nothing answers at /dev/nowhere"),
        repl.opened("/dev/nowhere"),
    ):
        pass


def test_an_error_of_the_board_shows_no_program(board):
    with (
        board,
        pytest.raises(VoxcardError) as refused,
        repl.opened(board.port) as opened,
    ):
        opened.run("password = 'secret'; raise ValueError('no good')")
    assert str(refused.value).startswith("The board refuses: ValueError: no good.")
    assert "secret" not in str(refused.value) + repr(refused.value.__cause__)


def test_slots_are_those_of_the_launcher():
    source = (firmware() / "launcher.py").read_text()
    assert 'SLOTS = ("app_a", "app_b")' in source and slots.SLOTS == ("app_a", "app_b")


def test_a_board_without_a_screen_says_how_a_phone_joins_it_and_forgets_it_with_the_rest(board):
    without = json.loads(BOARD.file)
    del without["display"]
    bare = replace(BOARD, file=json.dumps(without).encode())
    with board, repl.opened(board.port) as opened:
        assert setup_network(opened, BOARD) is None
        name, password = setup_network(opened, bare)
        assert name == "Voxcard-0a0b0c" and len(password) == 10
        assert setup_network(opened, bare) == (name, password)
        assert board.nvs["setup"] == password
        forget(opened)
        assert "setup" not in board.nvs
        assert setup_network(opened, bare) != (name, password)

"""`voxcard release`: built twice it is the same file; what is shown is what is in it."""

import json
import stat

import pytest
from fakes.cable.images import app_image
from fakes.command_line import Command, running
from fakes.releases import FOREIGN, KEY, release
from voxcard.access.update_keys import release_key
from voxcard.cable import build
from voxcard.control.service import DeviceRow
from voxcard.package_files import firmware
from voxcard.releases import archive

DIGEST = build.digest(firmware())


@pytest.fixture
def home(monkeypatch, capsys, tmp_path):
    """The command line in a folder with a configuration."""
    monkeypatch.chdir(tmp_path)
    text = '[mqtt]\naccounts = "accounts"\n[control]\nsocket = "c.sock"\n'
    (tmp_path / "voxcard.toml").write_text(text, encoding="utf-8")
    return Command(monkeypatch, capsys, tmp_path)


def test_built_twice_a_release_is_the_same_file_and_its_name_says_what_it_is(home):
    name = f"diy-s3-oled-0.1.0+{DIGEST}.voxrelease"
    code, out, _ = home("release", "build", "--board", "diy-s3-oled")
    data = (home.folder / name).read_bytes()
    assert code == 0
    assert out == f"{name}: 0.1.0+{DIGEST} for diy-s3-oled, {len(data):,} bytes.\n"
    assert home("release", "build", "--board", "diy-s3-oled", "-o", "b")[0] == 0
    assert (home.folder / "b").read_bytes() == data
    key = home.folder / "accounts" / "release-key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert key.read_text().strip() not in out and key.read_bytes().strip() not in data


def test_a_release_holds_what_a_slot_of_its_board_holds(home):
    home("release", "build", "--board", "diy-s3-oled", "-o", "a")
    opened = archive.read(home.folder / "a")
    opened.check_files()
    archive.check_signature(opened, release_key(home.folder / "accounts"))
    paths = set(opened.sizes)
    assert paths >= {"main.py", "app.mpy", "build_digest.mpy", "voxwire/message.mpy"}
    assert not paths & {"boot.py", "launcher.mpy", "hal/simulator.mpy"}
    drivers = {path for path in paths if path.startswith("hal/drivers/")}
    assert drivers == {"hal/drivers/oled.mpy", "hal/drivers/ssd1306.mpy"}  # of its file alone
    assert not any(path.endswith(".py") for path in paths - {"main.py"})
    made = opened.manifest
    assert (made.version, made.digest, made.board, made.kind) == (
        "0.1.0", DIGEST, "diy-s3-oled", "files",
    )  # fmt: skip
    assert made.micropython == (1, 28) and not made.allow_older


def test_an_older_version_may_be_allowed(home):
    home("release", "build", "--board", "diy-s3-oled", "-o", "a", "--allow-older")
    assert archive.read(home.folder / "a").manifest.allow_older


def app(**changes):
    return app_image("esp32", "VOXCARD_ESP32", **changes) + DIGEST.encode()


def test_of_a_board_without_psram_the_image_is_the_release(home):
    (home.folder / "a.app-bin").write_bytes(app())
    words = ("release", "build", "--board", "diy-esp32-oled", "-o", "a")
    assert home(*words, "--image", "a.app-bin")[0] == 0
    opened = archive.read(home.folder / "a")
    assert (opened.manifest.kind, dict(opened.sizes)) == ("image", {"micropython.bin": len(app())})
    code, _, err = home(*words)
    assert code == 1 and "is inside its image, VOXCARD_ESP32. Build that, and name its" in err


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "is no .app-bin: it is something else"),
        (b"PK\3\4" + bytes(100), "it is a ZIP archive"),
        (app().replace(b"\x32\x54\xcd\xab", bytes(4)), "it begins with a bootloader"),
        (app_image("esp32c3", "VOXCARD_C3"), "is for esp32c3, the board diy-esp32-oled has esp32"),
        (app_image("esp32", "ESP32_GENERIC"), "is ESP32_GENERIC, the board"),
        (app().replace(b" on 2026-04-06", b""), "but not of MicroPython"),
        (app() + bytes(0x1E0000), "a slot of diy-esp32-oled has 1966080"),
        (app_image("esp32", "VOXCARD_ESP32"), "holds another firmware than this Voxcard has"),
    ],
)
def test_an_image_that_does_not_belong_there_is_refused(home, data, problem):
    (home.folder / "a.app-bin").write_bytes(data)
    words = ("release", "build", "--board", "diy-esp32-oled", "-o", "a")
    code, _, err = home(*words, "--image", "a.app-bin")
    assert code == 1 and problem in err
    assert not (home.folder / "a").exists()


def test_an_image_for_a_board_that_is_updated_by_files_is_refused(home):
    (home.folder / "a.app-bin").write_bytes(app())
    words = ("release", "build", "--board", "diy-s3-oled", "--image", "a.app-bin")
    code, _, err = home(*words)
    assert code == 1 and "is updated by files" in err


def test_what_is_in_a_release_is_shown(home):
    path = release(home.folder / "a", key=release_key(home.folder / "accounts"))
    code, out, err = home("release", "show", path.name)
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "firmware     0.2.0+1f3a9c2e",
        "board        diy-s3-oled",
        "devices      unknown: the bridge is not running",
        "kind         files: 3, 5,051 bytes",
        "MicroPython  1.28 or newer",
        "may go back  no",
    ]
    home.service.devices = lambda: [
        DeviceRow(id="hall", name="Hall", online=True, board="diy-s3-oled"),
        DeviceRow(id="echo", name="Echo", online=True, board="m5-atom-echo"),
    ]
    with running(home.service, home.folder / "c.sock"):
        assert "devices      hall\n" in home("release", "show", path.name)[1]
        shown = json.loads(home("release", "show", path.name, "--json")[1])
    assert (shown["devices"], shown["problems"]) == (["hall"], [])
    assert [row["path"] for row in shown["files"]] == ["app.mpy", "main.py", "voxwire/card.mpy"]


def test_another_home_s_and_a_damaged_one_are_shown_and_named(home):
    path = release(home.folder / "a", key=FOREIGN)
    path.write_bytes(path.read_bytes().replace(b"aaaa", b"aaab"))
    code, out, err = home("release", "show", path.name)
    assert code == 1 and out.startswith("firmware     0.2.0+1f3a9c2e\n")
    assert err == (
        "voxcard: The file is no release, or is damaged: app.mpy has another content. The release"
        " was signed by another home, or its manifest was changed. Build it anew, with the"
        " voxcard of this home.\n"
    )
    assert KEY.hex() not in out + err

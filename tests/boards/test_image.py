"""`make image`: what it checks, and what it has MicroPython's build do. ESP-IDF is a stand-in."""

import os
import re

import pytest

from tools.build import image

STAND_IN = """#!/bin/sh
echo "$(basename "$0") $*" >>"{log}"
for word; do
    case $word in
    BUILD=*) mkdir -p "${{word#BUILD=}}" && cd "${{word#BUILD=}}" &&
        head -c {size} /dev/zero >micropython.bin && head -c 9 /dev/zero >firmware.bin ;;
    esac
done
exit {code}
"""


@pytest.fixture
def source(tmp_path):
    """A checkout of MicroPython, as far as it is looked at."""
    folder = tmp_path / "micropython"
    (folder / "ports" / "esp32").mkdir(parents=True)
    (folder / "py").mkdir()
    version(folder, 1, 28)
    return folder


def version(folder, major, minor):
    (folder / "py" / "mpconfig.h").write_text(
        f"#define MICROPY_VERSION_MAJOR {major}\n#define MICROPY_VERSION_MINOR {minor}\n"
    )


@pytest.fixture
def programs(tmp_path, monkeypatch):
    """Puts programs that only note how they were called before the PATH; gives their notes."""
    log = tmp_path / "calls"
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setattr(image, "OUT", tmp_path / "out")

    def stand(*names, code=0, size=100):
        for name in names:
            (folder / name).write_text(STAND_IN.format(log=log, code=code, size=size))
            (folder / name).chmod(0o755)
        system = [path for path in ("/usr/bin", "/bin") if os.path.isdir(path)]
        monkeypatch.setenv("PATH", os.pathsep.join([str(folder), *system]))
        real = image.shutil.which
        hidden = {"idf.py", "docker", "podman"} - set(names)
        monkeypatch.setattr(
            image.shutil, "which", lambda name: None if name in hidden else real(name)
        )
        return lambda: log.read_text().splitlines() if log.exists() else []

    return stand


@pytest.mark.parametrize("name", ["VOXCARD_ESP32", "diy-esp32-oled", "m5-atom-echo"])
def test_an_image_has_a_name_of_its_own_or_that_of_a_board(name):
    assert image.image_of(name) == "VOXCARD_ESP32"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("diy-s3-oled", "has PSRAM and runs MicroPython's own image ESP32_GENERIC_S3-SPIRAM_OCT"),
        ("toaster", "There is no image or board toaster; images: VOXCARD_C3, VOXCARD_ESP32"),
        ("common", "There is no image or board common"),
    ],
)
def test_what_needs_no_image_or_is_none_is_said(name, said):
    with pytest.raises(image.ImageError, match=said):
        image.image_of(name)


def test_what_is_missing_is_said_in_one_sentence_and_nothing_is_begun(source, programs, tmp_path):
    calls = programs("make")
    with pytest.raises(image.ImageError, match=r"^MicroPython's sources are missing; run: git"):
        image.build("VOXCARD_C3", tmp_path / "nowhere")
    with pytest.raises(image.ImageError, match=r"^Neither ESP-IDF \(idf.py\) nor docker"):
        image.build("VOXCARD_C3", source)
    version(source, 1, 27)
    with pytest.raises(image.ImageError, match=r"is MicroPython 1\.27; it must be 1\.28 or newer"):
        image.build("VOXCARD_C3", source)
    assert calls() == [] and not image.OUT.exists()


def test_an_installed_esp_idf_builds_the_image(source, programs):
    calls = programs("idf.py", "make", "docker")
    results = image.build("VOXCARD_S3", source)
    folder = image.OUT / "VOXCARD_S3"
    port = (
        f"make -C {source}/ports/esp32 BOARD=VOXCARD_S3 BOARD_DIR={folder}/VOXCARD_S3"
        f" BUILD={folder}/build FROZEN_MANIFEST={folder}/common/manifest.py"
    )
    assert calls() == [f"make -C {source}/mpy-cross", f"{port} submodules", f"{port} all"]
    assert [path.name for path in results] == ["VOXCARD_S3.bin", "VOXCARD_S3.app-bin"]
    assert [path.stat().st_size for path in results] == [9, 100]


def test_without_esp_idf_espressifs_container_does(source, programs):
    calls = programs("docker")
    image.build("xmini-c3", source)
    assert len(calls()) == 3
    for call in calls():
        assert call.startswith("docker run --rm --user=")
        assert f"--volume={source}:{source} espressif/idf:v5.5.1 make -C" in call


def test_what_is_frozen_is_the_firmware_of_this_checkout_with_its_digest(source, programs):
    programs("idf.py", "make")
    image.build("VOXCARD_C3", source)
    common = image.OUT / "VOXCARD_C3" / "common"
    assert (common / "modules" / "app.py").is_file()
    assert (common / "modules" / "build_digest.py").is_file()
    # What starts it, too: no file of the board can keep it from starting.
    assert (common / "modules" / "main.py").is_file()
    assert not (common / "modules" / "hal" / "simulator.py").exists()
    assert (common / "modules" / "boot.py").is_file()
    font = (common / "modules" / "font_6x12.py").read_text()
    assert font.splitlines()[2].startswith("DATA = b'VXF1")
    assert 'include("firmware.py")' in (common / "manifest.py").read_text()
    assert 'freeze("modules", opt=2)' in (common / "firmware.py").read_text()


def test_a_build_that_fails_and_an_image_that_is_too_large_are_said(source, programs):
    programs("idf.py", "make", code=2)
    with pytest.raises(image.ImageError, match="MicroPython's build failed"):
        image.build("VOXCARD_C3", source)
    programs("idf.py", "make", size=0x1E0001)
    with pytest.raises(image.ImageError, match="The image has 1966081 bytes, a slot has 1966080"):
        image.build("VOXCARD_C3", source)


@pytest.mark.parametrize("name", image.images())
def test_a_definition_is_without_bluetooth_and_ethernet_and_keeps_the_reserve(name):
    folder = image.DEFINITIONS / name
    cmake = (folder / "mpconfigboard.cmake").read_text()
    assert "sdkconfig.ble" not in cmake and "spiram" not in cmake
    assert "${CMAKE_CURRENT_LIST_DIR}/../common/voxcard.cmake" in cmake
    assert '#include "../common/voxcard.h"' in (folder / "mpconfigboard.h").read_text()
    common = image.DEFINITIONS / "common"
    header = (common / "voxcard.h").read_text()
    for feature in ("MICROPY_PY_BLUETOOTH", "MICROPY_PY_NETWORK_LAN"):
        assert f"#define {feature} (0)" in header
    assert '#include "network_reserve.h"' in header
    config = (common / "sdkconfig.voxcard").read_text()
    for option in ("BT_ENABLED", "ETH_USE_ESP32_EMAC", "ETH_USE_SPI_ETHERNET"):
        assert f"CONFIG_{option}=n" in config


@pytest.mark.parametrize("name", image.images())
def test_every_file_a_definition_names_is_there(name):
    folder = image.DEFINITIONS / name
    text = (folder / "mpconfigboard.cmake").read_text()
    text += (image.DEFINITIONS / "common" / "voxcard.cmake").read_text()
    for path in re.findall(r"\$\{MICROPY_BOARD_DIR\}/([\w.]+)", text):
        assert (folder / path).is_file(), path
    for path in re.findall(r"\$\{CMAKE_CURRENT_LIST_DIR\}/sdk([\w.]+)", text):
        assert (image.DEFINITIONS / "common" / f"sdk{path}").is_file(), path

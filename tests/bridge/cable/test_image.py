"""Which images a board takes, and what is said of the others."""

from dataclasses import replace

import pytest
from fakes.cable.images import app_image, image
from voxcard.cable import boards
from voxcard.cable import image as images
from voxcard.errors import VoxcardError
from voxcard.package_files import boards as board_files

FOLDER = board_files()
BUILDS = boards.builds(FOLDER)
S3 = boards.read("diy-s3-oled", FOLDER)
ESP32 = boards.read("diy-esp32-oled", FOLDER)
C3 = boards.read("xmini-c3", FOLDER)


def test_an_image_says_what_it_is():
    read = images.check(image(flash_mb=8), S3, BUILDS)
    assert read == images.Image(
        chip_id=9, needs_bytes=8 << 20, version=(1, 28, 0), build="ESP32_GENERIC_S3-SPIRAM_OCT"
    )


def test_the_partition_table_of_an_esp32_lies_earlier_in_its_image():
    read = images.check(image("esp32", "VOXCARD_ESP32"), ESP32, BUILDS)
    assert (read.chip_id, read.needs_bytes, read.build) == (0, 4 << 20, "VOXCARD_ESP32")


def test_an_image_of_another_project_is_taken_by_its_chip_alone():
    assert images.check(image(build="M5STACK_ATOM_S3R_CAM"), S3, BUILDS).build == ""


def test_a_name_inside_other_words_is_no_build():
    data = image(build="OWN").replace(b"OWN\0", b"OWN is like ESP32_GENERIC_S3\0")
    assert images.check(data, S3, BUILDS).build == ""


@pytest.mark.parametrize(
    ("data", "board", "problem"),
    [
        (b"", S3, "too short|something else"),
        (b"PK\3\4" + bytes(40000), S3, "it is a ZIP archive"),
        (b"\n<!doctype html>" + b" " * 40000, S3, "it is a web page"),
        (b"UF2\n" + bytes(40000), S3, "it is a .uf2 file"),
        (image()[:0x7000], S3, "it is too short"),
        (app_image(), S3, "is an .app-bin"),
        (image().replace(b" on 2026-04-06", b""), S3, "not of MicroPython"),
        (image().replace(b"\xaa\x50", b"\xff\xff"), S3, "no partition table"),
        (image("esp32", "ESP32_GENERIC"), S3, "no partition table where this board needs it"),
        (image("esp32c3", "ESP32_GENERIC_C3"), S3, "is for esp32c3, the board diy-s3-oled has"),
        (image(flash_mb=16), replace(S3, flash_mb=8), "needs 16 MB of flash, the board"),
        (image(build="ESP32_GENERIC_S3"), S3, "is ESP32_GENERIC_S3, the board diy-s3-oled needs"),
        (image("esp32", "ESP32_GENERIC"), ESP32, "is ESP32_GENERIC, .* needs VOXCARD_ESP32"),
        (image("esp32c3", "ESP32_GENERIC_C3"), C3, "needs VOXCARD_C3"),
        (image(version="v1.27.0"), S3, "of MicroPython 1.27.0; Voxcard needs 1.28 or newer"),
    ],
)
def test_what_does_not_belong_on_a_board_is_refused_with_what_does(data, board, problem):
    with pytest.raises(VoxcardError, match=problem) as refused:
        images.check(data, board, BUILDS)
    assert refused.value.remedy


@pytest.mark.parametrize("board", boards.known(FOLDER))
def test_every_board_is_told_what_to_get(board):
    chosen = boards.read(board, FOLDER)
    remedy = chosen.where_to_get_it()
    if chosen.psram:
        page = chosen.build.partition("-")[0]
        assert f"{chosen.build}-<date>-v<version>.bin" in remedy
        assert f"https://micropython.org/download/{page}/" in remedy
    else:
        assert f"make image BOARD={chosen.image}" in remedy
        assert f"out/image/{chosen.image}/{chosen.image}.bin" in remedy


def test_an_unknown_board_is_refused_with_the_known_ones():
    with pytest.raises(VoxcardError, match=r"no board 'toaster'.*m5-cores3"):
        boards.read("toaster", FOLDER)

"""The images that somebody downloaded are chosen for a board, or refused with what to do."""

import pytest
from fakes.cable.images import app_image, image
from voxcard.cable import boards
from voxcard.errors import VoxcardError
from voxcard.package_files import boards as board_files

from tools.web_installer import images

FOLDER = board_files()
BUILDS = boards.builds(FOLDER)
S3, ESP32 = boards.read("diy-s3-oled", FOLDER), boards.read("diy-esp32-oled", FOLDER)


@pytest.fixture
def folder(tmp_path):
    return tmp_path


def chosen(board, folder):
    return images.chosen(board, folder, BUILDS).path.name


def test_of_those_that_fit_the_newest_is_taken(folder):
    for version in ("v1.28.0", "v1.30.1", "v1.29.0"):
        (folder / f"{version}.bin").write_bytes(image(version=version))
    (folder / "esp32.bin").write_bytes(image("esp32", "VOXCARD_ESP32"))
    assert chosen(S3, folder) == "v1.30.1.bin"
    assert chosen(ESP32, folder) == "esp32.bin"


def test_one_that_names_its_build_goes_before_one_that_does_not(folder):
    (folder / "a.bin").write_bytes(image(version="v1.28.0"))
    (folder / "b.bin").write_bytes(image(build="OTHER", version="v1.30.0"))
    assert chosen(S3, folder) == "a.bin"


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (image(build="ESP32_GENERIC_S3"), "The image is ESP32_GENERIC_S3, the board diy-s3-oled"),
        (image("esp32c3", "VOXCARD_C3"), "The image is for esp32c3, the board diy-s3-oled has"),
        (image(version="v1.27.0"), "is of MicroPython 1.27.0; Voxcard needs 1.28 or newer"),
        (app_image(), "is an .app-bin"),
        (b"<!doctype html>", "is no image for an ESP32: it is a web page"),
        (b"PK\x03\x04", "it is a ZIP archive"),
        (b"", "it is something else"),
    ],
)
def test_one_file_that_does_not_belong_there_is_refused_by_its_name(folder, data, why):
    (folder / "file.bin").write_bytes(data)
    with pytest.raises(VoxcardError) as caught:
        chosen(S3, folder)
    assert caught.value.problem.startswith("file.bin: ") and why in caught.value.problem


def test_it_is_said_which_file_to_download_and_where_to_put_it(folder):
    with pytest.raises(VoxcardError) as caught:
        chosen(S3, folder)
    assert str(caught.value) == (
        f"{folder} has no image for diy-s3-oled. Download the newest release "
        "ESP32_GENERIC_S3-SPIRAM_OCT-<date>-v<version>.bin from "
        "https://micropython.org/download/ESP32_GENERIC_S3/ (the .bin, not the .app-bin or .uf2),"
        " and put it into that folder."
    )
    remedy = r"\(make image BOARD=VOXCARD_ESP32\), and put it into that folder"
    with pytest.raises(VoxcardError, match=remedy):
        chosen(ESP32, folder)
    with pytest.raises(VoxcardError, match="There is no folder"):
        chosen(S3, folder / "gone")


def test_of_many_that_do_not_belong_there_the_number_is_told(folder):
    for name in ("a.bin", "b.bin"):
        (folder / name).write_bytes(image("esp32c3", "VOXCARD_C3"))
    with pytest.raises(VoxcardError, match=r"None of the 2 files in .* is an image for diy-s3"):
        chosen(S3, folder)

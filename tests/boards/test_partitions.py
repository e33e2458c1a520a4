"""Partition tables of our images: what a device needs to start and to be updated is there."""

import pytest

from tools.boards import files, rules
from tools.build import image, partitions

MIB = 1 << 20
FLASH = {"VOXCARD_ESP32": 4 * MIB, "VOXCARD_C3": 4 * MIB, "VOXCARD_S3": 8 * MIB}
FILES_BYTES = 128 * 1024  # the board's file, settings, certificates, the journal of an update
RIGHT = """
# Name, Type, SubType, Offset, Size
nvs,     data, nvs,   0x9000,  0x4000,
otadata, data, ota,   0xd000,  0x2000,
ota_0,   app,  ota_0, 0x10000, 0x10000,
ota_1,   app,  ota_1, 0x20000, 0x10000,
vfs,     data, fat,   0x30000, 0x10000,
"""


def table(name):
    return partitions.read((image.DEFINITIONS / name / "partitions.csv").read_text())


@pytest.mark.parametrize("name", sorted(FLASH))
def test_the_table_of_an_image_is_right_and_uses_all_of_the_flash(name):
    rows = table(name)
    assert partitions.faults(rows, FLASH[name]) == []
    assert rows[-1].name == "vfs" and rows[-1].end == FLASH[name]


@pytest.mark.parametrize("name", sorted(FLASH))
def test_an_image_fits_its_slot_and_files_have_room(name):
    rows = table(name)
    assert min(partitions.slot_sizes(rows)) >= image.STOCK_BYTES + image.FROZEN_BYTES
    assert rows[-1].size >= FILES_BYTES


@pytest.mark.parametrize("name", sorted(FLASH))
def test_the_flash_the_image_is_made_for_is_that_of_its_table_and_of_its_boards(name):
    mb = FLASH[name] // MIB
    config = (image.DEFINITIONS / name / "sdkconfig.board").read_text()
    assert f"CONFIG_ESPTOOLPY_FLASHSIZE_{mb}MB=y" in config
    for board in files.every().values():
        if board["firmware"].get("image") == name:
            assert board["flash_mb"] >= mb, board["id"]


WRONG = [
    (("0x9000,  0x4000", "0x8000,  0x4000"), "nvs: begins at 0x8000"),
    (("0x9000,  0x4000", "0x9000,  0x5000"), "otadata: begins at 0xd000, what is before it ends"),
    (("0x20000, 0x10000", "0x21000, 0xf000"), "ota_1: offset and size must be multiples"),
    (("0x20000, 0x10000", "0x20000, 0xf000"), "an update needs two slots of one size"),
    (("ota_1,   app,  ota_1", "old,     app,  factory"), "an update needs two slots"),
    (("otadata, data, ota,   0xd000,  0x2000", "otadata, data, ota, 0xd000, 0x1000"), "otadata: "),
    (("nvs,     data, nvs,   0x9000,  0x4000", "nvs, data, nvs, 0x9000, 0x2000"), "nvs: Wi-Fi"),
    (("vfs,     data", "other,   data"), "vfs: there is no room for files"),
    (("vfs,     data", "vfs,     file"), "vfs: file is neither app nor data"),
    (("0x30000, 0x10000", "0x30000, 0x20000"), "the table ends at 0x50000, the flash at 0x40000"),
]


@pytest.mark.parametrize(("change", "said"), WRONG, ids=[said for _, said in WRONG])
def test_a_wrong_table_is_refused(change, said):
    assert partitions.faults(partitions.read(RIGHT), 0x40000) == []
    assert change[0] in RIGHT
    faults = partitions.faults(partitions.read(RIGHT.replace(*change)), 0x40000)
    assert any(fault.startswith(said) for fault in faults), faults


def test_a_line_that_is_no_partition_is_refused():
    with pytest.raises(ValueError, match="no partition: nvs"):
        partitions.read("nvs, data")


def test_every_image_of_the_boards_is_there_and_no_other():
    assert image.images() == sorted(rules.IMAGES.values())

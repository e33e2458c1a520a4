"""The partition for files is the one in an image's table, else one that is written there."""

import hashlib

import pytest
from fakes.cable.images import OFFSETS, image, partition
from voxcard.errors import VoxcardError

from tools.web_installer.partitions import Partition, read, with_storage

MB = 1 << 20
NVS = partition(2, "nvs", 0x9000, 0x6000)
FACTORY = partition(0, "factory", 0x10000, 0x1F0000)
VFS = partition(1, "vfs", 0x390000, 0x70000)


def with_table(*rows, md5=False, chip="esp32s3"):
    """An image with another table."""
    data = bytearray(image(chip))
    at = 0x8000 - OFFSETS[chip]
    table = b"".join(rows)
    if md5:
        table += b"\xeb\xeb" + b"\xff" * 14 + hashlib.md5(table).digest()
    data[at : at + 0xC00] = table.ljust(0xC00, b"\xff")
    return bytes(data)


def table_of(data, chip="esp32s3"):
    return data[0x8000 - OFFSETS[chip] :]


def test_a_table_that_names_it_is_left_as_it_is():
    data = with_table(NVS, FACTORY, VFS, chip="esp32")
    changed, storage = with_storage(data, 0x1000, 4 * MB)
    assert changed is data
    assert storage == Partition(label="vfs", offset=0x390000, size=0x70000)


@pytest.mark.parametrize("chip", ["esp32s3", "esp32"])
@pytest.mark.parametrize("flash_mb", [4, 8])
def test_one_that_does_not_gets_a_row_for_what_is_behind_the_program(chip, flash_mb):
    data = with_table(NVS, FACTORY, chip=chip)
    changed, storage = with_storage(data, OFFSETS[chip], flash_mb * MB)
    assert storage == Partition(label="vfs", offset=2 * MB, size=(flash_mb - 2) * MB)
    assert table_of(changed, chip)[:64] == NVS + FACTORY
    # As MicroPython registers it: data, FAT by its number, littlefs in it.
    row = b"\xaa\x50\x01\x81" + (2 * MB).to_bytes(4, "little")
    row += ((flash_mb - 2) * MB).to_bytes(4, "little") + b"vfs".ljust(16, b"\0") + bytes(4)
    assert table_of(changed, chip)[64:96] == row
    assert table_of(changed, chip)[96:128] == b"\xff" * 32
    assert len(changed) == len(data) and changed[0x9000:] == data[0x9000:]


def test_a_table_with_a_sum_gets_the_sum_of_its_new_rows():
    data = with_table(NVS, FACTORY, md5=True)
    changed, storage = with_storage(data, 0, 4 * MB)
    table = table_of(changed)
    assert table[96:112] == b"\xeb\xeb" + b"\xff" * 14
    assert table[112:128] == hashlib.md5(table[:96]).digest()
    assert read(changed, 0x8000)[-1] == storage


@pytest.mark.parametrize(
    ("rows", "flash_mb"),
    [
        ((NVS, FACTORY), 2),  # the program takes all of it
        ((NVS, partition(0, "factory", 0x10000, 0x370000)), 4),  # 512 KB are left
        ((NVS, partition(0, "factory", 0x10000, 0x8000)), 4),  # the image is longer than that
    ],
)
def test_an_image_without_room_for_files_is_refused(rows, flash_mb):
    with pytest.raises(VoxcardError, match="no room for files"):
        with_storage(with_table(*rows), 0, flash_mb * MB)


def test_a_table_without_room_for_a_row_is_refused():
    data = bytearray(with_table(NVS, FACTORY))
    data[0x8000 + 64 : 0x8000 + 68] = b"code"
    with pytest.raises(VoxcardError, match="no room for one row more"):
        with_storage(bytes(data), 0, 4 * MB)
    rows = [partition(2, f"p{index}", 0x9000, 0x1000) for index in range(95)]
    with pytest.raises(VoxcardError, match="no room for one row more"):
        with_storage(with_table(*rows, FACTORY), 0, 4 * MB)

"""What our images' definitions take for granted of MicroPython's ESP32 port, read in its source.

Its build cannot run here; these are the names that it would look for.
"""

import re
import subprocess
import sys

import pytest

from tools.build import image
from tools.build.interpreters import frozen32


@pytest.fixture(scope="module")
def source():
    return frozen32().path.parent / "micropython-source"


def test_the_heap_asks_for_its_largest_block_where_our_reserve_answers(source):
    port = source / "ports" / "esp32"
    asking = [
        path.name
        for path in [*port.glob("*.c"), *port.glob("*.h")]
        if "heap_caps_get_largest_free_block" in path.read_text()
    ]
    assert asking == ["gccollect.c"]
    collector = (port / "gccollect.c").read_text()
    rule = r"gc_get_max_new_split\(void\) \{\s+return heap_caps_get_largest_free_block\("
    assert re.search(rule, collector)
    begin = (port / "mpconfigport.h").read_text().split("#ifndef")[0]
    assert '#include "mpconfigboard.h"' in begin  # ours is read before anything else is decided


def test_what_we_leave_out_is_the_ports_to_leave_out(source):
    port = (source / "ports" / "esp32" / "mpconfigport.h").read_text()
    header = (image.DEFINITIONS / "common" / "voxcard.h").read_text()
    features = re.findall(r"#define (MICROPY_\w+) \(0\)", header)
    assert len(features) == 3
    for feature in features:
        assert f"#ifndef {feature}\n" in port


@pytest.mark.parametrize("name", image.images())
def test_the_ports_files_that_a_definition_names_are_there(source, name):
    text = (image.DEFINITIONS / name / "mpconfigboard.cmake").read_text()
    named = re.findall(r"^\s+(boards/\S+)$", text, re.M)
    assert "boards/sdkconfig.base" in named
    for path in named:
        assert (source / "ports" / "esp32" / path).is_file(), path


def test_an_image_freezes_what_the_port_starts_with_and_the_firmware(source, tmp_path):
    image.prepare("VOXCARD_ESP32", tmp_path)
    listed = subprocess.run(
        [
            *(sys.executable, source / "tools" / "manifestfile.py", "--freeze"),
            *("--top", source, "--port", source / "ports" / "esp32"),
            *("--lib", tmp_path, "--board", tmp_path, tmp_path / "common" / "manifest.py"),
        ],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    for module in (
        "_boot.py",
        "inisetup.py",
        "asyncio/core.py",
        "app.py",
        "voxwire/message.py",
        "main.py",
    ):
        assert module in listed, listed
    assert "umqtt" not in listed


def test_a_frozen_main_starts_before_a_file_of_that_name(source):
    text = (source / "shared" / "runtime" / "pyexec.c").read_text()
    begin = text.index("int pyexec_file_if_exists(")
    body = text[begin : text.index("\n}", begin)]
    assert body.index("mp_find_frozen_module(filename") < body.index("pyexec_file(filename)")
    port = (source / "ports" / "esp32" / "main.c").read_text()
    assert 'pyexec_file_if_exists("main.py")' in port

"""What tools.bench.holders names is in the heap, and is as large as it says."""

import asyncio
import tempfile
from pathlib import Path

import pytest

from tools.bench.holders.__main__ import holders, in_order, modules_of
from tools.boards import files

SMALLEST = files.every()["m5-atoms3-echo-base"]


def test_a_module_comes_after_those_it_imports(tmp_path):
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "__init__.py").write_text("")
    (tmp_path / "part" / "a.py").write_text("import time\nfrom part import b\nimport c\n")
    (tmp_path / "part" / "b.py").write_text("try:\n    import c\nexcept ImportError:\n    pass\n")
    (tmp_path / "c.py").write_text("def late():\n    import d\n\n\nimport part.a\n")
    (tmp_path / "d.py").write_text("")
    assert in_order(["part.a"], tmp_path) == ["part", "c", "part.b", "part.a"]


def test_a_board_imports_what_it_has():
    names = modules_of(SMALLEST)
    assert {"app", "screen.view", "hal.drivers.rgb_panel", "hal.sound.i2s"} <= set(names)
    assert not {"hal.parts.camera", "hal.parts.touch", "toolbox.camera", "update"} & set(names)
    assert "screen.view" not in modules_of(files.every()["m5-atom-echo"])


@pytest.fixture(scope="module")
def report():
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(holders(Path(folder), SMALLEST))


def test_each_module_is_named_once_with_bytes_of_its_own(report):
    sizes = {name: size for size, name in report["modules"]}
    assert len(sizes) == len(report["modules"]) > 60
    assert 500 < sizes["app"] < 3000 and 500 < sizes["audio.playback"] < 3000
    assert 30_000 < sum(sizes.values()) < 80_000


def test_buffers_are_as_large_as_their_bytes(report):
    sizes = {name: size for size, name in report["objects"]}
    slots = sizes["app._voice._playback._slots"]
    assert slots == 80 + 16 * (16 + 336)  # a tuple of 16 frames of ADPCM
    assert sizes["app"] > sizes["app._voice"] > sizes["app._voice._playback"] > slots


def test_what_is_needed_seldom_is_not_held(report):
    held = [name for _, name in report["objects"]]
    assert not [name for name in held if "_young" in name or "_icon_source" in name]

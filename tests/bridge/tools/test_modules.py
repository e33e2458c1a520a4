"""Every program of the repository that runs on this computer can at least be loaded."""

import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
# MicroPython runs these; their imports are the firmware's.
FOR_MICROPYTHON = {
    "tools.bench.device_audio",
    "tools.bench.device_screen",
    "tools.bench.heap_mqtt",
    "tools.bench.holders.probe",
    "tools.build.esp32_heap.manifest",
    *(f"tools.build.esp32_heap.port.{name}" for name in ("board_main", "camera", "esp32")),
    *(f"tools.build.esp32_heap.port.{name}" for name in ("machine", "network")),
    *(f"tools.build.esp32_heap.port.{name}" for name in ("neopixel", "ntptime")),
}
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in (ROOT / "tools").rglob("*.py")
}


@pytest.mark.parametrize("module", sorted(MODULES - FOR_MICROPYTHON))
def test_a_tool_can_be_imported(module):
    importlib.import_module(module)


def test_the_programs_for_micropython_are_there():
    assert FOR_MICROPYTHON < MODULES

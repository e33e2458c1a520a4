"""A simulated device that runs the firmware as a board carries it: compiled, in a small heap."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from voxcard.sim import device
from voxcard.sim.firmware import Firmware
from voxcard.sim.reports import DeviceEndedError

from tools.build.firmware import built
from tools.build.interpreters import Interpreter, host

__all__ = ["HEAP", "DeviceEndedError", "SimulatedDevice"]

# What the firmware in files needs for a conversation on 64 bit (340 KB, tools.bench.heap_device),
# 60 KB for the glyphs and pictures of cards, and 80 KB for the code of timers, loaded from
# files while there are any. A 32-bit board needs two thirds of it.
HEAP = "480k"


class SimulatedDevice(device.SimulatedDevice):
    """`heap` is what `-X heapsize` takes; the firmware is read from files where `interpreter` has
    none frozen."""

    def __init__(
        self,
        folder: Path,
        device_id: str = "sim-1",
        *,
        heap: str = HEAP,
        interpreter: Interpreter | None = None,
        on_report: Callable[[dict[str, Any]], None] = lambda report: None,
        **config: Any,
    ) -> None:
        def compiled() -> Firmware:
            here = interpreter or host()
            files = here.files or built(arch=here.arch)
            return Firmware(interpreter=here.path, files=files, heap=heap)

        super().__init__(folder, device_id, source=compiled, on_report=on_report, **config)

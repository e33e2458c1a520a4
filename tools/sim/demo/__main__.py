"""`make demo`: a real conversation with a device program on this computer; leaves out/demo.

The broker, the bridge, an MCP server that knows orders and one device (the firmware under
MicroPython) run as processes; the device's microphone hears spoken sentences. Exit status 0 only
if every turn did what it should.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import Mapping

from rich.console import Console
from voxcard.errors import VoxcardError

from tools.sim.demo.checks import DemoError
from tools.sim.demo.conversation import OUT, Demo
from tools.sim.demo.keepsakes import Keepsakes
from tools.sim.demo.pipeline import PipelineDemo

DEMOS: Mapping[str, type[Demo]] = {"offline": Demo, "pipeline": PipelineDemo}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--assistant", choices=DEMOS, default="offline")
    play = DEMOS[parser.parse_args().assistant]
    console = Console(highlight=False, soft_wrap=True)
    keepsakes = Keepsakes(OUT)
    began = time.monotonic()
    try:
        asyncio.run(play(console, keepsakes).run())
    except (DemoError, VoxcardError, TimeoutError, RuntimeError, OSError) as error:
        outcome = f"The demo failed: {str(error) or type(error).__name__}"
        status = 1
    except KeyboardInterrupt:
        outcome, status = "The demo was interrupted.", 130
    else:
        outcome = f"Every turn did what it should ({time.monotonic() - began:.0f} s)."
        status = 0
    keepsakes.write(outcome)
    console.print(f"\n{outcome}", style="bold", markup=False)
    log = f" and the bridge's log, {OUT / 'state' / 'bridge.log'}" if status == 1 else ""
    console.print(f"See {OUT}/{log}", markup=False)
    return status


if __name__ == "__main__":
    sys.exit(main())

"""The device's golden ADPCM packets are what audioop makes today."""

import subprocess
import sys
from pathlib import Path

MAKE = Path(__file__).parents[2] / "golden" / "adpcm" / "make.py"


def test_the_golden_packets_are_audioops():
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(MAKE), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "")

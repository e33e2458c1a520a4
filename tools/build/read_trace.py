"""Say which functions a traceback of a device means: its code has short names and no lines.

    python -m tools.build.read_trace FIRMWARE < TRACEBACK    FIRMWARE: the folder that was deployed

A firmware built with `plain` needs none of this, and more heap.
"""

import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from tools.build.firmware import LEGEND

_FRAME = re.compile(r'(\s*)File "([^"]+)", line \d+, in (\S+)')


def readable(line: str, legend: Mapping[str, Mapping[str, list[str]]]) -> str:
    """The line of a traceback with the places in the sources that it may mean."""
    frame = _FRAME.match(line)
    if frame is None:
        return line
    indent, module, name = frame.groups()
    places = legend.get(module, {}).get(name, [f"{module}.{name}"])
    return f"{indent}in {' or '.join(places)}"


def main() -> int:
    if len(sys.argv) != 2:
        print("usage: python -m tools.build.read_trace FIRMWARE < TRACEBACK", file=sys.stderr)
        return 2
    legend = json.loads((Path(sys.argv[1]) / LEGEND).read_text("utf-8"))
    for line in sys.stdin:
        print(readable(line.rstrip("\n"), legend))
    return 0


if __name__ == "__main__":
    sys.exit(main())

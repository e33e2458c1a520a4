"""Finds the bridge as a device does, and prints it; runs under MicroPython: PORT as argument."""

import asyncio
import json
import sys

from provisioning.discovery import find

if __name__ == "__main__":
    bridge = asyncio.run(find(sys.argv[2], group=("127.0.0.1", int(sys.argv[1]))))
    print(json.dumps(bridge and list(bridge)))

"""What an update needs of heap: an image is installed on a device that talks in between.

python -m tools.bench.heap_update [--heap 106]    frozen, 32 bit; prints one JSON object
"""

import argparse
import asyncio
import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

from voxwire import release

from tools.bench.conversation import at_home
from tools.bench.scripted_bridge import ScriptedBridge
from tools.build.interpreters import Interpreter, frozen32

KEY = "5a" * release.KEY_BYTES
SERIAL = 1796032800
IMAGE_BYTES = 200_000  # of an image the size does not matter: it never lies in the heap
LIMIT_S = 240.0  # a device without room waits for it without an end
UPDATE_KB = 106  # of heap, where a person talks in between
LOOKS = (1, 160, 320)  # pieces after which the heap is looked at
TALK = 240  # the piece during which a person speaks


def prepare(device: Path) -> None:
    """The files of a board that runs from the first of two partitions."""
    device.mkdir()
    (device / "settings.json").write_text(json.dumps({"update_key": KEY}))
    for label in ("ota_0", "ota_1"):
        (device / label).write_bytes(bytes(0x1C0000))


def packed(image: bytes) -> tuple[bytes, bytes]:
    """The manifest of a release of that image, and the offer of it."""
    manifest = json.dumps(
        {
            "format": 1,
            "version": "9.0.0",
            "digest": "ffffffff",
            "board": "simulator",
            "kind": "image",
            "micropython": [1, 26],
            "files": [["micropython.bin", len(image), hashlib.sha256(image).hexdigest()]],
        }
    ).encode()
    digest = hashlib.sha256(manifest).hexdigest()
    mac = release.offer_mac(release.parse_key(KEY), "heap", SERIAL, digest)
    offer = release.Offer(SERIAL, "9.0.0", len(manifest), digest, mac)
    return manifest, release.encode_offer(offer)


async def installed(
    folder: Path, interpreter: Interpreter, heap_kb: int, talks: bool
) -> dict[str, Any]:
    """Bytes in use when idle and while an image comes, the frames of a turn meanwhile, the pieces.

    After a turn a heap lies in pieces and needs some KB more, or a restart (firmware/updates.py).

    TimeoutError, DeviceEndedError or ValueError where the device could not.
    """
    image = b"\xe9" + os.urandom(IMAGE_BYTES - 1)
    manifest, offer = packed(image)
    prepare(folder / "device")
    options: dict[str, Any] = {"heap": f"{heap_kb}k", "interpreter": interpreter}
    home = at_home(folder, image="ota_0", **options)
    async with asyncio.timeout(LIMIT_S), home as (talk, _, bridge):
        found: dict[str, Any] = {"used_idle": (await talk.memory(2))["used_bytes"]}
        bridge.offer(offer)
        used: list[int] = []
        pieces, spoke = 0, False
        while (message := await bridge.heard(type="update"))["state"] != "installed":
            if message["state"] == "waiting":
                continue
            if message["state"] != "fetch":
                raise ValueError(message)
            if pieces in LOOKS and len(used) == LOOKS.index(pieces):
                used.append((await talk.memory(100 + pieces))["used_bytes"])
            if talks and pieces == TALK and not spoke:
                spoke = True
                found.update(await talk.turn())
                bridge.say("card", op="clear", id="c1")
                continue  # the device asks again
            answer(bridge, message, image if message["path"] else manifest)
            pieces += 1
    if (folder / "device" / "ota_1").read_bytes()[: len(image)] != image:
        raise ValueError("the image is another one")
    return {**found, "used_while_it_comes": max(used), "pieces": pieces}


def answer(bridge: ScriptedBridge, message: dict[str, Any], data: bytes) -> None:
    """The piece that is wanted."""
    at = message["at"]
    name = release.piece_name(message["serial"], message["path"], at)
    bridge.send_blob("release", name, data[at : at + message["size"]])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--heap", type=int, default=UPDATE_KB, metavar="KB")
    parser.add_argument("--silent", action="store_true", help="nobody talks in between")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(
            json.dumps(
                asyncio.run(installed(Path(folder), frozen32(), options.heap, not options.silent))
            )
        )


if __name__ == "__main__":
    main()

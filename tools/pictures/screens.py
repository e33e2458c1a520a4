"""The golden pictures of every shape of screen: draws them anew, or checks that they are right.

    python -m tools.pictures.screens            writes tests/golden/screens/*.png
    python -m tools.pictures.screens --check    exit 1 and the names of those that differ

Drawn by the firmware's own code under MicroPython (voxcard/cards/preview/draw_card.py). Look at a
picture before committing it.
"""

import base64
import io
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import segno
from PIL import Image

from tools.build import interpreters
from tools.pictures import kept

ROOT = Path(__file__).parents[2]
TARGET = ROOT / "tests" / "golden" / "screens"

# width, height, depth, shape, cell, px a module of its code
SCREENS: dict[str, tuple[int, int, int, str, tuple[int, int], int]] = {
    "128x64": (128, 64, 1, "rect", (6, 12), 2),
    "128x128": (128, 128, 16, "rect", (6, 12), 2),
    "240x240": (240, 240, 16, "rect", (8, 16), 5),
    "240x240-round": (240, 240, 16, "round", (8, 16), 5),
    "320x240": (320, 240, 16, "rect", (8, 16), 7),
    "240x135": (240, 135, 16, "rect", (8, 16), 4),
    "80x160": (80, 160, 16, "rect", (6, 12), 2),
}
STATES: dict[str, list[list[Any]]] = {
    "starting": [["set_state", "starting"]],
    "connecting": [["set_state", "connecting", "Wi-Fi: home"]],
    "ready": [["set_state", "idle"]],
    "listening": [["set_state", "listening"], ["set_level", 6]],
    "thinking": [
        ["set_state", "thinking"],
        ["set_transcript", "where is my order 1042"],
        ["progress", "Asking the shop"],
    ],
    "speaking": [
        ["set_state", "speaking"],
        ["set_sentence", "Your order 1042 is out for delivery and arrives today before four."],
    ],
    "offline": [["set_state", "offline", "No network. Check the router; I keep trying."]],
    "error": [["set_state", "error", "The bridge does not answer. Check that it runs."]],
    "alert": [["alert", "Update", "A new version is ready."]],
    "photo": [["take_photo_sign", True]],
    "timers": [
        ["set_state", "idle"],
        [
            "set_timers",
            [["4:05", "pizza"], ["|| 9:30", "egg"], ["7:00 AM", "work"], ["missed", "call mum"]],
        ],
    ],
    "timer-offline": [
        ["set_state", "offline", "No network."],
        ["set_timers", [["1:04:05", "Timer"]]],
    ],
    "rings": [["set_ring", ["Reminder", "Turn the roast and put the potatoes in"]]],
}
# What only screens with faces of type have; the clock stands at 2026-11-30, 22:41.
TYPED: dict[str, list[list[Any]]] = {
    "face": [["set_locale", "en-GB"], ["life.set_time", 1_796_078_460], ["set_state", "idle"]],
    "guide": [["life.show_guide"], ["next_page"], ["life.hold", 56]],
    "partial": [
        ["set_state", "listening"],
        ["set_level", 4],
        ["set_transcript", "where is my", True],
        ["set_transcript", "where is my order ten", True],
    ],
}
# Screens of both cells, on which the fixed words are shown in each language.
LANGUAGES = ("de", "fr", "es", "it", "nl", "ro", "ko")
SPOKEN_ON = ("128x64", "240x240")
SPOKEN = ("ready", "listening", "alert-microphone")
LINES = ("Out for delivery", "Livré à Ștefan", "Nguyễn, Łódź", "Привет, Ωμέγα", "€48.90 → ✓")


def qr_page(text: str, scale: int) -> dict[str, Any]:
    """A code's page as the wire has it."""
    matrix = segno.make(text, error="l", micro=False, boost_error=False).matrix
    rows = b"".join(
        int("".join("01"[bit] for bit in row).ljust(-(-len(row) // 8) * 8, "0"), 2).to_bytes(
            -(-len(row) // 8), "big"
        )
        for row in matrix
    )
    packed = base64.b64encode(rows).decode()
    lines = ["shop.", "example"]
    return {"k": "q", "t": "Track", "l": lines, "n": len(matrix), "d": packed, "s": scale, "z": 1}


def card(scale: int) -> dict[str, Any]:
    """A card with a page of each kind."""
    options = [["a", "Where is it?"], ["b", "Call them"], ["c", "Cancel"]]
    pages = [
        {"k": "t", "t": "Order 1042", "l": [["h", "Tracking"], *LINES]},
        qr_page("https://shop.example/o/1042", scale),
        {"k": "a", "t": "What next?", "l": ["It is near."], "o": options},
        {"k": "t", "l": ["한 missing", "e\u0301 Tiếng Việt", "½ ° № … ♥"]},
    ]
    return {"id": "order", "rev": 1, "pages": pages, "foot": "shop · 2h"}


def requests(folder: Path) -> Iterator[dict[str, Any]]:
    """What draw_card.py is asked for; the light theme for one page of each panel."""
    for name, (width, height, depth, shape, cell, scale) in SCREENS.items():
        screen = {"width": width, "height": height, "depth": depth, "shape": shape, "cell": cell}
        base = {"screen": screen, "name": "Kitchen", "device_id": "voxcard-a1b2"}
        yield base | {"card": card(scale), "out": str(folder / f"{name}-card")}
        light = {"theme": "light", "out": str(folder / f"{name}-light")}
        yield base | light | {"card": card(scale) | {"pages": card(scale)["pages"][:2]}}
        for state, calls in (STATES | (TYPED if depth > 1 else {})).items():
            yield base | {"calls": calls, "out": str(folder / f"{name}-{state}")}
        for language in LANGUAGES if name in SPOKEN_ON else ():
            for state in SPOKEN:
                calls = [["set_locale", language], *_in_words(state)]
                yield base | {"calls": calls, "out": str(folder / f"{name}-{state}-{language}")}


def _in_words(state: str) -> list[list[Any]]:
    """A state without words that a program or a person wrote."""
    if state == "alert-microphone":
        text = "The microphone is off. Hold the button to switch it on."
        return [["alert", "Microphone", text]]
    return STATES[state]


def draw(asked: list[dict[str, Any]], heap: str = "4m") -> list[Path]:
    """Draw requests under MicroPython; the files. RuntimeError with its output when it fails."""
    done = subprocess.run(
        [
            *(interpreters.host().path, "-X", f"heapsize={heap}"),
            ROOT / "bridge/voxcard/cards/preview/draw_card.py",
        ],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "MICROPYPATH": f"{ROOT / 'firmware'}:.frozen"},
    )
    if done.returncode:
        raise RuntimeError(f"draw_card.py failed: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return [Path(line) for line in done.stdout.splitlines()]


def drawn() -> dict[str, Image.Image]:
    """Every golden picture by name, as the firmware draws it now."""
    with tempfile.TemporaryDirectory() as folder:
        paths = draw(list(requests(Path(folder))))
        return {path.stem: Image.open(io.BytesIO(path.read_bytes())).copy() for path in paths}


def differences() -> list[str]:
    """Names of pictures that are missing, too many, or not what is drawn now."""
    return kept.differences(TARGET, drawn())


def small(image: Image.Image) -> Image.Image:
    """A colour panel's picture with the few colours it has."""
    if image.mode != "RGB":
        return image
    colours = image.getcolors(256)
    return image.quantize(max(16, len(colours))) if colours else image


if __name__ == "__main__":
    sys.exit(
        kept.main(
            __doc__,
            TARGET,
            lambda: {name: small(image) for name, image in drawn().items()},
            differences,
        )
    )

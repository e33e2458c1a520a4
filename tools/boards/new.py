"""Make a board's file to fill in: everything nobody can guess is "unknown".

    python -m tools.boards.new my-board [--chip esp32s3|esp32|esp32c3]

Asks nothing. Says what to look up; `python -m tools.checks.boards FILE` says what is left.
"""

import argparse
import sys
from pathlib import Path

import jsonschema

from tools.boards import files, rules
from tools.boards.chips import CHIPS

UNKNOWN = "unknown"
_FIRMWARE = {
    "esp32": {"board": "ESP32_GENERIC", "build": "ESP32_GENERIC", "offset": "0x1000"},
    "esp32c3": {"board": "ESP32_GENERIC_C3", "build": "ESP32_GENERIC_C3", "offset": "0x0"},
    "esp32s3": {
        "board": "ESP32_GENERIC_S3",
        "variant": "SPIRAM_OCT",
        "build": "ESP32_GENERIC_S3-SPIRAM_OCT",
        "offset": "0x0",
    },
}


def template(board_id: str, chip: str) -> files.Board:
    """A board of a microphone, an amplifier, an OLED and one button, with no pin known."""
    has_psram = chip == "esp32s3"
    image = {} if has_psram else {"image": rules.IMAGES[chip]}
    board: files.Board = {
        "id": board_id,
        "name": UNKNOWN,
        "chip": chip,
        "class": 1 if has_psram else 2,
        "tested": [],
        "flash_mb": UNKNOWN,
        "firmware": {**_FIRMWARE[chip], **image},
        "i2c": {"display": {"sda": UNKNOWN, "scl": UNKNOWN, "freq": 400000}},
        "audio": {
            "duplex": "full" if CHIPS[chip].i2s_units > 1 else "half",
            "in": {"kind": "i2s_std", "part": UNKNOWN, "i2s_id": CHIPS[chip].i2s_units - 1,
                   "sck": UNKNOWN, "ws": UNKNOWN, "sd": UNKNOWN, "bits": 32,
                   "channel": UNKNOWN, "rates": [16000]},
            "out": {"kind": "i2s_amp", "part": UNKNOWN, "i2s_id": 0, "sck": UNKNOWN,
                    "ws": UNKNOWN, "sd": UNKNOWN, "bits": 16, "rates": [16000, 24000]},
        },
        "display": {"driver": "ssd1306", "bus": "i2c", "i2c": "display", "addr": 60,
                    "width": 128, "height": 64, "mirror_x": UNKNOWN, "mirror_y": UNKNOWN},
        "buttons": [{"name": "talk", "gpio": UNKNOWN, "active": "low"}],
        "stock": {"status": "experimental", "needs": [], "blockers": []},
    }  # fmt: skip
    if has_psram:
        board["psram"] = {"mb": UNKNOWN, "bus": "octal"}
    return board


def write(folder: Path, board_id: str, chip: str) -> Path:
    """Write the file; ValueError when the id is none or taken."""
    board = template(board_id, chip)
    schema = files.read(files.BOARDS / "schema.json")["properties"]["id"]
    if not jsonschema.Draft202012Validator(schema).is_valid(board_id) or board_id == "schema":
        raise ValueError(f"{board_id} is no id: use small letters, digits, - and . alone")
    path = folder / f"{board_id}.json"
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(files.written(board))
    except FileExistsError:
        raise ValueError(f"there is a board {board_id} already; choose another id") from None
    return path


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("id", help="small letters, digits and -: maker-model")
    parser.add_argument("--chip", choices=sorted(CHIPS), default="esp32s3")
    options = parser.parse_args()
    try:
        path = write(files.BOARDS, options.id, options.chip)
    except ValueError as error:
        print(f"No board was made: {error}.", file=sys.stderr)
        return 1
    print(f"{path.relative_to(files.ROOT)} is there. Look these up and fill them in:")
    for name in rules.unknowns(files.read(path)):
        print(f"  {name}")
    print(f"Then: python -m tools.checks.boards {path.relative_to(files.ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

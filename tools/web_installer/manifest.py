"""The manifest of a board as esp-web-tools reads it; pure."""

from voxcard.cable.boards import Board
from voxcard.json_value import JsonObject

from tools.web_installer.partitions import Partition

_FAMILIES = {"esp32": "ESP32", "esp32c3": "ESP32-C3", "esp32s3": "ESP32-S3"}
# How long a new board is asked before it counts as one without a Wi-Fi dialog. A first start reads
# the firmware from flash and looks for networks; no chip has been timed.
IMPROV_WAIT_S = 30


def manifest(board: Board, version: str, image: str, storage: str, at: Partition) -> JsonObject:
    """`image` and `storage` are their paths, relative to the manifest; `at`, where files lie.

    The name is the board's, and so never what a device calls its firmware: an installation
    overwrites the settings, and must not be offered as an update that keeps them.
    """
    return {
        "name": f"Voxcard for {board.id}",
        "version": version,
        "new_install_prompt_erase": True,
        "new_install_improv_wait_time": IMPROV_WAIT_S,
        "builds": [
            {
                "chipFamily": _FAMILIES[board.chip],
                "parts": [
                    {"path": image, "offset": board.offset},
                    {"path": storage, "offset": at.offset},
                ],
            }
        ],
    }

"""What a board's file says of the image that it runs and the code that it can hold."""

import json
from dataclasses import dataclass
from pathlib import Path

from voxcard.errors import VoxcardError

MEGABYTE = 1 << 20
# What the header of an image calls the chip (esp_chip_id_t).
CHIP_IDS = {"esp32": 0, "esp32c3": 5, "esp32s3": 9}
# Native code of mpy-cross for it.
ARCHITECTURES = {"esp32": "xtensawin", "esp32s3": "xtensawin", "esp32c3": "rv32imc"}
_DOWNLOADS = "https://micropython.org/download"


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """One board. `psram` is "quad", "octal" or ""; `build` is MicroPython's own image for it,
    `image` the one with the firmware frozen in, "" where it runs its own."""

    id: str
    name: str
    chip: str
    flash_mb: int
    psram: str
    build: str
    image: str
    offset: int
    file: bytes

    @property
    def is_frozen(self) -> bool:
        """Whether its image must hold the firmware: from files it would fill all memory."""
        return bool(self.image)

    @property
    def image_build(self) -> str:
        """The build of MicroPython that it must run."""
        return self.image or self.build

    @property
    def architecture(self) -> str:
        """Of its native code, as mpy-cross calls it."""
        return ARCHITECTURES[self.chip]

    def where_to_get_it(self) -> str:
        """Which image to get, and where."""
        if self.is_frozen:
            return (
                f"{self.name} has no PSRAM: it needs an image of MicroPython with Voxcard inside."
                f" Build out/image/{self.image}/{self.image}.bin in a checkout of Voxcard"
                f" (make image BOARD={self.image}), and name its file."
            )
        page = f"{_DOWNLOADS}/{self.build.partition('-')[0]}/"
        return (
            f"Download the newest release {self.build}-<date>-v<version>.bin from {page}"
            " (the .bin, not the .app-bin or .uf2), and name the file."
        )


def known(folder: Path) -> tuple[str, ...]:
    """The ids of the boards' files in `folder`."""
    return tuple(sorted(path.stem for path in folder.glob("*.json") if path.stem != "schema"))


def builds(folder: Path) -> frozenset[str]:
    """The images that the boards' files name."""
    files = (folder / f"{board}.json" for board in known(folder))
    images = [json.loads(file.read_bytes())["firmware"] for file in files]
    return frozenset(image[key] for image in images for key in ("build", "image") if key in image)


def slot_bytes(board: Board, folder: Path) -> int:
    """Room for an application in the flash of a board without PSRAM: its image's first slot."""
    table = folder / "micropython" / board.image_build / "partitions.csv"
    rows = (line.split(",") for line in table.read_text(encoding="utf-8").splitlines())
    return next(int(row[4], 0) for row in rows if row[0] == "ota_0")


def read(board_id: str, folder: Path) -> Board:
    """The board of the file `board_id`.json; VoxcardError when there is none."""
    if board_id not in known(folder):
        names = ", ".join(known(folder))
        raise VoxcardError(f"There is no board {board_id!r}.", f"Name one of: {names}.")
    file = (folder / f"{board_id}.json").read_bytes()
    data = json.loads(file)
    return Board(
        id=board_id,
        name=data["name"],
        chip=data["chip"],
        flash_mb=data["flash_mb"],
        psram=(data.get("psram") or {}).get("bus", ""),
        build=data["firmware"]["build"],
        image=data["firmware"].get("image", ""),
        offset=int(data["firmware"]["offset"], 16),
        file=file,
    )

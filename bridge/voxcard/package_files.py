"""Where the firmware and the boards' files are: inside the installed package, or in a checkout."""

from pathlib import Path

from voxcard.errors import VoxcardError

_PACKAGE = Path(__file__).parent
_CHECKOUT = _PACKAGE.parents[1]


def firmware() -> Path:
    """The folder of the firmware's sources; VoxcardError when this installation has none."""
    return _folder("_firmware", "firmware", "main.py")


def boards() -> Path:
    """The folder of the boards' files; VoxcardError when this installation has none."""
    return _folder("_boards", "boards", "schema.json")


def _folder(inside: str, checkout: str, file: str) -> Path:
    for folder in (_PACKAGE / inside, _CHECKOUT / checkout):
        if (folder / file).is_file():
            return folder
    raise VoxcardError(
        "This installation lacks the firmware and the boards' files.",
        "Install voxcard from its wheel or from a checkout.",
    )

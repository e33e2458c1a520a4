"""The images of MicroPython that somebody has downloaded, and the boards that they are for."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from voxcard.cable import image as images
from voxcard.cable.boards import Board
from voxcard.cable.image import Image
from voxcard.errors import VoxcardError


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageFile:
    """A file, what is in it, and what was read of that."""

    path: Path
    data: bytes
    image: Image


def chosen(board: Board, folder: Path, builds: Iterable[str]) -> ImageFile:
    """The image in `folder` that belongs on `board`: one that names its build, then the newest.

    VoxcardError says why the files there do not, and which to download.
    """
    paths = sorted(path for path in folder.glob("*") if path.is_file())
    fitting, refusals = [], []
    for path in paths:
        data = path.read_bytes()
        try:
            fitting.append(
                ImageFile(path=path, data=data, image=images.check(data, board, builds))
            )
        except VoxcardError as error:
            refusals.append(f"{path.name}: {error.problem}")
    if fitting:
        return max(fitting, key=lambda each: (bool(each.image.build), each.image.version))
    problem = " ".join(refusals) if len(refusals) == 1 else _none(board, folder, refusals)
    raise VoxcardError(problem, _NAME_IT.sub(_PUT_IT, board.where_to_get_it()))


_NAME_IT, _PUT_IT = re.compile("and name (the|its) file"), "and put it into that folder"


def _none(board: Board, folder: Path, refusals: list[str]) -> str:
    if not folder.is_dir():
        return f"There is no folder {folder}."
    if not refusals:
        return f"{folder} has no image for {board.id}."
    return f"None of the {len(refusals)} files in {folder} is an image for {board.id}."

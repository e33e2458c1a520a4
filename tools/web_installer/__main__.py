"""Makes the folder of the page on which a browser flashes a board and sets it up.

    python -m tools.web_installer --images DIR               every board that an image is there for
    python -m tools.web_installer --images DIR --board ID    this one
    python -m tools.web_installer … --serve [PORT]           and shows it, on this computer

The images of MicroPython are your download; what it says names them.
"""

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from voxcard import __version__
from voxcard.cable import boards as board_files
from voxcard.cable.boards import Board
from voxcard.errors import VoxcardError

from tools.boards import files, pictures
from tools.build.firmware import FIRMWARE, ROOT, sources_digest
from tools.web_installer import esp_web_tools, images, page, serve, storage
from tools.web_installer.images import ImageFile
from tools.web_installer.manifest import manifest
from tools.web_installer.partitions import with_storage

OUT = ROOT / "out" / "web-installer"
CACHE = ROOT / "out" / "packages"
VERSION = f"{__version__}+{sources_digest()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The boards that go on the page with their images, and the others, each with why not."""

    boards: tuple[tuple[Board, ImageFile], ...]
    missing: dict[str, str]


def plan(folder: Path, board_id: str = "") -> Plan:
    """What can be made of the images in `folder`; VoxcardError when nothing, or not `board_id`."""
    builds = board_files.builds(files.BOARDS)
    names = [board_id] if board_id else board_files.known(files.BOARDS)
    chosen, missing = [], {}
    for board in (board_files.read(name, files.BOARDS) for name in names):
        try:
            chosen.append((board, images.chosen(board, folder, builds)))
        except VoxcardError as error:
            if board_id:
                raise
            missing[board.id] = error.remedy
    if not chosen:
        raise VoxcardError(
            f"{folder} holds no image for any board.",
            "Name a board, and it is said which one to download: BOARD=diy-s3-oled",
        )
    return Plan(boards=tuple(chosen), missing=missing)


def make(work: Plan, out: Path, cache: Path) -> None:
    """Write the folder `out` anew; VoxcardError leaves the old one."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent) as unfinished:
        new = Path(unfinished) / "page"
        esp_web_tools.install(new / "esp-web-tools", cache)
        described = files.every()
        for board, image in work.boards:
            _add_board(board, image, new, described[board.id])
        ours = {board.id: described[board.id] for board, _ in work.boards}
        (new / "index.html").write_text(page.page(ours, work.missing, VERSION), encoding="utf-8")
        for name in page.COPIED:
            shutil.copyfile(page.FOLDER / name, new / name)
        if out.exists():
            out.rename(Path(unfinished) / "old")
        new.rename(out)


def _add_board(board: Board, file: ImageFile, out: Path, described: files.Board) -> None:
    image, at = with_storage(file.data, board.offset, file.image.needs_bytes)
    place = out / page.folder(board.id)
    place.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as folder:
        contents = storage.files(board, FIRMWARE, Path(folder), storage.stock(board))
    (out / "images").mkdir(exist_ok=True)
    (out / "images" / file.path.name).write_bytes(image)
    (place / "files.bin").write_bytes(storage.image(contents, at.size))
    parts = (f"../../images/{file.path.name}", "files.bin")
    (place / "manifest.json").write_text(json.dumps(manifest(board, VERSION, *parts, at)))
    drawing = pictures.picture(described, page.title(described))
    (place / "wiring.svg").write_text(drawing, encoding="utf-8")


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--images", type=Path, default=ROOT / "out" / "images", metavar="DIR")
    parser.add_argument("--board", default="", metavar="ID")
    parser.add_argument("--out", type=Path, default=OUT, metavar="DIR")
    parser.add_argument("--serve", type=int, nargs="?", const=serve.PORT, metavar="PORT")
    options = parser.parse_args(words)
    try:
        work = plan(options.images, options.board)
        make(work, options.out.absolute(), CACHE)
    except VoxcardError as error:
        print(error, file=sys.stderr)
        return 1
    for board, image in work.boards:
        print(f"{board.id}: {image.path.name}")
    print(f"The page is in {options.out}; serve it by https, or look at it: SERVE=1")
    if options.serve is not None:
        serve.serve(options.out, options.serve)
    return 0


if __name__ == "__main__":
    sys.exit(main())

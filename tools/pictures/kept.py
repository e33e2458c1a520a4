"""Pictures kept as PNG files: written from what is drawn now, or compared with it."""

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from PIL import Image

Pictures = Mapping[str, Image.Image]


TOP = ("",)


def differences(folder: Path, now: Pictures, within: Sequence[str] = TOP) -> list[str]:
    """Names of pictures of `folder` that are missing, too many, or not what is drawn now.

    A name is a path without `.png`; `within` are the folders of it that hold such pictures only.
    """
    stored = {_name(path, folder): Image.open(path) for path in _files(folder, within)}
    wrong = set(now.keys() ^ stored.keys())
    for name in now.keys() & stored.keys():
        if now[name].convert("RGBA").tobytes() != stored[name].convert("RGBA").tobytes():
            wrong.add(name)
    return sorted(wrong)


def write(folder: Path, now: Pictures, within: Sequence[str] = TOP) -> None:
    """Make the folders `within` hold these pictures and no others."""
    for old in list(_files(folder, within)):
        old.unlink()
    for name, image in now.items():
        path = folder / f"{name}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        image.save(path, optimize=True)


def _files(folder: Path, within: Sequence[str]) -> Iterator[Path]:
    for name in within:
        yield from (folder / name).glob("*.png")


def _name(path: Path, folder: Path) -> str:
    return path.relative_to(folder).with_suffix("").as_posix()


def main(
    about: str,
    folder: Path,
    current: Callable[[], Pictures],
    wrong: Callable[[], list[str]],
    within: Sequence[str] = TOP,
) -> int:
    """The command line of such a tool: it writes; --check names what is `wrong` and exits 1."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    if parser.parse_args().check:
        names = wrong()
        print("\n".join(names) or "pictures ok")
        return 1 if names else 0
    pictures = current()
    write(folder, pictures, within)
    print(f"{len(pictures)} pictures written")
    return 0

"""Pictures kept as PNG files: written from what is drawn now, or compared with it."""

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path

from PIL import Image

Pictures = Mapping[str, Image.Image]


def differences(folder: Path, now: Pictures) -> list[str]:
    """Names of pictures of `folder` that are missing, too many, or not what is drawn now."""
    stored = {path.stem: Image.open(path) for path in folder.glob("*.png")}
    wrong = set(now.keys() ^ stored.keys())
    for name in now.keys() & stored.keys():
        if now[name].convert("RGBA").tobytes() != stored[name].convert("RGBA").tobytes():
            wrong.add(name)
    return sorted(wrong)


def write(folder: Path, now: Pictures) -> None:
    """Make `folder` hold these pictures and no others."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.png"):
        old.unlink()
    for name, image in now.items():
        image.save(folder / f"{name}.png", optimize=True)


def main(
    about: str, folder: Path, current: Callable[[], Pictures], wrong: Callable[[], list[str]]
) -> int:
    """The command line of such a tool: it writes; --check names what is `wrong` and exits 1."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    if parser.parse_args().check:
        names = wrong()
        print("\n".join(names) or "pictures ok")
        return 1 if names else 0
    write(folder, current())
    print(f"{len(list(folder.glob('*.png')))} pictures written")
    return 0

"""What is made from the boards' files: writes pages, pictures and tables, or checks them.

    python -m tools.boards.pages            parts of pages, pictures, firmware/hal/tables
    python -m tools.boards.pages --check    exit 1 and the names of those that differ

Look at a picture before committing it.
"""

import argparse
import sys
from pathlib import Path

from tools.boards import generated, pictures, step_tables, table, undriven, wiring
from tools.boards.files import BOARDS, ROOT, Board, every, parts

GUIDE = ROOT / "docs" / "boards.md"
PICTURES = ROOT / "docs" / "pictures" / "boards"
# The boards that the guide leads through, in its order.
FIRST = (
    *("diy-s3-oled", "diy-s3-lcd", "freenove-s3-wroom-cam"),
    *("m5-atoms3r-echo-base", "esp32-s3-box-3", "ha-voice-pe"),
)


def files() -> dict[Path, str]:
    """The content of every page and picture, as the boards' files want it."""
    boards = every()
    pages = {
        BOARDS / "README.md": {"table": table.table(boards)},
        GUIDE: {
            "undriven": undriven.table(boards),
            **{name: section(boards[name]) for name in FIRST},
        },
    }
    new = {
        page: generated.filled(page.read_text(encoding="utf-8"), texts)
        for page, texts in pages.items()
    }
    for name in FIRST:
        title = boards[name]["name"].split(" (")[0]
        new[PICTURES / f"{name}.svg"] = pictures.picture(boards[name], title)
    return new | step_tables.files(parts())


def section(board: Board) -> str:
    """What the guide says of a board: its picture, what it runs and was run on, every wire."""
    title, firmware = board["name"].split(" (")[0], board["firmware"]
    image = firmware.get("image") or firmware["build"]
    port, hardware = (
        "yes" if where in board["tested"] else "no" for where in ("simulated port", "hardware")
    )
    lines = [
        f"![{title}: what is connected to what](pictures/boards/{board['id']}.svg)",
        "",
        f"Class {board['class']} · image `{image}` at {firmware['offset']}"
        f" · tested on hardware: **{hardware}** · on the simulated port: {port}",
        "",
        generated.table(("part", "its pin", "board"), wiring.rows(board)),
    ]
    for head, texts in (("Needs", "needs"), ("Cannot", "blockers")):
        if board["stock"].get(texts):
            lines += ["", f"{head}: {'; '.join(board['stock'][texts])}."]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    check = parser.parse_args().check
    wanted = files()
    made = (*PICTURES.glob("*.svg"), *step_tables.TABLES.glob("*.py"))
    wrong = [path for path in made if path not in wanted]
    for path, text in wanted.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            wrong.append(path)
    if check and wrong:
        names = ", ".join(str(path.relative_to(ROOT)) for path in wrong)
        print(f"Not what the boards' files say: {names}; run: make boards", file=sys.stderr)
        return 1
    PICTURES.mkdir(parents=True, exist_ok=True)
    for path in wrong:
        if path in wanted:
            path.write_text(wanted[path], encoding="utf-8")
        else:
            path.unlink()
    print("boards' pages ok" if check else f"{len(wrong)} files written")
    return 0


if __name__ == "__main__":
    sys.exit(main())

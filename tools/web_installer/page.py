"""The page itself, from its template and the boards' files; pure."""

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from string import Template

from tools.boards import table
from tools.boards.files import Board

FOLDER = Path(__file__).parent / "page"
COPIED = ("style.css", "installer.js")
_CARD = """\
<div class="board">
<img src="$folder/wiring.svg" alt="" loading="lazy">
<label><input type="radio" name="board" value="$id" data-manifest="$folder/manifest.json"
data-name="$name"$checked><span class="name">$name</span>
$facts</label>
<div class="more"><a href="$folder/wiring.svg" target="_blank"
aria-label="Wiring of $name, in a new tab">Wiring</a></div>
</div>"""
_COMMANDS = """\
voxcard device flash --board BOARD
voxcard device flash THE-IMAGE.bin --board BOARD
voxcard devices add NAME --json > device.json
voxcard device deploy --board BOARD --settings device.json --wifi YOUR-WIFI"""


def page(boards: Mapping[str, Board], missing: Mapping[str, str], version: str) -> str:
    """The HTML for `boards` by their ids; `missing`: why others are not there, a sentence each."""
    template = (FOLDER / "index.html").read_text(encoding="utf-8")
    return Template(template).substitute(
        boards="\n".join(_cards(boards)),
        missing=_missing(missing),
        commands=escape(_COMMANDS),
        version=escape(version),
    )


def folder(board_id: str) -> str:
    """Where a board's files are, relative to the page."""
    return f"boards/{board_id}"


def title(board: Board) -> str:
    """What people call a board."""
    name: str = board["name"]
    return name.partition(" (")[0]


def _cards(boards: Mapping[str, Board]) -> Sequence[str]:
    rows = table.rows(dict(boards))
    ids = [row[0].removeprefix("[").partition("]")[0] for row in rows]
    only = len(ids) == 1
    return [
        Template(_CARD).substitute(
            id=escape(board_id),
            folder=escape(folder(board_id)),
            name=escape(title(boards[board_id])),
            facts=_facts(board_id, dict(zip(table.HEAD, row, strict=True))),
            checked=" checked" if only else "",
        )
        for board_id, row in zip(ids, rows, strict=True)
    ]


def _facts(board_id: str, row: Mapping[str, str]) -> str:
    screen = "no screen" if row["screen"] == "–" else f"screen {row['screen']}"
    lines = (
        f"{board_id} · class {row['class']}",
        f"{row['chip']}, PSRAM: {row['PSRAM']} · {screen}",
        f"speaks and hears: {row['speaks and hears']}",
        f"MicroPython can drive: {row['MicroPython can drive it']}",
        f"tested on: {row['tested on']}",
    )
    return "".join(f'<span class="facts">{escape(line)}</span>\n' for line in lines)


def _missing(missing: Mapping[str, str]) -> str:
    if not missing:
        return ""
    rows = "".join(f"<li>{escape(board)}: {escape(why)}</li>\n" for board, why in missing.items())
    count = len(missing)
    return (
        f"<details>\n<summary>Not on this page: {count}</summary>\n<ul>\n{rows}</ul>\n</details>"
    )

"""The table of boards/README.md from the boards' files; pure."""

from tools.boards import generated
from tools.boards.files import Board

_CHIPS = {"esp32": "ESP32", "esp32s3": "S3", "esp32c3": "C3"}
_DUPLEX = {"full": "both at once", "half": "in turns", "half_or_full": "as wired"}
_STOCK = {
    "full": "everything",
    "full_half_duplex": "everything",
    "partial": "in part",
    "experimental": "to be tried",
    "no": "no",
}
HEAD = ("board", "class", "chip", "PSRAM", "image", "speaks and hears", "screen", "camera",
        "MicroPython can drive it", "tested on")  # fmt: skip


def rows(boards: dict[str, Board]) -> list[tuple[str, ...]]:
    """The table's rows, class 1 first."""
    ordered = sorted(boards.values(), key=lambda board: (board["class"], board["id"]))
    return [_row(board) for board in ordered]


def _row(board: Board) -> tuple[str, ...]:
    psram = board.get("psram")
    return (
        f"[{board['id']}]({board['id']}.json)",
        str(board["class"]),
        _CHIPS[board["chip"]],
        f"{psram['mb']} MB, {psram['bus']}" if psram else "none",
        f"`{board['firmware'].get('image') or board['firmware']['build']}`",
        _sound(board),
        _screen(board),
        (board.get("camera") or {}).get("sensor", "").split(" ")[0] or "–",
        _STOCK[board["stock"]["status"]],
        _tested(board),
    )


def _tested(board: Board) -> str:
    answers = (
        f"{where}: {'yes' if where in board['tested'] else 'no'}"
        for where in ("hardware", "simulated port")
    )
    return ", ".join(answers)


def _sound(board: Board) -> str:
    audio = board["audio"]
    absent = [way for way in ("in", "out") if audio[way]["kind"] == "none_on_board"]
    if len(absent) == 2:
        return "parts to be added"
    if absent:
        return "speaker to be added" if absent == ["out"] else "microphone to be added"
    # Without PSRAM there is no room for the buffers of both ways.
    return _DUPLEX["half" if board["class"] == 2 else audio["duplex"]]


def _screen(board: Board) -> str:
    display = board.get("display") or {}
    if "width" not in display:
        return "–"
    shape = " round" if display.get("shape") == "round" else ""
    return f"{display['width']}×{display['height']}{shape}, {display['driver'].split(' ')[0]}"


def table(boards: dict[str, Board]) -> str:
    """The table as Markdown."""
    return generated.table(HEAD, rows(boards))

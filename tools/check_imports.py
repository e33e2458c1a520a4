"""Fail if a module imports something its layer may not (the table below); one line each.

What is not listed is refused: a folder or file without a row, and a name without permission.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
FIRMWARE_BUILTIN = {
    "array", "asyncio", "binascii", "collections", "errno", "framebuf", "gc", "hashlib", "io",
    "json", "math", "micropython", "os", "random", "select", "socket", "ssl", "struct", "sys",
    "time", "vfs",
}  # fmt: skip
PURE = {"binascii", "collections", "json", "struct", "micropython"}

# Pure firmware modules: they run on both interpreters and know no hardware, clock or socket.
FIRMWARE_PURE = {
    "mqtt/inflight.py", "mqtt/packet.py", "mqtt/timing.py", "mqtt/writer.py",
    "audio/jitter.py", "screen/layout.py", "screen/pages.py", "screen/font.py",
    "screen/cells.py", "screen/scenes.py", "screen/icons.py",
    "toolbox/registry.py", "toolbox/rpc.py", "settings.py", "buttons.py", "turn.py",
}  # fmt: skip

# bridge path prefix -> voxcard modules it may import ("*" all); longest prefix wins.
BRIDGE = {
    "__init__.py": set(),
    "errors.py": set(),
    "app.py": {"*"},
    "__main__.py": {"cli"},
    "cli.py": {"app", "arguments", "card_commands", "config", "control", "errors"},
    "card_commands.py": {"card_files", "cards.screens"},
    "card_files.py": {"errors", "cards"},
    "config.py": {"errors", "options"},
    "options.py": {"errors"},
    "arguments.py": {"errors"},
    "control.py": {"errors", "service", "toolhub.model"},
    "service.py": {"toolhub.model"},
    "watching.py": {"service"},
    "embedded.py": {"errors"},
    "mqtt.py": {"buffered", "errors"},
    "buffered.py": set(),
    "audio.py": {"errors"},
    "pacing.py": set(),
    "stages.py": set(),
    "devices.py": {"errors", "toolhub.model"},
    "record.py": {"toolhub.model"},
    "outgoing.py": set(),
    "uplink.py": {"audio"},
    "downlink.py": {"audio", "outgoing", "pacing"},
    "showing.py": {
        "blobs",
        "cards.live",
        "cards.model",
        "cards.twins",
        "outgoing",
        "toolhub.model",
    },
    "eliciting.py": {
        "asking",
        "cards.dialects",
        "cards.model",
        "cards.twins",
        "errors",
        "toolhub.model",
    },
    "archive.py": {
        "assistants",
        "audio",
        "cards.history",
        "cards.model",
        "record",
        "toolhub.model",
    },
    "own_cards.py": {"asking", "cards", "errors", "showing", "toolhub.model"},
    "choosing.py": {
        "asking",
        "cards.model",
        "errors",
        "outgoing",
        "place",
        "showing",
        "toolhub.model",
    },
    "asking.py": {"cards.model", "errors", "showing"},
    "running.py": {"cards.model", "cards.runs", "showing"},
    "place.py": {
        "assistants",
        "devices",
        "downlink",
        "outgoing",
        "showing",
        "toolhub.model",
    },
    "answer.py": {"assistants", "downlink", "place", "record", "running", "toolhub.model"},
    "turn.py": {"answer", "downlink", "errors", "place", "record", "stages", "uplink"},
    "floor.py": {"devices", "errors", "outgoing", "place", "record", "turn", "uplink"},
    "relay.py": {
        "asking",
        "assistants",
        "blobs",
        "choosing",
        "devices",
        "downlink",
        "errors",
        "floor",
        "outgoing",
        "place",
        "record",
        "showing",
        "toolhub.model",
        "turn",
        "uplink",
    },
    "switchboard.py": {"devices", "errors", "relay", "showing"},
    "keeping.py": {"errors"},
    "blobs.py": {"errors"},
    "assistants": {"errors", "toolhub.model", "assistants", "audio"},
    "web": {"errors", "web", "cards.clean"},
    "toolhub": {"errors", "toolhub", "config"},
    "cards": {"errors", "cards"},
    # Its limit counts the card's bytes with the text twins filled in.
    "cards/dialects/codai.py": {"cards.model", "cards.clean", "cards.twins", "cards.dialects"},
    "cards/dialects": {"cards.model", "cards.clean", "cards.markdown", "cards.dialects"},
}


def imports(path: Path) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module or "", node.lineno
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level, node.lineno


def firmware_allows(relative: str, name: str) -> bool:
    top = name.split(".")[0]
    if relative.startswith("voxwire/"):
        return top == "voxwire" or name in PURE - {"micropython"}
    folder = relative.split("/")[0] if "/" in relative else ""
    if relative in FIRMWARE_PURE:
        return top in PURE | {"voxwire"} or (bool(folder) and top == folder)
    if relative in ("app.py", "main.py", "boot.py"):
        return True
    if folder == "hal":
        return top in FIRMWARE_BUILTIN | {
            "hal",
            "machine",
            "network",
            "esp32",
            "camera",
            "voxwire",
        }
    own = {"audio", "blobs", "buttons", "link", "log", "mailbox", "mqtt", "screen", "sending",
           "settings", "store", "toolbox", "turn", "voxwire"}  # fmt: skip
    return top in FIRMWARE_BUILTIN | own


def bridge_allows(relative: str, name: str) -> bool:
    if name.split(".")[0] != "voxcard":
        return not name.startswith(".") and name.split(".")[0] not in ("tools", "tests")
    rows = [row for row in BRIDGE if relative == row or relative.startswith(row + "/")]
    if not rows:
        return False
    allowed = BRIDGE[max(rows, key=len)]
    inner = name.partition(".")[2]
    return (
        inner == ""
        or "*" in allowed
        or any(inner == each or inner.startswith(each + ".") for each in allowed)
    )


def violations() -> Iterator[str]:
    for root, allows in (("firmware", firmware_allows), ("bridge/voxcard", bridge_allows)):
        for path in sorted((ROOT / root).rglob("*.py")):
            relative = path.relative_to(ROOT / root).as_posix()
            for name, line in imports(path):
                if not allows(relative, name):
                    yield f"{root}/{relative}:{line}: may not import {name}"


def main() -> int:
    found = list(violations())
    print("\n".join(found) or "imports ok")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

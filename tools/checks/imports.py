"""Fail if a module imports something its layer may not (the table below); one line each.

What is not listed is refused. So are circles of modules.
"""

import ast
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[2]
FIRMWARE_BUILTIN = {
    "array", "asyncio", "binascii", "collections", "errno", "framebuf", "gc", "hashlib", "io",
    "json", "math", "micropython", "os", "random", "select", "socket", "struct", "sys",
    "time", "tls", "vfs",
}  # fmt: skip
# Modules of a board's image, and what a board brings together.
FIRMWARE_HAL = {
    "camera", "esp32", "hal", "log", "machine", "neopixel", "network", "ntptime", "voxwire",
    "wifi",
}  # fmt: skip
FIRMWARE_OWN = {
    "audio", "build_digest", "home", "identity", "languages", "link", "log", "mqtt",
    "provisioning", "screen", "seldom", "session", "settings", "store", "supervisor", "timers",
    "toolbox", "update", "voxwire", "wifi",
}  # fmt: skip
PURE = {
    "binascii", "collections", "errno", "hashlib", "json", "struct", "sys", "micropython",
}  # fmt: skip

# Pure firmware modules: they run on both interpreters and know no hardware, clock or socket.
FIRMWARE_PURE = {
    "mqtt/inflight.py", "mqtt/packet.py", "mqtt/reason.py", "mqtt/timing.py", "mqtt/writer.py",
    "audio/jitter.py", "screen/layout.py", "screen/pages.py", "screen/font.py",
    "screen/cells.py", "screen/scenes.py", "languages/__init__.py", "screen/icons.py",
    "toolbox/registry.py", "toolbox/rpc.py", "settings.py",
    "provisioning/portal/captive_dns.py", "provisioning/portal/http.py", "provisioning/improv.py",
    "provisioning/mdns.py", "provisioning/portal/page.py", "provisioning/qr_code.py",
    "session/buttons.py", "session/flow_state.py", "session/limits.py", "session/reply.py",
    "session/loudness.py", "session/talk.py", "session/voice_flow.py", "session/wake_gate.py",
    "update/flow.py",
    "timers/book.py", "timers/entry.py", "timers/face.py", "timers/finding.py",
    "timers/stored.py", "timers/wall.py", "timers/words.py",
}  # fmt: skip

# A folder of bridge/voxcard is a layer: what it may import besides itself ("*": everything).
# The longest prefix of a path wins. A layer without a row imports only what everybody may, which
# knows nothing of the bridge.
BRIDGE_EVERYWHERE = {
    "__version__", "board_panels", "errors", "installation", "json_value", "language",
    "private_files",
    "text_safety",
}  # fmt: skip
BRIDGE = {
    "app.py": {"*"},
    "bridge_service.py": {"*"},
    "components": {"*"},
    "__main__.py": {"cli"},
    "home_broker.py": {"access", "config", "link"},
    "switchboard.py": {"link", "screen", "session"},
    "announce": {"assistants"},
    "session": {"assistants", "audio", "link", "screen", "toolhub", "wake"},
    "config": {"announce.quiet_hours", "wake.words"},
    "screen": {"cards", "link", "toolhub"},
    "access": {"config"},
    "control": {"announce.announcement", "releases.progress", "toolhub.model"},
    "cli": {
        "access", "app", "cable", "cards", "config", "control", "discovery.announcement",
        "fetching.addresses", "package_files", "releases", "sim", "toolhub.schema",
    },
    "cable": {"package_files"},
    "discovery": {"access", "config"},
    "releases": {"access.update_keys", "cable"},
    "sim": {
        "access", "assistants.offline.speech", "audio", "config", "control", "package_files",
        "web.server",
    },
    "history": {"assistants", "audio", "cards", "session.turn.record"},
    "assistants": {
        "toolhub.model", "toolhub.patterns", "toolhub.places", "toolhub.schema",
    },
    "assistants/home_assistant": {"assistants", "config", "toolhub.model"},
    "assistants/pipeline": {"assistants", "config", "toolhub.model"},
    "assistants/realtime": {"assistants", "audio", "config", "toolhub.model"},
    "assistants/xiaozhi": {"assistants", "config", "toolhub.model"},
    "timers": set(),
    "toolhub": {"cards.text", "config"},
    "web": {"cards.text"},
    "cards": {"fetching", "package_files"},
    "fetching": {"errors"},
    "media": {"assistants", "audio", "fetching"},
    "cards/dialects": {"cards.model", "cards.text"},
}  # fmt: skip


def imports(path: Path) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module == "voxcard":
            yield from ((f"voxcard.{alias.name}", node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module or "", node.lineno
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level, node.lineno


def firmware_allows(relative: str, name: str) -> bool:
    top = name.split(".")[0]
    if relative.startswith("voxwire/"):
        return top in ("voxwire", "functools") or name in PURE - {"micropython"}
    folder = relative.split("/")[0] if "/" in relative else ""
    if relative in FIRMWARE_PURE:
        return top in PURE | {"languages", "voxwire"} or (bool(folder) and top == folder)
    if relative in ("app.py", "main.py", "boot.py", "launcher.py"):
        return True
    return top in FIRMWARE_BUILTIN | (FIRMWARE_HAL if folder == "hal" else FIRMWARE_OWN)


def bridge_allows(relative: str, name: str) -> bool:
    if name.split(".")[0] != "voxcard":
        return not name.startswith(".") and name.split(".")[0] not in ("tools", "tests")
    rows = [row for row in BRIDGE if relative == row or relative.startswith(row + "/")]
    row = max(rows, key=len, default=relative.rpartition("/")[0].partition("/")[0])
    allowed = BRIDGE.get(row, set()) | BRIDGE_EVERYWHERE | {row.replace("/", ".")}
    inner = name.partition(".")[2]
    return (
        inner == ""
        or "*" in allowed
        or any(inner == layer or inner.startswith(layer + ".") for layer in allowed)
    )


def violations() -> Iterator[str]:
    for root, allows in (("firmware", firmware_allows), ("bridge/voxcard", bridge_allows)):
        for path in sorted((ROOT / root).rglob("*.py")):
            relative = path.relative_to(ROOT / root).as_posix()
            for name, line in imports(path):
                if not allows(relative, name):
                    yield f"{root}/{relative}:{line}: may not import {name}"


def circle(root: Path) -> str:
    """A circle of modules below `root` that import each other, or an empty text."""
    graph: dict[str, set[str]] = {}
    for path in root.rglob("*.py"):
        name = ".".join((root.name, *path.relative_to(root).with_suffix("").parts))
        graph[name.removesuffix(".__init__")] = set()
    for module, needs in graph.items():
        path = root.parent / module.replace(".", "/")
        path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        for name in imported_modules(path):
            needs |= {name} & (graph.keys() - {module})
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return " -> ".join(error.args[1])
    return ""


def imported_modules(path: Path) -> Iterator[str]:
    """Every name that may be a module: `from a.b import c` may mean a.b or a.b.c."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def main() -> int:
    faults = list(violations())
    names = circle(ROOT / "bridge" / "voxcard")
    if names:
        faults.append(f"circle: {names}")
    print("\n".join(faults) or "imports ok")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

"""Speed, latency, memory and accuracy against the design's budgets: one table, out/bench.json.

python -m tools.bench [--only NAME]   NAME is one of SECTIONS; may be given again.

Figures, not a test: what is over its budget is said and nothing fails by it. A section that
cannot be measured is named with the reason, and then the exit status is 1.
"""

import argparse
import asyncio
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tools.bench import cards, device, offline
from tools.bench.relay import latency, release
from tools.bench.rows import Row, number

ROOT = Path(__file__).parents[2]
WIDTH = 130  # of the table where no terminal says one
FIRST_AUDIO_MS = 900
FALSE_ACCEPT_PERCENT = 1.0  # design section 9: of sentences never looked at


def relay_rows() -> list[Row]:
    """Talking devices."""
    return latency.rows(asyncio.run(latency.measure()))


def offline_rows() -> list[Row]:
    """The offline assistant."""
    found = offline.measure()
    accuracy, latency = found["accuracy"], found["latency"]
    rows = [
        Row(
            name=f"last sample of speech to {what}, {share}",
            value=latency[f"{key}_ms"][share],
            unit="ms",
            limit=FIRST_AUDIO_MS if key == "first_speech" and share == "p50" else None,
        )
        for key, what in (
            ("end_of_speech", "end of speech"),
            ("transcript", "transcript"),
            ("first_speech", "first audio"),
        )
        for share in ("p50", "p95")
    ]
    rows.append(
        Row(name="loop late p95 in a turn", value=latency["loop_lateness_ms"]["p95"], unit="ms")
    )
    for condition, cell in accuracy["cells"].items():
        said = f"{cell['commands']} sentences"
        right = 100 * cell["right"] / max(1, cell["commands"])
        rows.append(Row(name=f"{condition}: {said} right", value=round(right, 1), unit="%"))
    rows += [
        Row(name="another command was understood", value=accuracy["wrong_percent"], unit="%"),
        Row(
            name="false accepts, all other sentences",
            value=accuracy["false_accept_percent"],
            unit="%",
        ),
        Row(
            name="false accepts, held-out sentences",
            value=accuracy["held_out_false_accept_percent"],
            unit="%",
            limit=FALSE_ACCEPT_PERCENT,
        ),
        Row(name="recognition p50", value=accuracy["recognition_ms"]["p50"], unit="ms"),
    ]
    return rows


SECTIONS: Mapping[str, Callable[[], list[Row]]] = {
    "relay": relay_rows,
    "release": release.rows,
    "mqtt": device.mqtt,
    "sound": device.sound,
    "screen": device.screen,
    "size": device.size,
    "device": device.whole,
    "cards": cards.rows,
    "offline": offline_rows,
}


def run(names: list[str], console: Console) -> tuple[dict[str, list[Row]], dict[str, str]]:
    """The rows of each section, and why a section has none."""
    found: dict[str, list[Row]] = {}
    failed: dict[str, str] = {}
    for name in names:
        began = time.perf_counter()
        with console.status(f"measuring: {name}"):
            try:
                found[name] = SECTIONS[name]()
            except Exception as error:
                failed[name] = f"{type(error).__name__}: {error}"
        console.print(f"{name}: {time.perf_counter() - began:.0f} s", style="dim")
    return found, failed


def table(found: dict[str, list[Row]]) -> Table:
    """All rows, a line between sections."""
    made = Table("section", "measured", title="Voxcard against its budgets")
    made.add_column("value", justify="right")
    made.add_column("budget", justify="right")
    made.add_column("")
    made.add_column("beside")
    colours = {"ok": "green", "over": "bold red", "missing": "bold red", "": ""}
    for name, rows in found.items():
        for index, row in enumerate(rows):
            made.add_row(
                "" if index else name,
                row.name,
                "" if row.value is None else f"{number(row.value)} {row.unit}",
                row.budget,
                row.verdict,
                row.note,
                style=colours[row.verdict],
                end_section=index == len(rows) - 1,
            )
    return made


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", action="append", choices=SECTIONS, help="one section")
    names = parser.parse_args().only or list(SECTIONS)
    console = Console(width=None if sys.stdout.isatty() else WIDTH)
    found, failed = run(names, console)
    console.print(table(found))
    for name, why in failed.items():
        console.print(f"{name}: not measured. {why}", style="bold red", markup=False)
    data = {
        "machine": {"cpus": os.cpu_count(), "python": platform.python_version(),
                    "load_before": os.getloadavg()[0], "system": platform.platform()},
        "sections": {
            name: [{**asdict(row), "verdict": row.verdict} for row in rows]
            for name, rows in found.items()
        },
        "failed": failed,
    }  # fmt: skip
    target = ROOT / "out" / "bench.json"
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    verdicts = [row.verdict for rows in found.values() for row in rows]
    missing = verdicts.count("missing")
    console.print(
        f"{verdicts.count('over')} over budget, {missing} not measured;"
        f" {target.relative_to(ROOT)} written"
    )
    return 1 if failed or missing else 0


if __name__ == "__main__":
    sys.exit(main())

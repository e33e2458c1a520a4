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
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from tools.bench import cards, device, offline, wake
from tools.bench.barge_in import barge_in
from tools.bench.hearing import rows as hearing
from tools.bench.relay import latency, release
from tools.bench.rows import Row, number

ROOT = Path(__file__).parents[2]
TARGET = ROOT / "out" / "bench.json"
WIDTH = 130  # of the table where no terminal says one
FIRST_AUDIO_MS = 900
FALSE_ACCEPT_PERCENT = 1.0  # design section 9: of sentences never looked at


def relay_rows() -> list[Row]:
    """Talking devices."""
    return latency.rows(asyncio.run(latency.measure()))


def offline_rows() -> list[Row]:
    """The offline assistant."""
    figures = offline.measure()
    return [*_offline_latency(figures["latency"]), *_offline_accuracy(figures["accuracy"])]


def _offline_latency(figures: dict[str, Any]) -> Iterator[Row]:
    stages = {
        "end_of_speech": "end of speech",
        "transcript": "transcript",
        "first_speech": "first audio",
    }
    for key, what in stages.items():
        for share in ("p50", "p95"):
            yield Row(
                name=f"last sample of speech to {what}, {share}",
                value=figures[f"{key}_ms"][share],
                unit="ms",
                limit=FIRST_AUDIO_MS if (key, share) == ("first_speech", "p50") else None,
            )
    late = figures["loop_lateness_ms"]["p95"]
    yield Row(name="loop late p95 in a turn", value=late, unit="ms")


def _offline_accuracy(figures: dict[str, Any]) -> Iterator[Row]:
    for condition, cell in figures["cells"].items():
        sentences = f"{cell['commands']} sentences"
        right = round(100 * cell["right"] / max(1, cell["commands"]), 1)
        yield Row(name=f"{condition}: {sentences} right", value=right, unit="%")
    limits = {
        "another command was understood": ("wrong_percent", None),
        "false accepts, all other sentences": ("false_accept_percent", None),
        "false accepts, held-out sentences": (
            "held_out_false_accept_percent",
            FALSE_ACCEPT_PERCENT,
        ),
    }
    for name, (key, limit) in limits.items():
        yield Row(name=name, value=figures[key], unit="%", limit=limit)
    yield Row(name="recognition p50", value=figures["recognition_ms"]["p50"], unit="ms")


COLOURS = {"ok": "green", "over": "bold red", "missing": "bold red", "": ""}
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
    "hearing": hearing.rows,
    "wake": wake.rows,
    "barge-in": barge_in.rows,
}


def run(names: list[str], console: Console) -> tuple[dict[str, list[Row]], dict[str, str]]:
    """The rows of each section, and why a section has none."""
    measured: dict[str, list[Row]] = {}
    failed: dict[str, str] = {}
    for name in names:
        began = time.perf_counter()
        with console.status(f"measuring: {name}"):
            try:
                measured[name] = SECTIONS[name]()
            except Exception as error:
                failed[name] = f"{type(error).__name__}: {error}"
        console.print(f"{name}: {time.perf_counter() - began:.0f} s", style="dim")
    return measured, failed


def table(measured: dict[str, list[Row]]) -> Table:
    """All rows, a line between sections."""
    shown = Table("section", "measured", title="Voxcard against its budgets")
    shown.add_column("value", justify="right")
    shown.add_column("budget", justify="right")
    shown.add_column("")
    shown.add_column("beside")
    for name, rows in measured.items():
        for index, row in enumerate(rows):
            value = "" if row.value is None else f"{number(row.value)} {row.unit}"
            shown.add_row(
                *("" if index else name, row.name, value, row.budget, row.verdict, row.note),
                style=COLOURS[row.verdict],
                end_section=index == len(rows) - 1,
            )
    return shown


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", action="append", choices=SECTIONS, help="one section")
    names = parser.parse_args().only or list(SECTIONS)
    console = Console(width=None if sys.stdout.isatty() else WIDTH)
    measured, failed = run(names, console)
    console.print(table(measured))
    for name, why in failed.items():
        console.print(f"{name}: not measured. {why}", style="bold red", markup=False)
    write(measured, failed)
    verdicts = [row.verdict for rows in measured.values() for row in rows]
    over, missing = verdicts.count("over"), verdicts.count("missing")
    console.print(
        f"{over} over budget, {missing} not measured; {TARGET.relative_to(ROOT)} written"
    )
    return 1 if failed or missing else 0


def write(measured: dict[str, list[Row]], failed: dict[str, str]) -> None:
    """Keep everything, and what it was measured on, as JSON."""
    data = {
        "machine": {"cpus": os.cpu_count(), "python": platform.python_version(),
                    "load_before": os.getloadavg()[0], "system": platform.platform()},
        "sections": {
            name: [{**asdict(row), "verdict": row.verdict} for row in rows]
            for name, rows in measured.items()
        },
        "failed": failed,
    }  # fmt: skip
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())

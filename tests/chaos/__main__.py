"""Harm two homes in every way, one over the embedded broker, one over mosquitto; print a table.

    PYTHONPATH=tests python -m chaos [--seed N] [--minutes N] [--broker NAME]

`lost` counts the attempts to use the home that failed until it was whole again. Exit status 1 when
anything was not whole again, when the bridge logged an error nobody foresaw, or when something was
left out because the time was over.
"""

import argparse
import asyncio
import contextlib
import re
import sys
import tempfile
from pathlib import Path

from fakes.mqtt_hop import MqttHop
from rich.console import Console
from rich.table import Table
from together.brokers import Iotcore, Mosquitto
from together.home import Home, Person

from chaos.attacks import attacks
from chaos.kills import kills
from chaos.networks import networks
from chaos.record import Record
from tools.sim.stage import orders_server

BROKERS = {"embedded": Iotcore, "mosquitto": Mosquitto}
EVIL = {
    "command": sys.executable,
    "args": [str(Path(__file__).parents[1] / "fakes" / "servers" / "evil_server.py")],
    "limit_s": 10,
}


async def harmed(name: str, folder: Path, record: Record, seed: int) -> str:
    """Do everything over one broker; the bridge's log."""
    servers = {"mcp.orders": orders_server(), "mcp.evil": EVIL}
    async with Home(BROKERS[name](folder), folder, **servers) as home:
        async with home.device() as device:
            person = Person(home, device)
            await attacks(home, person, record, name)
            await kills(home, person, record, name, seed)
        async with MqttHop(home.broker.port) as hop, home.device(port=hop.port) as device:
            person = Person(home, device)
            await networks(person, hop, record, name, seed)
        return home.log()


def unforeseen(log: str) -> list[str]:
    """The entries of the bridge's log that hold a traceback; those of tool servers, which die with
    the bridge and write into the same file, have no time before them."""
    return re.findall(r"^\d{4}-\d\d-\d\d [\d:,]+ (.{1,200}).*\n(?=Traceback )", log, re.M)


async def main() -> int:
    parser = argparse.ArgumentParser(prog="chaos")
    parser.add_argument("--seed", type=int, default=1042)
    parser.add_argument("--minutes", type=float, default=9.0)
    parser.add_argument("--logs", type=Path, help="folder for the bridges' logs")
    parser.add_argument("--broker", choices=tuple(BROKERS), action="append")
    options = parser.parse_args()
    record, failures = Record(options.minutes * 60), 0
    names = options.broker or list(BROKERS)
    # Side by side: most of a home's time is waiting for what comes back.
    with contextlib.ExitStack() as stack:
        folders = [
            Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="voxcard-chaos-")))
            for _ in names
        ]
        pairs = zip(names, folders, strict=True)
        homes = (harmed(name, folder, record, options.seed) for name, folder in pairs)
        logs = await asyncio.gather(*homes)
    for name, log in zip(names, logs, strict=True):
        if options.logs:
            (options.logs / f"{name}.log").write_text(log, encoding="utf-8")
        for line in unforeseen(log):
            print(f"{name}: an error nobody foresaw: {line}", flush=True)
            failures += 1
    table = Table("broker", "what was done", "times", "lost", "whole again after", "problems")
    for row in sorted(record.rows.values(), key=lambda row: row.broker):
        problems = "\n".join(row.problems) or "-"
        figures = (str(row.tried), str(row.lost), f"{row.recovered_s:.1f} s")
        table.add_row(row.broker, row.kind, *figures, problems)
    Console(width=140).print(table)
    for each in record.left_out:
        print(f"left out, time was over: {each}")
    failed = sum(len(row.problems) for row in record.rows.values())
    done = sum(row.tried for row in record.rows.values())
    print(f"{done - failed} passed, {failed} failed, {failures} unforeseen errors")
    return 1 if failed or failures or record.left_out or not done else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))

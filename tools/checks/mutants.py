"""`make mutants`: does a module's own test notice when one token of it is another?

    python -m tools.checks.mutants [--seed N] [--each N] [MODULE ...]

Mutates each pure module of the table with Cosmic Ray, in a copy of the checkout, `--each` mutants
of a module chosen by the seed, and runs the module's own tests on each. Prints the survivors as
differences; exit status 1 when fewer than 90 of 100 were noticed.
"""

import argparse
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
# In an environment of its own, which `make mutants` makes: it needs much that nothing else does.
PROGRAM = str(ROOT / ".venv/mutants/bin/cosmic-ray")
WANTED = 0.90
LIMIT_S = 60.0  # of one mutant's tests

OFFLINE = "bridge/voxcard/assistants/offline"
# module -> its own tests
TESTS = {
    "firmware/voxwire/audio.py": "tests/both/test_audio_frame.py",
    "firmware/voxwire/blob.py": "tests/both/test_blob.py",
    "firmware/voxwire/capability.py": "tests/both/test_capability.py",
    "firmware/voxwire/card.py": "tests/both/test_wire_card.py",
    "firmware/voxwire/message.py": "tests/both/test_message.py",
    "firmware/voxwire/session.py": "tests/both/test_session.py",
    "firmware/voxwire/tool.py": "tests/both/test_tool_wire.py",
    "firmware/voxwire/topics.py": "tests/both/test_topics.py",
    "firmware/voxwire/value.py": "tests/both/test_value.py",
    "firmware/mqtt/packet.py": "tests/both/test_mqtt_packet.py",
    "firmware/mqtt/timing.py": "tests/both/test_mqtt_timing.py",
    "firmware/audio/jitter.py": "tests/both/test_jitter.py",
    "firmware/screen/cells.py": "tests/both/test_cells.py",
    "firmware/screen/font.py": "tests/both/test_font.py",
    "firmware/screen/layout.py": "tests/both/test_layout.py",
    "firmware/screen/pages.py": "tests/both/test_pages.py",
    "firmware/session/buttons.py": "tests/both/test_buttons.py",
    "firmware/session/limits.py": "tests/both/test_limits.py",
    "firmware/session/reply.py": "tests/both/test_voice_flow.py",
    "firmware/session/talk.py": "tests/both/test_voice_flow.py",
    "firmware/settings.py": "tests/both/test_settings.py",
    "firmware/toolbox/registry.py": "tests/both/test_registry.py",
    "firmware/toolbox/rpc.py": "tests/both/test_rpc.py",
    "bridge/voxcard/audio.py": "tests/bridge/test_audio.py",
    "bridge/voxcard/link/blobs.py": "tests/bridge/link/test_blobs.py",
    "bridge/voxcard/session/pacing.py": "tests/bridge/session/test_pacing.py",
    "bridge/voxcard/session/stages.py": "tests/bridge/session/test_stages.py",
    "bridge/voxcard/session/turn/flow.py": "tests/bridge/session/turn/test_flow.py",
    "bridge/voxcard/session/uplink.py": "tests/bridge/session/test_uplink.py",
    "bridge/voxcard/cards/fit/qr_code.py": "tests/bridge/cards/test_qr.py",
    f"{OFFLINE}/speech/endpoint.py": "tests/bridge/offline/test_endpoint.py",
    f"{OFFLINE}/intents/slots.py": "tests/bridge/offline",
}

CONFIG = """\
[cosmic-ray]
module-path = "{module}"
timeout = {limit_s}
excluded-modules = []
test-command = "{python} -m pytest -q -x -p no:cacheprovider {tests}"
[cosmic-ray.distributor]
name = "local"
"""


def copy_of_checkout(folder: Path) -> Path:
    """The files that git knows, as they are in the working tree."""
    names = subprocess.run(
        ("git", "ls-files", "-z"), cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def sampled(database: Path, count: int, chance: random.Random) -> int:
    """Keep `count` mutants of those in the session; how many are kept."""
    with sqlite3.connect(database) as session:
        jobs = [row[0] for row in session.execute("SELECT job_id FROM work_items ORDER BY 1")]
        jobs.sort()
        kept = set(chance.sample(jobs, min(count, len(jobs))))
        for job in jobs:
            if job not in kept:
                session.execute("DELETE FROM mutation_specs WHERE job_id = ?", (job,))
                session.execute("DELETE FROM work_items WHERE job_id = ?", (job,))
    return len(kept)


def survivors(database: Path) -> Iterator[str]:
    """The difference of each mutant that no test noticed."""
    query = "SELECT diff FROM work_results WHERE test_outcome = 'SURVIVED'"
    with sqlite3.connect(database) as session:
        for (difference,) in session.execute(query):
            changed = (line for line in difference.splitlines() if line[:1] in "+-@")
            yield "\n".join(line for line in changed if not line.startswith(("---", "+++")))


def mutate(module: str, checkout: Path, count: int, seed: int) -> tuple[int, list[str]]:
    """How many mutants of a module were tried, and the survivors."""
    database, config = checkout / "mutants.sqlite", checkout / "mutants.toml"
    database.unlink(missing_ok=True)
    config.write_text(
        CONFIG.format(module=module, limit_s=LIMIT_S, python=sys.executable, tests=TESTS[module])
    )
    for step in ("init", "exec"):
        if step == "exec":
            tried = sampled(database, count, random.Random(f"{seed} {module}"))
        subprocess.run((PROGRAM, step, str(config), str(database)), cwd=checkout, check=True)
    return tried, list(survivors(database))


def main() -> int:
    parser = argparse.ArgumentParser(prog="mutants")
    parser.add_argument("modules", nargs="*", metavar="MODULE")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=6)
    options = parser.parse_args()
    tried = missed = 0
    with tempfile.TemporaryDirectory(prefix="voxcard-mutants-") as folder:
        checkout = copy_of_checkout(Path(folder))
        for module in options.modules or TESTS:
            count, alive = mutate(module, checkout, options.each, options.seed)
            tried, missed = tried + count, missed + len(alive)
            print(f"{module}: {count - len(alive)} of {count} noticed", flush=True)
            for difference in alive:
                print(difference)
    print(f"{tried - missed} of {tried} noticed ({100 * (tried - missed) / max(1, tried):.0f} %)")
    return 0 if tried and (tried - missed) / tried >= WANTED else 1


if __name__ == "__main__":
    sys.exit(main())

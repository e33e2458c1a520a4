"""A bridge as a process of ours: no start, however it goes, leaves one behind."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from fakes.processes import Watched, is_running
from voxcard.sim.patience import Limits, StalledError

from tools.sim import stage
from tools.sim.stage import Bridge, BridgeEndedError, BridgeProcess

ROOT = Path(__file__).parents[3]
WAITS = "import signal; print('waiting', flush=True); signal.pause()"
STUBBORN = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); " + WAITS
AT_ONCE = Limits(still_s=0, whole_s=0, tell_s=0)
TALKATIVE = Limits(tell_s=0)


def process(folder, program):
    command = [sys.executable, "-c", program]
    return BridgeProcess(command, folder, folder / "control", folder / "bridge.log")


def test_a_start_that_never_becomes_ready_ends_it_and_names_the_log(tmp_path):
    bridge = process(tmp_path, WAITS)
    with pytest.raises(StalledError) as caught:
        asyncio.run(bridge.start(limits=AT_ONCE))
    assert str(caught.value).startswith("the bridge did not come in ")
    assert str(caught.value).endswith(f"See {tmp_path / 'bridge.log'}.")
    assert not is_running(bridge.pid)


def test_a_start_that_fails_says_why_with_the_log_of_this_start(tmp_path):
    bridge = Bridge(tmp_path / "home", {"mqtt": {"hots": "x"}})
    for _ in range(2):
        with pytest.raises(BridgeEndedError) as caught:
            asyncio.run(bridge.start())
        first, *log = str(caught.value).splitlines()
        assert first == f"the bridge ended with status 1; its log is {bridge.log}"
        assert len(log) == 1 and "[mqtt] has no key `hots`" in log[0]
        assert not is_running(bridge.pid)


def test_a_program_that_cannot_be_started_is_an_error_too(tmp_path):
    command = [str(tmp_path / "missing")]
    bridge = BridgeProcess(command, tmp_path, tmp_path / "control", tmp_path / "log")
    with pytest.raises(BridgeEndedError, match="FileNotFoundError"):
        asyncio.run(bridge.start())


def test_an_interrupted_start_ends_it(tmp_path):
    bridge = process(tmp_path, WAITS)

    async def interrupted():
        waits = asyncio.Event()
        start = asyncio.create_task(bridge.start(lambda text: waits.set(), TALKATIVE))
        await waits.wait()
        assert is_running(bridge.pid)
        start.cancel()
        with pytest.raises(asyncio.CancelledError):
            await start

    asyncio.run(interrupted())
    assert not is_running(bridge.pid)


def test_what_does_not_end_when_asked_is_killed(tmp_path, monkeypatch):
    monkeypatch.setattr(stage, "END_S", 0.1)
    bridge = process(tmp_path, STUBBORN)

    async def refused():
        def tell(text):
            if "waiting" in bridge.log.read_text():
                ignores.set()

        ignores = asyncio.Event()
        start = asyncio.create_task(bridge.start(tell, TALKATIVE))
        await ignores.wait()
        start.cancel()
        await asyncio.gather(start, return_exceptions=True)

    asyncio.run(refused())
    assert not is_running(bridge.pid)


def test_more_log_or_processor_time_is_progress(tmp_path):
    bridge = process(tmp_path, WAITS)
    assert bridge.said == (0, 0, 0)
    bridge.log.write_text("one\n")
    assert bridge.said == (4, 0, 0)


KILLED = """
import asyncio, sys
from pathlib import Path
from tools.sim.simulated_device import SimulatedDevice
from tools.sim.stage import BridgeProcess

async def main():
    folder = Path(sys.argv[1])
    command = [sys.executable, "-c", sys.argv[2]]
    bridge = BridgeProcess(command, folder, folder / "control", folder / "bridge.log")
    device = SimulatedDevice(folder / "device", port=9)
    await device.start(limit_s=None)
    asyncio.create_task(bridge.start())
    while not (bridge.log.exists() and "waiting" in bridge.log.read_text()):
        await asyncio.sleep(0.01)
    print(bridge.pid, device.pid, flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no signal tells of a parent's end")
def test_when_this_process_is_killed_its_bridge_and_device_end(tmp_path):
    ours = subprocess.Popen(
        [sys.executable, "-c", KILLED, tmp_path, WAITS],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    with ours:
        pids = [int(word) for word in ours.stdout.readline().split()]
        assert len(pids) == 2
        watched = Watched(pids)
        ours.send_signal(signal.SIGKILL)
        assert watched.left() == []

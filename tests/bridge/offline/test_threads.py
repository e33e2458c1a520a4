"""The threads of the heavy work, by a loop whose clock the work sets."""

import asyncio

import pytest
from voxcard.assistants.offline.threads import Workers


class Loop(asyncio.SelectorEventLoop):
    """Its time passes when `now_s` is set."""

    now_s = 0.0

    def time(self):
        return self.now_s


def test_how_long_a_lane_took_last_is_known():
    async def run():
        loop, workers = asyncio.get_running_loop(), Workers()

        def work(until_s):
            loop.now_s = until_s
            return until_s

        def fails():
            raise ValueError("the voice is gone")

        took_ms = [dict(workers.took_ms)]
        for until_s in (0.25, 0.75):
            assert await workers.run("recognise", work, until_s) == until_s
            took_ms.append(dict(workers.took_ms))
        with pytest.raises(ValueError, match="is gone"):
            await workers.run("speak", fails)
        await workers.stop()
        return [*took_ms, workers.took_ms]

    with asyncio.Runner(loop_factory=Loop) as runner:
        known = runner.run(run())
    assert known == [{}, {"recognise": 250.0}, {"recognise": 500.0}, {"recognise": 500.0}]

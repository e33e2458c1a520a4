"""The life of a bridge's components: their order, and what one that fails does not break."""

import asyncio
import contextlib
import logging

import pytest
from fakes.bridge import run_virtual
from voxcard.components.lifecycle import Component, Lifecycle
from voxcard.errors import VoxcardError
from voxcard.tasks import Tasks


class Life:
    """Notes (name, step) of the components it makes; `step=error` raises there."""

    def __init__(self):
        self.steps = []

    def component(self, name, **errors):
        def step(kind):
            def note(*values):
                self.steps.append((name, kind, *values))
                if kind in errors:
                    raise errors[kind]

            return note

        async def start():
            step("start")()

        async def run():
            step("run")()
            await asyncio.get_running_loop().create_future()

        return Component(
            name,
            start=start,
            run=run,
            look=step("look"),
            sweep=step("sweep"),
            link=step("link"),
            leave=step("leave"),
            stop=step("stop"),
        )


def live(components, for_s=0.0, link=()):
    """Start and run them for a while."""

    async def conversation():
        lifecycle = Lifecycle(components, Tasks())
        async with lifecycle.started():
            running = asyncio.create_task(lifecycle.run())
            await asyncio.sleep(for_s)
            for up in link:
                lifecycle.link(up)
            running.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await running

    run_virtual(conversation())


def test_they_start_run_and_leave_in_order_and_stop_in_reverse():
    life = Life()
    live([life.component("broker"), life.component("history")], for_s=0.5, link=[True])
    assert life.steps == [
        ("broker", "start"),
        ("history", "start"),
        ("broker", "run"),
        ("history", "run"),
        ("broker", "link", True),
        ("history", "link", True),
        ("broker", "leave"),
        ("history", "leave"),
        ("history", "stop"),
        ("broker", "stop"),
    ]


def test_each_is_looked_after_every_second_and_swept_every_ten():
    life = Life()
    live([life.component("updates")], for_s=20.5)
    kinds = [kind for _, kind, *_ in life.steps]
    assert (kinds.count("look"), kinds.count("sweep")) == (20, 2)


def test_one_that_does_not_start_is_stopped_and_so_are_those_before_it():
    life, error = Life(), VoxcardError("The port is taken.", "Set another.")
    parts = [life.component("broker"), life.component("web", start=error), life.component("x")]
    with pytest.raises(VoxcardError, match="The port is taken"):
        live(parts)
    assert life.steps == [
        ("broker", "start"),
        ("web", "start"),
        ("web", "stop"),
        ("broker", "stop"),
    ]


@pytest.mark.parametrize("step", ["look", "sweep", "leave"])
def test_one_that_fails_is_named_and_takes_no_other_with_it(step, caplog):
    life = Life()
    with caplog.at_level(logging.ERROR, "voxcard"):
        live([life.component("updates", **{step: OSError(28)}), life.component("x")], for_s=10.5)
    assert "updates" in caplog.records[0].getMessage()
    kinds = [kind for name, kind, *_ in life.steps if name == "x"]
    assert [kinds.count(kind) for kind in ("look", "sweep", "leave", "stop")] == [10, 1, 1, 1]


def test_what_a_stop_raises_keeps_none_from_stopping():
    life = Life()
    with pytest.raises(OSError, match="28"):
        live([life.component("broker"), life.component("history", stop=OSError(28))])
    assert life.steps[-2:] == [("history", "stop"), ("broker", "stop")]


def test_a_component_that_has_no_step_is_left_alone():
    live([Component("nothing")], for_s=20.0, link=[True, False])

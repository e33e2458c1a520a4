"""Every target of `make fuzz`."""

from collections.abc import Iterator
from contextlib import contextmanager

from fuzz import bridge, cards, wire
from fuzz.target import Target


@contextmanager
def targets() -> Iterator[list[Target]]:
    """The wire on both interpreters, cards, and what else the bridge reads.

    What they start (a MicroPython, servers on loopback) ends with the context.
    """
    device = wire.MicroPython()
    try:
        yield [*wire.targets(device), *cards.targets(), *bridge.targets()]
    finally:
        device.close()
        bridge.close()

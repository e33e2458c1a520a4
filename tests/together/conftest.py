"""Homes for the conversations: over our own broker, with --brokers over mosquitto again."""

import asyncio
import io
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PIL import Image
from together import brokers
from together.brokers import Broker
from together.home import Home, at

from tools.sim import speech
from tools.sim.stage import orders_server

FAULTY = {
    "command": sys.executable,
    "args": [str(Path(__file__).parent.parent / "fakes" / "servers" / "faulty_server.py")],
    "limit_s": 5,  # the others answer within it on a busy computer too
}
MakeBroker = Callable[[Path], Broker]
AGAIN = (
    "test_conversations.py",
    "test_access.py",
    "test_setup_mistakes.py",
    "test_updates.py",
)  # what --brokers runs again


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    again = metafunc.config.getoption("--brokers")
    rows = {
        "over": brokers.MATRIX if again else brokers.DEFAULT,
        "guarded": brokers.GUARDED_MATRIX if again else brokers.GUARDED_DEFAULT,
        "walled": brokers.GUARDED_MATRIX,
    }
    for name, kinds in rows.items():
        if name in metafunc.fixturenames:
            metafunc.parametrize(name, kinds.values(), ids=kinds, scope="session")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    if config.getoption("--brokers"):
        items[:] = [each for each in items if each.path.parent == here and each.path.name in AGAIN]
    else:
        # Without it pip packages alone must do.
        items[:] = [each for each in items if "walled" not in getattr(each, "fixturenames", ())]


@pytest.fixture(scope="session")
def runner() -> Iterator[asyncio.Runner]:
    """One event loop for the processes and every test that talks to them."""
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture(scope="session")
def home(
    over: MakeBroker, runner: asyncio.Runner, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Home]:
    """A broker, the bridge with its tool servers, and devices as tests start them.

    Shared, because a bridge takes seconds to load its models: a test that ends the broker or the
    bridge has a home of its own.
    """
    folder = tmp_path_factory.mktemp("home")
    home = Home(over(folder), folder, **{"mcp.orders": orders_server(), "mcp.faulty": FAULTY})
    try:
        runner.run(home.start())
        yield home
    finally:
        runner.run(home.stop())


@pytest.fixture
def talk(runner: asyncio.Runner, home: Home) -> Callable[..., None]:
    """`talk(conversation, **config)` runs a conversation with a device of its own."""
    return lambda conversation, **config: runner.run(at(home, conversation, **config))


@pytest.fixture(scope="session")
def spoken(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """`spoken(text)` is a WAV of the local voice, made once."""
    folder, made = tmp_path_factory.mktemp("speech"), dict[str, Path]()

    def path_of(text: str) -> Path:
        if text not in made:
            made[text] = folder / f"{len(made)}.wav"
            speech.record(made[text], text)
        return made[text]

    return path_of


@pytest.fixture(scope="session")
def photo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A JPEG of some ten chunks that no two blocks of are alike."""
    pixels = random.Random(1042).randbytes(160 * 120 * 3)
    data = io.BytesIO()
    Image.frombytes("RGB", (160, 120), pixels).save(data, "JPEG", quality=90)
    path = tmp_path_factory.mktemp("photo") / "photo.jpg"
    path.write_bytes(data.getvalue())
    return path

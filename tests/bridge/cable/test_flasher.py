"""Real esptool writes images into the mock of Espressif's bootloader."""

import asyncio
import contextlib
import re
import socket
import threading

import pytest
from fakes.cable.bootloader import bootloader
from fakes.cable.images import image
from voxcard.cable import boards, flasher
from voxcard.cable import image as images
from voxcard.errors import VoxcardError
from voxcard.package_files import boards as board_files

FOLDER = board_files()
BUILDS = boards.builds(FOLDER)
ESP32 = boards.read("m5-atom-echo", FOLDER)
S3 = boards.read("diy-s3-oled", FOLDER)
S3_IMAGE, ESP32_IMAGE = image(), image("esp32", "VOXCARD_ESP32")


def quiet(step, done, total):
    pass


def write(port, board, data, report=quiet):
    read = images.check(data, board, BUILDS)
    with flasher.connected(port, report) as chip:
        chip.check(board, read)
        chip.write(board, data)


@pytest.mark.parametrize(("board", "data"), [(S3, S3_IMAGE), (ESP32, ESP32_IMAGE)])
def test_an_image_is_written_where_the_chip_starts_and_its_steps_are_reported(
    tmp_path, board, data
):
    steps = []
    with bootloader(board.chip, tmp_path) as port:
        write(port, board, data, lambda step, done, total: steps.append((step, done == total)))
    assert {("connect", True), ("erase", True), ("write", True)} <= set(steps)
    assert [step for step, _ in steps] == sorted(
        (step for step, _ in steps), key=["connect", "erase", "write"].index
    )


def test_another_chip_than_the_boards_is_left_alone(tmp_path):
    with (
        bootloader("esp32c3", tmp_path) as port,
        pytest.raises(
            VoxcardError, match=r"is esp32c3, the board diy-s3-oled has esp32s3.*--board"
        ),
    ):
        write(port, S3, S3_IMAGE)


def test_an_image_for_more_flash_than_the_chip_has_is_refused(tmp_path):
    with (
        bootloader("esp32s3", tmp_path) as port,
        pytest.raises(VoxcardError, match="needs 8 MB of flash, this chip has 4"),
    ):
        write(port, S3, image(flash_mb=8))


def test_a_flash_that_keeps_something_else_is_noticed(tmp_path):
    with (
        bootloader("esp32s3", tmp_path, "worn") as port,
        pytest.raises(VoxcardError, match=r"holds something else.*worn out"),
    ):
        write(port, S3, S3_IMAGE)


def test_nobody_at_the_port_is_explained():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = f"socket://127.0.0.1:{server.getsockname()[1]}"
    with (
        pytest.raises(VoxcardError, match=r"Nothing answers at.*cable"),
        flasher.connected(port, quiet),
    ):
        pass


def test_a_chip_that_does_not_listen_is_to_be_put_into_its_bootloader(monkeypatch):
    monkeypatch.setattr(flasher, "_ATTEMPTS", 1)
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        pytest.raises(VoxcardError, match=r"No ESP32 answers.*Hold BOOT, press and release RESET"),
        flasher.connected(f"socket://127.0.0.1:{server.getsockname()[1]}", quiet),
    ):
        pass


@pytest.mark.parametrize("step", ["erase", "write"])
def test_a_cable_that_is_pulled_is_explained_and_the_next_try_works(tmp_path, step):
    with bootloader("esp32s3", tmp_path) as port, cable(port) as (cabled, pull):

        def report(name, done, total):
            if name == step:
                pull()

        with pytest.raises(VoxcardError, match=r"was lost.*not broken.*again"):
            write(cabled, S3, S3_IMAGE, report)
        write(port, S3, S3_IMAGE)


@contextlib.contextmanager
def cable(port):
    """(the port at its near end, a function that pulls it)."""
    far = re.fullmatch(r"socket://(.+):(\d+)", port)
    loop, writers = asyncio.new_event_loop(), []

    async def carry(reader, writer):
        writers.append(writer)
        with contextlib.suppress(OSError):
            while data := await reader.read(4096):
                writer.write(data)
                await writer.drain()
        writer.close()

    async def accept(reader, writer):
        far_reader, far_writer = await asyncio.open_connection(far[1], int(far[2]))
        await asyncio.gather(carry(reader, far_writer), carry(far_reader, writer))

    async def serve():
        return await asyncio.start_server(accept, "127.0.0.1", 0)

    server = loop.run_until_complete(serve())
    thread = threading.Thread(target=loop.run_forever)
    thread.start()

    async def cut():
        for writer in writers:
            writer.transport.abort()

    def pull():
        asyncio.run_coroutine_threadsafe(cut(), loop).result()

    async def end():
        server.close()
        await cut()
        await asyncio.sleep(0)

    try:
        yield f"socket://127.0.0.1:{server.sockets[0].getsockname()[1]}", pull
    finally:
        asyncio.run_coroutine_threadsafe(end(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()

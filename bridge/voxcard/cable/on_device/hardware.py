"""Runs on the board, in its raw REPL: tries its parts by the firmware's own drivers.

After files.py. Each test prints one line of JSON, {name: value}; the meter one more for each look.
The board is restarted afterwards: nothing here is put back.
"""

import asyncio
import gc
import json
import math
import os
import sys
import time
from array import array

RATE_HZ = 16000
WAIT_MS = 8  # a read that takes so long has waited: the firmware asks each 10 ms
PULSES = 20  # messages of the broker's test
buses = []  # the I2C buses of the board: a second one on the same pins would cut off its chips


def say(**values):
    print(json.dumps(values))


def begin(slot):
    """Make the board; print its parts. An image with the firmware inside has no slot."""
    global board
    if slot:
        sys.path.insert(0, "/" + slot)
    if sys.platform == "esp32":
        from hal.start import prepare

        prepare()
        _keep_buses()
    from hal import this_board

    board = this_board()
    names = ("microphone", "speaker", "display", "camera", "network", "battery")
    say(
        parts=[name for name in names if getattr(board, name) is not None],
        buttons=[button.name for button in board.buttons],
        buses=bool(buses),
    )


def _keep_buses():
    """The board forgets them when it is built."""
    from hal.parts import registers

    class Kept(registers.Buses):
        def __init__(self, wires):
            super().__init__(wires)
            buses.append(self)

    registers.Buses = Kept


async def _keep_network():
    # Not the board's own `run`: that starts a watchdog, and a person takes time to answer.
    while True:
        board.network.step()
        await asyncio.sleep_ms(100)


def run_test(test, limit_ms):
    """Run one test; what goes wrong is its result."""

    async def whole():
        has_steps = hasattr(board.network, "step")
        own = asyncio.create_task(_keep_network()) if has_steps else None
        try:
            await asyncio.wait_for_ms(test, limit_ms)
        finally:
            if own is not None:
                own.cancel()

    try:
        asyncio.run(whole())
    except asyncio.TimeoutError:
        say(error="it took longer than %d s" % (limit_ms // 1000))
    except (OSError, ValueError, MemoryError) as error:
        say(error="%s: %s" % (type(error).__name__, error))


def memory():
    """What the heap and the network's memory have left, and how long a collection takes."""
    pauses_us = []
    for _ in range(10):
        garbage = [bytearray(32) for _ in range(200)]
        del garbage
        began_us = time.ticks_us()
        gc.collect()
        pauses_us.append(time.ticks_diff(time.ticks_us(), began_us))
    values = {"heap_free_bytes": gc.mem_free(), "heap_used_bytes": gc.mem_alloc()}
    if sys.platform == "esp32":
        import esp32

        heaps = esp32.idf_heap_info(esp32.HEAP_DATA)
        values["system_free_bytes"] = sum([heap[1] for heap in heaps])
        values["system_largest_bytes"] = max([heap[2] for heap in heaps])
    stat = os.statvfs("/")
    say(gc_pause_us=max(pauses_us), flash_free_bytes=stat[0] * stat[3], **values)


def pattern():
    """A frame around the screen, a filled quarter in its first corner."""
    import framebuf

    display = board.display
    kind, lit = (framebuf.MONO_HLSB, 1) if display.depth == 1 else (framebuf.RGB565, 0xFFFF)
    rows = 8
    buffer = bytearray(display.width * rows * display.depth // 8)
    band = framebuf.FrameBuffer(buffer, display.width, rows, kind)

    async def draw():
        began_ms = time.ticks_ms()
        for y in range(0, display.height, rows):
            band.fill(0)
            band.rect(0, -y, display.width, display.height, lit)
            if y < display.height // 2:
                band.fill_rect(0, 0, display.width // 2, rows, lit)
            await display.write(0, y, display.width, rows, buffer)
        say(screen_ms=time.ticks_diff(time.ticks_ms(), began_ms))

    run_test(draw(), 10000)


def tone(hz, ms):
    """A tone from the speaker at a quarter of full scale."""
    count = RATE_HZ // hz
    wave = array("h", [int(8191 * math.sin(2 * math.pi * at / count)) for at in range(count)])
    view = memoryview(bytes(wave) * 8)

    async def play():
        board.speaker.start(RATE_HZ)
        began_ms = time.ticks_ms()
        left = written = RATE_HZ * 2 * ms // 1000
        while left > 0:
            left -= await board.speaker.write(view[: min(left, len(view))])
        while board.speaker.buffered_ms():
            await asyncio.sleep_ms(10)
        passed_ms = time.ticks_diff(time.ticks_ms(), began_ms)
        board.speaker.stop()
        say(speaker_bytes=written, speaker_ms=passed_ms)

    run_test(play(), ms + 10000)


def _loudness(view):
    """The mean of what is there and its largest distance from it, of pcm16."""
    total, low, high = 0, 32767, -32768
    for at in range(0, len(view), 2):
        value = view[at] | view[at + 1] << 8
        value = value - 65536 if value > 32767 else value
        total += value
        low, high = min(low, value), max(high, value)
    mean = total * 2 // len(view)
    return mean, max(high - mean, mean - low)


async def _drain(microphone, view):
    """Read until it must be waited for: what its DMA held is of another time."""
    count = 0
    while True:
        asked_ms = time.ticks_ms()
        count += await microphone.readinto(view[:512])
        if time.ticks_diff(time.ticks_ms(), asked_ms) >= WAIT_MS:
            return count


def meter(ms):
    """Look at the microphone ten times a second: `level`; then its rate and its offset."""
    microphone = board.microphone
    buffer = bytearray(microphone.rate_hz // 5)
    view = memoryview(buffer)

    async def listen():
        microphone.start()
        await microphone.readinto(view[:512])  # waits while its start is thrown away
        await _drain(microphone, view)
        began_ms = time.ticks_ms()
        heard, means, levels, got = 0, [], [], 0
        while time.ticks_diff(time.ticks_ms(), began_ms) < ms:
            count = await microphone.readinto(view[got:])
            heard += count
            got += count
            if got == len(buffer):
                got = 0
                # A tenth of a second, every eighth sample: all of them take too long.
                mean, level = _loudness(bytes(view[: len(buffer) // 8]))
                means.append(mean)
                levels.append(level)
                say(level=level)
        heard += await _drain(microphone, view)
        passed_ms = time.ticks_diff(time.ticks_ms(), began_ms)
        microphone.stop()
        offset = sum(means) // len(means) if means else 0
        rate_hz = heard * 500 // passed_ms
        levels = levels or [0]
        say(rate_hz=rate_hz, offset=offset, quietest=min(levels), loudest=max(levels))

    run_test(listen(), ms + 10000)


def press(name, ms):
    """Wait for a button to be pressed and let go."""
    (button,) = [each for each in board.buttons if each.name == name]

    async def wait():
        began_ms = time.ticks_ms()
        seen = False
        while time.ticks_diff(time.ticks_ms(), began_ms) < ms:
            down = button.pressed()
            if seen and not down:
                break
            seen = seen or down
            await asyncio.sleep_ms(10)
        say(pressed=seen, released=seen and not button.pressed())

    run_test(wait(), ms + 5000)


def join(ms):
    """Join the Wi-Fi."""

    async def connect():
        began_ms = time.ticks_ms()
        await board.network.connect()
        say(joined_ms=time.ticks_diff(time.ticks_ms(), began_ms), **board.network.status())

    run_test(connect(), ms)


def echo(ms):
    """How long a message takes to the broker and back: the device hears its own status."""
    from app import client_of, settings_of
    from identity import device_id_of
    from voxwire.topics import topic

    settings, _ = settings_of(board)
    device_id = device_id_of(board, settings)
    client = client_of(settings, device_id, board.formats)
    status = topic(settings.get("root"), device_id, "status").encode()
    back = asyncio.Event()
    client.subscribe(status, 0, lambda payload: back.set(), "drop")

    async def measure():
        times_ms = []
        for _ in range(PULSES):
            back.clear()
            began_ms = time.ticks_ms()
            await client.publish(status, b'{"online":false}')
            await back.wait()
            times_ms.append(time.ticks_diff(time.ticks_ms(), began_ms))
        times_ms.sort()
        # The first waits for the connection, too.
        say(echo_ms=times_ms[PULSES // 2], echo_max_ms=times_ms[-2])

    async def whole():
        await board.network.connect()
        tasks = [asyncio.create_task(client.run()), asyncio.create_task(client.keep_alive())]
        try:
            await asyncio.wait_for_ms(measure(), ms)
        except asyncio.TimeoutError:
            say(error=client.problem or "the broker gives nothing back")
        for task in tasks:
            task.cancel()

    run_test(whole(), 2 * ms)

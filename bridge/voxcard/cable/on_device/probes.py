"""Runs on the board, in its raw REPL, after hardware.py: looks at chips, slots, camera, battery.

Each prints one line of JSON, {name: value}; the buses one each. What is found is judged elsewhere.
"""

import asyncio
import select
import time
from binascii import hexlify

import __main__ as hardware  # hardware.py, which ran before

FULL = 8388607  # of a slot's upper 24 bits
STEP_MS = 25  # of 256 frames: what comes meanwhile is lost, which does not matter here
SKIPPED, LOOKED = 12, 20  # steps: microphones start with garbage


def chips(wanted):
    """Look at the I2C buses of the board's file.

    `wanted` is {bus: [(address, ((register, bits of its number, bytes), ...)), ...]}: what is read
    of a chip that is there.
    """
    for name, rows in wanted.items():
        try:
            bus = hardware.buses[0](name)
            there = bus.scan()
        except (OSError, ValueError) as error:
            hardware.say(bus=name, error="%s: %s" % (type(error).__name__, error))
            continue
        ids = {}
        for address, registers in rows:
            if address in there:
                ids[str(address)] = _registers(bus, address, registers)
        hardware.say(bus=name, there=there, ids=ids)


def _registers(bus, address, registers):
    try:
        return [
            str(hexlify(bus.readfrom_mem(address, register, count, addrsize=bits)), "ascii")
            for register, bits, count in registers
        ]
    except OSError:
        return []


def slots(unit, sck, ws, sd, rate_hz):
    """What the two slots of the microphone's I2S hold, as they come."""
    from machine import I2S, Pin

    data = bytearray(2048)

    async def look():
        # The firmware's own start: its codec is told to listen. Then the unit with both slots.
        hardware.board.microphone.start()
        i2s = I2S(
            unit, sck=Pin(sck), ws=Pin(ws), sd=Pin(sd), mode=I2S.RX, bits=32, format=I2S.STEREO,
            rate=rate_hz, ibuf=8192,
        )  # fmt: skip
        poller = select.poll()
        poller.register(i2s, select.POLLIN)
        poller.poll(0)
        sides = [[FULL, -FULL - 1, 0], [FULL, -FULL - 1, 0]]
        frames = 0
        for step in range(SKIPPED + LOOKED):
            await asyncio.sleep_ms(STEP_MS)
            count = i2s.readinto(data) // 8
            if step >= SKIPPED:
                frames += count
                for side in (0, 1):
                    _add(sides[side], data, side, count)
        i2s.deinit()
        hardware.board.microphone.stop()
        if not frames:
            hardware.say(error="no frame came")
            return
        for side in sides:
            side[2] //= frames
        hardware.say(left=sides[0], right=sides[1], frames=frames)

    hardware.run_test(look(), 10000)


def _add(side, data, first, count):
    """Lowest, highest and sum of a slot's upper 24 bits."""
    low, high, total = side
    for at in range(4 * first, 8 * count, 8):
        value = data[at + 1] | data[at + 2] << 8 | data[at + 3] << 16
        value -= (value & 0x800000) << 1
        total += value
        if value < low:
            low = value
        if value > high:
            high = value
    side[:] = low, high, total


def photo():
    """Take one; how large it is, and its first and last two bytes."""

    async def take():
        began_ms = time.ticks_ms()
        picture = await hardware.board.camera.capture()
        size, ends = len(picture), []
        for at in (0, max(0, size - 2)):
            ends.append(bytearray(min(2, size)))
            picture.read(at, memoryview(ends[-1]))
        picture.close()
        passed_ms = time.ticks_diff(time.ticks_ms(), began_ms)
        words = [str(hexlify(each), "ascii") for each in ends]
        hardware.say(photo_bytes=size, photo_ms=passed_ms, first=words[0], last=words[1])

    hardware.run_test(take(), 10000)


def battery():
    """How full it is. What a chip has not measured yet it has a second later."""
    cell = hardware.board.battery
    cell.percent()
    time.sleep_ms(1200)
    hardware.say(percent=cell.percent(), charging=cell.charging())

"""Time and heap of the device's audio path, printed as one JSON line; run under MicroPython.

MICROPYPATH=firmware:.frozen micropython -X heapsize=150k tools/bench/device_audio.py
Times are us per 320-sample frame (20 ms at 16 kHz), the best of several rounds; heap is bytes per
call with the collector off, for capture and playback bytes per 40 ms frame through their tasks.
`bytecode_encode_us` is the same encoder without viper: the ratio is what viper is worth.
"""

import asyncio
import gc
import json
import math
import time
from array import array

from audio import adpcm, level
from audio.capture import Capture
from audio.playback import Playback
from voxwire import audio

SAMPLES = 320
ROUNDS, CALLS = 7, 200
FRAMES = 50
FRAME_BYTES = 1280  # 40 ms at 16 kHz


def measure(function, *arguments):
    """(us a call, heap bytes a call)."""
    return round(fastest_us(function, *arguments) / CALLS, 2), allocated(function, *arguments)


def fastest_us(function, *arguments):
    """The fastest of some rounds of CALLS calls."""
    best = None
    for _ in range(ROUNDS):
        began = time.ticks_us()
        for _ in range(CALLS):
            function(*arguments)
        took = time.ticks_diff(time.ticks_us(), began)
        best = took if best is None else min(best, took)
    return best


def allocated(function, *arguments):
    """Heap bytes a call, without what the loop around it takes."""
    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    function(*arguments)
    function(*arguments)
    once = gc.mem_alloc() - before
    before = gc.mem_alloc()
    for _ in range(20):
        function(*arguments)
    grown = gc.mem_alloc() - before - once
    gc.enable()
    return max(0, grown) // 20


def bytecode_encode(pcm, samples):
    """Work of the encoder's shape in bytecode: what it would cost without viper."""
    predictor = index = total = 0
    steps, moves = adpcm._STEPS, adpcm._MOVES
    for sample in pcm[:samples]:
        step = steps[index]
        difference = sample - predictor
        code = 8 if difference < 0 else 0
        difference = abs(difference)
        change = step >> 3
        for bit in (4, 2, 1):
            if difference >= step:
                code |= bit
                difference -= step
                change += step
            step >>= 1
        predictor += -change if code & 8 else change
        predictor = max(-32768, min(32767, predictor))
        index = max(0, min(88, index + moves[code & 7] - 1))
        total += code
    return total


class EndlessMicrophone:
    """Gives 512 bytes at every read."""

    rate_hz = 16000

    def start(self):
        pass

    def stop(self):
        pass

    async def readinto(self, buffer):
        await asyncio.sleep_ms(0)
        return min(512, len(buffer))


class HungrySpeaker:
    """Takes 512 bytes at every write and counts them."""

    taken = 0

    def start(self, rate_hz):
        pass

    def stop(self):
        pass

    def buffered_ms(self):
        return 100

    async def write(self, buffer):
        await asyncio.sleep_ms(0)
        count = min(512, len(buffer))
        self.taken += count
        return count


async def grown_by(step, done):
    """Heap bytes a frame while `step()` is called until `done()` counted FRAMES more."""
    gc.collect()
    gc.disable()
    first, before = done(), gc.mem_alloc()
    while done() - first < FRAMES:
        step()
        await asyncio.sleep_ms(0)
    grown = gc.mem_alloc() - before
    gc.enable()
    return grown // FRAMES


async def capture_heap():
    sent = [0]

    def send_frame(buffer, size):
        sent[0] += 1
        return True

    capture = Capture(EndlessMicrophone(), send_frame)
    task = asyncio.create_task(capture.run())
    capture.start(0)
    capture.open()
    while sent[0] < 10:
        await asyncio.sleep_ms(0)
    heap = await grown_by(lambda: None, lambda: sent[0])
    task.cancel()
    return heap


async def playback_heap():
    speaker = HungrySpeaker()
    # Polls at once instead of every 10 ms: every frame given is played before the next.
    playback = Playback(speaker, sleep_ms=lambda ms: asyncio.sleep_ms(0))
    task = asyncio.create_task(playback.run())
    playback.begin(0)
    payload = bytes(324)
    data = bytearray(audio.encode(audio.AudioFrame(audio.IMA_ADPCM, 0, 0, payload)))
    accepted = [0]

    def played():
        return speaker.taken // FRAME_BYTES

    def step():
        if accepted[0] - played() < 4:
            data[2], data[3] = accepted[0] >> 8, accepted[0] & 255
            playback.accept(data)
            accepted[0] += 1

    while played() < 10:
        step()
        await asyncio.sleep_ms(0)
    heap = await grown_by(step, played)
    task.cancel()
    return heap


def buffers():
    """Heap bytes of the two tasks' objects, which are made once."""
    gc.collect()
    before = gc.mem_alloc()
    kept = Capture(EndlessMicrophone(), None)
    between = gc.mem_alloc()
    kept = (kept, Playback(HungrySpeaker()))
    return {"capture_bytes": between - before, "playback_bytes": gc.mem_alloc() - between}


def main():
    pcm = array("h", [int(12000 * math.sin(i * 0.1)) for i in range(SAMPLES)])
    packet, state = bytearray(4 + SAMPLES // 2), adpcm.new_state()
    figures = {}
    rows = (
        ("encode", adpcm.encode, pcm, SAMPLES, packet, state),
        ("decode", adpcm.decode, packet, len(packet), array("h", pcm)),
        ("gain", level.amplify, array("h", pcm), SAMPLES, level.UNITY),
        ("level", level.mean, pcm, SAMPLES),
    )
    for name, function, *arguments in rows:
        figures[name + "_us"], figures[name + "_heap_bytes"] = measure(function, *arguments)
    figures.update(buffers())
    figures["bytecode_encode_us"] = measure(bytecode_encode, pcm, SAMPLES)[0]
    figures["capture_heap_bytes_per_frame"] = asyncio.run(capture_heap())
    figures["playback_heap_bytes_per_frame"] = asyncio.run(playback_heap())
    print(json.dumps(figures))


if __name__ == "__main__":
    main()

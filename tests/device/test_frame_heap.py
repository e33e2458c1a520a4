"""What runs for every frame of sound allocates nothing, on 32 bit too, where integers over 30 bits
lie in the heap; what runs for every icon, next to nothing."""

import gc
from array import array

from audio import adpcm, buffers, level
from audio.jitter import Jitter
from screen import icons
from voxwire import audio

SAMPLES = 640  # 40 ms at 16 kHz
LAST_MS = 0x3FFFFFFF  # of the ticks, before they begin again


def allocated(act, times):
    """Bytes that `times` calls of `act()` allocate after a first one."""
    act()
    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    for _ in range(times):
        act()
    after = gc.mem_alloc()
    gc.enable()
    return after - before


def test_no_step_of_a_frame_allocates():
    frame = bytearray(audio.HEADER_BYTES + adpcm.HEADER_BYTES + SAMPLES // 2)
    payload = memoryview(frame)[audio.HEADER_BYTES :]
    pcm, state, gate = array("h", [1000] * SAMPLES), adpcm.new_state(), level.Gate()
    slot = bytearray(len(payload))
    audio.write_header(frame, audio.IMA_ADPCM, 0, 0)
    jitter = Jitter(16, start_frames=3, start_ms=160)
    jitter.begin(65000, LAST_MS)
    steps = (
        ("write_header", lambda: audio.write_header(frame, audio.IMA_ADPCM, 65535, LAST_MS)),
        ("check", lambda: audio.check(frame)),
        ("seq_of", lambda: audio.seq_of(frame)),
        ("distance", lambda: audio.distance(2, 65535)),
        ("encode", lambda: adpcm.encode(pcm, SAMPLES, payload, state)),
        ("decode", lambda: adpcm.decode(payload, len(payload), pcm)),
        ("copy", lambda: buffers.copy(frame, audio.HEADER_BYTES, len(slot), slot)),
        ("mean", lambda: level.mean(pcm, SAMPLES)),
        ("gate", lambda: gate.update(900)),
        ("amplify", lambda: level.amplify(pcm, SAMPLES, level.UNITY)),
        ("fade_out", lambda: level.fade_out(pcm, SAMPLES)),
        ("jitter put", lambda: jitter.put(65000, LAST_MS)),
        ("jitter take", lambda: jitter.take(LAST_MS, 40)),
    )
    costs = [(name, allocated(act, 50)) for name, act in steps]
    assert [(name, cost) for name, cost in costs if cost] == []


def test_an_icon_costs_its_rows_at_every_size_it_passes():
    for doublings, rows in ((0, 32), (1, 32 + 128), (2, 32 + 128 + 512)):
        # Its rows once more as bytes, and the head of each object.
        cost = allocated(lambda doublings=doublings: icons.bitmap("card", doublings), 1)
        assert cost <= 2 * rows + 256, doublings
